# SPDX-License-Identifier: Apache-2.0
"""The primary context of a GPU, in which all calls of the driver are made.

Source: CUDA Driver API reference, "Primary Context Management" and "Context Management".
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, final

from lanewise.device.cuda.driver import Driver, DriverError
from lanewise.errors import Error


@final
class Context:
    """The primary context of the GPU `handle`, made at first use. `device` is the GPU's name, for messages."""

    def __init__(self, driver: Driver, handle: Any, device: str) -> None:
        self.device: Final = device
        self._driver: Final = driver
        self._handle: Final = handle
        self._lock: Final = threading.Lock()
        self._context: Any = None
        self._overdue: Any = None
        """The event behind a launch that outlived its timeout."""
        self._broken: str | None = None
        """The failure after which the driver accepts no more calls."""

    @contextmanager
    def current(self, work: str) -> Generator[Driver]:
        """The driver, with this GPU as the thread's within the block. `work` names the block in the Error for what the
        driver refuses in it; it also raises Error while a launch that outlived its timeout runs on, and after a fault,
        since the driver then accepts no more calls of this process for the GPU."""
        self._check_not_broken()
        try:
            self._driver("cuCtxPushCurrent", self._opened())
            try:
                self._check_not_busy()
                yield self._driver
            finally:
                self._driver.api.cuCtxPopCurrent()  # what fails here has failed before
        except DriverError as error:
            raise Error(f"{self.device}: {work}: {error}") from None

    def discard(self, function: str, what: Any) -> None:
        """Give back memory or a module by the driver's `function`. For finalizers, who have nobody to tell of
        failures. While a launch that outlived its timeout runs on, it is left, since the driver would wait."""
        if self._broken is not None or self._overdue is not None:
            return
        api = self._driver.api
        api.cuCtxPushCurrent(self._context)
        getattr(api, function)(what)
        api.cuCtxPopCurrent()

    def give_up(self, reason: str) -> None:
        """Refuse all further calls: the driver would."""
        self._broken = reason

    def leave_behind(self, event: Any) -> None:
        """Refuse further calls until an event that was recorded behind a launch has come."""
        self._overdue = event

    def _opened(self) -> Any:
        with self._lock:
            if self._context is None:
                self._context = self._driver("cuDevicePrimaryCtxRetain", self._handle)
            return self._context

    def _check_not_broken(self) -> None:
        if self._broken is not None:
            raise Error(
                f"{self.device} can't be used any more in this process, since NVIDIA's driver accepts no calls after a "
                f"fault: {self._broken}"
            )

    def _check_not_busy(self) -> None:
        if self._overdue is None:
            return
        try:
            self._driver("cuEventQuery", self._overdue)
        except DriverError as error:
            if error.name == "CUDA_ERROR_NOT_READY":
                raise Error(f"{self.device} is busy: a launch that outlived its timeout still runs") from None
            self.give_up(f"a launch that outlived its timeout: {error}")
            self._check_not_broken()
        self._overdue = None
