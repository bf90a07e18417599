# SPDX-License-Identifier: Apache-2.0
"""Operations that each work-item does for itself: on scalars if the result is uniform or affine, else on vectors."""

from __future__ import annotations

import re
from typing import Final

from lanewise.analysis.shapes import Shape, extends_signed
from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.ops import OPS
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant
from lanewise.workgroup.lanes.values.lane_code import LaneCode, Mask, blend, narrowed, select
from lanewise.workgroup.lanes.values.lane_values import LaneValue, lanes_type, shuffle, split, together
from lanewise.workgroup.lanes.values.scaling import scaled
from lanewise.workgroup.lowering.division import DIVISIONS

_FORMS: Final = frozenset({"binary", "unary", "cast", "compare", "select", "address", "aggregate"})
_COMPONENT_FORMS: Final = frozenset({"binary", "unary", "cast", "compare", "select"})
_PROMISES: Final = frozenset({"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw"})
"""Flags that turn excluded results into poison. The first lane of a row, a base, may be switched off."""

_IMMEDIATE: Final[dict[str, tuple[int, ...]]] = {
    "llvm.abs": (1,),
    "llvm.ctlz": (1,),
    "llvm.cttz": (1,),
    "llvm.is.fpclass": (1,),
    "llvm.powi": (1,),
}
"""Numbers of the arguments that stay scalars."""

_ELEMENT_WISE: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "abs", "smin", "smax", "umin", "umax", "scmp", "ucmp", "bitreverse", "bswap", "ctpop", "ctlz", "cttz", "fshl",
        "fshr", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat", "sadd.with.overflow",
        "uadd.with.overflow", "ssub.with.overflow", "usub.with.overflow", "smul.with.overflow", "umul.with.overflow",
        "fabs", "copysign", "sqrt", "fma", "fmuladd", "floor", "ceil", "trunc", "rint", "nearbyint", "round",
        "roundeven", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "canonicalize",
        "is.fpclass", "fptosi.sat", "fptoui.sat", "ldexp", "lround", "llround", "lrint", "llrint", "sin", "cos", "tan",
        "exp", "exp2", "exp10", "log", "log2", "log10", "pow",
    )
)  # fmt: skip
"""The intrinsics that LLVM has for vectors. Source: Language Reference, "Intrinsic Functions"."""

_TYPE_SUFFIX: Final = re.compile(r"\.(?:v\d+)?(i\d+|f\d+|bf16)(?=\.|$)")


def is_element_wise(instruction: Instruction) -> bool:
    """Return whether each work-item computes an instruction from its own operands, without memory; vectors do the same
    for all lanes."""
    if instruction.op == "call":
        row = intrinsic_of(instruction.callee)
        return row is not None and row.name in _ELEMENT_WISE and not instruction.type.is_vector
    row = OPS.get(instruction.op)
    if row is None or row.form not in _FORMS:
        return False
    values = (instruction, *instruction.operands)
    return instruction.op in ("extractvalue", "insertvalue") or not any(v.type.is_vector for v in values)


def emit_element_wise(code: LaneCode, instruction: Instruction, block: Block, mask: Mask) -> LaneValue:
    """Emit an instruction for all work-items. The result of those that are switched off is arbitrary."""
    shape = code.divergence.at_definition(instruction)
    affine = any(shape[:3])
    keep = not affine and (shape.is_varying or (shape.is_uniform and mask is None))
    first = 1 if instruction.op == "call" else 0
    immediate = _IMMEDIATE.get(_base_name(instruction), ()) if first else ()
    originals = instruction.operands[first:]
    operands = [code.use(o, block) for i, o in enumerate(originals) if i not in immediate]
    if mask is not None and instruction.op in DIVISIONS:
        operands = harmless(code, instruction.op, operands, mask, shape)

    def make(parts: list[Value]) -> Value:
        rest = iter(parts)
        arguments = [o if i in immediate else next(rest) for i, o in enumerate(originals)]
        return _emit(code, instruction, arguments, shape, keep)

    return code.mapped(instruction.type, shape, operands, make)


def harmless(code: LaneCode, op: str, operands: list[LaneValue], mask: LaneValue, shape: Shape) -> list[LaneValue]:
    """Operands of a division that can't trap for work-items that are switched off, whatever they hold: a divisor of at
    least 1, read as unsigned, and for signed divisions a dividend of 0.

    (A divisor that is 1 if the mask is false would not do: LLVM's code generation divides first and selects then.)
    """
    dividend, divisor = operands

    def at_least_one(parts: list[Value]) -> Value:
        known = code.build.emit(Instruction("freeze", parts[0].type, (parts[0],)))
        type_ = known.type
        suffix = f"v{type_.count}i{type_.inner.bits}" if type_.is_vector else f"i{type_.bits}"
        one = int_constant(type_.scalar, 1)
        ones = Constant(type_, "splat", operands=(one,)) if type_.is_vector else one
        return code.intrinsic(f"llvm.umax.{suffix}", type_, [known, ones])

    if not isinstance(divisor.parts[0], Constant):
        divisor = code.mapped(divisor.type, shape, [divisor], at_least_one)
    if op in ("sdiv", "srem") and not isinstance(divisor.parts[0], Constant):
        zero = LaneValue.uniform(int_constant(dividend.type, 0))
        merged = code.mask_of(mask, shape) or mask
        dividend = blend(code, merged if shape.is_varying else narrowed(code, mask, shape), dividend, zero, shape)
    return [dividend, divisor]


