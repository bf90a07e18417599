# SPDX-License-Identifier: Apache-2.0
"""Addresses whose steps are known unless an index of 32 bits wraps round between two lanes.

    %i = add i32 %base, %x                          affine modulo 2^32
    %wide = sext i32 %i to i64                      affine, or the sum has wrapped between two lanes
    %bytes = shl i64 %wide, 2
    %p = getelementptr i8, ptr %a, i64 %bytes

LLVM writes the second and third as `ashr exact (shl %i, 32), 30` where %i has 64 bits, of which the lower half counts:
`int i = get_global_id(0) + x`. If that half is unsigned, or known to be 0 or more, it is `and (shl %i, 2), M`, and M is
0x3fffffffc or 0x1fffffffc. Addresses that wrap are then 4 GiB apart or more, too: smaller masks are not followed.

Unsigned indices are such, counters of grid-stride loops, and all indices of PTX, whose additions don't say that they
may not wrap. If one does wrap between two lanes that access memory, these are at opposite ends of 2^32 elements. No
array is taken to be as long. So where lanes access memory, they are neighbours.

That holds for small steps only: `x * 0x80000001u` jumps by 2^31 from lane to lane, and may come back.

A second question is asked of the same values: their steps if all lanes leave a loop in the same iteration, or none
enters it.

    for (k = rest; k != 0; k--) i += stride         rest: iterations % 4, as compilers unroll a loop; it may vary
    for (; i < n; i += 4 * stride) sum += in[i] ... consecutive, unless some lanes were here once more

Nothing promises that, so such steps are for tests at run time (`workgroup/lanes/memory/neighbours.py`).

What else such a value is used for knows nothing of this: comparisons, divisions and data see what each lane has. A
lane that is switched off may well be on the far side: `unsigned i = x - 1` if x is 0.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, Protocol, final

from lanewise.analysis.flow import Flow, FlowLoop
from lanewise.analysis.shapes import VARYING, Extent, Shape, joined, normal, strides
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

MAX_STEP: Final = 1 << 12
"""Most elements from lane to lane, or chunk to chunk. All addresses of a unit are then within 2^22 elements of each
other, unless an index wraps."""
INDEX_BITS: Final = 32

_EXTENSIONS: Final = frozenset({"sext", "zext"})
_HALVES: Final = frozenset({"and", "ashr", "lshr"})
_WHOLE: Final = (1 << INDEX_BITS) - 1
_KEPT: Final = frozenset({"freeze", "ptrtoint", "ptrtoaddr", "inttoptr"})
_FOLLOWED: Final = frozenset({"add", "sub", "shl", "mul", "getelementptr", "phi", "select", *_KEPT})


class Facts(Protocol):
    """The facts about the code, as `Divergence` has them."""

    @property
    def flow(self) -> Flow: ...

    @property
    def extent(self) -> Extent: ...

    @property
    def types(self) -> Mapping[str, Type | None]: ...

    @property
    def joins(self) -> Mapping[Block, Shape]: ...

    def at_definition(self, value: Value) -> Shape: ...

    def at_use(self, value: Value, block: Block) -> Shape: ...

    def left_loop(self, value: Value, block: Block) -> FlowLoop | None: ...

    def leaves(self, source: Block, target: Block) -> list[FlowLoop]: ...


def shapes_unless_wrapped(facts: Facts) -> Mapping[Value, Shape]:
    """The shapes of the varying values whose steps from lane to lane are known unless an index wraps."""
    return _Wrapping(facts, together=False).found


def shapes_if_together(facts: Facts) -> Mapping[Value, Shape]:
    """The shapes of the varying values whose steps from lane to lane are known if, besides, all lanes leave each loop
    together."""
    return _Wrapping(facts, together=True).found


def address_parts(found: AbstractSet[Value]) -> set[Value]:
    """The part of `found`, values with such shapes, that nothing but addresses of loads and stores is computed from.
    These take no vectors."""
    parts = set(found)
    work = list(parts)
    while work:
        value = work.pop()
        if value in parts and any(user not in parts and not _goes_to(user, value) for user in value.users):
            parts.discard(value)
            work += [o for o in value.operands if o in parts] if isinstance(value, Instruction) else []
    return parts


def _goes_to(access: Instruction, pointer: Value) -> bool:
    """True for a load or store by this address, which isn't what it stores."""
    return access.op in ("load", "store") and pointer is access.operands[-1] and pointer not in access.operands[:-1]


