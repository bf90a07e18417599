# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/backend/host/test_cut_blocks.py"""

import ctypes

from lanewise.backend.host.compile import compile_shared_object
from lanewise.backend.host.cut_blocks import WORTHWHILE, cut_blocks
from lanewise.llvm import LlvmModule
from lanewise.runtime import load

LOOP = """
define i64 @sum(ptr %p, i64 %n) {
entry:
  %own = alloca i64, align 8
  store i64 0, ptr %own, align 8
  br label %"a loop"

"a loop":                                         ; preds = %"a loop", %entry
  %i = phi i64 [ 0, %entry ], [ %next, %"a loop" ]
  %s = phi i64 [ 0, %entry ], [ %more, %"a loop" ]
  %at = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %at, align 8
  store i64 %v, ptr %own, align 8
  %w = load i64, ptr %own, align 8
  %more = add i64 %s, %w
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %"a loop", label %done

done:                                             ; preds = %"a loop"
  ret i64 %more
}
"""


def test_a_loop_in_pieces_computes_the_same():
    cut = cut_blocks(LOOP, longest=4, worthwhile=4)
    assert cut is not None
    assert "  %i = phi i64 [ 0, %entry ], [ %next, %lw.piece.2 ]" in cut
    LlvmModule.parse(cut)
    function = load(compile_shared_object(cut)).sum
    function.restype = ctypes.c_int64
    assert function((ctypes.c_int64 * 5)(1, 20, 300, 4000, 50000), ctypes.c_int64(5)) == 54321


def test_pieces_are_about_equal_and_memory_on_the_stack_stays_in_the_first():
    lines = [f"  %p{n} = alloca i32, align 4" for n in range(10)]
    lines += [f"  store i32 {n}, ptr %p{n % 10}, align 4" for n in range(25)]
    text = "define void @f() {\nentry:\n" + "\n".join(lines) + "\n  ret void\n}\n"
    cut = cut_blocks(text, longest=9, worthwhile=9)
    assert cut is not None
    LlvmModule.parse(cut)
    pieces = [piece.count("\n  ") for piece in cut.split("callbr")]
    assert cut.index("callbr") > cut.rindex("alloca")
    assert len(pieces) == 3, pieces
    assert max(pieces) < 20, pieces


def test_short_blocks_and_blocks_without_a_label_stay():
    assert cut_blocks(LOOP) is None
    lines = "\n".join(f"  store i32 {n}, ptr %0, align 4" for n in range(WORTHWHILE + 100))
    assert cut_blocks("define void @f(ptr %0) {\n" + lines + "\n  ret void\n}\n") is None


def test_a_long_block_is_cut_for_code_generation():
    stores = "".join(f"  store volatile i32 {n}, ptr %p, align 4\n" for n in range(3 * WORTHWHILE))
    made = load(compile_shared_object("define void @f(ptr %p) {\nentry:\n" + stores + "  ret void\n}\n"))
    last = ctypes.c_int32(-1)
    made.f(ctypes.byref(last))
    assert last.value == 3 * WORTHWHILE - 1
