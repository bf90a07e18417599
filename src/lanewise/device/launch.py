# SPDX-License-Identifier: Apache-2.0
"""One launch of a kernel, as devices get it: checked, and not packed yet."""

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from lanewise.device.race_log import RaceLog

Extent = tuple[int, int, int]
"""A size or place in x, y, z."""


class Parameters(NamedTuple):
    """Facts about a kernel's parameters, the same for all its launches."""

    names: tuple[str, ...]
    """Names in the source, if known."""
    const: tuple[bool, ...]
    """For each parameter, True if it is a pointer that the kernel only reads through."""
    packing: struct.Struct
    """All values, each at its natural alignment."""
    local: tuple[bool, ...] = ()
    """For each parameter, True if it is a place in the work-group's memory; empty if none is."""

    def is_local(self, number: int) -> bool:
        return bool(self.local) and self.local[number]


NO_PARAMETERS = Parameters((), (), struct.Struct("<"))


class DeviceArray(NamedTuple):
    """An array in a device's own memory."""

    address: int
    dtype: "np.dtype[Any]"
    shape: tuple[int, ...]
    const: bool = False
    """True if the kernel only reads it."""


class Arguments(NamedTuple):
    """Checked arguments of a launch, in order: addresses of arrays and numbers as they are, structs as bytes."""

    values: tuple[int | float | bytes, ...]
    arrays: tuple[object, ...]
    """The object that each value refers to, kept alive: the array of a pointer, the texture of a handle; None for other
    values. The bounds of the array are those of the memory. On a device with memory of its own they are
    `DeviceArray`s."""
    parameters: Parameters = NO_PARAMETERS
    local_bytes: int = 0
    """Extra dynamic shared memory, in bytes, that arguments are offsets into. The launch may ask for more."""
    local_sizes: tuple[int, ...] = ()
    """The bytes of each such argument, in order."""

    def packed(self) -> bytes:
        """All values as the kernel's parameters lie in memory."""
        return self.parameters.packing.pack(*self.values)


class Launch(NamedTuple):
    """A kernel (a symbol), the extents of its grid and work-groups, its arguments and options."""

    kernel: str
    grid: Extent
    block: Extent
    arguments: Arguments
    shared: int = 0
    """Bytes of dynamic shared memory, besides those of the arguments."""
    timeout: float | None = None
    """Seconds, above 0, after which the launch is ended, as a LaunchError; None: no limit."""
    cooperative: bool = False
    """All work-groups are resident at the same time, so that they may wait for one another (grid synchronisation)."""

    races: "RaceLog | None" = None
    """Gets the races of a checked kernel from a device that looks for them by itself; others find them by what the
    kernel tells. None: nobody looks."""

    @property
    def dynamic_bytes(self) -> int:
        """All dynamic shared memory of a work-group."""
        return self.shared + self.arguments.local_bytes
