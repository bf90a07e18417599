# SPDX-License-Identifier: Apache-2.0
"""The protocols of a device: it opens programs and launches their kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lanewise.device.capabilities import Capabilities
from lanewise.device.launch import Extent, Launch
from lanewise.device.memory import DeviceMemory, Span
from lanewise.device.program import Program

if TYPE_CHECKING:
    from lanewise.pipelines.drive import Stage, View
    from lanewise.pipelines.report import KernelReport
    from lanewise.runtime import NativeLaunch


class OpenProgram(Protocol):
    """A program on a device, with its `__device__` and `__constant__` variables."""

    @property
    def device(self) -> Device: ...

    def prepare(self, launch: Launch) -> None:
        """Make and load the code that `launch` runs, without running it. CompileError, LaunchError."""
        ...

    def launch(self, launch: Launch) -> None:
        """Run a kernel and wait. LaunchError, CompileError."""
        ...

    def reopen(self, program: Program) -> OpenProgram:
        """The same source with more kernels; its variables keep their values."""
        ...

    def variable(self, symbol: str) -> Span:
        """Place of a variable in the device's memory; later launches see what is written to it. KeyError if there is
        none."""
        ...


class NativeProgram(Protocol):
    """A program whose launches the queues of streams can make without Python. Programs needn't be one."""

    def native(self, launch: Launch) -> NativeLaunch | None:
        """The launch for a queue; None if its code isn't loaded yet, or it is one for `OpenProgram.launch`. It has no
        effect by itself."""
        ...


class Device(Protocol):
    """A place where kernels run. Its `repr` is for people: `<device NAME: DESCRIPTION>`."""

    @property
    def name(self) -> str:
        """The name that `lw.device` takes."""
        ...

    @property
    def description(self) -> str:
        """One line for people: the hardware and its amount."""
        ...

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def memory(self) -> DeviceMemory:
        """The memory of its kernels. `HostMemory` unless `capabilities.own_memory`."""
        ...

    @property
    def is_built(self) -> bool:
        """False while a part of the device itself must still be compiled, once per machine, before anything runs."""
        ...

    def build(self) -> None:
        """Compile the parts of the device itself, and start it. The first launch does the same."""
        ...

    def open(self, program: Program) -> OpenProgram:
        """A program on this device, with initial values in its variables. May be lazy: errors come from launches."""
        ...


class Inspectable(Protocol):
    """A device that shows its code and can put it into saved modules. Devices needn't."""

    @property
    def inspection(self) -> Inspection: ...

    @property
    def saving(self) -> Saving: ...


class Inspection(Protocol):
    """Views of an inspectable device's code."""

    def report(self, program: Program, kernel: str, block: Extent, terms: str) -> KernelReport:
        """Report on a kernel (a symbol) for one local size; `terms` are those of the text, "cuda" or "opencl".
        CompileError if the device can't run it."""
        ...

    def remarks(self, program: Program, kernel: str, block: Extent | None) -> Sequence[str]:
        """Decisions about a kernel's code for one local size (None: any), a line each. CompileError."""
        ...

    def stages(self, program: Program, kernel: str, block: Extent | None, view: View) -> list[Stage]:
        """The steps of the device's pipeline on a kernel. Error for a step that there isn't; CompileError."""
        ...

    def assembly(self, program: Program, kernel: str, block: Extent | None) -> str:
        """The kernel's machine code as text. CompileError."""
        ...


class Saving(Protocol):
    """Code of an inspectable device as part of saved modules."""

    def files(self, program: Program, sizes: Mapping[str, Sequence[Extent | None]]) -> dict[str, bytes]:
        """Code for the local sizes (None: any) of each kernel, by symbol, and all else that launches need. Error,
        CompileError."""
        ...

    def requirements(self) -> dict[str, Any]:
        """Requirements on a machine that is to run these files."""
        ...

    def check(self, file: str, needs: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Error if this machine can't run the files in `file`; ValueError, TypeError or KeyError for files and needs
        that another version has written."""
        ...

    def is_general(self, name: str) -> bool:
        """True if the file called `name` belongs to code for any local size."""
        ...
