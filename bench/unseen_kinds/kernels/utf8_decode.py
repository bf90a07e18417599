# SPDX-License-Identifier: Apache-2.0
"""Letters of one to four bytes: a switch whose cases load more or less."""

import numpy as np
from bench.cpu.problem import Kernel, Problem


def _problem(count: int) -> Problem:
    random = np.random.default_rng(26)
    from_ = np.array([0x20, 0x80, 0x800, 0x10000])
    to = np.array([0x80, 0x800, 0xD000, 0x110000])
    kind = random.choice(4, count, p=(0.6, 0.2, 0.15, 0.05))
    letters = random.integers(from_[kind], to[kind]).astype(np.uint32)
    text = np.frombuffer("".join(map(chr, letters)).encode(), np.uint8)
    starts = (np.cumsum(kind + 1) - (kind + 1)).astype(np.uint32)
    return Problem(
        arguments=(np.zeros(count, np.uint32), text, starts, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (letters,),
    )


KERNEL = Kernel(_problem, size=1 << 19, tiny=100, shown="512K letters")
