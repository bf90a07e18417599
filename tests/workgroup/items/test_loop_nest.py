# SPDX-License-Identifier: Apache-2.0
"""The loops over work-items: a loop for each axis that has more than one, and every work-item once, x fastest."""

import re

import numpy as np
import pytest

from lanewise.ir.writer import write_module

from ..parts import compiled, kernel_text, run

BLOCKS = [
    (1, 1, 1),
    (7, 1, 1),
    (1, 8, 1),
    (1, 1, 5),
    (6, 2, 1),
    (3, 1, 4),
    (1, 2, 3),
    (4, 2, 3),
    (256, 1, 1),
    (16, 16, 1),
]

IDS = """
extern "C" __global__ void ids(unsigned *order, unsigned *count, uint3 *place) {
    __shared__ unsigned slots[256];
    unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    slots[item] = item * 3;
    __syncthreads();
    order[item] = slots[(item + 1) % (blockDim.x * blockDim.y * blockDim.z)];
    count[item] += 1;
    place[item] = make_uint3(threadIdx.x, threadIdx.y, threadIdx.z);
}
"""


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_every_work_item_runs_once(block: tuple[int, int, int]):
    items = block[0] * block[1] * block[2]
    order, count = np.zeros(items, np.uint32), np.zeros(items, np.uint32)
    place = np.zeros((items, 3), np.uint32)
    run(
        IDS,
        1,
        block,
        order,
        count,
        place.reshape(-1).view(np.dtype([(a, "u4") for a in "xyz"])),
        language="cuda",
        kernel="ids",
    )
    assert (order == np.roll(3 * np.arange(items), -1)).all()
    assert (count == 1).all()
    z, y, x = np.unravel_index(np.arange(items), block[::-1])
    assert (place == np.stack([x, y, z], axis=1)).all()


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_an_axis_of_one_work_item_has_no_loop(block: tuple[int, int, int]):
    body = "TID\n  %to = getelementptr i32, ptr %out, i32 %t\n  store i32 1, ptr %to\n  ret void"
    text = write_module(compiled(kernel_text(body), block, mapping="loop").module)
    loops = re.findall(r"^([xyz])\.loop\.\d+:", text, re.MULTILINE)
    assert loops == [axis for axis, extent in zip("zyx", reversed(block), strict=True) if extent > 1]
    assert text.count("!llvm.loop ") == len(loops)


def test_accesses_of_the_loop_are_marked_parallel():
    body = "TID\n  %to = getelementptr i32, ptr %out, i32 %t\n  store i32 1, ptr %to\n  ret void"
    text = write_module(compiled(kernel_text(body), mapping="loop").module)
    store = next(line for line in text.splitlines() if "store i32 1" in line)
    group = re.search(r"!llvm\.access\.group (!\d+)", store)
    assert group, text
    assert f'!{{!"llvm.loop.parallel_accesses", {group[1]}}}' in text


def test_volatile_and_atomic_accesses_are_not():
    body = """
  store volatile i32 1, ptr %out
  %old = atomicrmw add ptr %out, i32 1 monotonic
  ret void"""
    assert "access.group" not in write_module(compiled(kernel_text(body), mapping="loop").module)


def test_a_region_in_which_work_items_do_nothing_has_no_loop():
    body = """
  %sum = add i32 %n, %m
  BARRIER
  BARRIER
  TID
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %to
  ret void"""
    text = write_module(compiled(kernel_text(body), mapping="loop").module)
    assert len(re.findall(r"^x\.loop\.\d+:", text, re.MULTILINE)) == 1
