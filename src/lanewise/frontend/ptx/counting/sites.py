# SPDX-License-Identifier: Apache-2.0
"""The places of PTX that are counted.

    block     a run of instructions that are executed together: how often a warp comes, and with how many lanes
    branch    a guarded branch: how often lanes of a warp part
    access    an instruction that accesses memory whose cost depends on the addresses

A module's counters are one array of 64-bit numbers, in the order of its sites. It depends on the text alone.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from lanewise.frontend.ptx.instructions.memory import space_of
from lanewise.frontend.ptx.instructions.words import types_of
from lanewise.frontend.ptx.ptx_types import TYPES, bits_of
from lanewise.frontend.ptx.targets import ENDS, targets_of
from lanewise.ptx.control.steps import Step, steps_of
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.operands import Immediate, Vector
from lanewise.ptx.language.statements import Instruction

SYMBOL: Final = "__lw_counters"
"""The variable that holds the counters."""

_GLOBAL: Final = ("global_requests", "global_sectors", "global_ideal_sectors")
_SHARED: Final = ("shared_requests", "shared_wavefronts", "shared_ideal_wavefronts")
COUNTERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "block": ("warps", "lanes"),
    "branch": ("divergent",),
    "global": _GLOBAL,
    "shared": _SHARED,
    "generic": (*_GLOBAL, *_SHARED),
    "global atomic": (*_GLOBAL, "repeats"),
    "shared atomic": (*_SHARED, "repeats"),
    "generic atomic": (*_GLOBAL, *_SHARED, "repeats"),
    "copy": (*_GLOBAL, *_SHARED),
})  # fmt: skip
"""Kind of a site -> its counters, in order."""

_ACCESSES: Final = frozenset({"ld", "ldu", "st", "atom", "red"})
_COPY_OPERANDS: Final = 3


class Site(NamedTuple):
    """`first`: the number of its first counter. `steps`: the instructions, by their numbers in the function. `size`:
    bytes that each lane accesses."""

    function: str
    kind: str
    first: int
    steps: tuple[int, ...]
    size: int = 0

    @property
    def counters(self) -> tuple[str, ...]:
        return COUNTERS[self.kind]


def sites_of(module: Module) -> list[Site]:
    """The sites of all functions that have a body, in the order of the text."""
    sites: list[Site] = []
    for function in module.functions:
        if function.body is not None:
            for kind, steps, size in _of_function(function):
                last = sites[-1] if sites else None
                first = 0 if last is None else last.first + len(last.counters)
                sites.append(Site(function.name, kind, first, steps, size))
    return sites


def count_of(sites: list[Site]) -> int:
    """The number of counters."""
    return sites[-1].first + len(sites[-1].counters) if sites else 0


def _of_function(function: Function) -> Iterator[tuple[str, tuple[int, ...], int]]:
    steps = steps_of(function).steps
    starts = {0, len(steps)}
    for step in steps:
        starts.update(targets_of(step))
        if step.instruction.name in ENDS:
            starts.add(step.number + 1)
    ordered = sorted(starts)
    for start, end in pairwise(ordered):
        yield "block", tuple(range(start, end)), 0
    for step in steps:
        if step.instruction.name == "bra" and step.instruction.guard is not None:
            yield "branch", (step.number,), 0
        kind, size = access_of(step)
        if kind:
            yield kind, (step.number,), size


def access_of(step: Step) -> tuple[str, int]:
    """The kind of an access that is counted, and the bytes of each lane; "" for any other instruction."""
    instruction = step.instruction
    if instruction.name == "cp" and "async" in instruction.modifiers and len(instruction.operands) >= _COPY_OPERANDS:
        size = instruction.operands[2]
        return ("copy", int(size.value)) if isinstance(size, Immediate) else ("", 0)
    if instruction.name not in _ACCESSES or not types_of(instruction):
        return "", 0
    space = space_of(instruction) or "generic"
    if space not in ("global", "shared", "generic"):
        return "", 0
    return f"{space} atomic" if instruction.name in ("atom", "red") else space, _size(instruction)


def _size(instruction: Instruction) -> int:
    items = [len(operand.items) for operand in instruction.operands if isinstance(operand, Vector)]
    return max(1, bits_of(TYPES[types_of(instruction)[-1]]) // 8) * max([1, *items])
