# SPDX-License-Identifier: Apache-2.0
import pytest

from lanewise.ir.written_names import written_name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z3onePiS_", "one"),
        ("_ZN2ns5inner3twoEf", "ns::inner::two"),
        ("_ZNK1A1fEv", "A::f"),
        ("_Z9undefinedi", "undefined"),
        ("_ZN2ns5inner1fEif", "ns::inner::f"),
        ("_ZN2ns3fooEv", "ns::foo"),
        ("_ZNK1A3barEi", "A::bar"),
        ("_ZL6hidden", "hidden"),
        ("_Z9elsewherei", "elsewhere"),
        ("_Z5scaleIfEvPT_", "_Z5scaleIfEvPT_"),
        ("_ZL5table", "table"),
        ("_ZN12_GLOBAL__N_15countE", "_GLOBAL__N_1::count"),
        ("_ZZ1kPiE4tile", "tile"),
        ("_ZZ1kPiE4tile_0", "tile"),
        ("_ZZN2ns1kEPfE12E4looks_like", "E4looks_like"),
        ("_ZZ4fillILi4EEvPfE4tile", "tile"),
        ("k.tile", "tile"),
        ("k.tile.3", "tile"),
        ("_Z4fillILi7EEvPi", "_Z4fillILi7EEvPi"),
        ("_ZplRK1AS1_", "_ZplRK1AS1_"),
        ("plain", "plain"),
        ("_ZZbroken", "_ZZbroken"),
        ("llvm.used", "llvm.used"),
    ],
)
def test_names(symbol: str, name: str):
    assert written_name(symbol) == name
