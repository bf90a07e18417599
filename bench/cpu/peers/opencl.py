# SPDX-License-Identifier: Apache-2.0
"""Implementations of OpenCL, on buffers in the memory of NumPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only

from ..order import Order
from ..problem import Array, Local
from . import Prepared
from .platform import Platform


class OpenCl:
    def __init__(self, name: str) -> None:
        self._platform = Platform(name)
        self.version = self._platform.version

    def prepare(self, order: Order) -> Prepared:
        program = self._platform.built(order.source.read_text(), order.options)
        kernel = cl.Kernel(program, order.kernel)
        arguments = [self._argument(each) for each in order.arguments]
        kernel.set_args(*arguments)

        def launch() -> None:
            cl.enqueue_nd_range_kernel(self._platform.queue, kernel, order.global_size, order.local_size)
            self._platform.queue.finish()

        def result(place: int) -> Array:
            array = np.empty_like(order.arguments[place])
            cl.enqueue_copy(self._platform.queue, array, arguments[place])
            return array

        return Prepared(launch, lambda: [result(place) for place in order.results])

    def _argument(self, argument: Any) -> Any:
        if isinstance(argument, Local):
            return cl.LocalMemory(argument.nbytes)
        if isinstance(argument, np.ndarray):
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
            return cl.Buffer(self._platform.context, flags, hostbuf=argument)
        return argument
