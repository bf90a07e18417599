# SPDX-License-Identifier: Apache-2.0
"""The estimate of live registers, counted by hand."""

import pytest

from lanewise.analysis.live_registers import live_registers, registers_of
from lanewise.ir import types as ty
from lanewise.ir.reader import read_module

LOOP = """
define void @f(ptr %p, i32 %n) {
entry:
  %a = load double, ptr %p
  %b = load float, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %q = getelementptr float, ptr %p, i32 %i
  store float %b, ptr %q
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store double %a, ptr %p
  ret void
}
"""


def test_each_block_has_its_most_live_values():
    function = read_module(LOOP).function("f")
    found = live_registers(function)
    # a, b; then a, b, next and the address q; then a
    assert [found.most(block) for block in function.blocks] == [3, 6, 2]


def test_a_value_that_a_phi_takes_is_live_at_the_end_of_the_edge_and_not_beyond():
    text = LOOP.replace("%b = load float, ptr %p", "%b = load float, ptr %p\n  %first = load i32, ptr %p")
    function = read_module(text.replace("[ 0, %entry ]", "[ %first, %entry ]")).function("f")
    assert [live_registers(function).most(block) for block in function.blocks] == [4, 6, 2]


@pytest.mark.parametrize(
    ("type_", "registers"),
    [(ty.I1, 0), (ty.I8, 1), (ty.I32, 1), (ty.I64, 2), (ty.PTR, 2), (ty.VOID, 0), (ty.vector(4, ty.I32), 4)],
    ids=str,
)
def test_registers_of_a_type(type_: ty.Type, registers: int):
    assert registers_of(type_) == registers
