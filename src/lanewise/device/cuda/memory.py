# SPDX-License-Identifier: Apache-2.0
"""Memory of a GPU."""

from __future__ import annotations

from typing import Final, final

from lanewise.device.cuda.context import Context
from lanewise.device.cuda.driver import STREAM, DriverError
from lanewise.device.memory import ALIGNMENT, Bytes


@final
class CudaMemory:
    """See `device.memory.DeviceMemory`."""

    def __init__(self, context: Context) -> None:
        self._context: Final = context

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        with self._context.current("a buffer") as driver:
            size = max(nbytes, 1)
            try:
                address = int(driver("cuMemAlloc", size))
            except DriverError as error:
                if error.name != "CUDA_ERROR_OUT_OF_MEMORY":
                    raise
                free, total = driver("cuMemGetInfo")
                raise MemoryError(f"of the GPU's {total} bytes, {free} are free, not all in one piece") from None
            assert address % ALIGNMENT == 0
            if zeroed:
                driver("cuMemsetD8Async", address, 0, size, STREAM)
                driver("cuStreamSynchronize", STREAM)
        return address

    def free(self, address: int) -> None:
        self._context.discard("cuMemFree", address)

    def free_bytes(self) -> int:
        with self._context.current("the free memory") as driver:
            return int(driver("cuMemGetInfo")[0])

    def read(self, address: int, out: Bytes) -> None:
        with self._context.current("a copy from the GPU") as driver:
            driver("cuMemcpyDtoHAsync", out.ctypes.data, address, out.nbytes, STREAM)
            driver("cuStreamSynchronize", STREAM)

    def write(self, address: int, data: Bytes) -> None:
        with self._context.current("a copy to the GPU") as driver:
            driver("cuMemcpyHtoDAsync", address, data.ctypes.data, data.nbytes, STREAM)
            driver("cuStreamSynchronize", STREAM)

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        """The driver's copy is undefined for ranges that overlap: those go by way of memory of their own."""
        if abs(destination - source) >= nbytes:
            self._copy(destination, source, nbytes)
            return
        between = self.allocate(nbytes, zeroed=False)
        try:
            self._copy(between, source, nbytes)
            self._copy(destination, between, nbytes)
        finally:
            self.free(between)

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        with self._context.current("a fill") as driver:
            driver("cuMemsetD8Async", address, byte, nbytes, STREAM)
            driver("cuStreamSynchronize", STREAM)

    def _copy(self, destination: int, source: int, nbytes: int) -> None:
        with self._context.current("a copy on the GPU") as driver:
            driver("cuMemcpyDtoDAsync", destination, source, nbytes, STREAM)
            driver("cuStreamSynchronize", STREAM)
