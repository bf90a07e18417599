# SPDX-License-Identifier: Apache-2.0
"""The effect on dynamic SASS of what Lanewise adds to LLVM for GPUs: one thing left out at a time, and groups added.

As "CUDA: Compiling and Optimizing for a GPU Platform", Table 1, and "gpucc", Figure 10, have it. Left out are steps of
the pipeline, and LLVM's switches. PTX that is the same in several settings is assembled and run once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

from lanewise.errors import Error
from lanewise.pipelines.gpu import steps

from ..cpu.geometric import mean
from . import compilers
from .llvms_own import SWITCHES
from .measure import dynamic
from .problem import Kernel
from .report import markdown
from .suite import HELD_OUT, sets
from .tools import Tools

NOTABLE: Final = 1.03
"""The ratio from which a change counts, either way: more than this, or less than one by this."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "unrolling": (
        "unroll-threshold-aggressive",
        "scev-cheap-expansion-budget",
        "unroll-private-arrays",
        "unroll-remainders",
    ),
    "straight-line addresses": ("disable-separate-const-offset-from-gep", "reassociate-pointer-arithmetic"),
    "addresses in loops": ("disable-lsr", "step-pointers", "hoist-address-terms", "merge-counters"),
    "wide accesses": ("copy-in-words", "version-by-alignment"),
    "shared addresses": ("narrow-shared-addresses",),
    "single operations": ("sum-absolute-differences",),
    "64-bit division": ("bypass-64-bit-division",),
}
"""The groups that are added one after another, in the order of gpucc's Figure 10 as far as it has them: the switches
and the steps of each."""

Counts = Mapping[frozenset[str], Mapping[str, int]]
"""Steps and switches that are left out -> kernel -> dynamic SASS."""


@dataclass(frozen=True)
class Ablation:
    """Counts of dynamic SASS, for an architecture."""

    arch: str
    counts: Counts

    @property
    def kernels(self) -> list[str]:
        """The names of the kernels, in their order."""
        return list(self.counts[frozenset()])

    @property
    def held_out(self) -> bool:
        """True if all of them are in bench/gpu/held_out, those that were looked at included."""
        return {each.name for each in HELD_OUT}.issuperset(self.kernels)


def parts() -> tuple[str, ...]:
    """The parts that can be left out: LLVM's switches, and the steps that LLVM's own pipeline hasn't, in order."""
    return (*SWITCHES, *(step for step in steps() if step in compilers.left_out()))


def settings() -> list[frozenset[str]]:
    """The sets of parts that are left out: none, each one, and all groups from each one on."""
    alone = [frozenset({part}) for part in parts()]
    return list(dict.fromkeys((frozenset[str](), *alone, *_without_later_groups())))


def _without_later_groups() -> list[frozenset[str]]:
    groups = list(GROUPS.values())
    return [frozenset(part for group in groups[number:] for part in group) for number in range(len(groups) + 1)]


def measured(chosen: Sequence[Kernel], arch: str, tools: Tools, done: Callable[[str], object]) -> Ablation:
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
    return Ablation(arch, found)


def as_json(found: Ablation) -> dict[str, Any]:
    """The architecture, whether the kernels are those of bench/gpu/held_out, and a record per setting."""
    counted = [{"without": sorted(without), "dynamic": dict(counts)} for without, counts in found.counts.items()]
    return {"arch": found.arch, "held_out": found.held_out, "settings": counted}


def from_json(data: Any) -> Ablation:
    """The ablation that `as_json` was given. Error if `data` isn't of that form, or was measured with other steps."""
    if not isinstance(data, dict) or not {"arch", "held_out", "settings"} <= data.keys():
        raise Error("this isn't what --ablation --json writes: it has no 'arch', 'held_out' and 'settings'")
    counts = {frozenset[str](each["without"]): each["dynamic"] for each in data["settings"]}
    if missing := [each for each in settings() if each not in counts]:
        lacking = f"without {', '.join(sorted(missing[0]))}" if missing[0] else "with everything"
        raise Error(f"nothing was measured {lacking}: the pipeline was another one")
    found = Ablation(data["arch"], counts)
    if found.held_out != data["held_out"]:
        raise Error(f"'held_out' is {data['held_out']}, but the kernels, {found.kernels[0]!r} first, say otherwise")
    return found


def effects(found: Counts) -> dict[str, dict[str, float]]:
    """Part -> kernel -> dynamic SASS without the part, relative to that with all: above 1 where the part is a gain."""
    everything = found[frozenset()]
    return {part: _ratios(found[frozenset({part})], everything) for part in parts()}


def cumulative(found: Counts) -> dict[str, dict[str, float]]:
    """Last group that is added -> kernel -> dynamic SASS of LLVM without any of them, and with its own values of the
    switches, relative to that with these groups."""
    first, *later = _without_later_groups()
    return {name: _ratios(found[first], found[each]) for name, each in zip(GROUPS, later, strict=True)}


def report(found: Ablation) -> Iterator[str]:
    """Lines of Markdown: `tables` of each set of kernels."""
    for number, (title, names) in enumerate(sets(found.kernels).items()):
        if number:
            yield ""
        yield f"For {found.arch}, {title}, {len(names)} kernels:"
        yield ""
        yield from tables({without: {name: each[name] for name in names} for without, each in found.counts.items()})


def tables(found: Counts) -> Iterator[str]:
    """Lines of Markdown: a table for parts left out alone, one for groups added."""
    heads = ("fewer instructions", "within 3 %", "more instructions", "least, %", "greatest, %", "geometric mean")
    lines = [["part", *heads, "changed most"]]
    for part, ratios in effects(found).items():
        lines.append([f"`{part}`", *_summary(ratios), f"{mean(list(ratios.values())):.3f}", _names(ratios)])
    yield from markdown(lines)
    yield ""
    lines = [["groups up to", "its switches and steps", "geometric mean", "of the kernels that change"]]
    for name, ratios in cumulative(found).items():
        values = list(ratios.values())
        changed = [ratio for ratio in values if ratio != 1] or [1.0]
        members = ", ".join(f"`{part}`" for part in GROUPS[name])
        lines.append([name, members, f"{mean(values):.3f}", f"{mean(changed):.3f} of {len(changed)}"])
    yield from markdown(lines)


def _ratios(counts: Mapping[str, int], base: Mapping[str, int]) -> dict[str, float]:
    return {kernel: counts[kernel] / base[kernel] for kernel in base}


def _summary(ratios: Mapping[str, float]) -> list[str]:
    """How many kernels execute notably fewer instructions with the part, about as many, notably more; and the least and
    the greatest of what its absence adds, in percent of the instructions with everything."""
    values = list(ratios.values())
    better, worse = sum(each > NOTABLE for each in values), sum(each < 1 / NOTABLE for each in values)
    extremes = (f"{100 * (each - 1):.1f}" for each in (min(values), max(values)))
    return [f"{better}", f"{len(values) - better - worse}", f"{worse}", *extremes]


def _names(ratios: Mapping[str, float]) -> str:
    """The three kernels that change most, by factor, of those that change notably."""
    change = {kernel: abs(log(ratio)) for kernel, ratio in ratios.items() if not 1 / NOTABLE <= ratio <= NOTABLE}
    return ", ".join(f"`{kernel}`" for kernel in sorted(change, key=lambda kernel: -change[kernel])[:3])
