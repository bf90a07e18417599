# SPDX-License-Identifier: Apache-2.0
"""Tiles of more than one warp against NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("large_tiles.cu"))


@pytest.mark.parametrize(("device", "size"), [("cpu", 64), ("cpu", 128), ("reference", 64), ("simt", 64)])
def test_large_tiles(module: lw.Module, device: str, size: int) -> None:
    count = 128
    given = np.random.default_rng(count).integers(0, 100, count, np.uint32)
    given[64] = 99
    out = np.zeros((count, 8), np.uint32)
    module[f"large_tiles<{size}>"].launch(1, (32, count // 32), (out, given), device=device)
    for rank in range(count):
        first = rank // size * size
        tile, own = given[first : first + size], rank - first
        assert out[rank, 0] == own + 1000 * (rank // size) + 100000 * (count // size)
        assert out[rank, 1] == tile.sum()
        assert out[rank, 2] == tile[: own + 1].sum()
        assert out[rank, 3] == tile[:own].sum()
        assert out[rank, 4] == (tile == 99).any() + 10 * (tile < 99).all()
        assert out[rank, 5] == tile.min() + 100 * tile.sum()
        assert out[rank, 6] == given[rank // 16 * 16 :][:16].sum() + 100000 * (own // 16)
        assert out[rank, 7] == size - 1 - own


def test_a_tile_has_a_power_of_two_of_threads() -> None:
    source = """
        #include <cooperative_groups.h>
        __global__ void k() {{ cooperative_groups::tiled_partition<{}>(cooperative_groups::this_thread_block()); }}
    """
    with pytest.raises(lw.CompileError, match="the size of a tile is a power of two"):
        lw.compile(source.format(96))
    with pytest.raises(lw.CompileError, match="a tile has at most 1024 threads"):
        lw.compile(source.format(2048))
