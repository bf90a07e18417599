# SPDX-License-Identifier: Apache-2.0
"""Kernels, and how they are launched."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Final, NoReturn, SupportsIndex, final

from lanewise.device.base import Device, OpenProgram
from lanewise.device.launch import Arguments, Extent, Launch
from lanewise.errors import Error, LaunchError, LaunchTypeError, LaunchValueError, hidden_by_pytest
from lanewise.frontend.signature import NO_BOUNDS, LaunchBounds, Parameter, Signature
from lanewise.program.arguments.geometry import DEFAULT_BLOCK, Size, block_extent, grid_extent
from lanewise.program.arguments.ndrange import ndrange
from lanewise.program.arguments.packer import ArgumentPacker, Packer
from lanewise.streams.default_stream import in_default_stream
from lanewise.tracebacks import trimmed, trims_traceback
from lanewise.wording import reworded

if TYPE_CHECKING:
    from lanewise.pipelines.report import KernelReport
    from lanewise.program.profile.counting import CountingKernel
    from lanewise.program.profile.profile import Profile
    from lanewise.streams.stream import Stream


__tracebackhide__ = hidden_by_pytest


@final
class Kernel:
    """A kernel of a module.

        k[grid, block](y, x, 2.0, n)                 on the default device; returns when it has run
        k[grid, block, 0, stream](y, x, 2.0, n)      in a stream; returns at once
        k.launch(grid, block, (y, x, 2.0, n), shared=0, device=lw.device("reference"))
        k.ndrange(global_size, local_size)(y, x, 2.0, n)   in OpenCL's terms, all in work-items

    `grid` counts work-groups, `block` work-items a group; each an int or a tuple of up to three (x, y, z).
    """

    def __init__(
        self,
        opened: Callable[[Device | str | None], OpenProgram],
        name: str,
        signature: Signature,
        shared_bytes: int,
        bounds: LaunchBounds = NO_BOUNDS,
        examine: Callable[[Extent], KernelReport] | None = None,
        remarks: Callable[[Extent | None], Sequence[str]] | None = None,
        general: Callable[[], Kernel] | None = None,
        counting: Callable[[], CountingKernel] | None = None,
        asks_dimensions: bool = False,
        terms: str = "cuda",
    ) -> None:
        """`general` returns the same kernel in the form for any range, which takes the range as its last seven
        arguments; None: there is no such form. `counting` returns it with counters. `asks_dimensions`: the kernel asks
        how many dimensions a range was written with. `terms`: the language in whose terms messages speak, "cuda" or
        "opencl"."""
        self._opened: Final = opened
        self.name: Final = name
        """As the source has it, with namespaces and template arguments."""
        self.symbol: Final = signature.symbol
        self.params: Final[tuple[Parameter, ...]] = signature.parameters
        self.shared_bytes: Final = shared_bytes
        """Static shared memory."""
        self._bounds: Final = bounds
        self._examine: Final = examine
        self._remarks: Final = remarks
        self._general: Final = general
        self._counting: Final = counting
        self._asks_dimensions: Final = asks_dimensions
        self._terms: Final = terms
        self._signature: Final = signature
        self._packer: Packer = ArgumentPacker(name, signature)
        self._extents: Final[dict[tuple[object, object], tuple[Extent, Extent]]] = {}

    def taking(self, packer: Callable[[str, Signature], Packer]) -> Kernel:
        """The same kernel for arguments that are made into its parameters otherwise."""
        made = copy.copy(self)
        made._packer = packer(self.name, self._signature)
        return made

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(p.ctype for p in self.params)})>"

    def __getitem__(
        self, geometry: tuple[Size, Size] | tuple[Size, Size, int] | tuple[Size, Size, int, Stream | None]
    ) -> Callable[..., None]:
        """`k[grid, block]`: called with the arguments, it launches the kernel and waits. `k[grid, block, shared,
        stream]`: as CUDA's <<<grid, block, shared, stream>>>."""
        if not isinstance(geometry, tuple) or not 2 <= len(geometry) <= 4:  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchTypeError(f"kernel {self.name}: write k[grid, block](...), not k[{geometry!r}](...)")
        grid, block = geometry[:2]
        shared = geometry[2] if len(geometry) > 2 else 0
        stream = geometry[3] if len(geometry) == 4 else None

        def call(*arguments: Any, **named: Any) -> None:
            if named:
                raise LaunchTypeError(f"{self._by_position(named)}k.launch(grid, block, arguments, ...)")
            try:
                self._launch(grid, block, arguments, shared, stream)
            except Error as error:
                raise trimmed(reworded(error, self._terms)) from error.__cause__

        return call

    def __call__(self, *arguments: Any, **named: Any) -> NoReturn:
        raise LaunchTypeError(f"kernel {self.name}: write k[grid, block](...), not k(...)")

    def launch(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        stream: Stream | None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
        cooperative: bool = False,
    ) -> None:
        """Run the kernel; without a `stream`, wait until it is done.

        `shared`: bytes of dynamic shared memory. `stream`: runs it there, after the present work; a
        failure is then raised by `stream.synchronize()`. `timeout`: seconds after which a launch that has not ended is
        ended, wherever its work-items are. `cooperative`: work-groups may wait for one another, as in CUDA's
        cooperative launches. Raises LaunchError for a broken rule, before anything runs, and for a kernel that fails;
        CompileError for a kernel that the device can't run.
        """
        try:
            self._launch(grid, block, arguments, shared, stream, device, timeout, cooperative)
        except Error as error:
            raise trimmed(reworded(error, self._terms)) from error.__cause__

    def _launch(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        stream: Stream | None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
        cooperative: bool = False,
    ) -> None:
        if type(shared) is not int or shared < 0:
            shared = self._bytes(shared)
        if not isinstance(arguments, tuple | list):
            raise LaunchTypeError(f"kernel {self.name}: arguments must be a tuple or a list, not {arguments!r}")
        extents = self._checked(grid, block)
        if timeout is not None:
            timeout = self._seconds(timeout)
        self._run(extents, arguments, stream, device, (shared, timeout, cooperative))

    def _run(
        self,
        extents: tuple[Extent, Extent],
        arguments: Sequence[object],
        stream: Stream | None,
        device: Device | str | None,
        options: tuple[int, float | None, bool] = (0, None, False),
    ) -> None:
        """`options`: shared, timeout and cooperative."""
        if stream is None:
            opened = self._opened(device)
            launch = Launch(self.symbol, *extents, self._packer.pack(arguments, opened.device), *options)
            in_default_stream(opened.launch, launch)
        else:
            self._enqueue(stream, device, extents, options, arguments)

    def prepare(self, grid: Size, block: Size, arguments: Sequence[object], device: Device | str | None = None) -> None:
        """Compile all that a launch with these arguments runs, and run nothing: that launch then takes as long as any
        later one. Raises LaunchError for what breaks a rule, CompileError for a kernel that the device can't run."""
        if not isinstance(arguments, tuple | list):
            raise LaunchTypeError(f"kernel {self.name}: arguments must be a tuple or a list, not {arguments!r}")
        try:
            extents = self._checked(grid, block)
            opened = self._opened(device)
            opened.prepare(Launch(self.symbol, *extents, self._packer.pack(arguments, opened.device)))
        except Error as error:
            raise trimmed(reworded(error, self._terms)) from error.__cause__

    @trims_traceback
    def ndrange(
        self,
        global_size: Size,
        local_size: Size | None = None,
        offset: Size | None = None,
        stream: Stream | None = None,
        device: Device | str | None = None,
        timeout: float | None = None,
    ) -> Callable[..., None]:
        """`k.ndrange(global_size, local_size, offset)(y, x, 2.0, n)`: a launch in OpenCL's terms, all in work-items.

        Without a `local_size` one is chosen. Kernels in OpenCL C take any `offset` of their global ids, and global
        sizes that the local size doesn't divide: then the last work-groups are smaller. Other kernels have no global
        ids, and take neither. Raises LaunchError for sizes that can't be, otherwise as `launch`.
        """
        whole = ndrange(
            self.name, global_size, local_size, offset, self._bounds, may_be_uneven=self._general is not None
        )
        is_plain = whole.is_plain and not (self._asks_dimensions and whole.dimensions != whole.apparent_dimensions)
        if not is_plain and self._general is None:
            what = f"offset {whole.offset}" if any(whole.offset) else f"global size {whole.size}"
            raise LaunchError(
                f"kernel {self.name}: {what} with local size {whole.local}: only OpenCL C's kernels have an offset and "
                "work-groups of unequal size, and of a saved module not even those"
            )

        options = 0, None if timeout is None else self._seconds(timeout), False

        def call(*arguments: Any, **named: Any) -> None:
            if named:
                raise LaunchTypeError(f"{self._by_position(named)}k.ndrange(global_size, ...)")
            kernel = self
            if not is_plain and self._general is not None:
                self._packer.check_count(arguments)
                kernel, arguments = self._general(), (*arguments, *whole.offset, *whole.size, whole.dimensions)
            try:
                kernel._run((whole.groups, whole.local), arguments, stream, device, options)
            except Error as error:
                raise trimmed(reworded(error, self._terms)) from error.__cause__

        return call

    def info(self, block: Size = DEFAULT_BLOCK) -> KernelReport:
        """Report on the kernel's code on the CPU for blocks of this size: regions between barriers, values kept from
        one to the next, sizes, mapping. `print(k.info(64))` shows it. CompileError if the CPU can't run the kernel."""
        assert self._examine is not None, "made without a module"
        try:
            return self._examine(self.block_extent(block))
        except Error as error:
            raise trimmed(reworded(error, self._terms)) from error.__cause__

    def remarks(self, block: Size | None = DEFAULT_BLOCK) -> list[str]:
        """Decisions of the CPU device about each region of the kernel, with the reason, one per line. They are those of
        its code for blocks of this size (None: of any). Arrays that the code takes to overlap no other are named, too.
        The code is compiled now if no launch has needed it yet. CompileError if the CPU can't run the kernel."""
        assert self._remarks is not None, "made without a module"
        try:
            return list(self._remarks(None if block is None else self.block_extent(block)))
        except Error as error:
            raise trimmed(reworded(error, self._terms)) from error.__cause__

    @trims_traceback
    def profile(
        self,
        grid: Size,
        block: Size,
        arguments: Sequence[object],
        shared: SupportsIndex = 0,
        device: Device | str | None = None,
        gpu: str | None = None,
    ) -> Profile:
        """Run the kernel once, as PTX, and count what a GPU would have had to do: warp instructions, sectors of global
        memory, wavefronts of shared memory, divergent branches, in total and by line. `print` shows it. The arguments
        are those of a launch, and hold its results afterwards. `device`: "cpu" or a simulated GPU; None: the default
        device if it is one of these, else "cpu". `gpu`: the one that occupancy and limits are those of, "A100", "H100",
        "RTX 4090" or "T4"; None: the simulated one, or an A100. CompileError for a kernel whose PTX can't be counted;
        otherwise as `launch`."""
        assert self._counting is not None, "made without a module"
        if not isinstance(arguments, tuple | list):
            raise LaunchTypeError(f"kernel {self.name}: arguments must be a tuple or a list, not {arguments!r}")
        extents = self._checked(grid, block)
        from lanewise.device.gpus import gpu_named  # few programs profile
        from lanewise.program.profile.counting import ProfiledKernel

        described = None if gpu is None else gpu_named(gpu)
        launched = ProfiledKernel(self.name, self.shared_bytes, self._packer.pack)
        return self._counting().profile(launched, extents, arguments, self._bytes(shared), device, described)

    def profile_packed(self, launch: Launch, device: Device) -> Profile:
        """Run a launch whose arguments are packed for a device, and count as `profile` does."""
        from lanewise.program.profile.counting import ProfiledKernel

        assert self._counting is not None, "made without a module"

        def pack(arguments: Sequence[object], device: Device) -> Arguments:
            return launch.arguments

        launched = ProfiledKernel(self.name, self.shared_bytes, pack)
        extents = launch.grid, launch.block
        return self._counting().profile(launched, extents, (), launch.dynamic_bytes, device, None)

    def _enqueue(
        self,
        stream: Stream,
        device: Device | str | None,
        extents: tuple[Extent, Extent],
        options: tuple[int, float | None, bool],
        arguments: Sequence[object],
    ) -> None:
        from lanewise.streams.operations import KernelLaunch  # needed by few programs
        from lanewise.streams.stream import Stream

        if not isinstance(stream, Stream):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise LaunchTypeError(f"kernel {self.name}: stream must be an lw.Stream or None, not {stream!r}")
        opened = self._opened(stream.device if device is None else device)
        if device is not None and stream.device is not None and opened != self._opened(stream.device):
            raise LaunchError(f"kernel {self.name}: {stream.name} is of another device than the launch names")
        pack = functools.partial(self._packer.pack, device=opened.device)
        launch = Launch(self.symbol, *extents, pack(arguments), *options)
        stream.enqueue(KernelLaunch(opened, pack, self.name, launch, arguments))

    def _by_position(self, named: Iterable[str]) -> str:
        """Start of the message for arguments that are given by name. The call that has options follows."""
        return (
            f"kernel {self.name}: arguments go by position, not by name ({', '.join(named)}); options such as "
            "shared= are those of "
        )

    def _bytes(self, shared: SupportsIndex) -> int:
        """The value of a `shared` that is no plain int: one of NumPy's, or a mistake."""
        try:
            number = index(shared)
        except TypeError:
            number = -1
        if number < 0:
            raise LaunchValueError(f"kernel {self.name}: shared must be a number of bytes, 0 or more, not {shared!r}")
        return number

    def _seconds(self, timeout: float) -> float:
        try:
            seconds = 0.0 if isinstance(timeout, str | bool) else float(timeout)
        except (TypeError, ValueError, OverflowError):
            seconds = 0.0
        if not seconds > 0:
            raise LaunchValueError(f"kernel {self.name}: timeout must be a positive number of seconds, not {timeout!r}")
        return seconds

    def _checked(self, grid: Size, block: Size) -> tuple[Extent, Extent]:
        try:
            return self._extents[grid, block]
        except KeyError:
            extents = self._within_bounds(grid, block)
        except TypeError:  # a list can't be a key
            return self._within_bounds(grid, block)
        if len(self._extents) < 256:
            self._extents[grid, block] = extents
        return extents

    def block_extent(self, block: Size) -> Extent:
        """Work-items of a group along x, y, z. LaunchError for a size that no launch of the kernel may have."""
        return block_extent(block, large=self._bounds.has_large_groups)

    def _within_bounds(self, grid: Size, block: Size) -> tuple[Extent, Extent]:
        extents = grid_extent(grid), self.block_extent(block)
        fault = self._bounds.fault(*extents)
        if fault is not None:
            raise LaunchValueError(f"kernel {self.name}: {fault}")
        return extents
