# SPDX-License-Identifier: Apache-2.0
"""Shapes: how a value differs between the work-items that vectors hold together.

A processor with vectors of W lanes runs a unit of work-items at once: chunks of W lanes each, and the lanes of a chunk
in rows of neighbours in x (one row, unless a group is narrower than a vector). Work-item (chunk c, row r, lane l of the
row) has the value

    base + c * shape.chunk + r * shape.row + l * shape.lane

Each step is a constant in units of the value (bytes for a pointer), or None if it is not known or no constant. So

    Shape(0, 0, 0)           uniform: the same for all work-items of a unit; one scalar
    Shape(1, 0, 16)          affine: x itself, if chunks are side by side; one scalar
    Shape(0, None, None)     uniform within a row: a scalar for each row of each chunk
    Shape(None, None, 0)     varying, and the same in all chunks: one vector
    Shape(None, None, 4)     varying, and by 4 more in each chunk: one vector
    Shape(None, None, None)  varying: a vector for each chunk

This is the variance analysis of cuda-compiling-and-optimizing-2012, section 3.2, with strides.

`align`, of an integer, is a power of two that divides the value of the first lane of each row. `exact` tells if the sum
above holds in whole numbers, read as signed or as unsigned, and not only modulo the type's size. An extension keeps
the steps of an exact value only. An instruction that may not wrap (nsw, nuw) keeps exactness. Lanes that are switched
off may break that promise, so the base is computed without it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from lanewise.ir import effects
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

SIGNED: Final = 1
UNSIGNED: Final = 2
EXACT: Final = SIGNED | UNSIGNED
MAX_ALIGN: Final = 1 << 20


class Shape(NamedTuple):
    """Steps from one lane, row and chunk to the next; see the module's docstring."""

    lane: int | None
    row: int | None = 0
    chunk: int | None = 0
    exact: int = EXACT
    align: int = 1

    @property
    def is_uniform(self) -> bool:
        return self.lane == 0 and self.row == 0 and self.chunk == 0

    @property
    def is_varying(self) -> bool:
        return self.lane is None

    def __str__(self) -> str:
        if self.is_uniform:
            return "uniform"
        if self.is_varying:
            return "varying" if self.chunk is None else "varying, chunks alike"
        return f"affine ({', '.join('?' if step is None else str(step) for step in self[:3])})"


UNIFORM: Final = Shape(0)
VARYING: Final = Shape(None, None, None)


class Extent(NamedTuple):
    """Numbers of lanes per row, of rows per chunk, and of chunks per unit."""

    lanes: int
    rows: int
    chunks: int

    @property
    def width(self) -> int:
        """Lanes of a chunk."""
        return self.lanes * self.rows


ShapeOf = Callable[[Value], Shape | None]
"""The shape of an operand; None if it is not known yet (in a loop)."""


def shape_of(instruction: Instruction, operand: ShapeOf, extent: Extent, types: Mapping[str, Type | None]) -> Shape:
    """The shape of the result of any instruction except a phi. Operands without a shape are taken to be uniform."""

    def shapes() -> list[Shape]:
        values = instruction.arguments if instruction.op == "call" else instruction.operands
        return [operand(v) or UNIFORM for v in values]

    rule = _RULES.get(instruction.op)
    if rule is not None and not instruction.type.is_vector:
        found = rule(instruction, shapes(), extent)
        if found is not None:
            return normal(found, extent)
    if instruction.op == "getelementptr":
        return normal(_address(instruction, shapes(), types), extent)
    divergence = effects.divergence(instruction)
    if divergence == "warp":  # such code runs whole warps as units
        members = effects.member_mask(instruction)
        return UNIFORM if members is None or (operand(members) or UNIFORM).is_uniform else VARYING
    if divergence == "varying" or (instruction.op == "call" and effects.writes(instruction)):
        return VARYING
    return loaded(combined(shapes()), extent) if effects.reads(instruction) else combined(shapes())


