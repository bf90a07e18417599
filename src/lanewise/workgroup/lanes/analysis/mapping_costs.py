# SPDX-License-Identifier: Apache-2.0
"""A model of what a region's code costs, in lanes and in a loop over work-items.

A loop that each work-item leaves when it likes goes on in lanes until the last one has left. The first ones are carried
along under masks, and what no vector does is done lane by lane. Vectors of OpenCL C that each work-item loads are taken
apart: there is a register for each of their elements. A loop over work-items does no more than each work-item needs,
on the vectors of one; but each exit from a loop is a branch that the processor predicted to go the other way. What
LLVM's loop vectoriser makes of a loop over work-items is not foreseen.

    cost of an iteration    what it takes to issue its instructions, or the latency of what it hands to the next one,
                            whichever is more; inner loops are part of it
    cost of a loop          that, times iterations; in a loop over work-items, and once in lanes, a mispredicted branch

Iterations are not known: `ITERATIONS` are taken for each loop. In lanes, the last of the work-items takes `spread`
times as many as the mean one:

    a count that differs     the loop counts up to a bound of the work-item's own. If all bounds up to a greatest one
                             are as likely, the greatest of n is 2 n / (n + 1) times the mean.
    a search                 the loop also ends by what it finds. If each iteration is as likely to be the last, the
                             greatest of n is 1 + 1/2 + ... + 1/n times the mean; if most work-items leave at once and
                             one goes on to the end, it is n times. The geometric mean of both is taken; the two
                             ends tell how unsure that is.

Costs are in cycles of a core. bench/lane_costs.py measures those of instructions, by which `instruction_costs.py` has
them for processors with and without AVX-512; those here are guesses.
"""

from collections.abc import Callable, Iterable
from math import log2
from typing import Final, NamedTuple, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import FlowLoop
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.analysis.cost_model import is_gather
from lanewise.workgroup.lanes.analysis.instruction_costs import instruction_costs

ITERATIONS: Final = 32
"""Iterations that a work-item is taken to make in each loop."""

UNSURE: Final = 2.0
"""The factor by which a prediction may be wrong, beside what isn't known of how work-items leave loops."""

_BLEND: Final = 0.3
"""A phi or a value that only some lanes of a vector register take."""
_MISPREDICTED: Final = 15.0
_MANY: Final = 8
"""Elements from which a loop over work-items may be faster for that reason alone: lanes do well with float4."""
_ALONE: Final = 7.0
"""A lane of what is done one work-item after the other: atomic operations, calls."""
_WIDE_DIVISION: Final = 10.0
"""A division of small integers of 64 bits by floating-point numbers, for one register."""
_CALL: Final = 20.0

_FREE: Final = frozenset({"getelementptr", "bitcast", "freeze", "br", "zext", "sext", "trunc", "ptrtoint", "inttoptr"})
_REARRANGED: Final = frozenset({"shufflevector", "extractelement", "insertelement"})
"""Operations that lanes do by taking other registers, and a work-item by an instruction."""
_DIVISIONS: Final = frozenset({"sdiv", "udiv", "srem", "urem"})
_ROOTS: Final = ("llvm.sqrt",)
_LATENCY: Final[dict[str, float]] = {
    "fadd": 3, "fsub": 3, "fmul": 3, "fdiv": 12, "frem": 30, "mul": 3, "load": 5, "sitofp": 4, "uitofp": 4, "fptosi": 4,
    "fptoui": 4, "fcmp": 3, "call": 4, "sdiv": 11, "udiv": 11, "srem": 11, "urem": 11, "zext": 0, "sext": 0, "trunc": 0,
    "bitcast": 0, "freeze": 0, "phi": 0, "br": 0,
}  # fmt: skip
"""Cycles until the result of an instruction is there; 1 for all others."""


