# SPDX-License-Identifier: Apache-2.0
"""A launch of each kernel that fills a GPU: a fifth of a millisecond or more on an H100, arrays beyond its caches where
memory bounds the kernel.

Random arrays are blocks of a million elements, one after the other, since more randomness takes long to make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from ...kernelgen.problem import Benchmark, Extent
from ...kernelgen.suite import SUITE as KERNELGEN
from ..problem import Array, Family, Kernel, Launch, Make, blank, given
from ..problem import integers as few_integers
from ..problem import reals as few_reals
from ..suite import OF_KERNELGEN, WIDTH, kernel_of_cpu

_RANDOM: Final = 1 << 20
_K: Final = 1 << 10
_M: Final = 1 << 20


def repeated(make: Callable[[int], Make], n: int) -> Make:
    """`n` elements: those that `make` makes of a million, again and again."""
    return lambda rng: np.resize(make(min(n, _RANDOM))(rng), n)


def reals(n: int, low: float = -1.0, high: float = 1.0, dtype: str = "f4") -> Make:
    return repeated(lambda count: few_reals(count, low, high, dtype), n)


def integers(n: int, low: int, high: int, dtype: str = "i4") -> Make:
    return repeated(lambda count: few_integers(count, low, high, dtype), n)


def _neighbours(atoms: int, most: int) -> Array:
    return (np.arange(atoms, dtype="i4")[None, :] + 7 * np.arange(1, most + 1, dtype="i4")[:, None]) % np.int32(atoms)


_BOX: Final = np.dtype([("first", "i4"), ("count", "i4"), ("neighbours", "i4", 8)])
_BLOCK8: Final = np.dtype([("scale", "f4"), ("q", "i1", 32)])


def _boxes(count: int) -> Array:
    boxes = np.zeros(count, _BOX)
    boxes["first"] = 64 * np.arange(count)
    boxes["count"] = np.arange(count) % 9
    boxes["neighbours"] = (np.arange(count)[:, None] + np.arange(1, 9)) % count
    return boxes


def _quantised(blocks: int) -> Make:
    def make(rng: np.random.Generator) -> Array:
        some = np.zeros(min(blocks, 1 << 16), _BLOCK8)
        some["scale"] = rng.uniform(0.01, 0.1, len(some))
        some["q"] = rng.integers(-127, 128, (len(some), 32))
        return np.resize(some, blocks)

    return make


def _table(places: int) -> Array:
    """A hash table, some two thirds full: each key is in the place that it hashes to, or lost."""
    table = np.zeros(places, "u8")
    keys = np.arange(1, places, dtype="u8") * np.uint64(977)
    table[(keys * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) % np.uint64(places)] = keys
    return table


_SUITE: Final = Family("suite")
_add: Final = _SUITE.add

_add("pointer_induction", 64 * _K, 256, blank(16 * _M), reals(16 * _M), 200)
_add("dead_shared_store", 512, 128, blank(64 * _K), reals(64 * _K), reals(64 * _K), 64 * _K)
_add("submatrix", (256, 1024), (32, 8), blank(8192 * 8192), reals(8196 * 8195), 8196, 8192)
_add("guarded_loads", 256 * _K, 256, blank(64 * _M), reals(64 * _M + 200), integers(64 * _M, 0, 8), 100)
_add("division64", 128 * _K, 256, blank(32 * _M), reals(32 * _M), 512, 1024, 64)
_add("strength_forms", 256 * _K, 256, blank(64 * _M, "i4"), integers(64 * _M + 4 * 64, -1000, 1000), 64, 3)
_add("shared_sums", 128 * _K, 256, blank(32 * _M), reals(4 * (32 * _M + 32)), 1, 2, 32 * _M + 32)

_add("select_object", 256 * _K, 256, blank(64 * _M, "i4"), integers(64 * _M, 0, 10), 2, 5)
_add("loop_object", 16 * _K, 256, blank(4 * _M, "i4"), integers(1024, -9, 9), 512, 1)
_add("escaped_address", 64 * _K, 256, blank(16 * _M, "i4"), integers(16 * _M, -9, 9), 64)
_add("spaces_across_calls", 64 * _K, 128, blank(8 * _M, "i4"), integers(128, -9, 9), integers(8 * _M, -9, 9), 64)
_add("select_arrays", 128 * _K, 256, blank(32 * _M, "i4"), integers(32 * _M, 0, 64), 2, 1)
_add("adjacent_accesses", 128 * _K, 256, blank(128 * _M), reals(128 * _M), reals(16))
_add("private_array", 64 * _K, 128, blank(8 * _M), reals(32 * 8 * _M), 8 * _M)

_add(
    "md", 32 * _K, 128, blank(16 * _M), reals(16 * _M, 0, 10), given(lambda: _neighbours(4 * _M, 32)), 32, 16.0, 1.5,
    2.0, 4 * _M,
)  # fmt: skip
_add("reduction", 1056, 256, blank(1056), reals(256 * _M), 256 * _M)
_add("block_scan", 64 * _K, 256, blank(64 * _M, "i4"), blank(64 * _K, "i4"), integers(64 * _M, -100, 100))
_add("stencil2d", (256, 1024), (32, 8), blank(8194 * 8194, "f8"), reals(8194 * 8194, dtype="f8"), 8194, 0.5, 0.2, 0.1)
_add(
    "spmv_ellpack", 32 * _K, 128, blank(4 * _M), reals(96 * _M), reals(4 * _M), integers(96 * _M, 0, 4 * _M),
    integers(4 * _M, 1, 25), 4 * _M,
)  # fmt: skip
_add(
    "bfs", 64 * _K, 256, given(lambda: np.where(np.arange(16 * _M) % 7 == 0, 3, 1000).astype("u4")), blank(1, "i4"),
    given(lambda: 8 * np.arange(16 * _M + 1, dtype="u4")), integers(128 * _M, 0, 16 * _M, "u4"), 16 * _M, 3,
)  # fmt: skip
_add("radix_count", 32 * _K, 128, blank(16 * 32 * _K, "u4"), integers(32 * _K * 16 * 128, 0, 1 << 31, "u4"), 4, 16)
_add("reaction_rates", 64 * _K, 256, blank(96 * _M), reals(16 * _M, 1, 2), reals(96 * _M), 16 * _M, 800.0)

_add(
    "hotspot", (683, 683), (16, 16), blank(64 * _M), reals(64 * _M, 0, 1), reals(64 * _M, 70, 90), 8192, 8192, 2, 0.5,
    0.1, 0.1, 0.05,
)  # fmt: skip
_add("lud_internal", (511, 511), (16, 16), reals(64 * _M), 8192, 0)
_add(
    "needle", (512, 512), 16, blank(8193 * 8193, "i4"), integers(8193 * 8193, -10, 10), integers(8193 * 8193, -10, 10),
    8193, 10,
)  # fmt: skip
_add(
    "pathfinder", 37450, 256, blank(8 * _M, "i4"), integers(128 * _M, 0, 10), integers(8 * _M, 0, 10), 8 * _M, 16, 0, 16
)
_add("srad", (256, 512), (32, 8), *[blank(32 * _M)] * 5, reals(32 * _M, 0.5, 1), 8192, 4096, 0.3)
_add("backprop", (1, 65535), (16, 16), reals(16 * 65535 + 1), reals(17 * (16 * 65535 + 2)), blank(16 * 65535), 16)
_add("lavamd", 64 * _K, 64, blank(16 * _M), given(lambda: _boxes(64 * _K)), reals(16 * _M, 0, 1), reals(4 * _M), 0.5)
_add(
    "cfd_flux", 16 * _K, 128, blank(10 * _M), integers(8 * _M, -2, 2 * _M), reals(24 * _M), reals(10 * _M, 1, 2), 2 * _M
)
_add(
    "streamcluster", 32 * _K, 256, blank(8 * _M), blank(8 * _M, "i4"), reals(256 * _M), reals(8 * _M, 0, 1),
    reals(8 * _M, 0, 30), integers(8 * _M, 0, 64), 8 * _M, 32, 17, shared=128,
)  # fmt: skip
_add("dwt2d", (32, 8192), 128, blank(64 * _M, "i4"), integers(64 * _M, -128, 128), 8192)

_add("cutcp", (64, 256), (32, 8), blank(16 * _M), 64, 0.1, 0.01, 2048, 2048)
_add("mri_q", 16 * _K, 128, blank(2 * _M), blank(2 * _M), *[reals(2 * _M)] * 3, 128)
_add("sgemm", (32, 256), (16, 8), reals(4 * _M), 4096, reals(4 * _M), 4096, reals(16 * _M), 4096, 1024, 1.5, 0.5)
_add(
    "tpacf", 2048, 128, blank(32, "u4"), *[reals(256 * _K, -0.57, 0.57)] * 3,
    given(lambda: np.linspace(1, -1, 33, dtype="f4")), 1024, 32,
)  # fmt: skip
_add(
    "lbm", 64 * _K, 128, blank(9 * 2050 * 4096), reals(9 * 2050 * 4096, 0.1, 1),
    given(lambda: (np.arange(2050 * 4096) % 13 == 0).astype("u1")), 4096, 2050 * 4096, 1.2,
)  # fmt: skip
_add(
    "sad", (512, 512), (16, 16), blank(512 * 512 * 256, "u2"), integers(2080 * 2080, 0, 256, "u1"),
    integers(2080 * 2080, 0, 256, "u1"), 2080, 16,
)  # fmt: skip
_add("histo", 1056, 256, blank(4096, "u4"), integers(128 * _M, 0, 4096, "u4"), 64 * _M, 1024, 1024, shared=4096)

_add("conv2d", (256, 1024), (32, 8), blank(64 * _M), reals(64 * _M), 8192, 8192)
_add("conv3d", (32, 128), (32, 8), blank(64 * _M), reals(64 * _M), 64, 1024, 1024)
_add("gesummv", 64, 128, reals(64 * _M), reals(64 * _M), reals(8192), blank(8192), 1.5, 0.5, 8192)
_add("atax", 128, 256, reals(64 * _M), blank(32 * _K), reals(2048), 2048, 32 * _K)
_add("correlation", 16, 128, blank(4 * _M), reals(64 * 2048), 2048, 64)
_add(
    "fdtd2d", (256, 512), (32, 8), reals(4096 * 8193, dtype="f8"), reals(4097 * 8192, dtype="f8"),
    reals(4096 * 8192, dtype="f8"), 4096, 8192,
)  # fmt: skip
_add("syr2k", (32, 128), (32, 8), reals(512 * _K), reals(512 * _K), reals(_M), 1.5, 0.5, 1024, 512)
_add("doitgen", (32, 128), (32, 8), blank(_M), reals(_M), reals(_M), 1, 1024, 1024, 0)
_add("gramschmidt", 256, 256, reals(64 * _M), blank(8 * 64 * _K), reals(64 * _M), 3, 1024, 64 * _K)

_add("tensor_contraction", (128, 64), (16, 16), blank(4 * _M), reals(_M), reals(_M), 2048, 2048, 512)
_add("tensor_broadcast", 64 * _K, 256, blank(64 * _M), reals(8 * 16 * 32), 256, 512, 512, 8, 16, 32)
_add("tensor_shuffle", 256 * _K, 256, blank(64 * _M), reals(64 * _M), 128, 64, 64, 128)
_add("tensor_reduction", 32 * _K, (32, 4), blank(128 * _K), reals(1300 * 128 * _K), 128 * _K, 1300)
_add("tensor_convolution", (32, 4 * _K), (32, 4), blank(64 * _M), reals(16 * _K * 4104), 16 * _K, 4096, 9)

_add("attention", (512, 16), (32, 4), blank(2 * _M), *[reals(2 * _M)] * 3, 2048, 0.125)
_add("layer_norm", 128 * _K, 256, blank(768 * 128 * _K), reals(768 * 128 * _K), reals(768), reals(768), 768, 1e-5)
_add("softmax", 64 * _K, 128, blank(1000 * 64 * _K), reals(1000 * 64 * _K, -5, 5), 1000)
_add("rope", (128 * _K, 16), 32, reals(128 * _M), integers(128 * _K, 0, 2048), 16, 64, 10000.0)
_add("quantised_matvec", 32 * _K, (32, 4), blank(128 * _K), _quantised(16 * _M), _quantised(128), 128)
_add(
    "int4_matvec", 8 * _K, 128, blank(_M), integers(64 * _M, 0, 1 << 32, "u4"), reals(16 * _M, 0, 0.1), reals(512), 512
)
_add("rms_norm", 32 * _K, (32, 4), blank(768 * 128 * _K), reals(768 * 128 * _K), reals(768), 192, 1e-5)
_add("gelu_bias", 16 * _K, 256, blank(64 * _M), reals(64 * _M, -3, 3), reals(512), 128 * _K, 512)
_add(
    "adam", 128 * _K, 256, reals(32 * _M), reals(32 * _M), reals(32 * _M, 0, 1), reals(32 * _M), 0.001, 0.9, 0.999,
    1e-8, 0.1, 0.001, 32 * _M,
)  # fmt: skip
_add("max_pool", (512, 512), 64, blank(16 * _M), blank(16 * _M, "i4"), reals(64 * _M), 1024, 1024, 64, 512)
_add("depthwise", (8, 32, 1024), (32, 8), blank(64 * _M), reals(64 * _M), reals(1024 * 9), 256, 256)
_add("dropout", 64 * _K, 256, blank(64 * _M), reals(64 * _M), 1 << 31, 2.0, 42)
_add(
    "embedding", 64 * _K, 64, blank(8 * _M), reals(128 * _M), integers(13 * 64 * _K, 0, _M),
    given(lambda: 13 * np.arange(64 * _K + 1, dtype="i4")), reals(13 * 64 * _K), 128,
)  # fmt: skip

_OF_CPU: Final[Mapping[str, int]] = {
    "matmul": 2048,
    "matmul_tiled": 2048,
    "mandelbrot": 8192,
    "nbody": 64 * _K,
    "blackscholes": 16 * _M,
    "dct": 8192,
    "bitonic": 64 * _M,
    "scan": 64 * _M,
    "transpose": 8192,
    "fft": 128 * _K,
    "kmeans": 8 * _M,
    "montecarlo": 2 * _M,
    "sha256": 4 * _M,
    "floydwarshall": 8192,
    "levenshtein": 64 * _K,
    "spmv": 2 * _M,
}
_PLANE: Final = Extent(8192, 4096)
_SPACE: Final = Extent(512, 512, 256)
_OF_KERNELGEN: Final[Mapping[str, Extent]] = {
    "gameoflife": _PLANE,
    "gaussblur": _PLANE,
    "jacobi": _PLANE,
    "matmul": Extent(2048, 1024, 2048),
    "matvec": _PLANE,
    "whispering": _PLANE,
}
"""Sizes of arrays of bench/kernelgen; the others have `_SPACE`."""

_HELD_OUT: Final = Family("held out", "held_out")
_add_held_out: Final = _HELD_OUT.add

_add_held_out("crc32", 16 * _K, 128, blank(2 * _M, "u4"), integers(128 * _M, 0, 256, "u1"), 64)
_add_held_out(
    "stencil27", (32, 128), (32, 8), blank(1026 * 1026 * 66), reals(1026 * 1026 * 66), 0.5, 0.2, 0.1, 0.05, 1026, 1026,
    66,
)  # fmt: skip
_add_held_out(
    "bilateral", (128, 512), (32, 8), blank(16 * _M), reals(16 * _M, 0, 1),
    given(lambda: np.exp(-(np.arange(-3, 4, dtype="f4") ** 2) / 8)), 4096, 4096, 3, 10.0,
)  # fmt: skip
_add_held_out("sobel", (256, 1024), (32, 8), blank(64 * _M, "u1"), integers(192 * _M, 0, 256, "u1"), 8192, 8192)
_add_held_out("nearest_neighbours", 2048, 128, blank(_M, "i4"), reals(3 * 256 * _K), 4096)
_add_held_out("ray_march", (128, 512), (32, 8), blank(16 * _M), 4096, 4096, 64)
_add_held_out("binomial", 64 * _K, 256, blank(64 * _K), *[reals(64 * _K, 50, 150)] * 2, 128, 0.01, 0.02, 0.3)
_add_held_out("gru_cell", (2, 32 * _K), 256, reals(16 * _M), *[reals(48 * _M)] * 2, *[reals(1536)] * 2, 512)
_add_held_out(
    "paged_scores", (16 * _K, 8), (8, 16), blank(2 * _M), reals(8 * 64), reals(16 * _K * 2 * 16 * 64),
    integers(16 * _K, 0, 16 * _K), 256 * _K, 4, 2, 0.125,
)  # fmt: skip
_add_held_out(
    "compaction", 1024, 256, blank(128 * _M, "i4"), blank(1024, "i4"), integers(128 * _M, -1000, 1000), 128 * _M, 300
)
_add_held_out(
    "hash_probe", 64 * _K, 128, blank(8 * _M, "i4"), given(lambda: _table(16_777_259)),
    given(lambda: np.arange(1, 8 * _M + 1, dtype="u8") * np.uint64(977)), 16_777_259,
)  # fmt: skip
_add_held_out("batched_cholesky", 32 * _K, 128, blank(36 * 4 * _M), reals(36 * 4 * _M), 4 * _M)
_add_held_out(
    "thomas", 2 * _K, 128, *[blank(256 * _K * 64, "f8")] * 2, reals(256 * _K * 64, -1, 0, "f8"),
    reals(256 * _K * 64, 3, 4, "f8"), reals(256 * _K * 64, -1, 0, "f8"), reals(256 * _K * 64, dtype="f8"), 256 * _K, 64,
)  # fmt: skip
_add_held_out("red_black", (128, 1024), (32, 8), *[reals(8194 * 8194)] * 2, 8194, 8194, 1, 0.01, 1.5)
_add_held_out("bicubic", (256, 1024), (32, 8), blank(64 * _M), reals(16 * _M), 4096, 4096, 8192, 0.49, 0.49)
_add_held_out("median", (256, 1024), (32, 8), blank(64 * _M, "u1"), integers(8194 * 8194, 0, 256, "u1"), 8194)
_add_held_out("lcg_walks", 8 * _K, 128, blank(_M, "i4"), 4, 128, 12345)
_add_held_out(
    "csr_blocks", 32 * _K, (4, 32), blank(4 * _M, "f8"), reals(16 * 4 * _M, dtype="f8"),
    given(lambda: np.cumsum(np.arange(_M + 1) % 8, dtype="i4")), integers(4 * _M, 0, _M), reals(4 * _M, dtype="f8"),
)  # fmt: skip
_add_held_out("yuv", 128 * _K, 256, *[blank(64 * _M, "u1")] * 3, integers(128 * _M, 0, 256, "u1"), 32 * _M)
_add_held_out("top_k_gate", 256 * _K, (32, 4), blank(2 * _M), blank(2 * _M, "i4"), reals(28 * _M, -3, 3), 28)


def _kernelgen_launch(benchmark: Benchmark, extent: Extent, width: int) -> Launch:
    problem = benchmark.prepare(extent, np.random.default_rng(3))
    return Launch(problem.points.grid(width), (width,), problem.arguments)


def _of_kernelgen(benchmark: Benchmark, width: int) -> Kernel:
    extent = _OF_KERNELGEN.get(benchmark.name, _SPACE)
    return Kernel(
        benchmark.name, "KernelGen", benchmark.source.read_text, lambda: _kernelgen_launch(benchmark, extent, width)
    )


SUITE: Final[Mapping[str, Kernel]] = {
    **{each.name: each for each in _SUITE.rows},
    **{name: kernel_of_cpu(name, size) for name, size in _OF_CPU.items()},
    **{each.name: _of_kernelgen(each, WIDTH) for each in KERNELGEN if each.name in OF_KERNELGEN},
}
HELD_OUT: Final[Mapping[str, Kernel]] = {each.name: each for each in _HELD_OUT.rows}
KERNELS: Final[Mapping[str, Kernel]] = {each.name: _of_kernelgen(each, each.width) for each in KERNELGEN}
"""The suite of KernelGen, with the blocks that it asks for."""
