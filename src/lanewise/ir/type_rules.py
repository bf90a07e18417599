# SPDX-License-Identifier: Apache-2.0
"""Rules for the types of operands and results, one per form of the op table.

Calls and returns have their types from a function and not from a form: `verifier.py` has their rules.
Source: LLVM Language Reference, "Instruction Reference".
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes
from lanewise.ir.ops import ATOMIC_OPERATIONS, OPS, ORDERINGS
from lanewise.ir.predicates import FLOAT_PREDICATES, INT_PREDICATES
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value
from lanewise.ir.writer import local_names, write_value


class TypeFault(Exception):
    """The fault of one instruction, in words."""


def check_types(instruction: Instruction, names: NamedTypes) -> None:
    """Raises TypeFault if `instruction` breaks the rule of its form. `names` holds the bodies of `%name` types;
    members of a type that it lacks are not checked."""
    rule = _RULES.get(OPS[instruction.op].form)
    if rule is not None:
        rule(instruction, names)


# -- faults ----------------------------------------------------------------------------------------------------


def wrong_operand(instruction: Instruction, index: int, expected: str, first: int = 0) -> TypeFault:
    """`arg 1 (%x) has type i8, expected i32`; arguments are counted from operand `first`."""
    operand = instruction.operands[index]
    shown = write_value(operand, local_names(instruction.function))
    return TypeFault(f"arg {index - first} ({shown}) has type {operand.type}, expected {expected}")


def _count(instruction: Instruction, least: int, most: int | None = None) -> None:
    found = len(instruction.operands)
    if not least <= found <= (least if most is None else most):
        raise TypeFault(f"{instruction.op} has {found} operands, expected {least}")


def _same(instruction: Instruction, index: int, expected: Type) -> None:
    if instruction.operands[index].type is not expected:
        raise wrong_operand(instruction, index, str(expected))


def _is(instruction: Instruction, index: int, test: Callable[[Type], bool], expected: str) -> Type:
    type_ = instruction.operands[index].type
    if not test(type_):
        raise wrong_operand(instruction, index, expected)
    return type_


def _gives(instruction: Instruction, expected: Type) -> None:
    if instruction.type is not expected:
        raise TypeFault(f"the result has type {instruction.type}, expected {expected}")


def _ints(type_: Type) -> bool:
    return type_.scalar.kind == "int"


def _floats(type_: Type) -> bool:
    return type_.scalar.is_float


def _pointers(type_: Type) -> bool:
    return type_.scalar.kind == "ptr"


def _ints_or_pointers(type_: Type) -> bool:
    return type_.scalar.kind in ("int", "ptr")


def _pointer(type_: Type) -> bool:
    return type_.kind == "ptr"


def _vector(type_: Type) -> bool:
    return type_.kind == "vector"


def _in_registers(type_: Type) -> bool:
    return type_.kind not in ("void", "function")


# -- arithmetic ------------------------------------------------------------------------------------------------


def _binary(instruction: Instruction, _: NamedTypes) -> None:
    _count(instruction, 2)
    if instruction.op[0] == "f":
        type_ = _is(instruction, 0, _floats, "a floating-point type")
    else:
        type_ = _is(instruction, 0, _ints, "an integer type")
    _same(instruction, 1, type_)
    _gives(instruction, type_)


def _unary(instruction: Instruction, _: NamedTypes) -> None:
    _count(instruction, 1)
    if instruction.op == "fneg":
        _is(instruction, 0, _floats, "a floating-point type")
    _gives(instruction, instruction.operands[0].type)


class _Cast(NamedTuple):
    """Operand and result of a cast; `grows` is the change of an element's width: 1, -1, or 0 for either."""

    source: Callable[[Type], bool]
    takes: str
    target: Callable[[Type], bool]
    gives: str
    grows: int = 0