def combined(shapes: Sequence[Shape]) -> Shape:
    """Shape of a result of which only this is known: it is the same if all operands are."""
    if any(s.lane != 0 for s in shapes):
        return Shape(None, None, 0 if all(s.chunk == 0 for s in shapes) else None)
    row = 0 if all(s.row == 0 for s in shapes) else None
    return Shape(0, row, 0 if all(s.chunk == 0 for s in shapes) else None)


def loaded(address: Shape, extent: Extent) -> Shape:
    """Shape of a value that is loaded from an address."""
    return normal(combined([address]), extent)


def joined(a: Shape, b: Shape) -> Shape:
    """Shape of a value chosen between two, with the same choice for every work-item of a unit."""
    lane = a.lane if a.lane == b.lane else None
    row = a.row if a.row == b.row else None
    chunk = a.chunk if a.chunk == b.chunk else None
    return Shape(lane, None if lane is None else row, chunk, a.exact & b.exact, min(a.align, b.align))


def blended(shape: Shape, condition: Shape) -> Shape:
    """Shape of a choice among values of `shape`, if the choice differs between work-items as `condition` does."""
    if condition.lane != 0:
        return Shape(None, None, 0 if shape.chunk == 0 and condition.chunk == 0 else None)
    if shape.is_varying:
        return shape if condition.chunk == 0 else VARYING
    row = shape.row if condition.row == 0 else None
    return shape._replace(row=row, chunk=shape.chunk if condition.chunk == 0 else None, align=1)


def normal(shape: Shape, extent: Extent) -> Shape:
    """The same shape in normal form: steps along an extent of 1 are 0, and varying values have no rows."""
    lane, row, chunk, exact, align = shape
    if extent.chunks == 1:
        chunk = 0
    if lane is None:
        return Shape(None, None, chunk, EXACT if chunk in (0, None) else exact)
    return Shape(lane, 0 if extent.rows == 1 else row, chunk, exact, min(align, MAX_ALIGN))


# -- rules: the shape of a result, or None if there is nothing better than `combined` ----------------------------------

Rule = Callable[[Instruction, list[Shape], Extent], Shape | None]


def _kept(instruction: Instruction, shapes: Sequence[Shape]) -> int:
    """Exactness after arithmetic whose flags say whether it may wrap."""
    exact = EXACT
    for shape in shapes:
        exact &= shape.exact
    flags = instruction.flags
    if instruction.op == "or":  # disjoint: an addition without any carry
        return exact
    allowed = (SIGNED if "nsw" in flags else 0) | (UNSIGNED if "nuw" in flags else 0)
    return exact & allowed


