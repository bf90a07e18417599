# SPDX-License-Identifier: Apache-2.0
"""Kernels of bench/cpu in Python, for Numba's CUDA simulator. They take the arguments but those in local memory."""

# pyright: reportMissingImports=false, reportMissingParameterType=false
from numba import cuda, float32, int32, uint32

TILE = 16
BLOCK = 256
PAIRS = 256


def saxpy(y, x, a, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = a * x[i] + y[i]


def matmul(c, a, b, n):
    column, row = cuda.grid(2)
    total = float32(0)
    for k in range(n):
        total += a[row * n + k] * b[k * n + column]
    c[row * n + column] = total


def matmul_tiled(c, a, b, n):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for tile in range(0, n, TILE):
        left[y, x] = a[row * n + tile + x]
        right[y, x] = b[(tile + y) * n + column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    c[row * n + column] = total


def stencil(out, image, width, height):
    x, y = cuda.grid(2)
    if 0 < x < width - 1 and 0 < y < height - 1:
        i = y * width + x
        around = image[i - 1] + image[i + 1] + image[i - width] + image[i + width]
        out[i] = float32(0.5) * image[i] + float32(0.125) * around


def reduction(sums, values, n):
    tree = cuda.shared.array(BLOCK, float32)
    own = cuda.threadIdx.x
    total = float32(0)
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        total += values[i]
    tree[own] = total
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        if own < half:
            tree[own] += tree[own + half]
        cuda.syncthreads()
        half //= 2
    if own == 0:
        sums[cuda.blockIdx.x] = tree[0]


def histogram(counts, values, n):
    bins = cuda.shared.array(BLOCK, uint32)
    own = cuda.threadIdx.x
    for i in range(own, BLOCK, cuda.blockDim.x):
        bins[i] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.atomic.add(bins, values[i] & (BLOCK - 1), 1)
    cuda.syncthreads()
    for i in range(own, BLOCK, cuda.blockDim.x):
        cuda.atomic.add(counts, i, bins[i])


def gemv(y, a, x, columns):
    row = cuda.grid(1)
    total = float32(0)
    for k in range(columns):
        total += a[row * columns + k] * x[k]
    y[row] = total


def scan(out, values):
    tree = cuda.shared.array(2 * PAIRS, int32)
    own, size = cuda.threadIdx.x, cuda.blockDim.x
    first = cuda.blockIdx.x * 2 * size
    tree[2 * own] = values[first + 2 * own]
    tree[2 * own + 1] = values[first + 2 * own + 1]
    distance, active = 1, size
    while active > 0:
        cuda.syncthreads()
        if own < active:
            tree[distance * (2 * own + 2) - 1] += tree[distance * (2 * own + 1) - 1]
        distance *= 2
        active //= 2
    if own == 0:
        tree[2 * size - 1] = 0
    active = 1
    while active <= size:
        distance //= 2
        cuda.syncthreads()
        if own < active:
            left, right = distance * (2 * own + 1) - 1, distance * (2 * own + 2) - 1
            tree[left], tree[right] = tree[right], tree[right] + tree[left]
        active *= 2
    cuda.syncthreads()
    out[first + 2 * own] = tree[2 * own]
    out[first + 2 * own + 1] = tree[2 * own + 1]


def transpose(out, matrix, width, height):
    tile = cuda.shared.array((TILE, TILE + 1), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    tile[y, x] = matrix[(top + y) * width + left + x]
    cuda.syncthreads()
    out[(left + y) * height + top + x] = tile[x, y]


KERNELS = {
    each.__name__: each
    for each in (saxpy, matmul, matmul_tiled, stencil, reduction, histogram, gemv, scan, transpose)
}  # fmt: skip
