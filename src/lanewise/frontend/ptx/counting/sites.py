# SPDX-License-Identifier: Apache-2.0
"""The places of PTX that are counted.

    block     a run of instructions that are executed together: how often a warp comes, and with how many lanes
    branch    a guarded branch: how often lanes of a warp part
    guard     any other guarded instruction: with how many lanes whose predicate is true
    access    instructions that access memory whose cost depends on the addresses
    matrix    loads and stores of a matrix by a warp, which are several accesses: one for each register or element

Accesses of one block whose costs are the same are one site: those of one base register whose distance moves all
lanes alike, by whole sectors or by whole words of a bank. What doesn't depend on addresses is counted for the block.

The counters are an array of 64-bit numbers, in the order of the sites. They depend on the texts alone. There are
several copies, each on cache lines of its own (`ir/counters.py`).
"""

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Final, NamedTuple, final

from lanewise.frontend.ptx.instructions.memory import space_of
from lanewise.frontend.ptx.instructions.words import types_of
from lanewise.frontend.ptx.ptx_types import TYPES, bits_of
from lanewise.frontend.ptx.targets import ENDS, targets_of
from lanewise.ptx.control.steps import Register, Step, steps_of
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.operands import Address, Immediate, Operand, Vector
from lanewise.ptx.language.statements import Instruction

_LINE: Final = 16
"""Counters on a cache line of 128 bytes, the longest of today's processors."""
SECTOR: Final = 32
BANK: Final = 4

ACCESSES: Final = {"ld": 1, "ldu": 1, "st": 0, "atom": 1, "red": 0}
"""Instruction -> the operand that is its address."""
_COPY_OPERANDS: Final = 3
_MATRICES: Final = {"ldmatrix": 1, "stmatrix": 0}
"""The same of loads and stores of matrices, whose rows of 16 bytes have one address each, in as many lanes."""
_ROWS: Final = 8
_ROW_BYTES: Final = 16
_WARP: Final = 32


class CountedAccess(NamedTuple):
    """The memory that an instruction accesses: the space ("" for a generic address), the bytes of each lane."""

    space: str
    size: int
    address: Operand
    is_atomic: bool = False
    lanes: int = 32
    """Only the first of so many lanes access memory."""

    @property
    def is_of_all(self) -> bool:
        """Each active lane makes the access."""
        return self.lanes == _WARP


class Site(NamedTuple):
    """`module`: its number among those that are linked. `first`: the number of its first counter. `counters`: their
    names. `steps`: the instructions, by their numbers in the function. `access`: what each of them accesses."""

    module: int
    function: str
    kind: str
    first: int
    counters: tuple[str, ...]
    steps: tuple[int, ...]
    access: CountedAccess | None = None


def sites_of(modules: Sequence[Module]) -> list[Site]:
    """The sites of all functions that have a body, in the order of the texts."""
    sites: list[Site] = []
    ends = set(ENDS)
    if any(map(exits_in_functions, modules)):
        ends.add("call")  # not all that call come back
    for number, module in enumerate(modules):
        for function in module.functions:
            for kind, counters, steps, access in _of_function(function, ends):
                sites.append(Site(number, function.name, kind, count_of(sites), counters, tuple(steps), access))
    return sites


def exits_in_functions(module: Module) -> bool:
    """True if a thread may end in a function that is called."""
    return any("exit" in module.source.text[f.start : f.end] for f in module.functions if not f.is_kernel)


def count_of(sites: list[Site]) -> int:
    """The number of counters."""
    return sites[-1].first + len(sites[-1].counters) if sites else 0


