# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/backend/host/test_wide_masks.py"""

import ctypes

import numpy as np
import pytest

from lanewise.backend.host.compile import compile_shared_object
from lanewise.backend.host.wide_masks import has_no_mask_registers, widen_masks
from lanewise.llvm import LlvmModule, Machine
from lanewise.runtime import load

LEAVING = """
define void @halvings(ptr %out, ptr %in) {
  %start = load <8 x i32>, ptr %in, align 4
  %some = icmp ugt <8 x i32> %start, splat (i32 1)
  br label %"a loop"

"a loop":                                         ; preds = %again, %0
  %mask = phi <8 x i1> [ %some, %0 ], [ %left, %again ]
  %also = phi <8 x i1> [ zeroinitializer, %0 ], [ %mask, %again ]
  %value = phi <8 x i32> [ %start, %0 ], [ %next, %again ]
  %count = phi <8 x i32> [ zeroinitializer, %0 ], [ %more, %again ]
  %half = lshr <8 x i32> %value, splat (i32 1)
  %next = select <8 x i1> %mask, <8 x i32> %half, <8 x i32> %value
  %one = zext <8 x i1> %mask to <8 x i32>
  %two = zext <8 x i1> %also to <8 x i32>
  %sum = add <8 x i32> %one, %two
  %more = add <8 x i32> %count, %sum
  %large = icmp ugt <8 x i32> %next, splat (i32 1)
  %left = and <8 x i1> %mask, %large
  %bits = bitcast <8 x i1> %left to i8
  switch i8 %bits, label %again [
    i8 0, label %done
  ]

again:                                            ; preds = %"a loop"
  br label %"a loop"

done:                                             ; preds = %"a loop"
  store <8 x i32> %more, ptr %out, align 4
  ret void
}
"""

NUMBERED = """
define <4 x i1> @f(<4 x i1> %0, <4 x i1> %1, i1 %2) {
  br label %4

4:                                                ; preds = %4, %3
  %5 = phi <4 x i1> [ %0, %3 ], [ %8, %4 ]
  %6 = phi i32 [ 0, %3 ], [ %7, %4 ]
  %7 = add i32 %6, 1
  %8 = and <4 x i1> %5, %1
  br i1 %2, label %4, label %9

9:                                                ; preds = %4
  ret <4 x i1> %5
}
"""


def _counted(text: str) -> list[int]:
    """What the function stores for eight numbers."""
    library = load(compile_shared_object(text))
    numbers, out = np.array([1, 2, 3, 9, 100, 0, 70000, 5], np.uint32), np.zeros(8, np.uint32)
    library.halvings(ctypes.c_void_p(out.ctypes.data), ctypes.c_void_p(numbers.ctypes.data))
    return out.tolist()


def test_phis_of_masks_are_wide_and_the_results_the_same():
    wide = widen_masks(LEAVING)
    assert wide is not None
    LlvmModule.parse(wide)
    assert "phi <8 x i1>" not in wide
    assert wide.count(" = sext <8 x i1> ") == 4
    assert widen_masks(wide) is None
    halvings = [0, 1, 1, 3, 6, 0, 16, 2]
    expected = [2 * each - 1 if each else 0 for each in halvings]
    # Lanes that have left count once more, for the iteration before, if others are still there.
    expected = [n + 1 if 0 < h < 16 else n for n, h in zip(expected, halvings, strict=True)]
    assert _counted(LEAVING) == _counted(wide) == expected


def test_masks_with_numbers_for_names_get_others_since_numbers_increase():
    wide = widen_masks(NUMBERED)
    assert wide is not None
    LlvmModule.parse(wide)
    assert "phi <4 x i32>" in wide
    assert "%5" not in wide


@pytest.mark.parametrize(
    ("cpu", "features", "expected"),
    [("x86-64", "+avx2", True), ("x86-64", "+avx2,+avx512f", False)],
)
def test_processors_with_mask_registers_keep_theirs(cpu: str, features: str, expected: bool):
    machine = Machine.host()._replace(cpu=cpu, features=features)
    assert has_no_mask_registers(machine) == (expected and machine.architecture == "x86_64")