_CASTS: Final = {
    "trunc": _Cast(_ints, "integers", _ints, "narrower integers", -1),
    "zext": _Cast(_ints, "integers", _ints, "wider integers", 1),
    "sext": _Cast(_ints, "integers", _ints, "wider integers", 1),
    "fptrunc": _Cast(_floats, "floating-point values", _floats, "narrower floating-point values", -1),
    "fpext": _Cast(_floats, "floating-point values", _floats, "wider floating-point values", 1),
    "fptoui": _Cast(_floats, "floating-point values", _ints, "integers"),
    "fptosi": _Cast(_floats, "floating-point values", _ints, "integers"),
    "uitofp": _Cast(_ints, "integers", _floats, "floating-point values"),
    "sitofp": _Cast(_ints, "integers", _floats, "floating-point values"),
    "ptrtoint": _Cast(_pointers, "pointers", _ints, "integers"),
    "ptrtoaddr": _Cast(_pointers, "pointers", _ints, "integers"),
    "inttoptr": _Cast(_ints, "integers", _pointers, "pointers"),
    "addrspacecast": _Cast(_pointers, "pointers", _pointers, "pointers to another address space"),
}


def _cast(instruction: Instruction, _: NamedTypes) -> None:
    _count(instruction, 1)
    source, target = instruction.operands[0].type, instruction.type
    if instruction.op == "bitcast":
        if "opaque" in (source.kind, target.kind):
            return
        if _bits(source) != _bits(target) or _pointers(source) != _pointers(target):
            raise TypeFault(f"the result has type {target}, expected one of the same size as {source}")
        if _pointers(source) and source.scalar is not target.scalar:
            raise TypeFault(f"the result has type {target}, expected one of the address space of {source}")
        return
    row = _CASTS[instruction.op]
    _is(instruction, 0, row.source, row.takes)
    fits = row.target(target) and target.scalar.with_shape_of(source) is target
    change = target.scalar.bits - source.scalar.bits
    if instruction.op == "addrspacecast":
        fits = fits and target is not source
    if not fits or change * row.grows < 0 or (row.grows and not change):
        raise TypeFault(f"the result has type {target}, expected {row.gives} in the shape of {source}")


def _bits(type_: Type) -> tuple[int, bool]:
    if type_.kind == "vector":
        return type_.count * type_.inner.bits, type_.scalable
    return type_.bits, False


def _compare(instruction: Instruction, _: NamedTypes) -> None:
    _count(instruction, 2)
    if instruction.op == "icmp":
        type_ = _is(instruction, 0, _ints_or_pointers, "integers or pointers")
        predicates = INT_PREDICATES
    else:
        type_ = _is(instruction, 0, _floats, "a floating-point type")
        predicates = FLOAT_PREDICATES
    _same(instruction, 1, type_)
    _gives(instruction, ty.I1.with_shape_of(type_))
    if instruction.predicate not in predicates:
        raise TypeFault(f"{instruction.predicate!r} is no predicate of {instruction.op}")


def _phi(instruction: Instruction, _: NamedTypes) -> None:
    if not _in_registers(instruction.type) or len(instruction.operands) % 2:
        raise TypeFault("a phi gives a value and has (value, block) pairs")
    for index, operand in enumerate(instruction.operands):
        if index % 2 == 0:
            _same(instruction, index, instruction.type)
        elif not isinstance(operand, Block):
            raise wrong_operand(instruction, index, "a block")


def _select(instruction: Instruction, _: NamedTypes) -> None:
    _count(instruction, 3)
    type_ = instruction.type
    condition = instruction.operands[0].type
    if condition is not ty.I1 and not (type_.is_vector and condition is ty.I1.with_shape_of(type_)):
        raise wrong_operand(instruction, 0, "i1, or one i1 for each element")
    _same(instruction, 1, type_)
    _same(instruction, 2, type_)


# -- vectors and aggregates ------------------------------------------------------------------------------------


def _element(instruction: Instruction, _: NamedTypes) -> None:
    op = instruction.op
    _count(instruction, 2 if op == "extractelement" else 3)
    type_ = _is(instruction, 0, _vector, "a vector")
    if op == "extractelement":
        _is(instruction, 1, lambda t: t.is_int, "an integer")
        _gives(instruction, type_.inner)
    elif op == "insertelement":
        _same(instruction, 1, type_.inner)
        _is(instruction, 2, lambda t: t.is_int, "an integer")
        _gives(instruction, type_)
    else:
        _same(instruction, 1, type_)
        mask = _is(instruction, 2, lambda t: t.is_vector and t.inner is ty.I32, "a vector of i32")
        if instruction.operands[2].__class__ is not Constant:
            raise wrong_operand(instruction, 2, "a constant")
        _gives(instruction, ty.vector(mask.count, type_.inner, mask.scalable))


