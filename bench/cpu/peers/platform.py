# SPDX-License-Identifier: Apache-2.0
"""An implementation of OpenCL for processors: its context, its queue, and programs that it builds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pyopencl as cl  # pyright: ignore[reportMissingImports] : installed for measurements only

_PLATFORMS: Final = {"intel": "Intel(R) OpenCL", "pocl": "Portable Computing Language", "lanewise": "Lanewise"}


class Platform:
    """The platform `name`, "intel", "pocl" or "lanewise". RuntimeError if there is none."""

    def __init__(self, name: str) -> None:
        platform = next((each for each in cl.get_platforms() if each.name == _PLATFORMS[name]), None)
        if platform is None:
            raise RuntimeError(f"no OpenCL platform {_PLATFORMS[name]}")
        device = platform.get_devices(cl.device_type.CPU)[0]
        self.version = f"{platform.name} {device.driver_version}"
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)

    def built(self, source: str, options: str | Sequence[str]) -> cl.Program:
        """The program of that source. RuntimeError says what the compiler said first."""
        try:
            return cl.Program(self.context, source).build(options=options)
        except cl.Error as error:
            said = [line for line in str(error).splitlines() if "error:" in line.lower()]
            raise RuntimeError(said[0] if said else str(error)) from None
