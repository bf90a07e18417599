# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/gpu/held_out, with their sizes. Passes aren't tuned on them, but for those of `LOOKED_AT`."""

from __future__ import annotations

from typing import Final

import numpy as np

from .problem import Array, Family, Kernel, blank, given, integers, reals

_HELD_OUT: Final = Family("held out", "held_out")
_add: Final = _HELD_OUT.add


def _table() -> Array:
    """A hash table of 4,099 places, some two thirds full: each key is in the place that it hashes to, or lost."""
    table = np.zeros(4099, "u8")
    keys = np.arange(1, 4000, dtype="u8") * np.uint64(977)
    table[(keys * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) % np.uint64(4099)] = keys
    return table


_add("crc32", 16, 128, blank(2048, "u4"), integers(2048 * 64, 0, 256, "u1"), 64)
_add("stencil27", (4, 8), (32, 8), blank(130 * 66 * 10), reals(130 * 66 * 10), 0.5, 0.2, 0.1, 0.05, 130, 66, 10)
_add(
    "bilateral", (4, 8), (32, 8), blank(128 * 64), reals(128 * 64, 0, 1),
    given(lambda: np.exp(-(np.arange(-3, 4, dtype="f4") ** 2) / 8)), 128, 64, 3, 10.0,
)  # fmt: skip
_add("sobel", (8, 16), (32, 8), blank(256 * 128, "u1"), integers(3 * 256 * 128, 0, 256, "u1"), 256, 128)
_add("nearest_neighbours", 8, 128, blank(4 * 1024, "i4"), reals(3 * 1024), 256)
_add("ray_march", (4, 8), (32, 8), blank(128 * 64), 128, 64, 64)
_add("binomial", 64, 256, blank(64), reals(64, 50, 150), reals(64, 50, 150), 128, 0.01, 0.02, 0.3)
_add("gru_cell", (2, 64), 256, reals(64 * 512), *[reals(64 * 1536)] * 2, *[reals(1536)] * 2, 512)
_add(
    "paged_scores", (32, 8), (8, 16), blank(8 * 512), reals(8 * 64), reals(40 * 2 * 16 * 64), integers(32, 0, 40), 512,
    4, 2, 0.125,
)  # fmt: skip
_add("compaction", 16, 256, blank(65536, "i4"), blank(16, "i4"), integers(65536, -1000, 1000), 65536, 300)
_add(
    "hash_probe", 64, 128, blank(8192, "i4"), given(_table),
    given(lambda: np.arange(1, 8193, dtype="u8") * np.uint64(977)), 4099,
)  # fmt: skip
_add("batched_cholesky", 32, 128, blank(36 * 4096), reals(36 * 4096), 4096)
_add(
    "thomas", 16, 128, *[blank(2048 * 64, "f8")] * 2, reals(2048 * 64, -1, 0, "f8"), reals(2048 * 64, 3, 4, "f8"),
    reals(2048 * 64, -1, 0, "f8"), reals(2048 * 64, dtype="f8"), 2048, 64,
)  # fmt: skip
_add("red_black", (4, 32), (32, 8), reals(258 * 258), reals(258 * 258), 258, 258, 1, 0.01, 1.5)
_add("bicubic", (8, 16), (32, 8), blank(256 * 128), reals(128 * 64), 128, 64, 256, 0.49, 0.49)
_add("median", (8, 16), (32, 8), blank(256 * 128, "u1"), integers(258 * 130, 0, 256, "u1"), 258)
_add("lcg_walks", 16, 128, blank(2048, "i4"), 4, 128, 12345)
_add(
    "csr_blocks", 64, (4, 32), blank(4 * 2048, "f8"), reals(16 * 8 * 2048, dtype="f8"),
    given(lambda: np.cumsum(np.arange(2049) % 8, dtype="i4")), integers(8 * 2048, 0, 2048), reals(4 * 2048, dtype="f8"),
)  # fmt: skip
_add("yuv", 128, 256, *[blank(65536, "u1")] * 3, integers(4 * 32768, 0, 256, "u1"), 32768)
_add("top_k_gate", 64, (32, 4), blank(512), blank(512, "i4"), reals(256 * 28, -3, 3), 28)

KERNELS: Final[tuple[Kernel, ...]] = tuple(_HELD_OUT.rows)
LOOKED_AT: Final = frozenset({"bilateral", "lcg_walks", "nearest_neighbours", "sobel"})
"""Kernels whose code was looked at to improve it. They are reported apart: the others alone are held out."""
