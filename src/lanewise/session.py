# SPDX-License-Identifier: Apache-2.0
"""A session: settings, the cache, and the devices, made at first use."""

from __future__ import annotations

import functools
import warnings
from typing import Final, final

from lanewise import locks
from lanewise.cache import Cache
from lanewise.config import Config, default_device, from_environment
from lanewise.device import table
from lanewise.device.base import Device
from lanewise.errors import Error


@final
class Session:
    """State shared by one process. `config` has all its settings."""

    def __init__(self, config: Config) -> None:
        self.config: Final = config
        self.cache: Final = Cache(config.cache_dir)
        self._devices: Final[dict[str, Device]] = {}
        self._lock: Final = locks.lock()

    @property
    def default_device(self) -> str:
        """Name of the device for launches that name none."""
        return self.config.device or default_device()

    def device(self, name: str) -> Device:
        """The device called `name`. Error, with the known names, if there is none."""
        device = self._devices.get(name)
        if device is None:
            name = table.canonical(name)
            with self._lock:
                device = self._devices[name] = self._devices.get(name) or self._make(name)
        return device

    def simulated_gpu(self, name: str, gpu: str | None, memory: str | int | None) -> Device:
        """A new simulated GPU. Error unless `name` is "simt", and for an unknown GPU or amount of memory."""
        if name != "simt":
            raise Error(f"gpu= and memory= are for the device 'simt', not for {name!r}")
        from lanewise.device.simt import open_device  # few programs want one

        return open_device(self.cache, self.config, gpu, memory)

    def devices(self) -> list[Device]:
        """All devices of this machine, the default one first. One of another package that can't be loaded is left out,
        with a warning."""
        default = self.default_device
        found: list[Device] = []
        for name in sorted(table.names_on_this_machine(), key=lambda name: name != default):
            try:
                found.append(self.device(name))
            except Error as error:
                if name in table.HERE:
                    raise
                warnings.warn(str(error), stacklevel=3)
        return found

    def _make(self, name: str) -> Device:
        return table.opener(name)(self.cache, self.config)


@functools.cache
def session_of_this_process() -> Session:
    """The session that the functions of the package use, with the environment's settings at its first use."""
    return Session(from_environment())
