# SPDX-License-Identifier: Apache-2.0
"""The longest match among the last 48 positions, for each position of a text: nested loops that break off."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

WINDOW, LONGEST = 48, 32


def _lengths(text: Array) -> Array:
    count = text.size
    longest = np.zeros(count, np.int64)
    for back in range(1, min(WINDOW, count - 1) + 1):
        length = np.zeros(count, np.int64)
        alike = np.zeros(count, bool)
        alike[back:] = True
        for step in range(LONGEST):
            here = np.zeros(count, bool)
            inside = count - step - back
            if inside > 0:
                here[back : back + inside] = text[back + step :][:inside] == text[step:][:inside]
            alike &= here
            length += alike
        longest = np.maximum(longest, length)
    return longest


def _problem(count: int) -> Problem:
    random = np.random.default_rng(45)
    words = [random.integers(ord("a"), ord("h"), random.integers(2, 9)) for _ in range(24)]
    text = np.concatenate([words[i] for i in random.integers(0, len(words), count // 2 + 1)])[:count].astype(np.uint8)
    return Problem(
        arguments=(np.zeros(count, np.uint8), text, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_lengths(text),),
    )


KERNEL = Kernel(_problem, size=1 << 17, tiny=100, shown="128K letters")