def _emit(code: LaneCode, instruction: Instruction, operands: list[Value], shape: Shape, keep: bool) -> Value:
    """The operation on scalars, or on vectors, as its operands are."""
    width = code.extent.width if shape.is_varying else 0
    type_ = lanes_type(instruction.type, width) if width else instruction.type
    if instruction.op == "call":
        return _call(code, instruction, type_, operands, width)
    if instruction.op == "select":
        return select(code, *operands)
    op = instruction.op
    flags = instruction.flags if keep else tuple(f for f in instruction.flags if f not in _PROMISES)
    if any(shape[:3]):
        if op == "or" and "disjoint" in instruction.flags:  # of the base, which may be switched off, an addition
            op = "add"
        elif op == "zext" and extends_signed(instruction, shape):
            op = "sext"
    new = Instruction(
        op,
        type_,
        operands,
        flags=flags,
        metadata=instruction.metadata if keep else (),
        predicate=instruction.predicate,
        source_type=instruction.source_type,
        indices=instruction.indices,
    )
    return code.build.emit(new)


def _base_name(call: Instruction) -> str:
    row = intrinsic_of(call.callee)
    assert row is not None
    return row.name


def _call(code: LaneCode, call: Instruction, type_: Type, operands: list[Value], width: int) -> Value:
    name = call.callee
    base = _base_name(call)
    if width:
        if base == "llvm.ldexp" and (product := scaled(code, *operands)) is not None:
            return product
        name = base + _TYPE_SUFFIX.sub(rf".v{width}\1", name[len(base) :])
    target = code.external(name, ty.function(type_, tuple(o.type for o in operands)))
    flags = tuple(f for f in call.flags if f not in ("tail", "musttail", "notail"))
    site = CallSite(target.value_type)
    return code.build.emit(Instruction("call", type_, (target, *operands), flags=flags, call=site))


# -- vectors of the program's ------------------------------------------------------------------------------------------


def is_vector_access(code: LaneCode, instruction: Instruction) -> bool:
    """Return whether an instruction accesses elements of a vector of the program's by constant indices, or the same in
    all lanes."""
    if instruction.op in ("extractelement", "insertelement"):
        constant = isinstance(instruction.operands[-1], Constant)
        return constant or not code.divergence.at_definition(instruction).is_varying
    return instruction.op == "shufflevector"


def emit_vector_access(code: LaneCode, instruction: Instruction, block: Block) -> LaneValue:
    """Emit an access to elements of vectors of the program's. Those that vary are structs, with a field for each
    element."""
    shape = code.divergence.at_definition(instruction)
    operands = [code.use(o, block) for o in instruction.operands]
    if not shape.is_varying:
        return code.mapped(instruction.type, shape, operands, lambda parts: _scalar_access(code, instruction, parts))
    build = code.build
    if instruction.op == "shufflevector":
        mask = instruction.operands[2]
        assert isinstance(mask, Constant)
        return code.mapped(
            instruction.type, shape, operands[:2], lambda p: _shuffled(code, instruction.type, p[0], p[1], mask)
        )
    place = instruction.operands[-1]
    assert isinstance(place, Constant)
    index = place.integer

    def make(parts: list[Value]) -> Value:
        if instruction.op == "extractelement":
            field = lanes_type(instruction.type, code.extent.width)
            return build.emit(Instruction("extractvalue", field, (parts[0],), indices=(index,)))
        type_ = lanes_type(instruction.type, code.extent.width)
        return build.emit(Instruction("insertvalue", type_, (parts[0], parts[1]), indices=(index,)))

    return code.mapped(instruction.type, shape, operands[:-1], make)


def _scalar_access(code: LaneCode, instruction: Instruction, parts: list[Value]) -> Value:
    return code.build.emit(Instruction(instruction.op, instruction.type, parts))


def _shuffled(code: LaneCode, type_: Type, a: Value, b: Value, mask: Constant) -> Value:
    build = code.build
    whole: Value = Constant(lanes_type(type_, code.extent.width), "poison")
    count = len(a.type.fields)
    for place, index in enumerate(_indices(mask)):
        if index is None:
            continue
        source, field = (a, index) if index < count else (b, index - count)
        taken = build.emit(Instruction("extractvalue", source.type.fields[field], (source,), indices=(field,)))
        whole = build.emit(Instruction("insertvalue", whole.type, (whole, taken), indices=(place,)))
    return whole


