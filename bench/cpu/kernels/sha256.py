# SPDX-License-Identifier: Apache-2.0
"""SHA-256 of messages that fill one block with their padding: 55 bytes each; a private array of 64 words."""

import hashlib
from math import isqrt

import numpy as np

from ..prange import prange
from ..problem import Array, Kernel, Problem

_BYTES = 55


def _primes(count: int) -> list[int]:
    return [n for n in range(2, 320) if all(n % d for d in range(2, isqrt(n) + 1))][:count]


def _cube_root_fraction(prime: int) -> int:
    """The first 32 bits behind the point of the prime's cube root, by bisection."""
    low, high = 0, prime << 32
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= prime << 96 else (low, middle)
    return low & 0xFFFFFFFF


_ROUND = np.array([_cube_root_fraction(prime) for prime in _primes(64)], np.uint32)
_START = np.array([isqrt(prime << 64) & 0xFFFFFFFF for prime in _primes(8)], np.uint32)

# Numba makes 64 bits of a shift by a Python integer.
_2, _3, _6, _7, _10, _11, _13, _14, _15 = map(np.uint32, (2, 3, 6, 7, 10, 11, 13, 14, 15))
_17, _18, _19, _21, _22, _25, _26 = map(np.uint32, (17, 18, 19, 21, 22, 25, 26))
_30 = np.uint32(30)


def _digests(messages: Array) -> Array:
    digests = b"".join(hashlib.sha256(row.tobytes()).digest() for row in messages)
    return np.frombuffer(digests, ">u4").astype(np.uint32).reshape(-1, 8)


def _problem(n: int) -> Problem:
    messages = np.random.default_rng(19).integers(0, 256, (n, _BYTES), np.uint8)
    length = np.frombuffer((8 * _BYTES).to_bytes(8, "big"), np.uint8)
    ending = np.tile(np.concatenate([np.array([0x80], np.uint8), length]), (n, 1))
    words = np.concatenate([messages, ending], 1).view(">u4").astype(np.uint32)
    return Problem(
        arguments=(np.zeros((n, 8), np.uint32), words),
        global_size=(n,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_digests(messages),),
    )


def _numba(digests, messages):
    for i in prange(messages.shape[0]):
        word = np.empty(64, np.uint32)
        for t in range(16):
            word[t] = messages[i, t]
        for t in range(16, 64):
            x = word[t - 15]
            y = word[t - 2]
            x = np.uint32((x >> _7 | x << _25) ^ (x >> _18 | x << _14) ^ x >> _3)
            y = np.uint32((y >> _17 | y << _15) ^ (y >> _19 | y << _13) ^ y >> _10)
            word[t] = word[t - 16] + x + word[t - 7] + y
        a, b, c, d = _START[0], _START[1], _START[2], _START[3]
        e, f, g, h = _START[4], _START[5], _START[6], _START[7]
        for t in range(64):
            x = np.uint32((e >> _6 | e << _26) ^ (e >> _11 | e << _21) ^ (e >> _25 | e << _7))
            t1 = np.uint32(h + x + ((e & f) ^ (~e & g)) + _ROUND[t] + word[t])
            y = np.uint32((a >> _2 | a << _30) ^ (a >> _13 | a << _19) ^ (a >> _22 | a << _10))
            t2 = np.uint32(y + ((a & b) ^ (a & c) ^ (b & c)))
            h = g
            g = f
            f = e
            e = np.uint32(d + t1)
            d = c
            c = b
            b = a
            a = np.uint32(t1 + t2)
        digests[i, 0] = a + _START[0]
        digests[i, 1] = b + _START[1]
        digests[i, 2] = c + _START[2]
        digests[i, 3] = d + _START[3]
        digests[i, 4] = e + _START[4]
        digests[i, 5] = f + _START[5]
        digests[i, 6] = g + _START[6]
        digests[i, 7] = h + _START[7]


KERNEL = Kernel(_problem, size=1 << 18, tiny=128, shown="256K blocks", numba=_numba)
