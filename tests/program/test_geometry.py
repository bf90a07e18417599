# SPDX-License-Identifier: Apache-2.0
"""Grids and blocks: all shapes that the limits allow, and no others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void empty() {}
__global__ void extents(unsigned *out) {
    unsigned mine[] = {gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z};
    for (int i = 0; i < 6; ++i) out[i] = mine[i];
}
__global__ void last(unsigned *out) {
    atomicMax(&out[0], blockIdx.x); atomicMax(&out[1], blockIdx.y); atomicMax(&out[2], blockIdx.z);
    atomicAdd(&out[3], 1u);
}
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


@pytest.mark.parametrize(
    ("grid", "block", "seen"),
    [
        (1, 1, [1, 1, 1, 1, 1, 1]),
        (3, 1024, [3, 1, 1, 1024, 1, 1]),
        ((3, 2), (1, 1024), [3, 2, 1, 1, 1024, 1]),
        ((2, 3, 4), (1, 1, 64), [2, 3, 4, 1, 1, 64]),
        ([2, 3], [16, 8, 8], [2, 3, 1, 16, 8, 8]),
        (np.int64(5), np.array([7, 3]), [5, 1, 1, 7, 3, 1]),
    ],
)
def test_shapes(module: lw.Module, grid: Any, block: Any, seen: list[int]):
    out = np.zeros(6, np.uint32)
    module["extents"][grid, block](out)
    assert out.tolist() == seen


@pytest.mark.parametrize("grid", [(1, 1, 65535), (1, 65535, 1), (65537, 1, 1)])
def test_every_group_of_a_large_grid_runs(module: lw.Module, grid: tuple[int, int, int]):
    out = np.zeros(4, np.uint32)
    module["last"][grid, 1](out)
    x, y, z = grid
    assert out.tolist() == [x - 1, y - 1, z - 1, x * y * z]


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        (0, r"grid \(0\): x must be 1 to 2147483647, not 0"),
        (-1, r"x must be 1 to 2147483647, not -1"),
        (2**31, r"x must be 1 to 2147483647, not 2147483648"),
        ((1, 65536), r"y must be 1 to 65535, not 65536"),
        ((1, 1, 65536), r"z must be 1 to 65535, not 65536"),
        ((4, 0), r"y must be 1 to 65535, not 0"),
        ((1, 2, 3, 4), r"expected an int or 1 to 3 of them"),
        ((), r"expected an int or 1 to 3 of them"),
        (1.5, r"grid 1.5: expected an int"),
        ("8", r"grid '8': expected an int"),
        (None, r"grid None: expected an int"),
        ((1, "x"), r"grid \(1, 'x'\): expected an int"),
    ],
)
def test_bad_grids(module: lw.Module, grid: Any, said: str):
    with pytest.raises(lw.LaunchError, match=said):
        module["empty"][grid, 1]()


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (0, r"block \(0\): x must be 1 to 1024, not 0"),
        (1025, r"x must be 1 to 1024, not 1025"),
        ((1, 1025), r"y must be 1 to 1024, not 1025"),
        ((1, 1, 65), r"z must be 1 to 64, not 65"),
        ((32, 33), r"block \(32, 33, 1\) has 1056 threads; a block has at most 1024"),
        (None, r"block None: expected an int"),
    ],
)
def test_bad_blocks(module: lw.Module, block: Any, said: str):
    with pytest.raises(lw.LaunchError, match=said):
        module["empty"][1, block]()


@pytest.mark.parametrize("geometry", [64, (1, 2, 3, None, 5), (1,), "a", "abcde"])
def test_a_launch_needs_grid_and_block(module: lw.Module, geometry: Any):
    with pytest.raises(lw.LaunchError, match=r"write k\[grid, block\]\(...\)"):
        module["empty"][geometry]()