class Prediction(NamedTuple):
    """Cycles for the work-items of one vector."""

    lanes: float
    loop: float
    least: float
    """Cycles of lanes if work-items leave loops as much alike as can be expected, and"""
    most: float
    """if one of them stays while all others have left."""

    @property
    def ratio(self) -> float:
        """The time of lanes, in times of that of a loop over work-items."""
        return self.lanes / max(self.loop, 1e-9)

    @property
    def prefers_loop(self) -> bool:
        """True if lanes are predicted to be slower."""
        return self.lanes > self.loop

    @property
    def is_unsure(self) -> bool:
        """True if the other choice may be the better one, for all that is known."""
        return self.least < UNSURE * self.loop and self.loop < UNSURE * self.most

    def with_unknown_waits(self) -> "Prediction":
        """The same for loops that gather, if memory may take as long in lanes as all of a loop over work-items: which
        of both keeps lines in the caches until all of them is used isn't known.

        A circular buffer of 16 MiB, read through 16 indices by each work-item (SHOC's readGlobalMemoryCoalesced), took
        190 ms in lanes and 48 in a loop on an EPYC 9005, whose second-level cache keeps what one work-item reads.
        """
        return self._replace(most=max(self.most, self.loop))

    def plus(self, other: "Prediction") -> "Prediction":
        """The costs of two pieces of code together."""
        return Prediction(*(a + b for a, b in zip(self, other, strict=True)))


NO_COST: Final = Prediction(0, 0, 0, 0)


def predicted(divergence: Divergence, register_lanes: int) -> Prediction:
    """The costs of a region's code, analysed for one chunk. `register_lanes`: 32-bit lanes of a vector register."""
    usual = _Model(divergence, register_lanes, _usual).cost(None)
    if not has_own_exits(divergence):
        return Prediction(usual.lanes, usual.loop, usual.lanes, usual.lanes)
    least, most = (_Model(divergence, register_lanes, search).cost(None).lanes for search in (_least, _most))
    return Prediction(usual.lanes, usual.loop, least, most)


def has_own_exits(divergence: Divergence) -> bool:
    """Return whether there is a loop whose number of iterations is a work-item's own."""
    return any(spread(divergence, loop) != 1.0 for loop in divergence.divergent_loops)


def takes_vectors_apart(divergence: Divergence) -> bool:
    """Return whether work-items load or store vectors of many elements, which lanes take apart."""
    code = (i for block in divergence.flow.order if block is not divergence.flow.end for i in block.instructions)
    return any(i.op in ("load", "store") and _is_apart(divergence, i, _MANY) for i in code)


def _least(width: int) -> float:
    """The iterations of the last work-item in a search that each iteration may end alike, in those of the mean one."""
    return sum(1 / n for n in range(1, width + 1))


def _most(width: int) -> float:
    """The same if all work-items but one leave at once."""
    return width


def _usual(width: int) -> float:
    """The geometric mean of both."""
    return (_least(width) * _most(width)) ** 0.5


def spread(divergence: Divergence, loop: FlowLoop, search: Callable[[int], float] = _usual) -> float:
    """The iterations of the last of the work-items of a vector, in those of the mean one. `search` returns that of a
    search by so many work-items."""
    if loop not in divergence.divergent_loops:
        return 1.0
    width = divergence.extent.width
    counter = _counter(divergence, loop)
    if counter is not None:
        return 1.0 if _strides(divergence, counter, loop) else 2 * width / (width + 1)
    return search(width)


def _counter(divergence: Divergence, loop: FlowLoop) -> Instruction | None:
    """The counter of a loop that ends by one comparison of it with a bound that the loop doesn't change."""
    flow = divergence.flow
    exits = [block for block in loop.blocks if any(s not in loop.blocks for s in flow.successors[block])]
    if len(exits) != 1 or not exits[0].terminator.operands:
        return None
    condition = exits[0].terminator.operands[0]
    if not isinstance(condition, Instruction) or condition.op != "icmp":
        return None
    changing = [o for o in condition.operands if isinstance(o, Instruction) and o.block in loop.blocks]
    return changing[0] if len(changing) == 1 and _is_counted(changing[0], loop) else None


def _is_counted(value: Instruction, loop: FlowLoop) -> bool:
    if value.op == "phi":
        return value.block is loop.header and any(
            isinstance(v, Instruction) and v.op in ("add", "sub", "getelementptr") and value in v.operands
            for v, _ in value.incoming()
        )
    if value.op in ("zext", "sext", "trunc", "add", "sub", "getelementptr"):
        return any(isinstance(o, Instruction) and _is_counted(o, loop) for o in value.operands[:1])
    return False


def _strides(divergence: Divergence, counter: Instruction, loop: FlowLoop) -> bool:
    """Return whether work-items count from their own place to a bound that all have, so that all but one of the
    iterations are those of all: `for (i = get_local_id(0); i < n; i += get_local_size(0))`."""
    condition = next(user for user in counter.users if user.op == "icmp" and user.block in loop.blocks)
    bounds = [o for o in condition.operands if o is not counter]
    known = divergence.at_use(counter, condition.parent).lane is not None
    return known and all(divergence.at_use(bound, condition.parent).is_uniform for bound in bounds)


