# SPDX-License-Identifier: Apache-2.0
"""The counters of each instruction of PTX, from the numbers that a launch has left.

warp_instructions, thread_instructions       executed by warps, and by their active lanes; those of false predicates
                                             don't count as lanes
instructions.CLASS                           warp instructions of a kind (`classes.py`)
global_load_requests, _sectors, _ideal_sectors
shared_load_requests, _wavefronts, _ideal_wavefronts
                                             likewise store and atomic
atomic_repeats                               operations that wait for others of their warp on the same address
branches, divergent_branches, barriers
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from lanewise.frontend.ptx.counting.sites import BANK, CountedAccess, Site
from lanewise.program.profile.classes import class_of
from lanewise.ptx.control.steps import Step, steps_of
from lanewise.ptx.language.module import Module
from lanewise.ptx.language.statements import Instruction

_KINDS: Final = {"ld": "load", "ldu": "load", "st": "store", "atom": "atomic", "red": "atomic",
          "ldmatrix": "load", "stmatrix": "store"}  # fmt: skip
Counts = Counter[str]


class InstructionCounts(NamedTuple):
    """`module` is the number of its text among those that are linked, `start` its place there."""

    module: int
    function: str
    start: int
    counts: Counts


def counts_of(modules: Sequence[Module], sites: Iterable[Site], numbers: Sequence[int]) -> list[InstructionCounts]:
    """The counters of all instructions that were executed, in the order of the texts."""
    by_function: dict[tuple[int, str], list[Site]] = {}
    for site in sites:
        by_function.setdefault((site.module, site.function), []).append(site)
    found: list[InstructionCounts] = []
    for number, module in enumerate(modules):
        for function in module.functions:
            steps = steps_of(function).steps
            counts = _of_function(steps, by_function.get((number, function.name), []), numbers)
            found += [
                InstructionCounts(number, function.name, step.instruction.start, each)
                for step, each in zip(steps, counts, strict=True)
                if each["warp_instructions"]
            ]
    return found


def total(counts: Iterable[Counts]) -> Counts:
    """The sum of counters."""
    found: Counts = Counter()
    for each in counts:
        found.update(each)
    return found


def _of_function(steps: Sequence[Step], sites: Sequence[Site], numbers: Sequence[int]) -> list[Counts]:
    counts: list[Counts] = [Counter() for _ in steps]
    blocks: dict[int, dict[str, int]] = {}
    for site in sites:
        values = dict(zip(site.counters, numbers[site.first : site.first + len(site.counters)], strict=True))
        if site.kind == "block":
            for number in site.steps:
                blocks[number] = values
                _execute(counts[number], steps[number].instruction, values)
        elif site.kind == "branch":
            counts[site.steps[0]]["divergent_branches"] += values["divergent"]
        elif site.kind == "guard":
            counts[site.steps[0]]["thread_instructions"] = values["lanes"]
        elif site.access is not None:
            for number in site.steps:
                _add_access(counts[number], steps[number], site.access, values, blocks[number])
    return counts


def _execute(counts: Counts, instruction: Instruction, block: dict[str, int]) -> None:
    warps, kind = block["warps"], class_of(instruction)
    counts["warp_instructions"] += warps
    counts["thread_instructions"] += block["lanes"]
    counts[f"instructions.{kind}"] += warps
    if instruction.name in ("bra", "brx"):
        counts["branches"] += warps
    elif instruction.name in ("bar", "barrier"):
        counts["barriers"] += warps


def _add_access(counts: Counts, step: Step, access: CountedAccess, site: dict[str, int], block: dict[str, int]) -> None:
    """Add the cost of one of an instruction's accesses. What the site doesn't have is the block's."""
    kind = _KINDS.get(step.instruction.name)
    if step.instruction.name == "wmma":
        kind = step.instruction.modifiers[0]
    elif kind is None:  # a copy loads from global memory and stores to shared memory
        kind = "load" if access.space == "global" else "store"
    alone = "global_requests" in site or "shared_requests" in site
    if access.space != "shared":
        counts[f"global_{kind}_requests"] += site["global_requests"] if alone else block["warps"]
        counts[f"global_{kind}_sectors"] += site["global_sectors"]
        ideal = site["global_ideal_sectors"] if alone else block[f"global_ideal_sectors.{access.size}"]
        counts[f"global_{kind}_ideal_sectors"] += ideal
    if access.space != "global":
        counts[f"shared_{kind}_requests"] += site["shared_requests"] if alone else block["warps"]
        counts[f"shared_{kind}_wavefronts"] += site["shared_wavefronts"]
        if alone:
            ideal = site["shared_ideal_wavefronts"]
        else:
            ideal = block["warps"] if access.size <= BANK else block[f"shared_ideal_wavefronts.{access.size}"]
        counts[f"shared_{kind}_ideal_wavefronts"] += ideal
    counts["atomic_repeats"] += site.get("repeats", 0)
