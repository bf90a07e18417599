# SPDX-License-Identifier: Apache-2.0
"""How often each byte occurs: counts of parts of the data in parallel, then their sums."""

import numpy as np

import lanewise as lw

from ..workload import Workload

PARTS = 8
BINS = 256


@lw.jit
def histogram(data, parts, counts):
    n = len(data)
    for part in lw.prange(PARTS):
        row = parts[part]
        for value in range(BINS):
            row[value] = 0
        for i in range(n * part // PARTS, n * (part + 1) // PARTS):
            row[data[i]] += 1
    for value in lw.prange(BINS):
        total = 0
        for part in range(PARTS):
            total += parts[part, value]
        counts[value] = total


def _inputs(n, dtype):
    data = np.random.default_rng(14).integers(0, BINS, n).astype(np.uint8)
    return data, np.zeros((PARTS, BINS), dtype), np.zeros(BINS, dtype)


def _reference(data, parts, counts):
    return (np.bincount(data, minlength=BINS).astype(counts.dtype),)


WORKLOAD = Workload(
    histogram,
    _inputs,
    _reference,
    results=(2,),
    size=16 << 20,
    tiny=100,
    shown="16M bytes",
    dtypes=("int64",),
    tolerance=0,
)
