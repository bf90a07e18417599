# SPDX-License-Identifier: Apache-2.0
"""The effect on dynamic SASS of what Lanewise adds to LLVM for GPUs: one thing left out at a time, and groups added.

As "CUDA: Compiling and Optimizing for a GPU Platform", Table 1, and "gpucc", Figure 10, have it. Left out are steps of
the pipeline, and LLVM's switches. PTX that is the same in several settings is assembled and run once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from lanewise.errors import Error
from lanewise.pipelines.gpu import steps

from ..cpu.geometric import mean
from . import compilers
from .llvms_own import SWITCHES
from .measure import dynamic
from .problem import Kernel
from .report import markdown
from .tools import Tools

NOTABLE: Final = 0.03
"""The change of a kernel that counts."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "unrolling": (
        "unroll-threshold-aggressive",
        "scev-cheap-expansion-budget",
        "unroll-private-arrays",
        "unroll-remainders",
    ),
    "straight-line addresses": ("disable-separate-const-offset-from-gep", "reassociate-pointer-arithmetic"),
    "addresses in loops": ("disable-lsr", "step-pointers", "hoist-address-terms", "merge-counters"),
    "wide accesses": ("version-by-alignment",),
    "shared addresses": ("narrow-shared-addresses",),
    "single operations": ("sum-absolute-differences",),
    "64-bit division": ("bypass-64-bit-division",),
}
"""The groups that are added one after another, in the order of gpucc's Figure 10 as far as it has them: the switches
and the steps of each."""

Counts = Mapping[frozenset[str], Mapping[str, int]]
"""Steps and switches that are left out -> kernel -> dynamic SASS."""


def parts() -> tuple[str, ...]:
    """What can be left out: LLVM's switches, and the steps that LLVM's own pipeline hasn't, in order."""
    return (*SWITCHES, *(step for step in steps() if step in compilers.left_out()))


def settings() -> list[frozenset[str]]:
    """The sets of parts that are left out: none, each one, and all groups from each one on."""
    alone = [frozenset({part}) for part in parts()]
    return list(dict.fromkeys((frozenset[str](), *alone, *_without_later_groups())))


def _without_later_groups() -> list[frozenset[str]]:
    groups = list(GROUPS.values())
    return [frozenset(part for group in groups[number:] for part in group) for number in range(len(groups) + 1)]


def measured(chosen: Sequence[Kernel], arch: str, tools: Tools, done: Callable[[str], object]) -> Counts:
    """The counts of some kernels; `done` is called with the name of each."""
    found: dict[frozenset[str], dict[str, int]] = {each: {} for each in settings()}
    for kernel in chosen:
        launch, known = kernel.launch(), dict[str, int]()
        for without, counts in found.items():
            text = compilers.ptx("lanewise", kernel.source(), arch, tools, without)
            if text not in known:
                known[text] = dynamic(text, launch, arch, tools)
            counts[kernel.name] = known[text]
        done(kernel.name)
    return found


def as_json(found: Counts) -> list[dict[str, Any]]:
    return [{"without": sorted(without), "dynamic": dict(counts)} for without, counts in found.items()]


def from_json(data: Sequence[Mapping[str, Any]]) -> Counts:
    """What `as_json` was given. Error if it was measured with other steps."""
    found = {frozenset(each["without"]): each["dynamic"] for each in data}
    if missing := [each for each in settings() if each not in found]:
        raise Error(f"nothing was measured without {', '.join(sorted(missing[0]))}: the pipeline was another one")
    return found


def effects(found: Counts) -> dict[str, dict[str, float]]:
    """Part -> kernel -> dynamic SASS without the part, relative to that with all: above 1 where the part is a gain."""
    everything = found[frozenset()]
    return {part: _ratios(found[frozenset({part})], everything) for part in parts()}


def cumulative(found: Counts) -> dict[str, dict[str, float]]:
    """Last group that is added -> kernel -> dynamic SASS of LLVM as it comes, relative to that with these groups."""
    first, *later = _without_later_groups()
    return {name: _ratios(found[first], found[each]) for name, each in zip(GROUPS, later, strict=True)}


def tables(found: Counts) -> Iterator[str]:
    """Lines of Markdown: a table for parts left out alone, one for groups added."""
    lines = [["part", "improved", "within 3 %", "slowed", "least, %", "greatest, %", "mean", "improved or slowed most"]]
    for part, ratios in effects(found).items():
        lines.append([f"`{part}`", *_summary(ratios), f"{mean(list(ratios.values())):.3f}", _names(ratios)])
    yield from markdown(lines)
    yield ""
    lines = [["groups up to", "its switches and steps", "mean", "of the kernels that change"]]
    for name, ratios in cumulative(found).items():
        values = list(ratios.values())
        changed = [ratio for ratio in values if ratio != 1] or [1.0]
        members = ", ".join(f"`{part}`" for part in GROUPS[name])
        lines.append([name, members, f"{mean(values):.3f}", f"{mean(changed):.3f} of {len(changed)}"])
    yield from markdown(lines)


def _ratios(counts: Mapping[str, int], base: Mapping[str, int]) -> dict[str, float]:
    return {kernel: counts[kernel] / base[kernel] for kernel in base}


def _summary(ratios: Mapping[str, float]) -> list[str]:
    """How many kernels have more than `NOTABLE` of improvement, neither, of slowdown; the least and the greatest
    improvement in percent."""
    values = list(ratios.values())
    better, worse = sum(each > 1 + NOTABLE for each in values), sum(each < 1 - NOTABLE for each in values)
    extremes = (f"{100 * (each - 1):.1f}" for each in (min(values), max(values)))
    return [f"{better}", f"{len(values) - better - worse}", f"{worse}", *extremes]


def _names(ratios: Mapping[str, float]) -> str:
    """The three kernels that change most, if they change at all."""
    by_change = sorted(ratios, key=lambda kernel: -abs(ratios[kernel] - 1))
    return ", ".join(f"`{kernel}`" for kernel in by_change[:3] if abs(ratios[kernel] - 1) > NOTABLE)
