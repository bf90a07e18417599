# SPDX-License-Identifier: Apache-2.0
"""The protocols of a device: it opens programs and launches their kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from lanewise.workgroup.mapping import AUTO
from lanewise.workgroup.mapping import Mapping as WorkItemMapping

if TYPE_CHECKING:
    import numpy as np  # 80 ms, and compiling needs none
    from numpy.typing import NDArray

Extent = tuple[int, int, int]
"""A size or place in x, y, z."""

Bytes: TypeAlias = "NDArray[np.uint8]"

ALIGNMENT: Final = 256
"""Alignment of a buffer's first byte, as cudaMalloc promises (CUDA C++ Programming Guide, Device Memory Accesses)."""


def as_it_is(text: str, fused: bool) -> str:
    """The link of a program that calls no library."""
    return text


class Program(NamedTuple):
    """A compiled translation unit, as a device gets it. `key` identifies all of its content."""

    key: str
    name: str
    """Name of the source, for messages."""
    text: Callable[[], str]
    """Its kernel IR. A warm start never asks for it."""
    names: Mapping[str, str]
    """Name of each kernel in the source, by symbol."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """Code and data that devices stored for themselves in a saved module, by name. They need no compiler."""
    foreign: bool = False
    """True if others wrote its IR: LLVM may end the process that compiles it."""
    link: Callable[[str, bool], str] = as_it_is
    """Adds to kernel IR the functions of the mathematical library that it calls. The flag selects the form for
    processors that multiply and add in one rounding."""
    mapping: WorkItemMapping = AUTO
    """The mapping of work-items on the CPU device. No other device has a choice."""

    def linked(self, *, fused: bool) -> str:
        """The program's kernel IR, together with all functions that it calls."""
        return self.link(self.text(), fused)


class Arguments(NamedTuple):
    """Checked arguments of a launch, in order: addresses of arrays and numbers as they are, structs as bytes."""

    values: tuple[int | float | bytes, ...]
    packed: bytes
    """All values, each at its natural alignment."""
    arrays: tuple[object, ...]
    """The object that each value refers to, kept alive: the array of a pointer, the texture of a handle; None for other
    values. The bounds of the array are those of the memory."""
    names: tuple[str, ...] = ()
    """Names of the parameters in the source, if known."""
    local_bytes: int = 0
    """Extra dynamic shared memory, in bytes, that arguments are offsets into. The launch's options may ask for more."""


class LaunchOptions(NamedTuple):
    """Options of a launch, apart from its geometry and arguments."""

    shared: int = 0
    """Bytes of dynamic shared memory."""
    timeout: float | None = None
    """Seconds, above 0, after which the launch is ended, as a LaunchError; None: no limit."""
    cooperative: bool = False
    """All work-groups are resident at the same time, so that they may wait for one another (grid synchronisation)."""


DEFAULT_OPTIONS: Final = LaunchOptions()


class OpenProgram(Protocol):
    """A program on a device, with its `__device__` and `__constant__` variables."""

    def prepare(self, kernel: str, grid: Extent, block: Extent, arguments: Arguments) -> None:
        """Make and load the code that `launch` runs for these arguments, without running it. CompileError,
        LaunchError."""
        ...

    def launch(self, kernel: str, grid: Extent, block: Extent, arguments: Arguments, options: LaunchOptions) -> None:
        """Run kernel (a symbol) and wait. LaunchError, CompileError."""
        ...

    def reopen(self, program: Program) -> OpenProgram:
        """The same source with more kernels; its variables keep their values."""
        ...

    def variable(self, symbol: str) -> Bytes:
        """The memory of a variable; later launches see what is written to it. KeyError if there is none."""
        ...


class Device(Protocol):
    """A place where kernels run."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """One line for people: the hardware and its amount."""
        ...

    @property
    def is_built(self) -> bool:
        """False while a part of the device itself must still be compiled, once per machine, before anything runs."""
        ...

    def build(self) -> None:
        """Compile the parts of the device itself, and start it. The first launch does the same."""
        ...

    def open(self, program: Program) -> OpenProgram: ...

    def allocate(self, nbytes: int, zeroed: bool) -> Bytes:
        """Memory of the device for a buffer, its first byte at a multiple of `ALIGNMENT`: all zeros, or undefined.
        MemoryError."""
        ...