def _add(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    a, b = shapes
    if instruction.op == "or" and "disjoint" not in instruction.flags:
        return _bitwise(instruction, shapes, extent)
    sign = -1 if instruction.op == "sub" else 1
    steps = [None if s is None or t is None else s + sign * t for s, t in zip(a[:3], b[:3], strict=True)]
    return _integer(instruction, steps, _kept(instruction, shapes), min(a.align, b.align))


def _xor(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    """~x, that is -1 - x: LLVM's form of `n - 1 - x` is n + ~x. Other constants: `_bitwise`."""
    a, constant = shapes[0], instruction.operands[1]
    if not isinstance(constant, Constant) or constant.kind != "int" or instruction.type.bits == 1:
        return None
    if constant.integer not in (-1, (1 << instruction.type.bits) - 1):
        return _bitwise(instruction, shapes, extent)
    steps = [None if step is None else -step for step in a[:3]]
    return _integer(instruction, steps, a.exact & SIGNED, 1)


def _integer(instruction: Instruction, steps: list[int | None], exact: int, align: int) -> Shape:
    """Steps and exactness of an integer. If only a lane that is switched off may have the value of the base, unsigned
    exactness needs steps upwards."""
    lane, row, chunk = steps
    if any(step is not None and step < 0 for step in steps) or instruction.op == "sub":
        exact &= ~UNSIGNED
    if lane == 0 and row == 0 and chunk == 0:
        exact = EXACT
    return Shape(lane, row, chunk, exact, align)


def _multiply(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    a, b = shapes
    left, right = instruction.operands
    if not _is_int(right):
        a, b, left, right = b, a, right, left
    if _is_int(right):
        assert isinstance(right, Constant)
        factor = right.integer
        if instruction.op == "shl":
            if not 0 <= factor < instruction.type.bits or right is not instruction.operands[1]:
                return None
            factor = 1 << factor
        steps = [None if step is None else step * factor for step in a[:3]]
        return _integer(instruction, steps, _kept(instruction, shapes), a.align * (factor & -factor or MAX_ALIGN))
    if instruction.op == "shl":
        return None
    if a.is_uniform or b.is_uniform:  # by a factor that only the run knows: what differs, differs by no constant
        other = b if a.is_uniform else a
        steps = [0 if s == 0 else None for s in other[:3]]
        if steps[0] is None:
            return None
        return Shape(steps[0], steps[1], steps[2], EXACT, a.align * b.align)
    return None


def _bitwise(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    """x & C, x | C and x ^ C, if the lanes of a row differ only in a few bits, and C treats these alike: they stay as
    they are, which keeps the step, or become constant."""
    a, constant = shapes[0], instruction.operands[1]
    if not isinstance(constant, Constant) or constant.kind != "int":
        return None
    bits = instruction.type.bits
    if a.lane is None or a.lane < 0 or (extent.lanes - 1) * a.lane >= min(a.align, 1 << bits - 1):
        return None
    number = constant.integer % (1 << bits)
    if instruction.op == "and":
        kept, aligned = number, max(a.align, number & -number or MAX_ALIGN)
    else:
        kept, aligned = ~number % (1 << bits), min(a.align, number & -number or MAX_ALIGN)
    least = a.lane & -a.lane
    differing = (1 << ((extent.lanes - 1) * a.lane).bit_length()) - 1 & -least
    lane = a.lane if kept & differing == differing else None if kept & differing or instruction.op == "xor" else 0
    if lane is None:
        return None
    row, chunk = (_bitwise_step(step, kept, number, bits) for step in a[1:3])
    exact = EXACT if row in (0, None) and chunk in (0, None) else a.exact
    return _integer(instruction, [lane, row, chunk], exact, aligned)


def _bitwise_step(step: int | None, kept: int, number: int, bits: int) -> int | None:
    """The step between rows or chunks after a bitwise operation with `number`, which leaves the bits `kept` alone."""
    if step is None:
        return None
    changed = ~kept % (1 << bits)
    if step % (1 << changed.bit_length()) == 0:  # all bits that may differ stay as they are
        return step
    return 0 if step % (1 << kept.bit_length()) == 0 and number == kept else None


def _shift_down(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    """x >> k, if the lanes of a row don't cross a multiple of 2^k."""
    a, constant = shapes[0], instruction.operands[1]
    if not isinstance(constant, Constant) or constant.kind != "int":
        return None
    needed = UNSIGNED if instruction.op == "lshr" else SIGNED
    if not a.exact & needed or not 0 <= constant.integer < min(instruction.type.bits, 31):
        return None
    size = 1 << constant.integer
    if not _stays_within(a, size, extent):
        return None
    row, chunk = (step // size if step is not None and step % size == 0 else None for step in a[1:3])
    return Shape(0, row, chunk, EXACT, max(1, a.align // size))


def _stays_within(a: Shape, size: int, extent: Extent) -> bool:
    """True if all lanes of each row lie between the same two multiples of `size`, a power of two."""
    return a.lane is not None and a.lane >= 0 and (extent.lanes - 1) * a.lane < min(a.align, size)


def _extend(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    a = shapes[0]
    signed = instruction.op == "sext" or "nneg" in instruction.flags
    unsigned = instruction.op == "zext"
    if (signed and a.exact & SIGNED) or (unsigned and a.exact & UNSIGNED):
        return a._replace(exact=EXACT if a.exact == EXACT else SIGNED)
    return None


def extends_signed(instruction: Instruction, shape: Shape) -> bool:
    """True if the base of a zext must be extended as a signed number, since it is exact as such only."""
    return instruction.op == "zext" and not shape.exact & UNSIGNED


def _truncate(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    a = shapes[0]
    if instruction.type.bits == 1:
        return None
    return a._replace(exact=EXACT if a.is_uniform else 0)


def _same(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    return shapes[0] if not instruction.type.is_float else None


def _select(instruction: Instruction, shapes: list[Shape], extent: Extent) -> Shape | None:
    condition, a, b = shapes
    return blended(joined(a, b), condition) if condition.lane == 0 else None


_RULES: Final[dict[str, Rule]] = {
    "add": _add,
    "sub": _add,
    "or": _add,
    "xor": _xor,
    "mul": _multiply,
    "shl": _multiply,
    "and": _bitwise,
    "lshr": _shift_down,
    "ashr": _shift_down,
    "zext": _extend,
    "sext": _extend,
    "trunc": _truncate,
    "ptrtoint": _same,
    "ptrtoaddr": _same,
    "inttoptr": _same,
    "addrspacecast": _same,
    "freeze": _same,
    "select": _select,
}


def _address(instruction: Instruction, shapes: list[Shape], types: Mapping[str, Type | None]) -> Shape:
    """Steps of an address in bytes."""
    base, indices = shapes[0], shapes[1:]
    steps: list[int | None] = list(base[:3])
    for (index, size), shape in zip(strides(instruction, types), indices, strict=True):
        if index.type.bits < 64 and not shape.exact & SIGNED:
            shape = combined([shape])  # the index is extended
        for i, step in enumerate(shape[:3]):
            before = steps[i]
            steps[i] = None if before is None or step is None else before + step * size
    lane, row, chunk = steps
    return Shape(lane, row, chunk, EXACT)


def strides(address: Instruction | Constant, types: Mapping[str, Type | None]) -> list[tuple[Value, int]]:
    """The indices of an address computation, each with the bytes of a step; 0 for constant indices of fields of
    structs."""
    found: list[tuple[Value, int]] = []
    current = address.source_type
    assert current is not None
    for position, index in enumerate(address.operands[1:]):
        if position:
            while current.kind == "named":
                body = types[current.name]
                assert body is not None
                current = body
            if current.kind == "struct":
                assert isinstance(index, Constant)
                found.append((index, 0))
                current = current.fields[index.integer]
                continue
            current = current.inner
        found.append((index, size_of(current, types)))
    return found


def alignment(value: Value, depth: int = 4) -> int:
    """A power of two that divides an integer, as far as its computation tells."""
    if isinstance(value, Constant):
        return MAX_ALIGN if not _is_int(value) or value.integer == 0 else value.integer & -value.integer
    if not isinstance(value, Instruction) or depth == 0:
        return 1
    if value.op in ("add", "sub", "or"):
        return min(alignment(o, depth - 1) for o in value.operands)
    if value.op == "mul":
        return min(MAX_ALIGN, alignment(value.operands[0], depth - 1) * alignment(value.operands[1], depth - 1))
    if value.op == "shl" and _is_int(value.operands[1]):
        amount = value.operands[1]
        assert isinstance(amount, Constant)
        return min(MAX_ALIGN, alignment(value.operands[0], depth - 1) << max(0, min(amount.integer, 20)))
    if value.op == "and":
        return max(alignment(o, depth - 1) for o in value.operands)
    if value.op in ("zext", "sext", "trunc", "freeze"):
        return alignment(value.operands[0], depth - 1)
    return 1


def _is_int(value: Value) -> bool:
    return isinstance(value, Constant) and value.kind == "int"
