# SPDX-License-Identifier: Apache-2.0
"""Calls of NVIDIA's driver, by the package cuda-bindings.

Source: CUDA Driver API reference, and the reference of cuda-bindings, whose functions return a tuple: the result, then
the values.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, final

from lanewise.errors import Error

STREAM: Final = 2
"""CU_STREAM_PER_THREAD, the calling thread's own stream. It waits for what other libraries have put into the default
stream, as theirs waits for it (CUDA Driver API, "Stream synchronization behavior")."""

INSTALL: Final = "pip install 'lanewise[cuda]'"


@final
class DriverError(Error):
    """A call that the driver refused, or an earlier one whose failure it reports now. `name` is the result's, such as
    CUDA_ERROR_ILLEGAL_ADDRESS."""

    def __init__(self, function: str, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.function: Final = function
        self.name: Final = name


@final
class Driver:
    """The driver: `driver("cuMemAlloc", 256)` is the call's value or values."""

    def __init__(self, api: Any) -> None:
        """`api`: the module cuda.bindings.driver. Error if there is no GPU."""
        self.api: Final = api
        try:
            self("cuInit", 0)
            self.count: Final = int(self("cuDeviceGetCount"))
        except DriverError as error:
            raise Error(f"no GPU can be used: {error}") from None

    def __call__(self, function: str, *arguments: Any) -> Any:
        """DriverError unless the call succeeds."""
        result, *values = getattr(self.api, function)(*arguments)
        if result != self.api.CUresult.CUDA_SUCCESS:
            raise DriverError(function, getattr(result, "name", str(result)), self._text(result))
        return values[0] if len(values) == 1 else tuple(values)

    def _text(self, result: Any) -> str:
        _, text = self.api.cuGetErrorString(result)
        return text.decode(errors="replace") if text else "unknown error"


def bindings() -> Any:
    """The module cuda.bindings.driver, with NVIDIA's driver loaded. Error if either is missing."""
    try:
        api = import_module("cuda.bindings.driver")
    except ImportError:
        raise Error(f"the device cuda needs the package cuda-bindings: {INSTALL}") from None
    try:
        api.cuDriverGetVersion()  # the first call loads it
    except Exception as error:  # of any kind: it has changed with versions of the package
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise Error(f"the device cuda needs NVIDIA's driver, which can't be loaded: {reason}") from None
    return api