_Steps = tuple[int | None, int | None, int | None]
_UNKNOWN: Final[_Steps] = (None, None, None)


@final
class _Wrapping:
    """Shapes flow forward, optimistically around loops, from extensions of what may have wrapped."""

    def __init__(self, facts: Facts, together: bool) -> None:
        self._facts: Final = facts
        self._together: Final = together
        self.found: Final[dict[Value, Shape]] = {}
        self._unknown: Final = self._reached()
        """Values computed from such extensions, as long as they have no shape. Those that vary are in neither."""
        order = [i for block in facts.flow.order for i in block.instructions if i in self._unknown]
        while sum(map(self._visit, order)):
            pass

    def _reached(self) -> set[Value]:
        flow = self._facts.flow
        reached: set[Value] = set()
        work = [i for block in flow.order for i in block.instructions if self._extends(i) or self._is_loop_value(i)]
        followed = _FOLLOWED | _EXTENSIONS if self._together else _FOLLOWED
        while work:
            value = work.pop()
            if value not in reached and self._shape_in_code(value, value.parent).is_varying:
                reached.add(value)
                work += [user for user in value.users if user.op in followed and user.block in flow.predecessors]
        return reached

    def _extends(self, instruction: Instruction) -> bool:
        """True for an extension, or an address, whose index has steps modulo 2^32."""
        if instruction.op in _HALVES:
            half = _lower_half(instruction)
            return half is not None and bool(self._facts.at_use(half.of, instruction.parent).lane)
        if instruction.op not in _EXTENSIONS and instruction.op != "getelementptr":
            return False
        indices = instruction.operands[instruction.op == "getelementptr" :]
        return any(i.type.bits == INDEX_BITS and self._facts.at_use(i, instruction.parent).lane for i in indices)

    def _is_loop_value(self, instruction: Instruction) -> bool:
        """True for a value that differs between lanes only since they may leave a loop at different times."""
        return self._together and instruction.op == "phi" and self._is_of_loop(instruction.parent)

    def _is_of_loop(self, block: Block) -> bool:
        """True for the first block of a loop, and for one that a loop is left to."""
        facts = self._facts
        loop = facts.flow.loop_of(block)
        before = facts.flow.predecessors[block]
        return (loop is not None and loop.header is block) or any(facts.leaves(source, block) for source in before)

    def _shape_in_code(self, value: Value, block: Block) -> Shape:
        return self._facts.at_definition(value) if self._together else self._facts.at_use(value, block)

    def _visit(self, instruction: Instruction) -> bool:
        """Find the shape of an instruction again. Returns whether that has changed."""
        known = self.found.get(instruction)
        if known is None and instruction not in self._unknown:
            return False
        shape = self._phi(instruction) if instruction.op == "phi" else self._computed(instruction)
        if shape is None:
            return False
        self._unknown.discard(instruction)
        shape = normal(shape if known is None else joined(known, shape), self._facts.extent)
        if shape.is_varying:
            self.found.pop(instruction, None)
            return True
        self.found[instruction] = shape
        return shape != known

    def _at_use(self, value: Value, block: Block) -> Shape | None:
        """The shape of an operand; None if it has none yet (in a loop)."""
        shape = self._shape_in_code(value, block)
        if not shape.is_varying or (not self._together and self._facts.left_loop(value, block) is not None):
            return shape
        return None if value in self._unknown else self.found.get(value, shape)

    def _phi(self, phi: Instruction) -> Shape | None:
        """The shape of a phi, to which all lanes come in the same way."""
        facts, block = self._facts, phi.parent
        together = self._together and self._is_of_loop(block)
        condition = None if together else facts.joins.get(block)
        if condition is not None and not condition.is_uniform:
            return VARYING
        found: Shape | None = None
        for value, before in phi.incoming():
            if before not in facts.flow.predecessors or block not in facts.flow.successors[before]:
                continue
            if not together and facts.leaves(before, block):
                return VARYING
            shape = self._at_use(value, before)
            if shape is not None:
                found = shape if found is None else joined(found, shape)
        return found

    def _computed(self, instruction: Instruction) -> Shape | None:
        shapes: list[Shape] = []
        for operand in instruction.operands:
            shape = self._at_use(operand, instruction.parent)
            if shape is None:
                return None
            if shape.is_varying:
                return VARYING
            shapes.append(shape)
        if instruction.op == "select":
            return joined(shapes[1], shapes[2]) if shapes[0].is_uniform else VARYING
        return Shape(*self._steps(instruction, shapes))

    def _steps(self, instruction: Instruction, shapes: list[Shape]) -> _Steps:
        match instruction.op:
            case "add":
                return _sum(shapes[0][:3], shapes[1][:3])
            case "sub":
                return _sum(shapes[0][:3], shapes[1][:3], -1)
            case "shl" | "mul":
                factor = instruction.operands[1]
                if not isinstance(factor, Constant) or factor.kind != "int":
                    return _UNKNOWN
                times = 1 << factor.integer if instruction.op == "shl" else factor.integer
                return _sum((0, 0, 0), shapes[0][:3], times)
            case "ashr" | "lshr" | "and":
                return self._half(instruction)
            case "getelementptr":
                steps: _Steps = shapes[0][:3]
                indices = strides(instruction, self._facts.types)
                for (index, size), shape in zip(indices, shapes[1:], strict=True):
                    if index.type.bits <= INDEX_BITS and not self._is_small(index, shape):
                        return _UNKNOWN
                    steps = _sum(steps, shape[:3], size)
                return steps
            case "sext" | "zext":
                return shapes[0][:3] if self._is_small(instruction.operands[0], shapes[0]) else _UNKNOWN
            case _:
                return shapes[0][:3]

    def _half(self, instruction: Instruction) -> _Steps:
        half = _lower_half(instruction)
        if half is None:
            return _UNKNOWN
        shape = self._shape_in_code(half.of, instruction.parent)
        return _sum((0, 0, 0), shape[:3], 1 << half.shift) if self._has_small_steps(shape) else _UNKNOWN

    def _is_small(self, index: Value, shape: Shape) -> bool:
        """True for an index that is extended and, unless it wraps, is near that of the other lanes."""
        return shape.is_uniform or (index.type.bits == INDEX_BITS and self._has_small_steps(shape))

    def _has_small_steps(self, shape: Shape) -> bool:
        extent = self._facts.extent
        most = (MAX_STEP, MAX_STEP * extent.lanes, MAX_STEP * extent.width)
        steps = [abs(step or 0) for step in shape[:3]]
        return all(a <= b for a, b in zip(steps, most, strict=True))


