# SPDX-License-Identifier: Apache-2.0
"""Lists that each work-item writes as much of as it finds: scattered stores of short numbers, one at a time."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _bits(words: Array) -> Array:
    return np.unpackbits(words.view(np.uint8), bitorder="little").reshape(-1, 32)


def _problem(count: int) -> Problem:
    random = np.random.default_rng(13)
    words = (random.integers(0, 1 << 32, (2, count), np.uint32)).prod(axis=0, dtype=np.uint32)
    lengths = _bits(words).sum(axis=1, dtype=np.int64)
    starts = (np.cumsum(lengths) - lengths).astype(np.int32)

    def expected() -> tuple[Array]:
        which, bits = np.nonzero(_bits(words))
        return (((which & 1023) * 32 + bits).astype(np.uint16),)

    return Problem(
        arguments=(np.zeros(lengths.sum(), np.uint16), starts, words, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=expected,
    )


KERNEL = Kernel(_problem, size=1 << 16, tiny=100, shown="64K words")
