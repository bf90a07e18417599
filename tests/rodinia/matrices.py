# SPDX-License-Identifier: Apache-2.0
"""gaussian and lud: Rodinia's programs on matrices."""

import numpy as np

from .driving import Array, Bench, Results, program


def well_conditioned(bench: Bench, n: int) -> Array:
    matrix = bench.floats(n, n)
    matrix[np.arange(n), np.arange(n)] += n
    return matrix


@program("gaussian/gaussian.cu")
def gaussian(bench: Bench) -> Results:
    n = 20 if bench.small else 70
    a, b = well_conditioned(bench, n), bench.floats(n)
    solution = np.linalg.solve(a.astype(np.float64), b)
    m = np.zeros((n, n), np.float32)
    for t in range(n - 1):
        bench.launch("Fan1", -(-n // 512), 512, m, a, n, t)
        bench.launch("Fan2", (-(-n // 4), -(-n // 4)), (4, 4), m, a, b, n, n - t, t)
    found = np.zeros(n)
    for i in reversed(range(n)):
        found[i] = (b[i] - a[i, i + 1 :] @ found[i + 1 :]) / a[i, i]
    return {"solution": (found, solution)}


@program("lud/cuda/lud_kernel.cu")
def lud(bench: Bench) -> Results:
    block, groups = 16, 2 if bench.small else 8
    n = block * groups
    matrix = well_conditioned(bench, n)
    found = matrix.copy()
    for i in range(0, n - block, block):
        rest = (n - i) // block - 1
        bench.launch("lud_diagonal", 1, block, found, n, i)
        bench.launch("lud_perimeter", rest, 2 * block, found, n, i)
        bench.launch("lud_internal", (rest, rest), (block, block), found, n, i)
    bench.launch("lud_diagonal", 1, block, found, n, n - block)
    lower, upper = np.tril(found.astype(np.float64), -1) + np.eye(n), np.triu(found.astype(np.float64))
    return {"product": (lower @ upper, matrix)}