class _Cost(NamedTuple):
    """Cycles for the work-items of one vector."""

    lanes: float
    loop: float


@final
class _Model:
    def __init__(self, divergence: Divergence, register_lanes: int, search: Callable[[int], float]) -> None:
        self._search: Final = search
        self._divergence: Final = divergence
        self._flow: Final = divergence.flow
        self._register_lanes: Final = register_lanes
        self._costs: Final = instruction_costs(register_lanes)
        self._width: Final = divergence.extent.width
        self._elements_of: Final = _elements_of(divergence)
        self._own: Final[dict[FlowLoop | None, list[Block]]] = {}
        for block in self._flow.order:
            if block is not self._flow.end:
                self._own.setdefault(self._flow.loop_of(block), []).append(block)

    def cost(self, loop: FlowLoop | None) -> _Cost:
        """The cost of a loop, from its start to its end; None: of all code."""
        lanes = each = 0.0
        for block in self._own.get(loop, ()):
            for instruction in block.instructions:
                lanes += self._in_lanes(instruction)
                each += self._in_loop(instruction)
        for inner in self._flow.loops:
            if inner.parent is loop:
                cost = self.cost(inner)
                lanes += cost.lanes
                each += cost.loop / self._width
        if loop is not None:
            lanes = (
                max(lanes, self._latency(loop, in_lanes=True))
                * ITERATIONS
                * spread(self._divergence, loop, self._search)
            )
            each = max(each, self._latency(loop, in_lanes=False)) * ITERATIONS
            if loop in self._divergence.divergent_loops:
                lanes += _MISPREDICTED
                each += _MISPREDICTED
        return _Cost(lanes, each * self._width)

    # -- instructions ------------------------------------------------------------------------------------------

    def _in_lanes(self, instruction: Instruction) -> float:
        """Cycles for all lanes."""
        divergence, block = self._divergence, instruction.parent
        if instruction.is_terminator:
            return self._costs.mask if divergence.is_divergent(block) else self._costs.scalar
        if instruction.op in ("load", "store"):
            return self._access(instruction)
        if instruction.op in ("atomicrmw", "cmpxchg"):
            return _ALONE * self._width
        if not divergence.at_definition(instruction).is_varying:
            return self._in_loop(instruction)
        registers = self._registers(instruction.type)
        if instruction.op == "phi":
            return _BLEND * registers
        if instruction.op in _DIVISIONS and not isinstance(instruction.operands[1], Constant):
            if instruction.type.scalar.bits > 32:
                return _WIDE_DIVISION * registers
            uniform = divergence.at_use(instruction.operands[1], block).is_uniform
            return (self._costs.uniform_division if uniform else self._costs.division) * registers
        if _is_call(instruction):
            return _ALONE * self._width
        if instruction.op in _FREE or instruction.op in _REARRANGED:
            return 0.0
        return (self._costs.float_division if _is_slow(instruction) else self._costs.vector) * registers

    def _access(self, access: Instruction) -> float:
        type_ = effects.accessed_type(access)
        shape = self._divergence.of_address(effects.pointer_operand(access), access.parent)
        if shape.is_uniform:
            return self._costs.scalar
        elements = _elements(type_)
        size = type_.scalar.bits if not type_.is_pointer else 64
        apart = (
            self._costs.apart * log2(elements) * self._registers(type_) if _is_apart(self._divergence, access) else 0.0
        )
        if not is_gather(self._divergence, access):
            return apart or self._costs.vector * self._registers(type_)
        each = self._costs.gathered if access.op == "load" and (size >= 32 or elements > 1) else self._costs.picked
        return apart + each * self._width

    def _in_loop(self, instruction: Instruction) -> float:
        """Cycles for one work-item."""
        if instruction.op in _DIVISIONS and not isinstance(instruction.operands[1], Constant):
            return (
                self._costs.scalar_wide_division if instruction.type.scalar.bits > 32 else self._costs.scalar_division
            )
        if instruction.is_terminator:
            block = instruction.parent
            inside = self._flow.loop_of(block)
            leaves = inside is not None and any(s not in inside.blocks for s in self._flow.successors[block])
            own = self._divergence.is_divergent(block) and not leaves and not self._asks_for_place(instruction)
            return self._costs.arm if own else self._costs.scalar
        if instruction.op == "phi" or instruction.op in _FREE or instruction.is_debug_record:
            return 0.0
        if instruction.op in _REARRANGED:
            return self._costs.scalar if _permutes(instruction) else 0.0
        if _is_call(instruction):
            return _CALL
        if instruction.op in ("atomicrmw", "cmpxchg"):
            return _ALONE
        type_ = instruction.type
        registers = max(1.0, _elements(type_) * type_.scalar.bits / (32 * self._register_lanes))
        together = self._elements_of.get(instruction, 1)
        return (self._costs.float_division if _is_slow(instruction) else self._costs.scalar) * registers / together

    def _asks_for_place(self, branch: Instruction) -> bool:
        """Return whether a branch compares a work-item's place, by which most of them go the same way."""
        condition = branch.operands[0]
        return (
            isinstance(condition, Instruction)
            and condition.op == "icmp"
            and not any(self._divergence.at_use(o, condition.parent).is_varying for o in condition.operands)
        )

    def _registers(self, type_: Type) -> float:
        bits = max(32, type_.scalar.bits or 64)
        return _elements(type_) * max(1.0, self._width * bits / (32 * self._register_lanes))

    # -- latencies ---------------------------------------------------------------------------------------------

    def _latency(self, loop: FlowLoop, in_lanes: bool) -> float:
        """Cycles from the start of an iteration until all that it hands to the next one is there. Inner loops count as
        one iteration: their own cost is more. Counters are there long before, and so is what is loaded by them, if no
        branch is mispredicted."""
        header = loop.header
        own = any(self._divergence.is_divergent(block) for block in loop.blocks)
        ready: dict[Value, float] = {phi: 0.0 for phi in header.phis if own or not _is_counted(phi, loop)}

        def latest(values: Iterable[Value]) -> float | None:
            return max((ready[v] for v in values if v in ready), default=None)

        for block in self._flow.order:
            if block not in loop.blocks:
                continue
            for instruction in block.instructions:
                if instruction in ready:
                    continue
                before = latest(instruction.operands)
                if before is not None:
                    gathers = in_lanes and instruction.op == "load" and is_gather(self._divergence, instruction)
                    ready[instruction] = before + (20.0 if gathers else _LATENCY.get(instruction.op, 1.0))
        handed = [v for phi in header.phis for v, source in phi.incoming() if source in loop.blocks]
        return latest(handed) or 0.0


