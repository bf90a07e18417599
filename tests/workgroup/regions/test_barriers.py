# SPDX-License-Identifier: Apache-2.0
import pytest

from lanewise.errors import CompileError
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.workgroup.regions.barriers import barrier_of, fold_single_phis, isolate_barriers, widen_warp_barriers

from ..parts import kernel_text


def isolated(body: str) -> dict[str, list[str]]:
    """Operations of each block once barriers stand at ends."""
    module = read_module(kernel_text(body))
    kernel = module.function("k")
    isolate_barriers(kernel)
    verify(kernel, module)
    assert all(barrier_of(b) for b in kernel.blocks if any("barrier" in i.callee for i in b.instructions))
    return {str(block.name): [i.op for i in block.instructions] for block in kernel.blocks}


def test_a_block_is_split_behind_its_barrier():
    assert isolated("""
b:
  %x = load float, ptr %in
  BARRIER
  store float %x, ptr %out
  br label %c
c:
  ret void""") == {"b": ["load", "call", "br"], "b.after": ["store", "br"], "c": ["ret"]}


def test_each_of_several_barriers_ends_a_block():
    assert isolated("""
b:
  BARRIER
  BARRIER
  %x = load float, ptr %in
  BARRIER
  ret void""") == {
        "b": ["call", "br"],
        "b.after": ["call", "br"],
        "b.after2": ["load", "call", "br"],
        "b.after3": ["ret"],
    }


def test_a_barrier_with_a_result_too():
    assert isolated("""
b:
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
  store i32 %count, ptr %out
  ret void""") == {"b": ["call", "br"], "b.after": ["store", "ret"]}


def test_phis_behind_get_their_values_from_the_new_block():
    """Also where a switch has two edges to one block; the verifier looks at the rest."""
    blocks = isolated("""
b:
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ], [ %next, %loop ]
  %next = add i32 %i, 1
  BARRIER
  switch i32 %next, label %end [ i32 1, label %loop i32 2, label %loop ]
end:
  ret void""")
    assert blocks["loop"] == ["phi", "add", "call", "br"]
    assert blocks["loop.after"] == ["switch"]


def test_phis_of_one_value_are_folded_away():
    module = read_module(
        kernel_text("""
b:
  %x = load i32, ptr %in
  br label %c
c:
  %y = phi i32 [ %x, %b ]
  store i32 %y, ptr %out
  ret void""")
    )
    kernel = module.function("k")
    fold_single_phis(kernel)
    verify(kernel, module)
    assert [i.op for i in kernel.instructions()] == ["load", "br", "store", "ret"]


def test_a_loop_phi_of_itself_alone_is_left():
    module = read_module(
        kernel_text("""
b:
  ret void
c:
  %y = phi i32 [ %y, %c ]
  br label %c""")
    )
    fold_single_phis(module.function("k"))
    assert [i.op for i in module.function("k").instructions()] == ["ret", "phi", "br"]


def test_a_warp_barrier_that_all_reach_becomes_one_of_the_group():
    module = read_module(
        kernel_text("""
b:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void""")
    )
    kernel = module.function("k")
    widen_warp_barriers(module, kernel)
    verify(kernel, module)
    assert kernel.entry.instructions[0].callee == "llvm.nvvm.barrier.cta.sync.aligned.all"


def test_a_warp_barrier_in_divergent_code_is_refused():
    module = read_module(
        kernel_text("""
b:
  TID
  %some = icmp ult i32 %t, 7
  br i1 %some, label %c, label %d
c:
  call void @llvm.nvvm.bar.warp.sync(i32 127)
  store i32 1, ptr %out
  br label %d
d:
  store i32 2, ptr %in
  ret void""")
    )
    with pytest.raises(CompileError, match=r"kernel k: __syncwarp\(\) in divergent control flow needs a warp"):
        widen_warp_barriers(module, module.function("k"))
