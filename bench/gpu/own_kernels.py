# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/gpu/kernels: each with its sizes, by the paper or the suite that has such a one."""

from __future__ import annotations

from typing import Final

import numpy as np

from .problem import Array, Family, Kernel, blank, given, integers, reals

GPUCC: Final = Family("gpucc")
GPUCC.add("pointer_induction", 64, 256, blank(16384), reals(16384), 200)
GPUCC.add("dead_shared_store", 8, 128, blank(1024), reals(1024), reals(1024), 1024)
GPUCC.add("submatrix", (8, 16), (32, 8), blank(256 * 128), reals(260 * 131), 260, 256)
GPUCC.add("guarded_loads", 128, 256, blank(32768), reals(32768 + 200), integers(32768, 0, 8), 100)
GPUCC.add("division64", 240, 256, blank(61440), reals(61440), 32, 48, 40)
GPUCC.add("strength_forms", 128, 256, blank(32768, "i4"), integers(32768 + 4 * 64, -1000, 1000), 64, 3)
GPUCC.add("shared_sums", 128, 256, blank(32768), reals(8 * 32800), 5, 2, 32800)

CUDA_2012: Final = Family("CUDA 2012")
CUDA_2012.add("select_object", 64, 256, blank(16384, "i4"), integers(16384, 0, 10), 2, 5)
CUDA_2012.add("loop_object", 64, 256, blank(16384, "i4"), integers(1024, -9, 9), 512, 1)
CUDA_2012.add("escaped_address", 64, 256, blank(16384, "i4"), integers(16384, -9, 9), 64)
CUDA_2012.add("spaces_across_calls", 64, 128, blank(8192, "i4"), integers(128, -9, 9), integers(8192, -9, 9), 64)
CUDA_2012.add("select_arrays", 128, 256, blank(32768, "i4"), integers(32768, 0, 64), 2, 1)
CUDA_2012.add("adjacent_accesses", 128, 256, blank(4 * 32768), reals(4 * 32768), reals(16))
CUDA_2012.add("private_array", 64, 128, blank(8192), reals(32 * 8192), 8192)


def _neighbours(atoms: int, most: int) -> Array:
    return (np.arange(atoms)[None, :] + 7 * np.arange(1, most + 1)[:, None]).astype("i4") % atoms


SHOC: Final = Family("SHOC")
SHOC.add(
    "md", 32, 128, blank(4 * 4096), reals(4 * 4096, 0, 10), given(lambda: _neighbours(4096, 32)), 32, 16.0, 1.5, 2.0,
    4096,
)  # fmt: skip
SHOC.add("reduction", 16, 256, blank(16), reals(1 << 18), 1 << 18)
SHOC.add("block_scan", 64, 256, blank(65536, "i4"), blank(64, "i4"), integers(65536, -100, 100))
SHOC.add("stencil2d", (8, 32), (32, 8), blank(258 * 258, "f8"), reals(258 * 258, dtype="f8"), 258, 0.5, 0.2, 0.1)
SHOC.add(
    "spmv_ellpack", 64, 128, blank(8192), reals(24 * 8192), reals(8192), integers(24 * 8192, 0, 8192),
    integers(8192, 1, 25), 8192,
)  # fmt: skip
SHOC.add(
    "bfs", 32, 256, given(lambda: np.where(np.arange(8192) % 7 == 0, 3, 1000).astype("u4")), blank(1, "i4"),
    given(lambda: 8 * np.arange(8193, dtype="u4")), integers(8 * 8192, 0, 8192, "u4"), 8192, 3,
)  # fmt: skip
SHOC.add("radix_count", 32, 128, blank(16 * 32, "u4"), integers(32 * 16 * 128, 0, 1 << 31, "u4"), 4, 16)
SHOC.add("reaction_rates", 64, 256, blank(6 * 16384), reals(16384, 1, 2), reals(6 * 16384), 16384, 800.0)

_BOX: Final = np.dtype([("first", "i4"), ("count", "i4"), ("neighbours", "i4", 8)])


def _boxes() -> Array:
    boxes = np.zeros(32, _BOX)
    boxes["first"] = 64 * np.arange(32)
    boxes["count"] = np.arange(32) % 9
    boxes["neighbours"] = (np.arange(32)[:, None] + np.arange(1, 9)) % 32
    return boxes


