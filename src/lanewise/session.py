# SPDX-License-Identifier: Apache-2.0
"""A session: settings, the cache, and the devices, made at first use."""

from __future__ import annotations

import functools
import threading
from typing import Final, final

from lanewise.cache import Cache
from lanewise.config import Config, default_device, from_environment
from lanewise.device.base import Device
from lanewise.errors import Error

_NAMES: Final = ("cpu", "reference")


@final
class Session:
    """State shared by one process. `config` has all its settings."""

    def __init__(self, config: Config) -> None:
        self.config: Final = config
        self.cache: Final = Cache(config.cache_dir)
        self._devices: Final[dict[str, Device]] = {}
        self._lock: Final = threading.Lock()

    @property
    def default_device(self) -> str:
        """Name of the device for launches that name none."""
        return self.config.device or default_device()

    def device(self, name: str) -> Device:
        """The device called `name`. Error, with the known names, if there is none."""
        device = self._devices.get(name)
        if device is None:
            with self._lock:
                device = self._devices[name] = self._devices.get(name) or self._make(name)
        return device

    def devices(self) -> list[Device]:
        """All devices of this machine, the default one first."""
        default = self.default_device
        names = sorted(_NAMES, key=lambda name: name != default)
        return [self.device(name) for name in names]

    def _make(self, name: str) -> Device:
        if name == "cpu":
            from lanewise.device.cpu import CpuDevice

            return CpuDevice(self.cache, self.config.num_threads)
        if name == "reference":
            from lanewise.device.reference import ReferenceDevice

            return ReferenceDevice()
        raise Error(f"no device is called '{name}'; the devices are {', '.join(_NAMES)}")


@functools.cache
def session_of_this_process() -> Session:
    """The session that the functions of the package use, with the environment's settings at its first use."""
    return Session(from_environment())