class _LowerHalf(NamedTuple):
    """The lower half of a value of 64 bits, extended to 64 bits and shifted left by `shift`."""

    of: Value
    shift: int


def _lower_half(instruction: Instruction) -> _LowerHalf | None:
    """The half that an instruction takes; None if it does something else."""
    inner, by = instruction.operands
    if instruction.type.bits != 2 * INDEX_BITS or not isinstance(by, Constant) or by.kind != "int":
        return None
    pushed = _shifted_by(inner) if isinstance(inner, Instruction) and inner.op == "shl" else 0
    value = inner.operands[0] if isinstance(inner, Instruction) and pushed else inner
    if instruction.op == "and":
        bits = by.integer >> pushed
        is_half = bits in (_WHOLE, _WHOLE >> 1) and by.integer >= _WHOLE and by.integer == bits << pushed
        return _LowerHalf(value, pushed) if is_half else None
    return _LowerHalf(value, INDEX_BITS - by.integer) if pushed == INDEX_BITS and 0 < by.integer <= INDEX_BITS else None


def _shifted_by(shift: Instruction) -> int:
    """The constant number of bits; 0 if it is none."""
    by = shift.operands[1]
    return by.integer if isinstance(by, Constant) and by.kind == "int" else 0


def _sum(a: _Steps, b: _Steps, times: int = 1) -> _Steps:
    lane, row, chunk = (None if x is None or y is None else x + times * y for x, y in zip(a, b, strict=True))
    return lane, row, chunk
