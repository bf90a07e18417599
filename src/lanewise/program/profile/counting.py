# SPDX-License-Identifier: Apache-2.0
"""A kernel with counters, and its launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, final

import numpy as np

from lanewise.device.base import OpenProgram
from lanewise.device.launch import Extent
from lanewise.errors import CompileError
from lanewise.frontend.ptx.counting.sites import SYMBOL, sites_of
from lanewise.frontend.source import Source
from lanewise.program.profile.counts import counts_of, total
from lanewise.program.profile.lines import lines_of
from lanewise.program.profile.profile import Profile, profile_of
from lanewise.ptx.language.parser import parse


class Launchable(Protocol):
    """A kernel, as profiles launch it."""

    def launch(self, grid: Extent, block: Extent, arguments: Sequence[object], shared: int, *, device: str) -> None: ...


class Kernels(Protocol):
    """A module, as profiles use it."""

    def __getitem__(self, name: str) -> Launchable: ...

    def opened(self, device: str | None) -> OpenProgram: ...


@final
class CountingKernel:
    """A kernel of a module that counts what it executes."""

    def __init__(self, module: Kernels, ptx: Source, symbol: str, texts: Mapping[str, str]) -> None:
        """`texts`: those that lines may be of, by name."""
        self._module: Final = module
        self._ptx: Final = ptx
        self._symbol: Final = symbol
        self._texts: Final = texts

    def profile(
        self, name: str, extents: tuple[Extent, Extent], arguments: Sequence[object], shared: int, device: str
    ) -> Profile:
        """Launch the kernel, and read its counters."""
        try:
            numbers = self._counted(extents, arguments, shared, device)
        except CompileError as error:
            raise CompileError(f"{name} can't be profiled, since that is done warp by warp: {error}") from None
        source = parse(self._ptx.text, self._ptx.name)
        counts = counts_of(source, sites_of(source), numbers)
        lines = lines_of(source, counts, self._texts)
        return profile_of(name, *extents, lines, total(each.counts for each in counts), self._ptx.text)

    def _counted(
        self, extents: tuple[Extent, Extent], arguments: Sequence[object], shared: int, device: str
    ) -> list[int]:
        opened = self._module.opened(device)
        place = opened.variable(SYMBOL)
        memory = opened.device.memory
        memory.fill(place.address, place.nbytes, 0)
        self._module[self._symbol].launch(*extents, arguments, shared, device=device)
        numbers = np.zeros(place.nbytes, np.uint8)
        memory.read(place.address, numbers)
        return numbers.view(np.uint64).tolist()
