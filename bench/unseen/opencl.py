# SPDX-License-Identifier: Apache-2.0
"""Implementations of OpenCL that play recordings, on buffers in memory that begins at a page."""

from __future__ import annotations

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only
from bench.cpu.peers.platform import Platform

from .played import Played
from .recording import Buffer, Bytes, Local, Recording


class OpenCl:
    def __init__(self, name: str) -> None:
        self._platform = Platform(name)
        self.version = self._platform.version

    def play(self, recording: Recording) -> Played:
        kernel = cl.Kernel(self._platform.built(recording.source, recording.options), recording.kernel)
        memories = recording.memories()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        buffers = {number: cl.Buffer(self._platform.context, flags, hostbuf=data) for number, data in memories.items()}
        for place, argument in enumerate(recording.arguments):
            if isinstance(argument, Local):
                kernel.set_arg(place, cl.LocalMemory(argument.nbytes))
            elif isinstance(argument, Buffer):
                whole = buffers[argument.memory]
                is_part = argument.offset > 0 or argument.nbytes < whole.size
                end = argument.offset + argument.nbytes
                kernel.set_arg(place, whole[argument.offset : end] if is_part else whole)
            else:
                kernel.set_arg(place, np.void(argument.data))

        def launch() -> None:
            sizes = recording.global_size, recording.local_size, recording.offset
            cl.enqueue_nd_range_kernel(self._platform.queue, kernel, *sizes)
            self._platform.queue.finish()

        def contents(number: int) -> Bytes:
            array = np.empty_like(memories[number])
            cl.enqueue_copy(self._platform.queue, array, buffers[number])
            return array

        def put_back(number: int, data: Bytes) -> None:
            cl.enqueue_copy(self._platform.queue, buffers[number], data)

        return Played(launch, contents, put_back, {}, [])
