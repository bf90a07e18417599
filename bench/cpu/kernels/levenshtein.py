# SPDX-License-Identifier: Apache-2.0
"""Levenshtein's distance of pairs of words of 128 letters, a pair a work-group: a wave of diagonals with two barriers
each."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

LENGTH = 128


def _distances(words: Array, others: Array) -> Array:
    row = np.tile(np.arange(LENGTH + 1, dtype=np.int32), (words.shape[0], 1))
    steps = np.arange(LENGTH + 1, dtype=np.int32)
    for i in range(LENGTH):
        best = np.empty_like(row)
        best[:, 0] = i + 1
        best[:, 1:] = np.minimum(row[:, 1:] + 1, row[:, :-1] + (others != words[:, i, None]))
        row = np.minimum.accumulate(best - steps, 1) + steps  # insertions: any number from the left
    return row[:, -1]


def _problem(pairs: int) -> Problem:
    random = np.random.default_rng(22)
    words, others = random.integers(ord("a"), ord("a") + 4, (2, pairs, LENGTH), np.uint8)
    return Problem(
        arguments=(np.zeros(pairs, np.int32), words, others),
        global_size=(pairs * LENGTH,),
        local_size=(LENGTH,),
        results=(0,),
        expected=lambda: (_distances(words, others),),
    )


def _numba(distances, words, others):
    for pair in prange(distances.size):
        row = np.empty(LENGTH + 1, np.int32)
        for j in range(LENGTH + 1):
            row[j] = j
        for i in range(LENGTH):
            corner = row[0]
            row[0] = i + 1
            for j in range(LENGTH):
                changed = corner if words[pair, i] == others[pair, j] else corner + 1
                corner = row[j + 1]
                row[j + 1] = min(min(row[j], corner) + 1, changed)
        distances[pair] = row[LENGTH]


KERNEL = Kernel(_problem, size=2048, tiny=2, shown="2048 pairs of 128 letters", numba=_numba)