RODINIA: Final = Family("Rodinia")
RODINIA.add(
    "hotspot", (11, 11), (16, 16), blank(128 * 128), reals(128 * 128, 0, 1), reals(128 * 128, 70, 90), 128, 128, 2, 0.5,
    0.1, 0.1, 0.05,
)  # fmt: skip
RODINIA.add("lud_internal", (15, 15), (16, 16), reals(256 * 256), 256, 0)
RODINIA.add(
    "needle", (16, 16), 16, blank(257 * 257, "i4"), integers(257 * 257, -10, 10), integers(257 * 257, -10, 10), 257, 10
)
RODINIA.add(
    "pathfinder", 37, 256, blank(8192, "i4"), integers(16 * 8192, 0, 10), integers(8192, 0, 10), 8192, 16, 0, 16
)
RODINIA.add("srad", (8, 16), (32, 8), *[blank(256 * 128)] * 5, reals(256 * 128, 0.5, 1), 256, 128, 0.3)
RODINIA.add("backprop", (1, 256), (16, 16), reals(4097), reals(70000), blank(4096), 16)
RODINIA.add("lavamd", 32, 64, blank(4 * 2048), given(_boxes), reals(4 * 2048, 0, 1), reals(2048), 0.5)
RODINIA.add(
    "cfd_flux", 64, 128, blank(5 * 8192), integers(4 * 8192, -2, 8192), reals(12 * 8192), reals(5 * 8192, 1, 2), 8192
)
RODINIA.add(
    "streamcluster", 32, 256, blank(8192), blank(8192, "i4"), reals(32 * 8192), reals(8192, 0, 1), reals(8192, 0, 30),
    integers(8192, 0, 64), 8192, 32, 17, shared=128,
)  # fmt: skip
RODINIA.add("dwt2d", (4, 64), 128, blank(64 * 1024, "i4"), integers(64 * 1024, -128, 128), 1024)

PARBOIL: Final = Family("Parboil")
PARBOIL.add("cutcp", (8, 16), (32, 8), blank(4 * 256 * 128), 64, 0.1, 0.01, 256, 128)
PARBOIL.add("mri_q", 64, 128, blank(8192), blank(8192), *[reals(8192)] * 3, 128)
PARBOIL.add("sgemm", (2, 8), (16, 8), reals(256 * 64), 256, reals(128 * 64), 128, reals(256 * 128), 256, 64, 1.5, 0.5)
PARBOIL.add(
    "tpacf", 8, 128, blank(32, "u4"), *[reals(1024, -0.57, 0.57)] * 3,
    given(lambda: np.linspace(1, -1, 33, dtype="f4")), 256, 32,
)  # fmt: skip
PARBOIL.add(
    "lbm", 128, 128, blank(9 * 66 * 256), reals(9 * 66 * 256, 0.1, 1),
    given(lambda: (np.arange(66 * 256) % 13 == 0).astype("u1")), 256, 66 * 256, 1.2,
)  # fmt: skip
PARBOIL.add(
    "sad", (32, 32), (16, 16), blank(32 * 32 * 256, "u2"), integers(160 * 160, 0, 256, "u1"),
    integers(160 * 160, 0, 256, "u1"), 160, 16,
)  # fmt: skip
PARBOIL.add("histo", 16, 256, blank(4096, "u4"), integers(131072, 0, 4096, "u4"), 65536, 1024, 1024, shared=4096)

POLYBENCH: Final = Family("PolyBench")
POLYBENCH.add("conv2d", (8, 32), (32, 8), blank(65536), reals(65536), 256, 256)
POLYBENCH.add("conv3d", (4, 8), (32, 8), blank(65536), reals(65536), 8, 64, 128)
POLYBENCH.add("gesummv", 4, 128, reals(512 * 512), reals(512 * 512), reals(512), blank(512), 1.5, 0.5, 512)
POLYBENCH.add("atax", 8, 256, reals(256 * 2048), blank(2048), reals(256), 256, 2048)
POLYBENCH.add("correlation", 2, 128, blank(65536), reals(64 * 256), 256, 64)
POLYBENCH.add(
    "fdtd2d", (8, 32), (32, 8), reals(256 * 257, dtype="f8"), reals(257 * 256, dtype="f8"), reals(65536, dtype="f8"),
    256, 256,
)  # fmt: skip
POLYBENCH.add("syr2k", (4, 16), (32, 8), reals(128 * 64), reals(128 * 64), reals(128 * 128), 1.5, 0.5, 128, 64)
POLYBENCH.add("doitgen", (2, 8), (32, 8), blank(4 * 64 * 64), reals(4 * 64 * 64), reals(64 * 64), 4, 64, 64, 2)
POLYBENCH.add("gramschmidt", 2, 256, reals(128 * 512), blank(8 * 512), reals(128 * 512), 3, 128, 512)

