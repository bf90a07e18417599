# SPDX-License-Identifier: Apache-2.0
"""Each instruction of OpenCL.std calls a function that the built-in library has, by the name that clang gives it."""

import pytest

from lanewise.frontend.opencl.library import unit_of
from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.extended import NAMES, OTHER_NAMES
from lanewise.frontend.spirv.mangling import ORDER, SCOPE, Atomic, Lanes, Named, PointerTo, mangled_name, mangled_type

MEMORY = {
    "printf",
    "vloadn",
    "vstoren",
    "vload_halfn",
    "vstore_halfn",
    "vstore_halfn_r",
    "vloada_halfn",
    "vstorea_halfn",
}
MEMORY |= {"vstorea_halfn_r", "vstore_half_r"}


@pytest.mark.parametrize("name", sorted(set(NAMES.values()) - MEMORY))
def test_each_is_in_the_library(name: str) -> None:
    of_integers = name.startswith(("s_", "u_")) or name in ("clz", "ctz", "popcount", "rotate")
    called = OTHER_NAMES.get(name, name.removeprefix("s_").removeprefix("u_"))
    codes = ("i", "j") if of_integers else ("f", "d")
    codes = ("j", "m") if name == "nan" else ("f",) if name.startswith(("half_", "native_")) else codes
    for code in codes:
        assert unit_of(mangled_name(called, (code,))) is not None


@pytest.mark.parametrize(
    ("name", "parameters", "symbol"),
    [
        ("fma", ("f", "f", "f"), "_Z3fmafff"),
        ("get_work_dim", (), "_Z12get_work_dimv"),
        ("fma", (Lanes(4, "f"),) * 3, "_Z3fmaDv4_fS_S_"),
        ("sincos", (Lanes(2, "f"), PointerTo(Lanes(2, "f"), 0)), "_Z6sincosDv2_fPS_"),
        ("vstore3", (Lanes(3, "f"), "m", PointerTo("f", 1)), "_Z7vstore3Dv3_fmPU3AS1f"),
        (
            "async_work_group_copy",
            (PointerTo(Lanes(2, "i"), 3), PointerTo(Lanes(2, "i"), 1, "K"), "m", Named("ocl_event")),
            "_Z21async_work_group_copyPU3AS3Dv2_iPU3AS1KS_m9ocl_event",
        ),
        (
            "atomic_compare_exchange_strong_explicit",
            (PointerTo(Atomic("i"), 1, "V"), PointerTo("i", 0), "i", ORDER, ORDER, SCOPE),
            "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPii12memory_orderS4_12memory_scope",
        ),
    ],
)
def test_names_are_as_clang_writes_them(name: str, parameters: tuple[str, ...], symbol: str) -> None:
    assert mangled_name(name, parameters) == symbol
    assert unit_of(symbol) is not None


def test_images_are_named_by_kind_and_access() -> None:
    image = ty.ImageType(dimension=1, is_depth=True, is_array=True, access=2)
    assert mangled_type(image, signed=True) == Named("ocl_image2d_array_depth_rw")
    assert mangled_type(ty.SamplerType(), signed=True) == Named("ocl_sampler")