def _aggregate(instruction: Instruction, names: NamedTypes) -> None:
    extracts = instruction.op == "extractvalue"
    _count(instruction, 1 if extracts else 2)
    whole = instruction.operands[0].type
    if not instruction.indices:
        raise TypeFault(f"{instruction.op} has no index")
    member = whole
    for index in instruction.indices:
        if member.kind == "named" and member.name not in names:
            return
        member = _member(instruction, member, index, names)
    if extracts:
        _gives(instruction, member)
    else:
        _same(instruction, 1, member)
        _gives(instruction, whole)


def _member(instruction: Instruction, type_: Type, index: int, names: NamedTypes) -> Type:
    body = names[type_.name] if type_.kind == "named" else type_
    if body is not None and body.kind == "array" and index < body.count:
        return body.inner
    if body is not None and body.kind == "struct" and index < len(body.fields):
        return body.fields[index]
    raise TypeFault(f"{instruction.op} has index {index}, which {type_} doesn't have")


# -- memory ----------------------------------------------------------------------------------------------------


def _address(instruction: Instruction, names: NamedTypes) -> None:
    operands = instruction.operands
    if not operands or instruction.source_type is None:
        raise TypeFault("getelementptr needs a source type and an address")
    result = _is(instruction, 0, _pointers, "a pointer")
    for index in range(1, len(operands)):
        type_ = _is(instruction, index, _ints, "an integer")
        if type_.is_vector and result.is_vector and type_.count != result.count:
            raise wrong_operand(instruction, index, f"{result.count} elements")
        result = result if result.is_vector else result.with_shape_of(type_)
    _gives(instruction, result)
    inside = instruction.source_type
    for index in range(2, len(operands)):
        body = names.get(inside.name) if inside.kind == "named" else inside
        if body is None:
            return
        if body.kind == "struct":
            inside = body.fields[_field_index(instruction, index, body)]
        elif body.kind in ("array", "vector"):
            inside = body.inner
        else:
            raise TypeFault(f"getelementptr has {len(operands) - 1} indices, too many for a {inside}")


def _field_index(instruction: Instruction, index: int, body: Type) -> int:
    operand = instruction.operands[index]
    while isinstance(operand, Constant) and operand.kind in ("splat", "aggregate"):
        operand = operand.operands[0]
    if not isinstance(operand, Constant) or operand.kind not in ("int", "zeroinitializer"):
        raise TypeFault(f"arg {index} of getelementptr picks a field of {body}, expected a constant")
    if not 0 <= operand.integer < len(body.fields):
        raise TypeFault(f"getelementptr has index {operand.integer}, which {body} doesn't have")
    return operand.integer


_LOAD_ORDERINGS: Final = ORDERINGS - {"release", "acq_rel"}
_STORE_ORDERINGS: Final = ORDERINGS - {"acquire", "acq_rel"}
_FENCE_ORDERINGS: Final = ORDERINGS - {"unordered", "monotonic"}
_UPDATE_ORDERINGS: Final = ORDERINGS - {"unordered"}


def _memory(instruction: Instruction, _: NamedTypes) -> None:
    _MEMORY_RULES[instruction.op](instruction)


def _alloca(instruction: Instruction) -> None:
    _count(instruction, 0, 1)
    if instruction.source_type is None or not _pointer(instruction.type):
        raise TypeFault("alloca needs the type that it allocates, and gives a pointer")
    if instruction.operands:
        _is(instruction, 0, lambda t: t.is_int, "an integer")


def _load(instruction: Instruction) -> None:
    _count(instruction, 1)
    _is(instruction, 0, _pointer, "a pointer")
    if not _in_registers(instruction.type):
        raise TypeFault(f"load gives a {instruction.type}, which is no value")
    _ordered(instruction, "atomic" in instruction.flags, _LOAD_ORDERINGS)


def _store(instruction: Instruction) -> None:
    _count(instruction, 2)
    _is(instruction, 0, _in_registers, "a value")
    _is(instruction, 1, _pointer, "a pointer")
    _gives(instruction, ty.VOID)
    _ordered(instruction, "atomic" in instruction.flags, _STORE_ORDERINGS)


