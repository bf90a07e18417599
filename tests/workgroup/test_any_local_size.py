# SPDX-License-Identifier: Apache-2.0
"""Work-group functions for any local size: what is constant in others is read from the launch."""

import re
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.device.cpu import CpuDevice
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.program.source.compilation import compile_source
from lanewise.workgroup.function import WorkGroupFunction
from lanewise.workgroup.launch_assumptions import ALL
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.arena import LINE, Arena

from .parts import kernel_text, session

BLOCKS = [1, 3, 64, 200, 1024, (1, 7), (8, 1, 5), (5, 4, 3), (1, 1, 64), (32, 32), (16, 4, 16)]

DEVICE = CpuDevice(Cache(None), 2, specialise=False)


def any_size(text: str, small_grid: bool = True) -> WorkGroupFunction:
    return compile_for_cpu(text, "k", None, assumptions=ALL._replace(small_grid=small_grid))


def run(source: str, grid: Any, block: Any, *arguments: Any, shared: int = 0) -> None:
    """Runs kernel k by code for any local size and, where the arrays that it leaves differ on the reference, fails."""
    module = compile_source(session(), source, language="cuda")
    copies: list[Any] = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]  # pyright: ignore[reportUnknownMemberType] : any array
    module["k"].launch(grid, block, arguments, shared=shared, device=DEVICE)
    module["k"].launch(grid, block, copies, shared=shared, device="reference")
    for place, (found, wanted) in enumerate(zip(arguments, copies, strict=True)):
        if isinstance(found, np.ndarray):
            assert found.tobytes() == wanted.tobytes(), f"argument {place}: cpu {found}, reference {wanted}"


def items(block: int | tuple[int, ...]) -> int:
    return int(np.prod(block))


# -- the layout of the arena -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [[1], [4, 8, 1, 12], [1] * 9, [100, 1, 64, 4096]], ids=str)
@pytest.mark.parametrize("shared", [0, 1, 64, 1000])
def test_arrays_neither_overlap_nor_leave_the_arena(sizes: list[int], shared: int):
    arena = Arena(None)
    if shared:
        arena.shared(shared, 1)
    places = [arena.array(size) for size in sizes]
    for count in (1, 2, 15, 16, 17, 63, 64, 65, 100, 1023, 1024):
        end = shared
        for place, size in zip(places, sizes, strict=True):
            start = place.fixed + -(-count * place.per_item // LINE) * LINE
            assert start % LINE == 0
            assert start >= end
            end = start + count * size
        bytes_ = abi.arena_bytes(arena.fixed_bytes, arena.item_bytes, count)
        assert bytes_ >= end
        assert bytes_ % abi.DYNAMIC_ALIGNMENT == 0


def test_what_differs_between_sizes_is_told_apart():
    text = kernel_text("""
  TID
  %from = getelementptr i32, ptr %in, i32 %t
  %kept = load i32, ptr %from
  BARRIER
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %kept, ptr %to
  ret void""")
    made = any_size(text)
    assert made.facts.item_bytes == 4
    assert compile_for_cpu(text, "k", (64, 1, 1)).facts.item_bytes == 0


# -- the code ----------------------------------------------------------------------------------------------------------

EVERYTHING = """
extern "C" __global__ void k(unsigned *out, unsigned *sums, unsigned n) {
    extern __shared__ unsigned dynamic[];
    __shared__ unsigned fixed[3];
    unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned count = blockDim.x * blockDim.y * blockDim.z, group = blockIdx.x + gridDim.x * blockIdx.y;
    unsigned own[4];
    for (int i = 0; i < 4; ++i) own[i] = item * i + group;
    dynamic[item] = item;
    if (item < 3) fixed[item] = count;
    __syncthreads();
    if (item % 5 == 4) return;
    unsigned mine = own[item % 4] + dynamic[(item + 1) % count] + fixed[0] + blockDim.x * 7 + blockDim.y * 5;
    int voted = __syncthreads_count(item & 1);
    out[group * count + item] = mine * 3 + voted + own[(item + 1) % 4];
    if (!__syncthreads_or(item > n)) return;
    out[group * count + item] += __syncthreads_and(item < 2000);
    if (item == 0) atomicAdd(sums, voted);
}
"""


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_one_code_serves_all_sizes(block: Any):
    count = items(block)
    run(EVERYTHING, (2, 2), block, np.zeros(4 * count, np.uint32), np.zeros(1, np.uint32), 20, shared=4 * count)


def test_no_size_is_left_in_it_and_both_verifiers_accept_it():
    text = compile_source(session(), EVERYTHING, language="cuda").ir()
    for small_grid in (True, False):
        module = any_size(text, small_grid).module
        verify(module)
        written = write_module(module)
        verify(read_module(written))
        LlvmModule.parse(written)
        assert re.findall(r"^([xyz])\.loop\.0:", written, re.MULTILINE) == ["z", "y", "x"]
        for axis, offset in zip("xyz", abi.LAUNCH_BLOCK, strict=True):
            assert re.search(rf"ptr %launch, i64 {offset}\n  %block\.{axis} = load i32, .*!range", written)


def test_warps_are_counted():
    text = kernel_text("TID\n  %w = call i32 @llvm.nvvm.read.ptx.sreg.nwarpid()\n"
                       "  %to = getelementptr i32, ptr %out, i32 %t\n  store i32 %w, ptr %to\n  ret void",
                       more="declare i32 @llvm.nvvm.read.ptx.sreg.nwarpid()")  # fmt: skip
    module = compile_source(session(), text, language="ir")
    for block in (1, 32, 33, 1024):
        out = np.zeros(block, np.int32)
        module["k"].launch(1, block, (out, out.copy(), 0, 0), device=DEVICE)
        assert (out == -(-block // 32)).all()


def test_global_ids_overflow_only_where_the_grid_is_large():
    source = """
extern "C" __global__ void k(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}"""
    text = compile_source(session(), source, language="cuda").ir()
    small, large = any_size(text), any_size(text, False)
    assert small.facts.needs_small_grid
    assert not large.facts.needs_small_grid
    without_ids = kernel_text("store i32 %n, ptr %out\n  ret void")
    assert not any_size(without_ids).facts.needs_small_grid


# -- limits ------------------------------------------------------------------------------------------------------------

LARGE = """
extern "C" __global__ void k(int *out, int n) {
    int own[1 << 20];
    for (int i = 0; i < n; ++i) own[(i * 7 + threadIdx.x) & 0xfffff] = i;
    __syncthreads();
    out[threadIdx.x] = own[threadIdx.x];
}"""


def test_a_block_that_needs_too_much_memory_is_refused_as_code_for_one_size_is():
    module = compile_source(session(), LARGE, language="cuda")
    out = np.full(1024, -1, np.int32)
    module["k"].launch(1, 2, (out, 1), device=DEVICE)
    assert (out[:1] == 0).all()
    messages: list[str] = []
    for device in (DEVICE, "cpu"):
        with pytest.raises(lw.LaunchError, match=r"^kernel k: a block of 512 x 1 x 1 needs 20\d\d MiB") as error:
            module["k"].launch(1, 512, (out, 1), device=device)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
