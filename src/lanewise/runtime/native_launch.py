# SPDX-License-Identifier: Apache-2.0
"""Launches that a queue makes without Python."""

import ctypes
from collections.abc import Callable
from typing import Final, NamedTuple


class _Core(ctypes.Structure):
    """struct lw_core of `queue/served.h`: a pool of a runtime core."""

    _fields_ = (("start", ctypes.c_void_p), ("pool", ctypes.c_void_p), ("abandon", ctypes.c_void_p))
    start: int
    pool: int
    abandon: int


_cores: Final[list[_Core]] = []
"""All that were made: pools live as long as the process, and queues refer to them."""


def core(start: int, pool: int, abandon: int) -> int:
    """Address of the struct lw_core of a pool; `start` and `abandon`: addresses of its core's functions."""
    _cores.append(_Core(start, pool, abandon))
    return ctypes.addressof(_cores[-1])


class NativeLaunch(NamedTuple):
    """Machine code over a grid, for a queue: what `lw_start` of the runtime core takes."""

    core: int
    request: bytes
    args: bytes
    finish: Callable[[int], None]
    """Called with the launch's number if it has failed, printed, or not ended soon: waits, and raises LaunchError.
    Called with 0 after a launch whose trial asks (`Trial.asks`)."""
    apart: tuple[int, ...] = ()
    """Numbers of arguments that point to memory which no other argument's may overlap in later launches with the same
    request."""

    def started_by(self) -> tuple[int, int, int]:
        """Addresses of lw_start, of the pool and of lw_abandon."""
        made = _Core.from_address(self.core)
        return made.start, made.pool, made.abandon
