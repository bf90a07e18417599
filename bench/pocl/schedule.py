# SPDX-License-Identifier: Apache-2.0
"""A list scheduler of straight-line code for a machine that issues many operations at once (pocl-2014, Table 2).

Operations of a block start in order of their height, the latency from them to the block's end, as soon as their
operands are there and a unit is free. Work-items don't depend on each other, so loads don't wait for stores. Registers
aren't counted.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

UNITS: Final[Mapping[str, int]] = {"integer": 4, "add": 4, "multiply": 4, "memory": 9}
"""Units of each kind: integer ALUs, float adders, float multipliers, load-store units (pocl-2014, Table 2)."""

_BLOCK: Final = re.compile(r"^(?:[\w.$-]+|\"[^\"]+\"):")
_RESULT: Final = re.compile(r"^\s+(%[\w.$-]+|%\"[^\"]+\") = (?:tail |notail )?(\w+)(.*)$")
_EFFECT: Final = re.compile(r"^\s+(store|br|switch|ret|call)\b(.*)$")
_NAME: Final = re.compile(r"%[\w.$-]+|%\"[^\"]+\"")
_KIND: Final = {"fadd": "add", "fsub": "add", "fmul": "multiply", "load": "memory", "store": "memory"}
_FREE: Final = frozenset({"phi", "ret", "br", "switch", "call", "freeze", "bitcast"})


class Operation(NamedTuple):
    """An operation of a block: its opcode, the kind of unit that it takes or "" for none, and the operations of the
    block that it needs, by number. `carried`: those of the iteration before, where the block is a loop."""

    opcode: str
    kind: str
    needs: tuple[int, ...]
    carried: tuple[int, ...] = ()


class Block(NamedTuple):
    """A block's operations, in order."""

    operations: tuple[Operation, ...]

    @property
    def multiplications(self) -> int:
        return sum(operation.opcode == "fmul" for operation in self.operations)

    @property
    def issued(self) -> int:
        """The number of operations that take a unit."""
        return sum(operation.kind != "" for operation in self.operations)


def blocks(ir: str) -> list[Block]:
    """The blocks of all functions in LLVM IR."""
    found: list[Block] = []
    lines: list[str] = []
    for line in ir.splitlines():
        if _BLOCK.match(line) or line.startswith(("define", "}")):
            found.append(_block(lines))
            lines = []
        else:
            lines.append(line)
    return [block for block in found if block.operations]


def unrolled(block: Block, times: int) -> Block:
    """Iterations of a block that is a loop, one after the other, with what goes from one to the next."""
    copies: list[Operation] = []
    for turn in range(times):
        start, before = len(copies), len(copies) - len(block.operations)
        for operation in block.operations:
            needs = [start + need for need in operation.needs]
            needs += [before + need for need in operation.carried if turn]
            copies.append(operation._replace(needs=tuple(needs), carried=()))
    return Block(tuple(copies))


def _block(lines: Sequence[str]) -> Block:
    operations: list[Operation] = []
    phis: list[tuple[int, str]] = []
    made: dict[str, int] = {}
    for line in lines:
        if (result := _RESULT.match(line)) is not None:
            name, opcode, rest = result.groups()
        elif (effect := _EFFECT.match(line)) is not None:
            name, (opcode, rest) = "", effect.groups()
        else:
            continue
        needs = () if opcode == "phi" else tuple({made[each] for each in _NAME.findall(rest) if each in made})
        kind = "" if opcode in _FREE else _KIND.get(opcode, "integer")
        operations.append(Operation(opcode, kind, needs))
        if name:
            made[name] = len(operations) - 1
        if opcode == "phi":
            phis.append((len(operations) - 1, rest))
    for number, rest in phis:
        carried = tuple(made[each] for each in _NAME.findall(rest) if each in made)
        operations[number] = operations[number]._replace(carried=carried)
    return Block(tuple(operations))


def cycles(block: Block, latencies: Mapping[str, int], units: Mapping[str, int] = UNITS) -> int:
    """Cycles from the start of the first operation to the end of the last one. `latencies` by kind of unit; 1 if
    there is none."""
    latency = [latencies.get(operation.kind, 1) if operation.kind else 0 for operation in block.operations]
    height = list(latency)
    for number in reversed(range(len(latency))):
        for need in block.operations[number].needs:
            height[need] = max(height[need], latency[need] + height[number])
    order = sorted(range(len(latency)), key=lambda number: (-height[number], number))
    ends: dict[int, int] = {}
    now = 0
    while order:
        free = dict(units)
        while order != (order := _waiting(block, order, latency, ends, free, now)):
            pass  # what takes no unit lets others start in the same cycle
        now += 1
    return max(ends.values(), default=0)


def _waiting(
    block: Block, order: list[int], latency: list[int], ends: dict[int, int], free: dict[str, int], now: int
) -> list[int]:
    """Operations that can't start now, in their order; those that can do."""
    waiting: list[int] = []
    for number in order:
        _, kind, needs, _ = block.operations[number]
        if all(need in ends and ends[need] <= now for need in needs) and (not kind or free[kind]):
            ends[number] = now + latency[number]
            if kind:
                free[kind] -= 1
        else:
            waiting.append(number)
    return waiting
