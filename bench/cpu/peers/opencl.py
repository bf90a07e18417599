# SPDX-License-Identifier: Apache-2.0
"""Implementations of OpenCL, on buffers in the memory of NumPy's arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only

from ..order import Order
from ..problem import Array, Local
from . import Prepared

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

    def prepare(self, order: Order) -> Prepared:
        program = self._built(order)
        kernel = cl.Kernel(program, order.kernel)
        arguments = [self._argument(each) for each in order.arguments]
        kernel.set_args(*arguments)

        def launch() -> None:
            cl.enqueue_nd_range_kernel(self._queue, kernel, order.global_size, order.local_size)
            self._queue.finish()

        def result(place: int) -> Array:
            array = np.empty_like(order.arguments[place])
            cl.enqueue_copy(self._queue, array, arguments[place])
            return array

        return Prepared(launch, lambda: [result(place) for place in order.results])

    def _built(self, order: Order) -> cl.Program:
        """RuntimeError says what the compiler said first."""
        try:
            return cl.Program(self._context, order.source.read_text()).build(options=order.options)
        except cl.Error as error:
            said = [line for line in str(error).splitlines() if "error:" in line.lower()]
            raise RuntimeError(said[0] if said else str(error)) from None

    def _argument(self, argument: Any) -> Any:
        if isinstance(argument, Local):
            return cl.LocalMemory(argument.nbytes)
        if isinstance(argument, np.ndarray):
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
            return cl.Buffer(self._context, flags, hostbuf=argument)
        return argument