def _indices(mask: Constant) -> list[int | None]:
    if mask.kind == "zeroinitializer":
        return [0] * mask.type.count
    if mask.kind in ("poison", "undef"):
        return [None] * mask.type.count
    elements = mask.operands * mask.type.count if mask.kind == "splat" else mask.operands
    return [e.integer if isinstance(e, Constant) and e.kind == "int" else None for e in elements]


def _is_vector_call(instruction: Instruction) -> bool:
    row = intrinsic_of(instruction.callee) if instruction.op == "call" else None
    return row is not None and row.name in _ELEMENT_WISE


def by_component(code: LaneCode, instruction: Instruction, block: Block, mask: Mask) -> LaneValue | None:
    """Emit an element-wise operation on vectors of the program's, which vary: component by component."""
    del mask
    shape = code.divergence.at_definition(instruction)
    row = OPS.get(instruction.op)
    if not instruction.type.is_vector and instruction.op != "bitcast":
        return None
    if row is None or not (row.form in _COMPONENT_FORMS or _is_vector_call(instruction)):
        return None
    first = 1 if instruction.op == "call" else 0
    immediate = _IMMEDIATE.get(_base_name(instruction), ()) if first else ()
    originals = instruction.operands[first:]
    operands = [code.use(o, block) for i, o in enumerate(originals) if i not in immediate]
    if instruction.op == "bitcast" and shape.is_varying:
        return code.mapped(instruction.type, shape, operands, lambda parts: _bitcast(code, instruction, parts[0]))
    if not shape.is_varying:

        def once(parts: list[Value]) -> Value:
            rest = iter(parts)
            arguments = [o if i in immediate else next(rest) for i, o in enumerate(originals)]
            return _emit(code, instruction, arguments, shape, False)

        return code.mapped(instruction.type, shape, operands, once)
    build = code.build
    field = lanes_type(instruction.type.inner, code.extent.width)

    def make(parts: list[Value]) -> Value:
        whole: Value = Constant(lanes_type(instruction.type, code.extent.width), "poison")
        for index in range(instruction.type.count):
            taken = [
                build.emit(Instruction("extractvalue", p.type.fields[index], (p,), indices=(index,)))
                if p.type.kind == "struct"
                else p
                for p in parts
            ]
            if instruction.op == "select":
                condition, a, b = taken
                done = build.select(condition, a, b)
            elif first:
                rest = iter(taken)
                arguments = [o if i in immediate else next(rest) for i, o in enumerate(originals)]
                done = _call(code, instruction, field, arguments, code.extent.width)
            else:
                flags, predicate = instruction.flags, instruction.predicate
                done = build.emit(Instruction(instruction.op, field, taken, flags=flags, predicate=predicate))
            whole = build.emit(Instruction("insertvalue", whole.type, (whole, done), indices=(index,)))
        return whole

    return code.mapped(instruction.type, shape, operands, make)


def _bitcast(code: LaneCode, cast: Instruction, value: Value) -> Value:
    """Convert between vectors of the program's, or a vector and a number: element by element where there are as many,
    and else by the concatenated bits of each lane."""
    build, width = code.build, code.extent.width
    source, target = cast.operands[0].type, cast.type
    if source.is_vector and target.is_vector and source.count == target.count:
        lanes = ty.vector(width, target.scalar)
        return together(
            lanes_type(target, width), [build.cast("bitcast", f, lanes) for f in split(value, build)], build
        )
    flat = value
    if source.is_vector:
        flat = _interleaved(code, split(value, build))
    count = target.count if target.is_vector else 1
    flat = build.cast("bitcast", flat, ty.vector(width * count, target.scalar))
    if not target.is_vector:
        return flat
    fields = [shuffle(flat, None, [lane * count + i for lane in range(width)], build) for i in range(count)]
    return together(lanes_type(target, width), fields, build)


def _interleaved(code: LaneCode, fields: list[Value]) -> Value:
    """The fields of each lane, concatenated. Halves of a power of two are merged alike, for which hosts have
    instructions; any other number is merged one by one."""
    build, width = code.build, code.extent.width
    count = len(fields)
    if count > 1 and count & (count - 1) == 0:
        even, odd = (_interleaved(code, fields[start::2]) for start in (0, 1))
        size = width * count // 2
        return shuffle(even, odd, [place // 2 + size * (place % 2) for place in range(2 * size)], build)
    flat, count = fields[0], 1
    for field in fields[1:]:
        wide = shuffle(field, None, [lane if lane < width else -1 for lane in range(width * count)], build)
        mask = [
            lane * count + i if i < count else width * count + lane for lane in range(width) for i in range(count + 1)
        ]
        flat = shuffle(flat, wide, mask, build)
        count += 1
    return flat
