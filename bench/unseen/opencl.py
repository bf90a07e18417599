# SPDX-License-Identifier: Apache-2.0
"""Implementations of OpenCL that play recordings, on buffers in memory that begins at a page."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only

from .played import Played
from .recording import Buffer, Bytes, Local, Recording

_PLATFORMS: Final = {"intel": "Intel(R) OpenCL", "pocl": "Portable Computing Language"}


class OpenCl:
    def __init__(self, name: str) -> None:
        platform = next((each for each in cl.get_platforms() if each.name == _PLATFORMS[name]), None)
        if platform is None:
            raise RuntimeError(f"no OpenCL platform {_PLATFORMS[name]}")
        device = platform.get_devices(cl.device_type.CPU)[0]
        self.version = f"{platform.name} {device.driver_version}"
        self._context = cl.Context([device])
        self._queue = cl.CommandQueue(self._context)

    def play(self, recording: Recording) -> Played:
        kernel = cl.Kernel(self._built(recording), recording.kernel)
        memories = recording.memories()
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
        buffers = {number: cl.Buffer(self._context, flags, hostbuf=data) for number, data in memories.items()}
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
            cl.enqueue_nd_range_kernel(self._queue, kernel, *sizes)
            self._queue.finish()

        def contents(number: int) -> Bytes:
            array = np.empty_like(memories[number])
            cl.enqueue_copy(self._queue, array, buffers[number])
            return array

        def put_back(number: int, data: Bytes) -> None:
            cl.enqueue_copy(self._queue, buffers[number], data)

        return Played(launch, contents, put_back, {}, [])

    def _built(self, recording: Recording) -> cl.Program:
        """RuntimeError says what the compiler said first."""
        try:
            return cl.Program(self._context, recording.source).build(options=recording.options)
        except cl.Error as error:
            said = [line for line in str(error).splitlines() if "error:" in line.lower()]
            raise RuntimeError(said[0] if said else str(error)) from None
