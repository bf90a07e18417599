# SPDX-License-Identifier: Apache-2.0
"""Addresses of neighbours unless an index is clamped: `tile[max(x - 1, 0)]`, `tile[min(x + 1, n - 1)]`.

Why
    Lanes are neighbours if no active one is clamped. Tested by vectors of addresses, that took ten instructions of AVX2
    per access, and two accesses of eleven in a stencil with clamped borders took a fifth of its time.

Example
    %w = max(%x - 1, %least)            varying: %x - 1 is affine, and %least the same for all lanes of a row
    %p = getelementptr float, ptr %tile, i64 %w

    is tested by one comparison, that of %x - 1 in the first active lane with %least; lane 0 is at %tile + 4 * (%x - 1).

Needs
    1. A minimum or maximum of a value with a known step from lane to lane, and one that is the same in all lanes.
    2. The first value doesn't wrap, as the comparison reads it, so that one end is its least value and the other its
       greatest.
    3. All that is computed from the result keeps a known step, if the result has that of the first value.

Method
    The most extreme active lane tells of all: the first one or the last one, by the direction of step and clamp. The
    address of lane 0 is computed by scalars, without the clamp. Lane 0 may be switched off, so flags are dropped.

When not
    Values of loops that lanes leave at different times, and computations of more than DEPTH instructions. The test of
    `neighbours.py` takes these.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, final

from lanewise.analysis.shapes import SIGNED, UNSIGNED, Shape, extends_signed, shape_of
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.first_active import first_active, last_active
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask
from lanewise.workgroup.lanes.values.lane_values import LaneValue, lanes_type

DEPTH: Final = 12
"""Most instructions between a clamp and the address."""
_FOLLOWED: Final = frozenset({"add", "sub", "or", "mul", "shl", "sext", "zext", "getelementptr"})
_CLAMPS: Final = {
    f"llvm.{name}.i{bits}": name for name in ("smin", "smax", "umin", "umax") for bits in (32, 64)
}  # fmt: skip


class Unclamped(NamedTuple):
    """The addresses of a chunk's lanes, which are neighbours if none is clamped."""

    first: Value
    """The address of lane 0, if no lane is clamped."""
    holds: Value
    """True (i1) if no active lane is clamped."""
    pointers: Callable[[], Value]
    """Compute the addresses of all lanes anew, for code that is rarely run."""


def unclamped_neighbours(code: LaneCode, pointer: Value, distance: int, mask: Mask, chunk: int) -> Unclamped | None:
    """The addresses of lanes that are neighbours at `distance` bytes if none is clamped; None if `pointer` is not of
    this kind."""
    chain = _Chain(code, chunk)
    shape = chain.shape(pointer, 0)
    if shape is None or shape.lane != distance or not chain.clamps:
        return None
    return Unclamped(chain.scalar(pointer), chain.test(mask), lambda: chain.vector(pointer))


