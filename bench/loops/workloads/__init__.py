# SPDX-License-Identifier: Apache-2.0
"""The workloads. The first six are those that unPython was measured with (Garg and Amaral 2012, section 5)."""

NAMES = (
    "matmul",
    "nbody",
    "coulomb",
    "rank_k",
    "rank_2k",
    "stencil",
    "heat",
    "floyd_warshall",
    "mandelbrot",
    "smith_waterman",
    "softmax",
    "convolution",
    "contraction",
    "spmv",
    "jacobi",
    "histogram",
    "cholesky",
    "kmeans",
    "black_scholes",
    "queens",
    "image_warp",
)
