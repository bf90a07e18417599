# SPDX-License-Identifier: Apache-2.0
"""Masks of which some lanes are off are made by operations that LLVM takes for no copy of a register."""

import ctypes
import re

import numpy as np
import pytest

from lanewise.backend.host import compile as compiling
from lanewise.backend.host.cleared_masks import clear_masks_by_and
from lanewise.llvm import LlvmModule, Machine
from lanewise.runtime.library import load

AVX512 = Machine("x86_64-linux-gnu", "x86-64-v4", "+avx512f,+avx512vl,+avx512dq,+avx512bw,-prefer-256-bit")


def kernel(lanes: int, constant: str, places: list[int | None], swapped: bool = False) -> str:
    """Stores lanes of a mask and of a constant, a byte each."""
    given, width = f"<{lanes} x i1>", len(places)
    operands = [f"{given} %mask", f"{given} {constant}"][:: -1 if swapped else 1]
    shuffle = ", ".join("i32 poison" if place is None else f"i32 {place}" for place in places)
    return f"""
define void @lanes(ptr %in, ptr %out) {{
  %x = load <{lanes} x i8>, ptr %in, align 1
  %mask = icmp ne <{lanes} x i8> %x, zeroinitializer
  %"the lanes" = shufflevector {", ".join(operands)}, <{width} x i32> <{shuffle}>
  %y = zext <{width} x i1> %"the lanes" to <{width} x i8>
  store <{width} x i8> %y, ptr %out, align 1
  ret void
}}
"""


def constant(bits: str) -> str:
    return "<" + ", ".join({"1": "i1 true", "0": "i1 false", "?": "i1 poison"}[bit] for bit in bits) + ">"


LOW_HALF = [*range(8), *range(24, 32)]
KERNELS = {
    "low half": (16, "zeroinitializer", LOW_HALF),
    "low half of open ones": (16, constant("????????00000000"), LOW_HALF),
    "padded": (8, "zeroinitializer", [*range(8), *[8] * 8]),
    "moved": (16, constant("0000000011111111"), [3, 2, 1, 0, 16, 24, None, 5]),
    "wide": (32, "zeroinitializer", [*range(16), *range(48, 64)]),
}


def wanted(lanes: int, constant: str, places: list[int | None], mask: np.ndarray) -> list[int | None]:
    if constant == "zeroinitializer":
        bits = [0] * lanes
    else:
        bits = [{"i1 true": 1, "i1 false": 0}.get(word) for word in constant[1:-1].split(", ")]
    both = [*(int(x != 0) for x in mask), *bits]
    return [None if place is None else both[place] for place in places]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("swapped", [False, True])
def test_results_are_the_same(name: str, swapped: bool) -> None:
    lanes, fixed, places = KERNELS[name]
    by = lanes if swapped else 0
    operands = [None if place is None else (place + by) % (2 * lanes) for place in places]
    text = clear_masks_by_and(LlvmModule.parse(kernel(lanes, fixed, operands, swapped)).text())
    assert text is not None
    assert not re.search(r"shufflevector .*(zeroinitializer|i1 false)", text)
    library = load(compiling.compile_shared_object(text))
    rng = np.random.default_rng(1)
    for _ in range(20):
        given, found = rng.integers(0, 2, lanes).astype(np.int8), np.full(len(places), -1, np.int8)
        library.lanes(ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(found.ctypes.data))
        for lane, bit in enumerate(wanted(lanes, fixed, places, given)):
            assert bit is None or found[lane] == bit


def moves(ir: str, mend: bool) -> list[str]:
    """Instructions that clear lanes and that LLVM takes for copies."""
    text = LlvmModule.parse(ir).text()
    module = LlvmModule.parse((clear_masks_by_and(text) or "") if mend else text)
    AVX512.claim(module)
    return re.findall(r"kmov[bwd]\t%k\d, %k\d", AVX512.assembly(module))


@pytest.mark.parametrize(("lanes", "kept"), [(16, 8), (32, 16), (64, 32)])
def test_no_copy_clears_lanes(lanes: int, kept: int) -> None:
    ir = f"""
define <{lanes} x i8> @clear(<{lanes} x i8> %x, <{lanes} x i8> %y) {{
  %a = icmp sgt <{lanes} x i8> %x, %y
  %b = icmp slt <{lanes} x i8> %x, splat (i8 5)
  %mask = or <{lanes} x i1> %a, %b
  %low = shufflevector <{lanes} x i1> %mask, <{lanes} x i1> zeroinitializer, <{lanes} x i32> <{
        ", ".join(f"i32 {lane if lane < kept else lanes}" for lane in range(lanes))
    }>
  %z = select <{lanes} x i1> %low, <{lanes} x i8> %y, <{lanes} x i8> %x
  ret <{lanes} x i8> %z
}}
"""
    assert moves(ir, mend=False)
    assert not moves(ir, mend=True)


@pytest.mark.parametrize("other", ["%mask", "poison", constant("1111"), constant("??11")])
def test_moves_that_switch_nothing_off_are_left_alone(other: str) -> None:
    assert clear_masks_by_and(LlvmModule.parse(kernel(4, other, [0, 5, 6, 3])).text()) is None
    assert clear_masks_by_and(LlvmModule.parse(kernel(4, other, [0, 1, 2, 3])).text()) is None
