# SPDX-License-Identifier: Apache-2.0
"""`step-pointers` adds terms in one order, wherever the values are in Python's memory."""

from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.passes import step_pointers

SOURCE = """
define void @f(ptr %a, i64 %width, i64 %x, i64 %y, i64 %z, i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %row = mul nsw i64 %k, %width
  %plus.x = add nsw i64 %row, %x
  %plus.y = add nsw i64 %plus.x, %y
  %plus.z = add nsw i64 %plus.y, %z
  %p = getelementptr inbounds float, ptr %a, i64 %plus.z
  store float 0.0, ptr %p, align 4
  %k.next = add nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
"""


def test_equal_modules_become_equal_modules():
    modules = [read_module(SOURCE) for _ in range(20)]
    for module in modules:
        assert step_pointers.run(module.function("f"), module)
    assert len({write_module(module) for module in modules}) == 1
