# SPDX-License-Identifier: Apache-2.0
"""The score of the best local alignment of two sequences, along the diagonals of the table: a wavefront."""

import numpy as np

import lanewise as lw

from ..workload import Workload

MATCH, MISMATCH, GAP = 3, -2, 2


@lw.jit
def best_score(first, second, score):
    rows = len(first)
    columns = len(second)
    best = 0
    for diagonal in range(2, rows + columns + 1):
        for i in lw.prange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1):
            j = diagonal - i
            pair = MATCH if first[i - 1] == second[j - 1] else MISMATCH
            here = max(0, score[i - 1, j - 1] + pair, score[i - 1, j] - GAP, score[i, j - 1] - GAP)
            score[i, j] = here
            best = max(best, here)
    return best


def _inputs(n, dtype):
    first, second = np.random.default_rng(9).integers(0, 4, (2, n)).astype(np.int8)
    return first, second, np.zeros((n + 1, n + 1), dtype)


def _reference(first, second, score):
    score = score.copy()
    rows, columns = len(first), len(second)
    for diagonal in range(2, rows + columns + 1):
        i = np.arange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1)
        j = diagonal - i
        pairs = np.where(first[i - 1] == second[j - 1], MATCH, MISMATCH)
        gaps = np.maximum(score[i - 1, j], score[i, j - 1]) - GAP
        score[i, j] = np.maximum(0, np.maximum(score[i - 1, j - 1] + pairs, gaps))
    return score.max(), score


WORKLOAD = Workload(
    best_score,
    _inputs,
    _reference,
    results=(2,),
    size=2048,
    tiny=13,
    shown="2048 x 2048",
    dtypes=("int32",),
    tolerance=0,
)
