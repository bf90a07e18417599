# SPDX-License-Identifier: Apache-2.0
"""What every device offers: it opens programs, and launches their kernels."""

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
"""Of a buffer's first byte: what cudaMalloc promises (CUDA C++ Programming Guide, Device Memory Accesses)."""


def as_it_is(text: str, fused: bool) -> str:
    """The link of a program that calls no library."""
    return text


class Program(NamedTuple):
    """A compiled translation unit, as a device gets it. `key` stands for all of its content."""

    key: str
    name: str
    """Of its source, for messages."""
    text: Callable[[], str]
    """Its kernel IR. A warm start never asks for it."""
    names: Mapping[str, str]
    """What the source calls each kernel, by symbol."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """What devices have left for themselves in a saved module, by name: code and data that need no compiler."""
    foreign: bool = False
    """Its IR was written by others: LLVM may end the process that compiles it."""
    link: Callable[[str, bool], str] = as_it_is
    """Adds to kernel IR what it calls of the mathematical library, in the form for processors that multiply and add in
    one rounding, or for those that don't."""
    mapping: WorkItemMapping = AUTO
    """How the CPU device is to map work-items. No other device has a choice."""

    def linked(self, *, fused: bool) -> str:
        """The program's kernel IR with all that it calls in it."""
        return self.link(self.text(), fused)


class Arguments(NamedTuple):
    """Checked arguments of a launch, in order: addresses of arrays and numbers as they are, structs as bytes."""

    values: tuple[int | float | bytes, ...]
    packed: bytes
    """All values, each at its natural alignment."""
    arrays: tuple[object, ...]
    """What each value refers to, so that it lives on: the array behind a pointer, whose bounds are those of the
    memory, the texture behind a handle; None for other values."""
    names: tuple[str, ...] = ()
    """What the source calls the parameters, where that is known."""
    local_bytes: int = 0
    """Of dynamic shared memory, beside what the launch's options ask for, that arguments are offsets into."""


class LaunchOptions(NamedTuple):
    """How a launch runs, beside its geometry and arguments."""

    shared: int = 0
    """Bytes of dynamic shared memory."""
    timeout: float | None = None
    """Seconds, above 0, after which the launch is ended, as a LaunchError; None: no limit."""
    cooperative: bool = False
    """All work-groups are there at once, so that they may wait for one another (grid synchronisation)."""


DEFAULT_OPTIONS: Final = LaunchOptions()


class OpenProgram(Protocol):
    """A program on a device, with its `__device__` and `__constant__` variables."""

    def prepare(self, kernel: str, grid: Extent, block: Extent, arguments: Arguments) -> None:
        """Make and load the code that `launch` runs for these arguments, and run nothing. CompileError, LaunchError."""
        ...

    def launch(self, kernel: str, grid: Extent, block: Extent, arguments: Arguments, options: LaunchOptions) -> None:
        """Run kernel (a symbol) and wait. LaunchError, CompileError."""
        ...

    def reopen(self, program: Program) -> OpenProgram:
        """The same source with more kernels; its variables keep their values."""
        ...

    def variable(self, symbol: str) -> Bytes:
        """The memory of a variable; what is written to it, later launches see. KeyError where there is none."""
        ...


class Device(Protocol):
    """A place where kernels run."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """One line for people: what it is and how much of it."""
        ...

    @property
    def is_built(self) -> bool:
        """False while something of the device itself has to be compiled, once per machine, before anything runs."""
        ...

    def build(self) -> None:
        """Compile what the device itself needs, and start it. The first launch does the same."""
        ...

    def open(self, program: Program) -> OpenProgram: ...

    def allocate(self, nbytes: int, zeroed: bool) -> Bytes:
        """Memory of the device for a buffer, its first byte at a multiple of `ALIGNMENT`: all zeros, or undefined.
        MemoryError."""
        ...
