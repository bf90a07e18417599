# SPDX-License-Identifier: Apache-2.0
"""A model of what loops that work-items leave in different iterations cost, in lanes and in a loop over work-items.

A loop that each work-item leaves when it likes goes on in lanes until the last one has left. The first ones are carried
along under masks, and what no vector does is done lane by lane. A loop over work-items does no more than each of them
needs, but has no vectors, and each exit is a branch that the processor predicted to go the other way.

    cost of an iteration    what it takes to issue its instructions, or the latency of what it hands to the next one,
                            whichever is more; inner loops are part of it
    cost of a loop          that, times iterations; in a loop over work-items, and once in lanes, a mispredicted branch

Iterations are not known: `ITERATIONS` are taken for each loop. In lanes, the last of the work-items takes `spread`
times as many as the mean one:

    a count that differs     the loop counts up to a bound of the work-item's own. If all bounds up to a greatest one
                             are as likely, the greatest of n is 2 n / (n + 1) times the mean.
    a search                 the loop also ends by what it finds. If each iteration is as likely to be the last, the
                             greatest of n is 1 + 1/2 + ... + 1/n times the mean; if most work-items leave at once and
                             one goes on to the end, it is n times. The geometric mean of both is taken.

Costs are in cycles of a core. bench/lane_costs.py measures them; those here are of an EPYC 7003 (AVX2).
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import FlowLoop
from lanewise.ir import effects
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.lanes.analysis.cost_model import is_gather

ITERATIONS: Final = 32
"""Iterations that a work-item is taken to make in each loop."""

_SCALAR: Final = 0.25
"""An instruction of a scalar."""
_VECTOR: Final = 0.3
"""An instruction of a vector register."""
_MASK: Final = 1.5
"""The masks of the edges of a divergent branch."""
_BLEND: Final = 0.3
"""A phi or a value that only some lanes of a vector register take."""
_MISPREDICTED: Final = 15.0
_ARM: Final = 3.0
"""A branch on a work-item's own data in a loop over work-items: it is mispredicted one time in four."""
_GATHERED: Final = 1.3
"""A lane of a load of 32 or 64 bits at any address."""
_PICKED: Final = 1.3
"""A lane of a load of 8 or 16 bits, for which there is no gather, or of any store, at any address."""
_ALONE: Final = 7.0
"""A lane of what is done one work-item after the other: atomic operations, calls."""
_DIVISION: Final = 7.0
"""A division of integers by floating-point numbers, for eight lanes."""
_UNIFORM_DIVISION: Final = 7.0
"""The same if the divisor is uniform."""
_WIDE_DIVISION: Final = 10.0
"""A division of small integers of 64 bits by floating-point numbers, for one register."""
_SCALAR_DIVISION: Final = 4.0
_SCALAR_WIDE_DIVISION: Final = 6.0
_FLOAT_DIVISION: Final = 3.0
"""A division or square root of floating-point numbers, in one register."""
_CALL: Final = 20.0

_FREE: Final = frozenset({"getelementptr", "bitcast", "freeze", "br", "zext", "sext", "trunc", "ptrtoint", "inttoptr"})
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

    @property
    def ratio(self) -> float:
        """The time of lanes, in times of that of a loop over work-items."""
        return self.lanes / max(self.loop, 1e-9)

    @property
    def prefers_loop(self) -> bool:
        """True if lanes are predicted to be slower."""
        return self.lanes > self.loop


def predicted(divergence: Divergence, register_lanes: int) -> Prediction | None:
    """The costs of a region's code, analysed for one chunk; None if it has no loop whose number of iterations is a
    work-item's own. `register_lanes`: 32-bit lanes of a vector register."""
    if all(spread(divergence, loop) == 1.0 for loop in divergence.divergent_loops):
        return None
    return _Model(divergence, register_lanes).cost(None)


def spread(divergence: Divergence, loop: FlowLoop) -> float:
    """The iterations of the last of the work-items of a vector, in those of the mean one."""
    if loop not in divergence.divergent_loops:
        return 1.0
    width = divergence.extent.width
    counter = _counter(divergence, loop)
    if counter is not None:
        return 1.0 if _strides(divergence, counter, loop) else 2 * width / (width + 1)
    harmonic = sum(1 / n for n in range(1, width + 1))
    return (harmonic * width) ** 0.5


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


