# SPDX-License-Identifier: Apache-2.0
"""Places in the arena, and what is combined over work-items."""

import numpy as np
import pytest

from lanewise.errors import CompileError
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.workgroup.layout.arena import Arena
from lanewise.workgroup.mapping import mapping_of

from ..parts import compiled, kernel_text, run

SHARED = """
@first = addrspace(3) global [3 x i8] undef, align 1
@second = addrspace(3) global [5 x double] undef, align 16
@unused = addrspace(3) global [1000 x i32] undef, align 4
"""


def test_the_arena_gives_shared_memory_first_then_arrays_on_lines_of_their_own():
    arena = Arena(2)
    assert [arena.shared(3, 1), arena.shared(40, 16), arena.shared(1, 4)] == [0, 16, 56]
    assert arena.shared_bytes == 57
    assert [arena.array(5), arena.array(32), arena.array(1)] == [(64, 0), (128, 0), (192, 0)]
    assert arena.fixed_bytes == 256
    assert arena.shared_bytes == 57


def test_an_empty_arena():
    for work_items in (64, None):
        arena = Arena(work_items)
        assert (arena.shared_bytes, arena.fixed_bytes, arena.item_bytes) == (0, 0, 0)


def test_only_shared_variables_that_are_used_have_a_place():
    body = """
  store i8 1, ptr addrspace(3) @first
  store double 1.0, ptr addrspace(3) @second
  ret void"""
    function = compiled(kernel_text(body, more=SHARED))
    assert function.facts.shared_bytes == 16 + 40
    assert function.facts.arena_bytes == 128


@pytest.mark.parametrize(("type_", "bytes_"), [("i1", 1), ("i8", 1), ("i32", 4), ("double", 8), ("<4 x float>", 16)])
def test_a_kept_value_takes_an_element_a_work_item(type_: str, bytes_: int):
    def function(barrier: str, items: int) -> int:
        body = f"""
  TID
  %from = getelementptr [16 x i8], ptr %in, i32 %t
  %to = getelementptr [16 x i8], ptr %out, i32 %t
  %x = load {type_}, ptr %from
  {barrier}
  store {type_} %x, ptr %to
  ret void"""
        return compiled(kernel_text(body), (items, 1, 1)).facts.arena_bytes

    assert function("", 256) == 0
    assert function("BARRIER", 256) == 256 * bytes_
    assert function("BARRIER", 1) == 128


def test_private_arrays_take_a_stride_a_work_item():
    body = """
  %mine = alloca [5 x i32], align 16
  TID
  %low = urem i32 %t, 5
  %slot = getelementptr i32, ptr %mine, i32 %low
  store i32 %t, ptr %slot
  %other = urem i32 %n, 5
  %place = getelementptr i32, ptr %mine, i32 %other
  store i32 7, ptr %place
  %got = load i32, ptr %slot
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %got, ptr %to
  ret void"""
    text = kernel_text(body)
    assert compile_for_cpu(text, "k", (40, 1, 1), mapping=mapping_of("loop")).facts.arena_bytes == 40 * 32
    out = np.zeros(40, np.uint32)
    run(text, 1, 40, out, out.copy(), 3, 0)
    place = np.arange(40)
    assert (out == np.where(place % 5 == 3, 7, place)).all()


def test_an_alloca_of_a_size_that_only_the_run_knows_is_refused_across_a_barrier():
    body = """
  %mine = alloca i32, i32 %n
  store volatile i32 1, ptr %mine
  BARRIER
  store volatile i32 2, ptr %mine
  ret void"""
    with pytest.raises(CompileError, match=r"alloca\(\) of a size that only the run knows can't be used across a b"):
        compiled(kernel_text(body))


VOTES = """
extern "C" __global__ void votes(int *out, const unsigned *in, unsigned leave, unsigned bit) {
    unsigned item = threadIdx.x + blockDim.x * threadIdx.y;
    unsigned place = item + blockIdx.x * blockDim.x * blockDim.y;
    if (item % 8 < leave) return;
    unsigned vote = in[place] & bit;
    out[3 * place] = __syncthreads_count(vote);
    out[3 * place + 1] = __syncthreads_and(vote);
    out[3 * place + 2] = __syncthreads_or(vote);
}
"""


@pytest.mark.parametrize("leave", [0, 3, 8])
@pytest.mark.parametrize("block", [(1,), (8,), (100,), (16, 4)], ids=str)
def test_votes_count_those_that_are_still_there(block: tuple[int, ...], leave: int):
    items, groups = int(np.prod(block)), 4
    values = np.random.default_rng(items).integers(0, 1 << 16, items * groups, np.uint32)
    values[:items] |= 8
    values[items : 2 * items] &= ~np.uint32(8)
    out = np.full(3 * items * groups, -1, np.int32)
    run(VOTES, groups, block, out, values, leave, 8, language="cuda", kernel="votes")
    stays = np.arange(items) % 8 >= leave
    for group in range(groups):
        ballot = (values[group * items : (group + 1) * items] & 8 != 0)[stays]
        found = out.reshape(groups, items, 3)[group]
        assert (found[~stays] == -1).all()
        if stays.any():
            count, all_, any_ = found[stays].T
            assert (count == ballot.sum()).all()
            assert (all_.astype(bool) == ballot.all()).all()
            assert (any_.astype(bool) == ballot.any()).all()