@final
class _Chain:
    """The computation of an address from a clamp, for a chunk."""

    def __init__(self, code: LaneCode, chunk: int) -> None:
        self._code: Final = code
        self._chunk: Final = chunk
        self._shapes: Final[dict[Value, Shape]] = {}
        self._scalars: Final[dict[Value, Value]] = {}
        self._vectors: Final[dict[Value, Value]] = {}
        self.clamps: Final[dict[Instruction, tuple[Value, Value]]] = {}
        """Clamp -> the value that has steps, and the limit."""

    def shape(self, value: Value, depth: int) -> Shape | None:
        """The shape of a value if no lane is clamped; None if it has no known step."""
        known = self._shapes.get(value)
        if known is not None:
            return known
        code = self._code
        shape = code.divergence.at_definition(value)
        if not shape.is_varying:
            self._shapes[value] = shape
            return shape
        if not isinstance(value, Instruction) or depth > DEPTH or value in code.left or value not in code.known:
            return None
        clamp = value.callee in _CLAMPS if value.op == "call" else False
        if not clamp and value.op not in _FOLLOWED:
            return None
        operands = value.arguments if clamp else value.operands
        shapes = [self.shape(operand, depth + 1) for operand in operands]
        if any(s is None or s.is_varying for s in shapes):
            return None
        if clamp:
            found = self._clamp(value, operands, [s for s in shapes if s is not None])
        else:
            found = shape_of(value, self._shapes.get, code.extent, code.divergence.types)
        if found is None or found.is_varying or (value.op == "zext" and not found.lane):  # 3
            return None
        self._shapes[value] = found
        return found

    def _clamp(self, clamp: Instruction, operands: list[Value], shapes: list[Shape]) -> Shape | None:
        for number in (0, 1):
            stepped, limit = shapes[number], shapes[1 - number]
            if stepped.lane and limit.lane == 0:  # 1
                exact = SIGNED if _CLAMPS[clamp.callee][0] == "s" else UNSIGNED
                if not stepped.exact & exact:  # 2
                    return None
                self.clamps[clamp] = operands[number], operands[1 - number]
                return stepped
        return None

    def scalar(self, value: Value) -> Value:
        """The value of lane 0."""
        if isinstance(value, Constant):
            return value
        known = self._scalars.get(value)
        if known is None:
            known = self._scalars[value] = self._scalar(value)
        return known

    def _scalar(self, value: Value) -> Value:
        code = self._code
        if not code.divergence.at_definition(value).is_varying:
            return code.scalar(code.known[value], self._chunk) if value in code.known else value
        assert isinstance(value, Instruction)
        if value in self.clamps:
            return self.scalar(self.clamps[value][0])
        operands = [self.scalar(operand) for operand in value.operands]
        op = value.op
        if op == "or" and "disjoint" in value.flags:  # an addition, whatever lane 0 has, which may be clamped
            op = "add"
        elif op == "zext" and extends_signed(value, self._shapes[value]):
            op = "sext"
        return code.build.emit(Instruction(op, value.type, operands, source_type=value.source_type))

    def vector(self, value: Value) -> Value:
        """The values of all lanes, clamped ones, too."""
        known = self._vectors.get(value)
        if known is None:
            known = self._vectors[value] = self._vector(value)
        return known

    def _vector(self, value: Value) -> Value:
        code = self._code
        if not code.divergence.at_definition(value).is_varying:
            return code.vector(code.known.get(value) or LaneValue.uniform(value), self._chunk)
        assert isinstance(value, Instruction)
        operands = [self.vector(operand) for operand in (value.arguments if value.op == "call" else value.operands)]
        type_ = lanes_type(value.type, code.extent.width)
        if value.op == "call":
            name, bits = value.callee.rpartition(".")[::2]
            return code.intrinsic(f"{name}.v{code.extent.width}{bits}", type_, operands)
        return code.build.emit(Instruction(value.op, type_, operands, source_type=value.source_type))

    def test(self, mask: Mask) -> Value:
        """True (i1) if no active lane is clamped."""
        build = self._code.build
        found: Value | None = None
        for clamp, (stepped, limit) in self.clamps.items():
            step = self._shapes[stepped].lane
            assert step
            predicate = _CLAMPS[clamp.callee]
            upper = predicate.endswith("min")
            lane = self._extreme(mask, last=upper == (step > 0))
            deciding = self.scalar(stepped)
            type_ = deciding.type
            if isinstance(lane, int):
                distance: Value = int_constant(type_, step * lane)
            else:
                wide = lane if type_.bits == lane.type.bits else build.cast("zext", lane, type_)
                distance = build.binary("mul", wide, int_constant(type_, step))
            deciding = build.binary("add", deciding, distance)
            this = build.compare(f"{predicate[0]}{'le' if upper else 'ge'}", deciding, self.scalar(limit))
            found = this if found is None else build.binary("and", found, this)
        assert found is not None
        # If no lane is active, either answer is right.
        return found if mask is None else build.emit(Instruction("freeze", ty.I1, (found,)))

    def _extreme(self, mask: Mask, last: bool) -> Value | int:
        """The last active lane, or the first one."""
        lane = None if mask is None else (last_active if last else first_active)(self._code, mask, self._chunk)
        return lane if lane is not None else (self._code.extent.lanes - 1) * last