EIGEN: Final = Family("Eigen")
EIGEN.add("tensor_contraction", (8, 4), (16, 16), blank(128 * 128), reals(128 * 64), reals(128 * 64), 128, 128, 64)
EIGEN.add("tensor_broadcast", 64, 256, blank(65536), reals(8 * 16 * 32), 32, 64, 32, 8, 16, 32)
EIGEN.add("tensor_shuffle", 360, 256, blank(92160), reals(92160), 16, 24, 20, 12)
EIGEN.add("tensor_reduction", 128, (32, 4), blank(512), reals(512 * 500), 512, 500)
EIGEN.add("tensor_convolution", (4, 16), (32, 4), blank(64 * 512), reals(64 * 520), 64, 512, 9)

_BLOCK8: Final = np.dtype([("scale", "f4"), ("q", "i1", 32)])


def _quantised(blocks: int) -> Array:
    found = np.zeros(blocks, _BLOCK8)
    rng = np.random.default_rng(blocks)
    found["scale"] = rng.uniform(0.01, 0.1, blocks)
    found["q"] = rng.integers(-127, 128, (blocks, 32))
    return found


LEARNING: Final = Family("machine learning")
LEARNING.add("attention", (32, 4), (32, 4), blank(4 * 128 * 64), *[reals(4 * 128 * 64)] * 3, 128, 0.125)
LEARNING.add("layer_norm", 64, 256, blank(64 * 768), reals(64 * 768), reals(768), reals(768), 768, 1e-5)
LEARNING.add("softmax", 64, 128, blank(64000), reals(64000, -5, 5), 1000)
LEARNING.add("rope", (64, 8), 32, reals(64 * 8 * 64), integers(64, 0, 2048), 8, 64, 10000.0)
LEARNING.add(
    "quantised_matvec", 64, (32, 4), blank(256), given(lambda: _quantised(256 * 32)), given(lambda: _quantised(32)), 32
)
LEARNING.add(
    "int4_matvec", 8, 128, blank(1024), integers(1024 * 64, 0, 1 << 32, "u4"), reals(2 * 1024 * 8, 0, 0.1), reals(512),
    512,
)  # fmt: skip
LEARNING.add("rms_norm", 64, (32, 4), blank(256 * 768), reals(256 * 768), reals(768), 192, 1e-5)
LEARNING.add("gelu_bias", 64, 256, blank(65536), reals(65536, -3, 3), reals(512), 128, 512)
LEARNING.add(
    "adam", 256, 256, reals(65536), reals(65536), reals(65536, 0, 1), reals(65536), 0.001, 0.9, 0.999, 1e-8, 0.1, 0.001,
    65536,
)  # fmt: skip
LEARNING.add(
    "max_pool", (28, 28), 64, blank(28 * 28 * 64), blank(28 * 28 * 64, "i4"), reals(56 * 56 * 64), 56, 56, 64, 28
)
LEARNING.add("depthwise", (2, 8, 16), (32, 8), blank(16 * 4096), reals(16 * 4096), reals(16 * 9), 64, 64)
LEARNING.add("dropout", 64, 256, blank(65536), reals(65536), 1 << 31, 2.0, 42)
LEARNING.add(
    "embedding", 256, 64, blank(256 * 128), reals(1000 * 128), integers(16 * 256, 0, 1000),
    given(lambda: np.minimum(np.arange(257, dtype="i4") * 13, 16 * 256)), reals(16 * 256), 128,
)  # fmt: skip

KERNELS: Final[tuple[Kernel, ...]] = tuple(
    row for family in (GPUCC, CUDA_2012, SHOC, RODINIA, PARBOIL, POLYBENCH, EIGEN, LEARNING) for row in family.rows
)
