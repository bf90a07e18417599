# SPDX-License-Identifier: Apache-2.0
"""Checksums of messages: bytes of each work-item's own row, and a table in which each finds the next."""

import zlib

import numpy as np
from bench.cpu.problem import Kernel, Problem

LENGTH = 64


def _problem(count: int) -> Problem:
    messages = np.random.default_rng(24).integers(0, 256, (count, LENGTH), np.uint8)
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, table >> np.uint32(1) ^ np.uint32(0xEDB88320), table >> np.uint32(1))
    return Problem(
        arguments=(np.zeros(count, np.uint32), messages, table.astype(np.uint32), np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (np.array([zlib.crc32(message.tobytes()) for message in messages], np.uint32),),
    )


KERNEL = Kernel(_problem, size=1 << 14, tiny=100, shown="16K messages of 64 bytes")
