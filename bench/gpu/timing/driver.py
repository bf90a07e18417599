# SPDX-License-Identifier: Apache-2.0
"""A GPU by NVIDIA's driver: memory, machine code, launches, and their times by events.

Source: CUDA Driver API reference.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lanewise.device.cuda.driver import Driver, bindings

from ..problem import Array, Launch

_SHARED_BYTES: Final = 48 << 10
_CTYPES: Final = {
    ("i", 4): ctypes.c_int32,
    ("i", 8): ctypes.c_int64,
    ("f", 4): ctypes.c_float,
    ("f", 8): ctypes.c_double,
}
_SPOILED_BYTES: Final = 256 << 20
"""Memory that is overwritten before each launch, so that none finds the caches as another one left them."""


class Gpu:
    """The first GPU, with its primary context current. lanewise.Error if there is none."""

    def __init__(self) -> None:
        self.call: Final = Driver(bindings())
        self._device: Final = self.call("cuDeviceGet", 0)
        self._context: Final = self.call("cuDevicePrimaryCtxRetain", self._device)
        self.call("cuCtxSetCurrent", self._context)
        self._spoiled: Final = self.call("cuMemAlloc", _SPOILED_BYTES)
        self._begin: Final = self.call("cuEventCreate", 0)
        self._end: Final = self.call("cuEventCreate", 0)

    @property
    def name(self) -> str:
        return self.call("cuDeviceGetName", 100, self._device).partition(b"\0")[0].decode().strip()

    def upload(self, array: Array) -> Any:
        """Memory with a copy of the array."""
        memory = self.call("cuMemAlloc", max(array.nbytes, 16))
        self.call("cuMemcpyHtoD", memory, array.ctypes.data, array.nbytes)
        return memory

    def download(self, memory: Any, like: Array) -> Array:
        """A copy of what the memory of an array holds now."""
        found = np.empty_like(like)
        self.call("cuMemcpyDtoH", found.ctypes.data, memory, found.nbytes)
        return found

    def copy(self, to: Any, memory: Any, nbytes: int) -> None:
        self.call("cuMemcpyDtoD", to, memory, nbytes)

    def free(self, memory: Any) -> None:
        self.call("cuMemFree", memory)

    def function(self, machine_code: bytes, entry: str) -> Any:
        """A kernel of a module, which stays loaded."""
        module = self.call("cuModuleLoadData", machine_code)
        return self.call("cuModuleGetFunction", module, entry.encode())

    def allow_shared(self, function: Any, nbytes: int) -> None:
        """Let a kernel have that much dynamic shared memory."""
        if nbytes > _SHARED_BYTES:
            attribute = self.call.api.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self.call("cuFuncSetAttribute", function, attribute, nbytes)

    def start(self, function: Any, launch: Launch, values: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        """A launch; `values` are those of `packed`."""
        grid, block = (*launch.grid, 1, 1)[:3], (*launch.block, 1, 1)[:3]
        self.call("cuLaunchKernel", function, *grid, *block, launch.shared, 0, values, 0)

    def wait(self) -> None:
        self.call("cuCtxSynchronize")

    def milliseconds(self, function: Any, launch: Launch, values: Any, times: int) -> float:
        """Time of a launch, one of so many in a row, with caches that hold nothing of use before the first."""
        self.call("cuMemsetD32", self._spoiled, 0, _SPOILED_BYTES // 4)
        self.call("cuEventRecord", self._begin, 0)
        for _ in range(times):
            self.start(function, launch, values)
        self.call("cuEventRecord", self._end, 0)
        self.call("cuEventSynchronize", self._end)
        return self.call("cuEventElapsedTime", self._begin, self._end) / times

    def copy_speed(self) -> float:
        """Bytes read and written per second by a copy in the GPU's memory."""
        half = 2 << 30
        one, other = self.call("cuMemAlloc", half), self.call("cuMemAlloc", half)
        found: list[float] = []
        for _ in range(6):
            self.call("cuEventRecord", self._begin, 0)
            self.call("cuMemcpyDtoDAsync", one, other, half, 0)
            self.call("cuEventRecord", self._end, 0)
            self.call("cuEventSynchronize", self._end)
            found.append(2 * half / self.call("cuEventElapsedTime", self._begin, self._end) * 1000)
        self.free(one)
        self.free(other)
        return max(found)


def packed(values: Sequence[Any], parameters: Sequence[str]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Arguments as cuda-bindings takes them: values and ctypes. `parameters` are types of PTX, such as "u64" and "f32",
    which decide the size of a number; pointers are given as memory."""
    numbers: list[Any] = []
    kinds: list[Any] = []
    for value, parameter in zip(values, parameters, strict=True):
        if isinstance(value, int | float | np.generic):
            real = isinstance(value, float | np.floating) or parameter.startswith("f")
            kind = _CTYPES["f" if real else "i", int(parameter[1:]) // 8]
            numbers.append(float(value) if real else int(value))
        else:
            kind = ctypes.c_void_p
            numbers.append(int(value))
        kinds.append(kind)
    return tuple(numbers), tuple(kinds)
