# SPDX-License-Identifier: Apache-2.0
"""A kernel with counters, and its launch."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, final

import numpy as np

from lanewise.device.base import Device, OpenProgram
from lanewise.device.gpus import Gpu, gpu_named
from lanewise.device.launch import Arguments, Extent, Launch
from lanewise.errors import CompileError
from lanewise.frontend.ptx.counting.sites import sites_of
from lanewise.frontend.ptx.translate import names_of
from lanewise.frontend.source import Source
from lanewise.ir.counters import COPY_BITS, VARIABLE
from lanewise.program.profile.aligned import aligned
from lanewise.program.profile.counts import counts_of, total
from lanewise.program.profile.lines import lines_of
from lanewise.program.profile.profile import Profile, ProfiledLaunch, profile_of
from lanewise.program.profile.registers import registers_of
from lanewise.ptx.language.parser import parse
from lanewise.streams.default_stream import in_default_stream

_DEFAULT: Final = "A100"
OPTIONS: Final = {"mapping": "lock-step"}
"""Wishes of a module that counts: what a warp does means nothing among threads with stacks of their own."""

Pack = Callable[[Sequence[object], Device], Arguments]


class Kernels(Protocol):
    """A module, as profiles use it."""

    def opened(self, device: Device | str | None) -> OpenProgram: ...


class ProfiledKernel(NamedTuple):
    """A kernel as its user has it. `pack` makes arguments of values for a device."""

    name: str
    shared_bytes: int
    pack: Pack


@final
class CountingKernel:
    """A kernel of a module that counts what it executes."""

    def __init__(self, module: Kernels, ptx: Sequence[Source], symbol: str, texts: Mapping[str, str]) -> None:
        """`texts`: others that lines may be of, by name."""
        self._module: Final = module
        self._ptx: Final = ptx
        self._symbol: Final = symbol
        self._texts: Final = texts

    def profile(
        self, kernel: ProfiledKernel, extents: tuple[Extent, Extent], arguments: Sequence[object], shared: int,
        device: Device | str | None, gpu: Gpu | None,
    ) -> Profile:  # fmt: skip
        """Launch the kernel, and read its counters. Without a GPU, the profile is of the one that the device is."""
        try:
            opened = self._opened(device)
            numbers = self._counted(kernel.pack, extents, arguments, shared, opened)
        except CompileError as error:
            raise CompileError(f"{kernel.name} can't be profiled, since that is done warp by warp: {error}") from None
        own = {file: source.text for file, source in zip(names_of(self._ptx), self._ptx, strict=True)}
        modules = [parse(text, file) for file, text in own.items()]
        counts = counts_of(modules, sites_of(modules), numbers)
        lines = lines_of(modules, counts, {**self._texts, **own})
        entry = next(each for module in modules for each in module.kernels if each.name == self._symbol)
        assert entry.module is not None
        gpu = gpu or _gpu_of(opened.device)
        registers = registers_of(entry, entry.module.source.text, gpu.arch)
        launch = ProfiledLaunch(kernel.name, *extents, shared + kernel.shared_bytes, registers, gpu)
        return profile_of(launch, lines, total(each.counts for each in counts), "\n".join(own.values()))

    def _opened(self, device: Device | str | None) -> OpenProgram:
        opened = self._module.opened(device)
        counts = opened.device.name == "cpu" or "ptx-ir" in opened.device.capabilities.accepts
        return opened if counts or device is not None else self._module.opened("cpu")

    def _counted(
        self, pack: Pack, extents: tuple[Extent, Extent], arguments: Sequence[object], shared: int, opened: OpenProgram
    ) -> list[int]:
        place = opened.variable(VARIABLE)
        memory = opened.device.memory
        memory.fill(place.address, place.nbytes, 0)
        pack(arguments, opened.device)  # a launch with the user's own arrays must be right, too: written ones writable
        with aligned(arguments, opened.device) as copies:
            launch = Launch(self._symbol, *extents, pack(copies, opened.device), shared)
            in_default_stream(opened.launch, launch)
        numbers = np.zeros(place.nbytes, np.uint8)
        memory.read(place.address, numbers)
        copies = numbers.view(np.uint64).reshape(1 << COPY_BITS, -1)
        return copies.sum(axis=0).tolist()


def _gpu_of(device: Device) -> Gpu:
    """The GPU that a device simulates; an A100 if it is none."""
    gpu = getattr(device, "gpu", None)
    return gpu if isinstance(gpu, Gpu) else gpu_named(_DEFAULT)
