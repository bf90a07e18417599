# SPDX-License-Identifier: Apache-2.0
"""Exclusive prefix sums within blocks of 512 integers, by a tree in local memory with 20 barriers."""

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Local, Problem

_BLOCK = 512


def _sums(values: Array) -> Array:
    blocks = values.reshape(-1, _BLOCK)
    return (np.cumsum(blocks, 1, np.int32) - blocks).reshape(-1)


def _problem(n: int) -> Problem:
    values = np.random.default_rng(12).integers(-1000, 1000, n, np.int32)
    return Problem(
        arguments=(np.zeros_like(values), values, Local(4 * _BLOCK)),
        global_size=(n // 2,),
        local_size=(_BLOCK // 2,),
        results=(0,),
        expected=lambda: (_sums(values),),
        nbytes=2 * values.nbytes,
    )


def _numba(out, values):
    for block in prange(values.size // _BLOCK):
        tree = np.empty(_BLOCK, np.int32)
        first = block * _BLOCK
        for i in range(_BLOCK):
            tree[i] = values[first + i]
        distance = 1
        while distance < _BLOCK:
            for left in range(distance - 1, _BLOCK - 1, 2 * distance):
                tree[left + distance] += tree[left]
            distance *= 2
        tree[_BLOCK - 1] = 0
        while distance > 1:
            distance //= 2
            for left in range(distance - 1, _BLOCK - 1, 2 * distance):
                total = tree[left]
                tree[left] = tree[left + distance]
                tree[left + distance] += total
        for i in range(_BLOCK):
            out[first + i] = tree[i]


KERNEL = Kernel(_problem, size=8 << 20, tiny=1024, shown="8M, blocks of 512", numba=_numba)
