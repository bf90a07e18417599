# SPDX-License-Identifier: Apache-2.0
"""The effect of each optional step of the GPU's pipeline on dynamic SASS: left out alone, and added one after another.

As "CUDA: Compiling and Optimizing for a GPU Platform", Table 1, and "gpucc", Figure 10, have it. PTX that is the same
with and without a step is assembled and run once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from lanewise.pipelines.gpu import steps

from ..cpu.geometric import mean
from . import compilers
from .measure import dynamic
from .problem import Kernel
from .report import markdown
from .tools import Tools

NOTABLE: Final = 0.03
"""The change of a kernel that counts."""

Counts = Mapping[frozenset[str], Mapping[str, int]]
"""Steps that are left out -> kernel -> dynamic SASS."""


def optional_steps() -> tuple[str, ...]:
    """The steps that can be left out and that LLVM's own pipeline hasn't, in order."""
    return tuple(step for step in steps() if step in compilers.left_out())


def settings() -> list[frozenset[str]]:
    """The sets of steps that are left out: none, each one, and all from each one on."""
    optional = optional_steps()
    alone = [frozenset({step}) for step in optional]
    later = [frozenset(optional[number:]) for number in range(len(optional))]
    return list(dict.fromkeys((frozenset[str](), *alone, *later)))


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


def tables(found: Counts) -> Iterator[str]:
    """Lines of Markdown: a table for steps left out alone, one for steps added."""
    optional, everything = optional_steps(), found[frozenset()]
    lines = [["without", "kernels with more, less", "least", "greatest", "mean", "changed most"]]
    for step in optional:
        ratios = _ratios(found[frozenset({step})], everything)
        lines.append([f"`{step}`", *_summary(ratios), _names(ratios)])
    yield from markdown(lines)
    yield ""
    lines = [["with steps up to", "mean", "of the kernels that change"]]
    nothing = found[frozenset(optional)]
    for number, step in enumerate(optional, 1):
        ratios = list(_ratios(found[frozenset(optional[number:])], nothing).values())
        changed = [ratio for ratio in ratios if ratio != 1] or [1.0]
        lines.append([f"`{step}`", f"{mean(ratios):.3f}", f"{mean(changed):.3f} of {len(changed)}"])
    yield from markdown(lines)


def _ratios(counts: Mapping[str, int], base: Mapping[str, int]) -> dict[str, float]:
    return {kernel: counts[kernel] / base[kernel] for kernel in base}


def _summary(ratios: Mapping[str, float]) -> list[str]:
    values = list(ratios.values())
    more, less = sum(each > 1 + NOTABLE for each in values), sum(each < 1 - NOTABLE for each in values)
    return [f"{more}, {less}", f"{min(values):.2f}", f"{max(values):.2f}", f"{mean(values):.3f}"]


def _names(ratios: Mapping[str, float]) -> str:
    """The three kernels that change most, if they change at all."""
    by_change = sorted(ratios, key=lambda kernel: -abs(ratios[kernel] - 1))
    return ", ".join(f"`{kernel}`" for kernel in by_change[:3] if abs(ratios[kernel] - 1) > NOTABLE)
