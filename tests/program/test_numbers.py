# SPDX-License-Identifier: Apache-2.0
"""Numbers as arguments: every type arrives as it was given, and what a type can't hold is refused."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

TYPES: dict[str, Any] = {
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "bool": np.bool_,
    "float": np.float32,
    "double": np.float64,
    "_Float16": np.float16,
}
INTEGERS = {name: np.iinfo(dtype) for name, dtype in TYPES.items() if np.dtype(dtype).kind in "iu"}
FLOATS = ("float", "double", "_Float16")


def kernel_name(ctype: str) -> str:
    return "of_" + ctype.replace(" ", "_")


# Each kernel has a char before, so that the argument's alignment matters.
SOURCE = "\n".join(
    f"__global__ void {kernel_name(ctype)}({ctype} *out, char before, {ctype} value) {{ *out = value; }}"
    for ctype in TYPES
)


@pytest.fixture
def arrives(compile_cuda: Callable[[str], lw.Module]) -> Callable[[str, Any], Any]:
    """What a kernel gets for an argument of a type."""
    module = compile_cuda(SOURCE)

    def send(ctype: str, value: Any) -> Any:
        out = np.zeros(1, TYPES[ctype])
        module[kernel_name(ctype)][1, 1](out, 1, value)
        return out[0]

    return send


@pytest.mark.parametrize("ctype", INTEGERS)
def test_integers_from_least_to_greatest(arrives: Callable[[str, Any], Any], ctype: str):
    limits = INTEGERS[ctype]
    for value in (int(limits.min), 0, 1, int(limits.max)):
        assert arrives(ctype, value) == value
        assert arrives(ctype, TYPES[ctype](value)) == value


@pytest.mark.parametrize("ctype", INTEGERS)
def test_integers_out_of_range_are_refused(arrives: Callable[[str, Any], Any], ctype: str):
    limits = INTEGERS[ctype]
    for value in (int(limits.min) - 1, int(limits.max) + 1, 10**30):
        with pytest.raises(lw.LaunchError, match=rf"argument 'value': {value} does not fit {ctype}, which holds"):
            arrives(ctype, value)


@pytest.mark.parametrize("value", [1.0, np.float32(1), "1", None, 1j, np.zeros(1, np.int32), (1,)])
def test_only_integers_stand_for_integers(arrives: Callable[[str, Any], Any], value: Any):
    with pytest.raises(lw.LaunchError, match="argument 'value': expected an integer for int, not "):
        arrives("int", value)


def test_bools(arrives: Callable[[str, Any], Any]):
    for value in (True, 1, np.True_, np.int64(1)):
        assert arrives("bool", value)
    for value in (False, 0, np.False_):
        assert not arrives("bool", value)
    for value in (2, -1, 1.0, "true", None):
        with pytest.raises(lw.LaunchError, match="expected a bool, not "):
            arrives("bool", value)
    assert arrives("int", True) == 1


@pytest.mark.parametrize("ctype", FLOATS)
def test_floats(arrives: Callable[[str, Any], Any], ctype: str):
    for value in (0.0, 1.5, -2.0, 0.1, float("inf"), float("-inf"), 3, np.float32(0.25), np.int16(-7)):
        assert arrives(ctype, value) == TYPES[ctype](value)
    assert math.isnan(arrives(ctype, float("nan")))
    assert math.copysign(1, arrives(ctype, -0.0)) == -1


@pytest.mark.parametrize("value", ["1.0", None, True, 1j, np.zeros(1), [1.0]])
def test_only_real_numbers_stand_for_floats(arrives: Callable[[str, Any], Any], value: Any):
    with pytest.raises(lw.LaunchError, match="argument 'value': expected a number for float, not "):
        arrives("float", value)


@pytest.mark.parametrize(
    ("ctype", "value", "arrived"),
    [
        ("_Float16", 65504.0, 65504.0),
        ("_Float16", 65519.99, 65504.0),
        ("_Float16", 65520.0, math.inf),
        ("float", 3.4028234e38, float(np.float32(3.4028234e38))),
        ("float", 3.4028235677973366e38, math.inf),
        ("float", -1e300, -math.inf),
        ("double", 10**400, math.inf),
        ("double", -(10**400), -math.inf),
    ],
)
def test_too_large_numbers_round_as_in_c(arrives: Callable[[str, Any], Any], ctype: str, value: float, arrived: float):
    assert arrives(ctype, value) == arrived


def test_enumerations_are_integers(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("""
        enum Plain { A, B, C }; enum class Small : unsigned char { X = 200 };
        __global__ void k(int *out, Plain plain, Small small) { out[0] = plain; out[1] = (int)small; }""")
    out = np.zeros(2, np.int32)
    module["k"][1, 1](out, 2, 200)
    assert out.tolist() == [2, 200]
    with pytest.raises(lw.LaunchError, match="256 does not fit"):
        module["k"][1, 1](out, 2, 256)
