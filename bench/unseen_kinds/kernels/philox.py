# SPDX-License-Identifier: Apache-2.0
"""Random numbers of counters: upper halves of products, and vectors of four numbers that each work-item stores."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem

KEY = (0x12345678, 0x9ABCDEF0)


def _numbers(count: int) -> Array:
    low = np.uint64(0xFFFFFFFF)
    i = np.arange(count, dtype=np.uint64)
    x = [i, i ^ np.uint64(0x5BD1E995), np.full(count, 7, np.uint64), np.full(count, 11, np.uint64)]
    key = list(KEY)
    for _ in range(10):
        one, other = x[0] * np.uint64(0xD2511F53), x[2] * np.uint64(0xCD9E8D57)
        x = [
            (other >> np.uint64(32)) ^ x[1] ^ np.uint64(key[0]), other & low,
            (one >> np.uint64(32)) ^ x[3] ^ np.uint64(key[1]), one & low,
        ]  # fmt: skip
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(x, axis=1).astype(np.uint32)


def _problem(count: int) -> Problem:
    return Problem(
        arguments=(np.zeros((count, 4), np.uint32), np.uint32(KEY[0]), np.uint32(KEY[1]), np.uint32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_numbers(count),),
    )


KERNEL = Kernel(_problem, size=1 << 19, tiny=200, shown="512K counters")