@final
class _Model:
    def __init__(self, divergence: Divergence, register_lanes: int) -> None:
        self._divergence: Final = divergence
        self._flow: Final = divergence.flow
        self._register_lanes: Final = register_lanes
        self._width: Final = divergence.extent.width
        self._own: Final[dict[FlowLoop | None, list[Block]]] = {}
        for block in self._flow.order:
            if block is not self._flow.end:
                self._own.setdefault(self._flow.loop_of(block), []).append(block)

    def cost(self, loop: FlowLoop | None) -> Prediction:
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
            lanes = max(lanes, self._latency(loop, in_lanes=True)) * ITERATIONS * spread(self._divergence, loop)
            each = max(each, self._latency(loop, in_lanes=False)) * ITERATIONS
            if loop in self._divergence.divergent_loops:
                lanes += _MISPREDICTED
                each += _MISPREDICTED
        return Prediction(lanes, each * self._width)

    # -- instructions ------------------------------------------------------------------------------------------

    def _in_lanes(self, instruction: Instruction) -> float:
        """Cycles for all lanes."""
        divergence, block = self._divergence, instruction.parent
        if instruction.is_terminator:
            return _MASK if divergence.is_divergent(block) else _SCALAR
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
            return (_UNIFORM_DIVISION if uniform else _DIVISION) * registers
        if _is_call(instruction):
            return _ALONE * self._width
        if instruction.op in _FREE:
            return 0.0
        return (_FLOAT_DIVISION if _is_slow(instruction) else _VECTOR) * registers

    def _access(self, access: Instruction) -> float:
        type_ = effects.accessed_type(access)
        shape = self._divergence.of_address(effects.pointer_operand(access), access.parent)
        if shape.is_uniform:
            return _SCALAR
        if not is_gather(self._divergence, access):
            return _VECTOR * self._registers(type_)
        size = type_.scalar.bits if not type_.is_pointer else 64
        elements = type_.count if type_.is_vector else 1
        return (_GATHERED if access.op == "load" and size >= 32 else _PICKED) * self._width * elements

    def _in_loop(self, instruction: Instruction) -> float:
        """Cycles for one work-item."""
        if instruction.op in _DIVISIONS and not isinstance(instruction.operands[1], Constant):
            return _SCALAR_WIDE_DIVISION if instruction.type.scalar.bits > 32 else _SCALAR_DIVISION
        if instruction.is_terminator:
            block = instruction.parent
            inside = self._flow.loop_of(block)
            leaves = inside is not None and any(s not in inside.blocks for s in self._flow.successors[block])
            return _ARM if self._divergence.is_divergent(block) and not leaves else _SCALAR
        if instruction.op == "phi" or instruction.op in _FREE or instruction.is_debug_record:
            return 0.0
        if _is_call(instruction):
            return _CALL
        if instruction.op in ("atomicrmw", "cmpxchg"):
            return _ALONE
        return _FLOAT_DIVISION if _is_slow(instruction) else _SCALAR

    def _registers(self, type_: Type) -> float:
        bits = max(32, type_.scalar.bits or 64)
        elements = type_.count if type_.is_vector else 1
        return max(1.0, elements * self._width * bits / (32 * self._register_lanes))

    # -- latencies ---------------------------------------------------------------------------------------------

    def _latency(self, loop: FlowLoop, in_lanes: bool) -> float:
        """Cycles from the start of an iteration until all that it hands to the next one is there. Inner loops count as
        one iteration: their own cost is more."""
        header = loop.header
        ready: dict[Value, float] = dict.fromkeys(header.phis, 0.0)

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


def _is_slow(instruction: Instruction) -> bool:
    """Return whether an instruction divides floating-point numbers or takes a root."""
    return instruction.op == "fdiv" or (instruction.op == "call" and instruction.callee.startswith(_ROOTS))


def _is_call(instruction: Instruction) -> bool:
    """Return whether an instruction calls a function, rather than an intrinsic that becomes an instruction or two."""
    return instruction.op == "call" and not instruction.callee.startswith("llvm.")
