# SPDX-License-Identifier: Apache-2.0
"""The numbers of a kernel by one compiler."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import numpy as np

from lanewise.errors import Error
from lanewise.program.profile.registers import ThreadRegisters
from lanewise.program.profile.roofline import occupancy

from . import compilers, counted
from .problem import Kernel, Launch
from .rolled import rolled
from .sass import Listing, parse
from .tools import Assembled, Tools, assemble, kept
from .woven import loop_depths, with_lines, with_rolled_loops, without_lines

BASE: Final = 10
"""How often an instruction of SASS counts for each loop around it, where code is weighed by loops."""
_CLOSE: Final = 1e-3
"""Greatest difference of results by two compilers, relative to the greatest result: their mathematical functions
differ."""
_ACCESSES: Final = ("load", "store", "atomic")
_TARGET: Final = re.compile(r"^\.(?:target|version)\b.*$|//.*$", re.MULTILINE)


@dataclass
class Figures:
    """The numbers. None: not measured, since a tool is missing or nobody asked. `failure`: why there are none."""

    registers: int | None = None
    stack: int | None = None
    spills: int | None = None
    """Bytes that are stored and loaded to spill registers, as ptxas -v says."""
    occupancy: float | None = None
    """Share of a multiprocessor's warps that are resident, on the GPU that stands for the architecture."""
    static: int | None = None
    """Instructions of SASS, as they come."""
    classes: dict[str, int] = field(default_factory=dict[str, int])
    """The same by class."""
    weighted: int | None = None
    """Instructions of SASS of rolled loops, each counted BASE ** (loops around it) times."""
    dynamic: int | None = None
    """Warp instructions of SASS in the launch of the kernel's row."""
    dynamic_by_line: int | None = None
    ptx: int | None = None
    """Warp instructions of PTX in that launch."""
    sectors: int | None = None
    """Sectors of global memory."""
    conflicts: int | None = None
    """Wavefronts of shared memory beyond those that its accesses need: bank conflicts."""
    difference: float | None = None
    """Greatest difference from the results of "lanewise", relative to the greatest."""
    failure: str = ""


@dataclass(frozen=True)
class Wanted:
    """The things to measure. `without`: steps of Lanewise's pipeline that are left out; `enabled`: steps that otherwise
    don't run."""

    arch: str
    names: tuple[str, ...]
    dynamic: bool = True
    without: frozenset[str] = frozenset()
    enabled: frozenset[str] = frozenset()


def measured(kernel: Kernel, wanted: Wanted, tools: Tools) -> dict[str, Figures]:
    """The figures by compiler, those that are wanted."""
    launch = kernel.launch()
    found: dict[str, Figures] = {}
    reference: list[Any] | None = None
    for name in wanted.names:
        figures = found[name] = Figures()
        try:
            as_it_comes = _ptx(name, kernel.source(), wanted, tools)
            _add_static(figures, as_it_comes, launch, wanted.arch, tools)
            if tools.nvdisasm and tools.ptxas:
                text = with_rolled_loops(_ptx(name, rolled(kernel.source()), wanted, tools))
                figures.weighted = _listing(assemble(tools, text, wanted.arch)).weighted(BASE)
            if wanted.dynamic:
                arrays = _add_dynamic(figures, as_it_comes, launch, wanted.arch, tools)
                reference = arrays if reference is None else reference
                figures.difference = _difference(arrays, reference)
        except subprocess.CalledProcessError as error:
            said = f"{error.stderr or ''}{error.stdout or ''}".strip().splitlines()
            figures.failure = f"{error.cmd[0]}: {said[0] if said else error.returncode}"
        except (Error, ValueError) as error:
            figures.failure = str(error)
    return found


def dynamic(ptx: str, launch: Launch, arch: str, tools: Tools) -> int:
    """Dynamic SASS of a launch. Error where a tool is missing."""
    figures = Figures()
    _add_dynamic(figures, without_lines(ptx), launch, arch, tools)
    if figures.dynamic is None:
        raise Error("dynamic SASS takes ptxas and nvdisasm")
    return figures.dynamic


