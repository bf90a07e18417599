# SPDX-License-Identifier: Apache-2.0
"""SASS, the machine code of NVIDIA's GPUs, as nvdisasm lists it: instructions, basic blocks, loops.

A listing has one kernel. Functions of ptxas's own that the kernel calls, such as for a division in 64 bits, follow it.
Padding is left out: NOPs, and the branch to itself behind the code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_LINE: Final = re.compile(r'\s*//## File "[^"]*", line (\d+)')
_LABEL: Final = re.compile(r"([.$]?[\w.$]+):$")
_INSTRUCTION: Final = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;")
_TARGET: Final = re.compile(r"`\(([^)]+)\)")
_NEVER: Final = ("@!PT", "@!UPT")
_ALWAYS: Final = ("@PT", "@UPT")

_MULTIPLIERS: Final = ("IMAD", "HFMA2", "UIMAD", "FFMA")
"""Instructions that ptxas moves values with, adding them to 0 times 0, to use units that are idle."""
_CLASSES: Final = {
    "global memory": "LDG STG LD ST ATOM ATOMG RED LDGSTS UBLKCP CCTL",
    "shared memory": "LDS STS ATOMS LDSM STSM SYNCS",
    "local memory": "LDL STL",
    "constants": "LDC ULDC LDCU",
    "texture": "TEX TLD TLD4 TXQ SULD SUST SURED",
    "floating point": "FADD FMUL FFMA FMNMX FSEL FSETP FSET FCHK FSWZADD FRND FADD32I FMUL32I FFMA32I",
    "double": "DADD DMUL DFMA DSETP DMNMX",
    "half": "HADD2 HMUL2 HFMA2 HSETP2 HSET2 HMNMX2 HADD2.F32 VHMNMX",
    "matrix": "HMMA IMMA DMMA BMMA HGMMA QGMMA IGMMA WARPGROUP WARPGROUPSET MOVM",
    "special": "MUFU",
    "conversion": "F2I F2F I2F I2FP F2FP I2I F2IP I2IP",
    "control": "BRA BRX JMP JMX CALL RET EXIT BSSY BSYNC BREAK BMOV YIELD WARPSYNC KILL BPT NANOSLEEP",
    "barrier": "BAR MEMBAR FENCE DEPBAR ERRBAR LDGDEPBAR ARRIVES",
    "warp": "SHFL VOTE VOTEU MATCH REDUX",
    "move": "MOV UMOV S2R S2UR CS2R R2UR SEL USEL PRMT UPRMT P2R R2P PLOP3 UPLOP3 MOV32I LEPC",
}
_CLASS_OF: Final = {opcode: name for name, opcodes in _CLASSES.items() for opcode in opcodes.split()}
CLASSES: Final = (*_CLASSES, "integer")


@dataclass(frozen=True, slots=True)
class Instruction:
    """`guard` is a predicate, `@P0` or `@!P0`, or empty; `line` the line that `.loc` names, 0 if there is none."""

    opcode: str
    operands: str
    guard: str = ""
    line: int = 0

    @property
    def kind(self) -> str:
        """One of `CLASSES`."""
        if self.opcode.startswith(_MULTIPLIERS) and self.operands.count("RZ") >= 2:
            return "move"
        return _CLASS_OF.get(self.opcode.partition(".")[0], "integer")

    @property
    def target(self) -> str | None:
        """The label or function that a branch or call names."""
        found = _TARGET.search(self.operands)
        return found[1] if found else None

    @property
    def is_call(self) -> bool:
        return self.opcode.startswith("CALL")

    @property
    def falls_through(self) -> bool:
        """True if the next instruction may come after this one."""
        if self.guard not in ("", *_ALWAYS):
            return True
        if self.opcode.startswith("BRA"):  # `BRA P0, label` and `BRA.DIV UR4, label` have conditions as operands
            return bool(_TARGET.sub("", self.operands).strip(" ,"))
        return not self.opcode.startswith(("EXIT", "RET", "BRX", "JMP", "JMX", "KILL"))


@dataclass(slots=True)
class Block:
    """A basic block of the kernel, or of the function of ptxas that is called `function`."""

    function: str
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    successors: tuple[int, ...] = ()
    depth: int = 0
    """Loops around it; those around the calls of its function count."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The reachable blocks in the order of the text."""

    blocks: tuple[Block, ...]

    def instructions(self) -> Iterator[tuple[Instruction, Block]]:
        return ((each, block) for block in self.blocks for each in block.instructions)

    def count(self) -> int:
        """Instructions."""
        return sum(len(block.instructions) for block in self.blocks)

    def by_class(self) -> Counter[str]:
        """Instructions by class."""
        return Counter(each.kind for each, _ in self.instructions())

    def weighted(self, base: int = 10) -> int:
        """Instructions, each counted `base` ** (loops around it) times."""
        return sum(len(block.instructions) * base**block.depth for block in self.blocks)


def parse(text: str) -> Listing:
    """The kernel that a listing of `nvdisasm -c` or `-c -g` has. ValueError if it has none, or several."""
    blocks, labels, entries = _blocks(text)
    if not entries:
        raise ValueError("the listing has no kernel")
    _connect(blocks, labels)
    reached = _reached(blocks, entries.values())
    _find_depths(blocks, reached, entries)
    return _renumbered(blocks, reached)