def _elements(type_: Type) -> int:
    """The elements of a vector; 1 for all else."""
    return type_.count if type_.is_vector else 1


def _is_apart(divergence: Divergence, access: Instruction, least: int = 2) -> bool:
    """Return whether an access is of vectors of at least `least` elements, one per work-item, whose elements go into
    registers of their own."""
    if _elements(effects.accessed_type(access)) < least:
        return False
    return not divergence.of_address(effects.pointer_operand(access), access.parent).is_uniform


def _elements_of(divergence: Divergence) -> dict[Value, int]:
    """The number of elements of a vector, for instructions that load, compute or store one of them. In a loop over
    work-items LLVM makes one instruction of those for all elements (SLP vectorisation)."""
    found: dict[Value, int] = {}
    for block in divergence.flow.order:
        if block is divergence.flow.end:
            continue
        for instruction in block.instructions:
            if instruction.op == "extractelement":
                found[instruction] = instruction.operands[0].type.count
            elif instruction.op == "load" and all(user.op == "insertelement" for user in instruction.users):
                found[instruction] = min((user.type.count for user in instruction.users), default=1)
            elif instruction.op != "phi" and not instruction.is_terminator:
                counts = [found[operand] for operand in instruction.operands if operand in found]
                if counts and not instruction.type.is_vector:
                    found[instruction] = min(counts)
    return found


def _permutes(instruction: Instruction) -> bool:
    """Return whether elements of a vector change places, so that it takes an instruction: not if vectors are only put
    together or cut, or elements are."""
    if instruction.op != "shufflevector":
        return False
    return instruction.operands[0].type is instruction.type


def _is_slow(instruction: Instruction) -> bool:
    """Return whether an instruction divides floating-point numbers or takes a root."""
    return instruction.op == "fdiv" or (instruction.op == "call" and instruction.callee.startswith(_ROOTS))


def _is_call(instruction: Instruction) -> bool:
    """Return whether an instruction calls a function, rather than an intrinsic that becomes an instruction or two."""
    return instruction.op == "call" and not instruction.callee.startswith("llvm.")
