# SPDX-License-Identifier: Apache-2.0
"""Look-ups in a hash table: searches from a place that each key has of its own, most of which end at once."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _table(entries: Array, bits: int) -> tuple[Array, Array]:
    """Keys in the order in which they come; each goes into the first free place after its own."""
    keys, stored, mask = np.zeros(1 << bits, np.uint32), np.zeros(1 << bits, np.uint32), (1 << bits) - 1
    for key in map(int, entries):
        at = (key * 2654435769 & 0xFFFFFFFF) >> (32 - bits)
        while keys[at]:
            at = at + 1 & mask
        keys[at], stored[at] = key, _value(key)
    return keys, stored


def _value(key: int) -> int:
    return key * 7 + 1 & 0xFFFFFFFF


def _problem(count: int) -> Problem:
    bits = count.bit_length() - 2
    numbers = np.random.default_rng(18).permutation(4 * count)[:count].astype(np.uint32) + np.uint32(1)
    entries = numbers[: (1 << bits) * 3 // 4]
    keys, stored = _table(entries, bits)
    return Problem(
        arguments=(np.zeros(count, np.uint32), numbers, keys, stored, np.int32(bits), np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.where(np.arange(count) < entries.size, numbers * np.uint32(7) + np.uint32(1), 0),),
    )


KERNEL = Kernel(_problem, size=1 << 18, tiny=100, shown="256K keys")