def _atomicrmw(instruction: Instruction) -> None:
    _count(instruction, 2)
    _is(instruction, 0, _pointer, "a pointer")
    operation = instruction.predicate
    if operation not in ATOMIC_OPERATIONS:
        raise TypeFault(f"{operation!r} is no operation of atomicrmw")
    if operation[0] == "f":
        type_ = _is(instruction, 1, _floats, "a floating-point type")
    elif operation == "xchg":
        type_ = _is(instruction, 1, lambda t: _ints_or_pointers(t) or _floats(t), "a scalar")
    else:
        type_ = _is(instruction, 1, lambda t: t.is_int, "an integer")
    _gives(instruction, type_)
    _ordered(instruction, True, _UPDATE_ORDERINGS)


def _cmpxchg(instruction: Instruction) -> None:
    _count(instruction, 3)
    _is(instruction, 0, _pointer, "a pointer")
    type_ = _is(instruction, 1, lambda t: t.is_int or t.is_pointer, "an integer or pointer")
    _same(instruction, 2, type_)
    _gives(instruction, ty.struct((type_, ty.I1)))
    _ordered(instruction, True, _UPDATE_ORDERINGS)
    failure = instruction.ordering.failure if instruction.ordering else ""
    if failure not in _LOAD_ORDERINGS - {"unordered"}:
        raise TypeFault(f"cmpxchg can't be {failure or 'unordered'} where it fails")


def _fence(instruction: Instruction) -> None:
    _count(instruction, 0)
    _ordered(instruction, True, _FENCE_ORDERINGS)


def _va_arg(instruction: Instruction) -> None:
    _count(instruction, 1)
    _is(instruction, 0, _pointer, "a pointer")


def _ordered(instruction: Instruction, atomic: bool, allowed: frozenset[str]) -> None:
    ordering = instruction.ordering
    if atomic != (ordering is not None):
        raise TypeFault(f"{instruction.op} {'lacks' if atomic else 'is not atomic, but has'} an ordering")
    if ordering is not None and ordering.success not in allowed:
        raise TypeFault(f"{instruction.op} can't be {ordering.success}")


_MEMORY_RULES: Final[dict[str, Callable[[Instruction], None]]] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "fence": _fence,
    "va_arg": _va_arg,
}


# -- control flow ----------------------------------------------------------------------------------------------


def _terminator(instruction: Instruction, _: NamedTypes) -> None:
    op, operands = instruction.op, instruction.operands
    _gives(instruction, ty.VOID)
    if op == "unreachable":
        _count(instruction, 0)
    elif op == "br":
        _blocks(instruction, 0 if len(operands) == 1 else 1)
        if len(operands) != 1:
            _count(instruction, 3)
            _same(instruction, 0, ty.I1)
    elif op == "switch":
        _switch(instruction)
    elif op == "indirectbr":
        _count(instruction, 1, len(operands))
        _is(instruction, 0, _pointer, "a pointer")
        _blocks(instruction, 1)


def _switch(instruction: Instruction) -> None:
    operands = instruction.operands
    if len(operands) < 2 or len(operands) % 2:
        raise TypeFault("switch needs a value, a default block, and (constant, block) pairs")
    type_ = _is(instruction, 0, lambda t: t.is_int, "an integer")
    _blocks(instruction, 1, 2)
    seen: set[int] = set()
    for index in range(2, len(operands), 2):
        _same(instruction, index, type_)
        case: Value = operands[index]
        if not isinstance(case, Constant) or case.kind != "int":
            raise wrong_operand(instruction, index, "an integer constant")
        if case.integer in seen:
            raise TypeFault(f"switch has case {case.integer} twice")
        seen.add(case.integer)


def _blocks(instruction: Instruction, start: int, step: int = 1) -> None:
    for index in range(start, len(instruction.operands), step):
        if not isinstance(instruction.operands[index], Block):
            raise wrong_operand(instruction, index, "a block")


_RULES: Final[dict[str, Callable[[Instruction, NamedTypes], None]]] = {
    "binary": _binary,
    "unary": _unary,
    "cast": _cast,
    "compare": _compare,
    "phi": _phi,
    "select": _select,
    "element": _element,
    "aggregate": _aggregate,
    "address": _address,
    "memory": _memory,
    "terminator": _terminator,
}