def distance_of(sites: list[Site]) -> int:
    """The number of counters from one copy to the next."""
    return max(1, -(-count_of(sites) // _LINE)) * _LINE


_Found = tuple[str, tuple[str, ...], "list[int] | range", CountedAccess | None]


def _of_function(function: Function, ends: Set[str]) -> Iterator[_Found]:
    steps = steps_of(function).steps
    starts = {0, len(steps)}
    for step in steps:
        starts.update(targets_of(step))
        if step.instruction.name in ends:
            starts.add(step.number + 1)
    for start, end in pairwise(sorted(starts)):
        yield from _of_block(steps[start:end], range(start, end))


def _of_block(steps: list[Step], numbers: range) -> Iterator[_Found]:
    ideal: dict[str, None] = {}
    accesses: list[_Found] = []
    alike = _Alike()
    for step in steps:
        if step.instruction.name == "bra" and step.instruction.guard is not None:
            accesses.append(("branch", ("divergent",), [step.number], None))
        guarded = step.instruction.guard is not None
        if guarded and step.instruction.name != "bra":
            accesses.append(("guard", ("lanes",), [step.number], None))
        matrix = _matrix_of(step.instruction)
        if matrix is not None:
            accesses.append(("matrix", _counters(matrix, guarded=True), [step.number], matrix))
        for access in accesses_of(step):
            if not guarded and access.space and access.is_of_all:
                ideal.update(dict.fromkeys(ideal_counters(access)))
            together = None if guarded or access.is_atomic or not access.is_of_all else alike.known(access, step)
            if together is not None:
                together.append(step.number)
                continue
            own = [step.number]
            alike.add(access, step, own)
            accesses.append(("access", _counters(access, guarded), own, access))
        alike.forget(step)
    yield "block", ("warps", "lanes", *ideal), numbers, None
    yield from accesses


def _counters(access: CountedAccess, guarded: bool) -> tuple[str, ...]:
    counters: list[str] = []
    alone = guarded or not access.space or not access.is_of_all
    if access.space != "shared":
        counters += ["global_requests", "global_sectors", "global_ideal_sectors"] if alone else ["global_sectors"]
    if access.space != "global":
        shared = ["shared_requests", "shared_wavefronts", "shared_ideal_wavefronts"]
        counters += shared if alone else ["shared_wavefronts"]
    return (*counters, "repeats") if access.is_atomic else tuple(counters)


def ideal_counters(access: CountedAccess) -> list[str]:
    """The counters of a block that hold the ideal cost of an access without a guard. Up to 4 bytes, each lane's word of
    shared memory is in the one wavefront that each warp needs."""
    if access.space == "global":
        return [f"global_ideal_sectors.{access.size}"]
    return [f"shared_ideal_wavefronts.{access.size}"] if access.size > BANK else []


@final
class _Alike:
    """Accesses of a block by their bases, as long as nothing writes to these."""

    def __init__(self) -> None:
        self._known: Final[dict[tuple[str, int, str | Register], list[tuple[int, list[int]]]]] = {}

    def known(self, access: CountedAccess, step: Step) -> list[int] | None:
        """The steps of a site that costs what this access does."""
        key, offset = _base(access, step)
        unit = SECTOR if access.space == "global" else max(access.size, BANK)
        found = self._known.get(key, ()) if key is not None else ()
        return next((steps for known, steps in found if (offset - known) % unit == 0), None)

    def add(self, access: CountedAccess, step: Step, steps: list[int]) -> None:
        key, offset = _base(access, step)
        if key is not None and step.instruction.guard is None and not access.is_atomic and access.is_of_all:
            self._known.setdefault(key, []).append((offset, steps))

    def forget(self, step: Step) -> None:
        """Forget the accesses whose base is written."""
        for key in [key for key in self._known if key[2] in step.writes]:
            del self._known[key]


def _base(access: CountedAccess, step: Step) -> tuple[tuple[str, int, str | Register] | None, int]:
    address = access.address
    if not access.space or not isinstance(address, Address) or isinstance(address.base, Immediate):
        return None, 0
    name = address.base.text
    return (access.space, access.size, step.scope.register(name) or name), address.offset


def accesses_of(step: Step) -> list[CountedAccess]:
    """The accesses of an instruction that are counted."""
    instruction = step.instruction
    operands = instruction.operands
    if instruction.name == "cp" and "async" in instruction.modifiers and len(operands) >= _COPY_OPERANDS:
        size = operands[2]
        if not isinstance(size, Immediate):
            return []
        return [
            CountedAccess("global", int(size.value), operands[1]),
            CountedAccess("shared", int(size.value), operands[0]),
        ]
    if instruction.name in _MATRICES:
        count = next((int(word[1]) for word in instruction.modifiers if word in ("x1", "x2", "x4")), 0)
        rows = 16 if "m16n16" in instruction.modifiers else _ROWS
        address = operands[_MATRICES[instruction.name]]
        return [CountedAccess("shared", _ROW_BYTES, address, lanes=rows * count)] if count else []
    place = ACCESSES.get(instruction.name)
    if place is None or not types_of(instruction) or len(operands) <= place:
        return []
    space = space_of(instruction)
    if space not in ("global", "shared", ""):
        return []
    return [CountedAccess(space, _size(instruction), operands[place], instruction.name in ("atom", "red"))]


def _matrix_of(instruction: Instruction) -> CountedAccess | None:
    """The accesses of an instruction that loads or stores a matrix by its address and stride, whatever their sizes."""
    if instruction.name != "wmma" or instruction.modifiers[:1] not in (("load",), ("store",)):
        return None
    space = space_of(instruction)
    address = instruction.operands[0 if instruction.modifiers[0] == "store" else 1]
    return CountedAccess(space, 0, address) if space in ("global", "shared", "") else None


def _size(instruction: Instruction) -> int:
    items = [len(operand.items) for operand in instruction.operands if isinstance(operand, Vector)]
    return max(1, bits_of(TYPES[types_of(instruction)[-1]]) // 8) * max([1, *items])