def disagrees(figures: Figures) -> bool:
    """True if the results aren't those of "lanewise", as far as functions of different precision let them be."""
    return figures.difference is not None and not figures.difference <= _CLOSE


def _ptx(name: str, source: str, wanted: Wanted, tools: Tools) -> str:
    return without_lines(compilers.ptx(name, source, wanted.arch, tools, wanted.without, wanted.enabled))


def _listing(assembled: Assembled) -> Listing:
    return parse(assembled.listing)


def _add_static(figures: Figures, ptx: str, launch: Launch, arch: str, tools: Tools) -> None:
    if tools.ptxas is None:
        return
    assembled = assemble(tools, ptx, arch)
    figures.registers, figures.stack = assembled.registers, assembled.stack
    figures.spills = assembled.spill_stores + assembled.spill_loads
    shared, registers = assembled.shared + launch.shared, ThreadRegisters(assembled.registers, False)
    fits = occupancy(counted.gpu_of(arch), prod(launch.block), shared, registers)
    figures.occupancy = fits.warps / fits.most
    if assembled.listing:
        listing = _listing(assembled)
        figures.static, figures.classes = listing.count(), dict(listing.by_class().most_common())


def _add_dynamic(figures: Figures, ptx: str, launch: Launch, arch: str, tools: Tools) -> list[Any]:
    """Add what a launch counts; returns the arrays after it."""
    text = with_rolled_loops(ptx)
    lines, counters, arrays = _counts(text, launch)
    figures.ptx = counters["warp_instructions"]
    figures.sectors = sum(counters[f"global_{kind}_sectors"] for kind in _ACCESSES)
    figures.conflicts = sum(
        counters[f"shared_{kind}_wavefronts"] - counters[f"shared_{kind}_ideal_wavefronts"] for kind in _ACCESSES
    )
    if tools.ptxas and tools.nvdisasm:
        listing = _listing(assemble(tools, with_lines(text), arch))
        figures.dynamic = counted.dynamic(listing, lines, loop_depths(text))
        figures.dynamic_by_line = counted.dynamic_by_line(listing, lines)
    return arrays


def _counts(text: str, launch: Launch) -> tuple[Mapping[int, int], Mapping[str, int], list[Any]]:
    """Counts by line, counters, arrays; kept for PTX that differs in the architecture alone."""

    def make() -> str:
        found = counted.counted(text, launch)
        arrays = [[each.tobytes().hex(), each.dtype.descr] for each in found.arrays]
        return json.dumps([list(found.lines.items()), dict(found.counters), arrays])

    data = hashlib.sha256(repr((launch.grid, launch.block, launch.shared)).encode())
    for each in launch.arguments:
        data.update(each.tobytes() if isinstance(each, np.ndarray) else repr(each).encode())
    lines, counters, arrays = json.loads(kept(("counts", _TARGET.sub("", text), data.hexdigest()), make))
    found = [np.frombuffer(bytes.fromhex(values), _dtype(descr)) for values, descr in arrays]
    return dict(lines), counters, found


def _dtype(descr: list[list[Any]]) -> np.dtype[Any]:
    fields = [tuple(tuple(part) if isinstance(part, list) else part for part in each) for each in descr]
    return np.dtype(fields[0][1]) if len(fields) == 1 and not fields[0][0] else np.dtype(fields)


def _difference(arrays: list[Any], reference: list[Any]) -> float:
    worst = 0.0
    for a, b in zip(arrays, reference, strict=True):
        if a.dtype.kind not in "fiu":
            worst = max(worst, 0.0 if a.tobytes() == b.tobytes() else 1.0)
        elif a.size:
            x, y = a.astype(np.float64), b.astype(np.float64)
            scale = float(np.nanmax(np.abs(y))) or 1.0
            worst = max(worst, float(np.nanmax(np.abs(x - y))) / scale)
    return worst