def _blocks(text: str) -> tuple[list[Block], dict[str, int], dict[str, int]]:
    """Blocks, what each label stands before, and the first block of each function."""
    blocks: list[Block] = []
    labels: dict[str, int] = {}
    entries: dict[str, int] = {}
    function, line, ended = "", 0, True
    sections = 0
    for row in text.splitlines():
        if found := _LABEL.match(row):
            name = found[1]
            if name.startswith(".text."):
                sections += 1
                function, line = name.removeprefix(".text."), 0
                if sections > 1:
                    raise ValueError(f"the listing has several kernels, such as {function}")
                entries[function] = len(blocks)
            elif name.startswith("$"):
                function, line = name, 0
                entries[function] = len(blocks)
            labels[name] = len(blocks)
            ended = True
        elif found := _LINE.match(row):
            line = int(found[1])
        elif sections and (found := _INSTRUCTION.match(row)):
            guard, opcode, operands = found.groups("")
            if opcode == "NOP" or guard in _NEVER:
                continue
            if ended:
                blocks.append(Block(function))
            instruction = Instruction(opcode, operands, guard, line)
            blocks[-1].instructions.append(instruction)
            branches = opcode.startswith(("BRA", "BRX", "JMP", "JMX"))
            ended = branches or instruction.is_call or not instruction.falls_through or opcode.startswith("EXIT")
    return blocks, labels, {name: first for name, first in entries.items() if first < len(blocks)}


def _connect(blocks: list[Block], labels: Mapping[str, int]) -> None:
    for number, block in enumerate(blocks):
        last = block.instructions[-1]
        following: list[int] = []
        if last.opcode.startswith(("BRA", "JMP")) and last.target is not None:
            following.append(labels[last.target])
        if last.opcode.startswith(("BRX", "JMX")):  # any block that nothing else leads to
            following += _of_a_table(blocks, labels, number)
        if last.falls_through and number + 1 < len(blocks):
            following.append(number + 1)
        block.successors = tuple(dict.fromkeys(each for each in following if each < len(blocks)))


def _of_a_table(blocks: Sequence[Block], labels: Mapping[str, int], branch: int) -> list[int]:
    """The labels that no branch names: what an indirect one may lead to."""
    named = {each.target for block in blocks for each in block.instructions}
    return [place for name, place in labels.items() if name.startswith(".L") and name not in named and place > branch]


def _reached(blocks: Sequence[Block], entries: Iterable[int]) -> list[int]:
    seen: set[int] = set()
    work = list(entries)
    while work:
        number = work.pop()
        if number not in seen and number < len(blocks):
            seen.add(number)
            work += blocks[number].successors
    padding = {n for n in seen if blocks[n].successors == (n,) and len(blocks[n].instructions) == 1}
    return sorted(seen - padding)


def _find_depths(blocks: Sequence[Block], reached: Sequence[int], entries: Mapping[str, int]) -> None:
    """Depths by natural loops: back edges lead to a block that dominates where they come from."""
    dominators = _dominators(blocks, reached, set(entries.values()))
    predecessors: dict[int, list[int]] = {number: [] for number in reached}
    for number in reached:
        for successor in blocks[number].successors:
            if successor in predecessors:
                predecessors[successor].append(number)
    loops: dict[int, set[int]] = {}
    for number in reached:
        for header in blocks[number].successors:
            if header in dominators and dominators[number] >> header & 1:
                body = loops.setdefault(header, {header})
                work = [number]
                while work:
                    each = work.pop()
                    if each not in body:
                        body.add(each)
                        work += predecessors[each]
    for body in loops.values():
        for number in body:
            blocks[number].depth += 1
    _add_depths_of_calls(blocks, reached, entries)


def _add_depths_of_calls(blocks: Sequence[Block], reached: Sequence[int], entries: Mapping[str, int]) -> None:
    calls = {
        (blocks[n].function, target): blocks[n].depth
        for n in sorted(reached, key=lambda n: blocks[n].depth)
        for each in blocks[n].instructions
        if each.is_call and (target := each.target) is not None
    }
    around = dict.fromkeys(entries, 0)
    for _ in entries:  # functions call others at most so deep
        for (caller, callee), depth in calls.items():
            if callee in around:
                around[callee] = max(around[callee], around.get(caller, 0) + depth)
    for number in reached:
        blocks[number].depth += around.get(blocks[number].function, 0)


def _dominators(blocks: Sequence[Block], reached: Sequence[int], entries: set[int]) -> dict[int, int]:
    """A set of blocks, as bits, that dominate each one."""
    everything = sum(1 << number for number in reached)
    found = {number: 1 << number if number in entries else everything for number in reached}
    predecessors: dict[int, list[int]] = {number: [] for number in reached}
    for number in reached:
        for successor in blocks[number].successors:
            if successor in predecessors:
                predecessors[successor].append(number)
    changed = True
    while changed:
        changed = False
        for number in reached:
            if number in entries:
                continue
            common = everything
            for predecessor in predecessors[number]:
                common &= found[predecessor]
            common |= 1 << number
            if common != found[number]:
                found[number] = common
                changed = True
    return found


def _renumbered(blocks: Sequence[Block], reached: Sequence[int]) -> Listing:
    numbers = {old: new for new, old in enumerate(reached)}
    for old in reached:
        blocks[old].successors = tuple(numbers[each] for each in blocks[old].successors if each in numbers)
    return Listing(tuple(blocks[old] for old in reached))
