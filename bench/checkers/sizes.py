# SPDX-License-Identifier: Apache-2.0
"""Sizes of the kernels of bench/cpu that interpreters run in some seconds."""

from typing import Final

SIZES: Final = {
    "saxpy": 1 << 14, "matmul": 64, "matmul_tiled": 64, "mandelbrot": 32, "nbody": 256, "blackscholes": 1 << 13,
    "stencil": 128, "reduction": 1 << 14, "dct": 64, "histogram": 1 << 14, "bitonic": 1 << 14, "gemv": 128,
    "spmv": 1 << 10, "scan": 1 << 12, "transpose": 64, "convolution": 64, "stencil3d": 32, "fft": 32,
    "kmeans": 1 << 10, "raysphere": 32, "montecarlo": 512, "sha256": 128, "floydwarshall": 64, "gaussian": 64,
    "levenshtein": 4,
}  # fmt: skip
"""The `size` of each problem (`bench/cpu/problem.py`)."""
