# SPDX-License-Identifier: Apache-2.0
"""Video instructions: arithmetic on bytes and halves of words, with a second operation on the result.

Scalar ones compute in 64 bits, wider than any intermediate result; `vmad` in 128. Those of two or four parts take each
part from either operand.

Source: PTX ISA 9.0, 9.7.18 "Video Instructions".
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.frontend.ptx.instructions.comparisons import compare
from lanewise.frontend.ptx.instructions.integers import extreme
from lanewise.frontend.ptx.instructions.words import Row, types_of
from lanewise.frontend.ptx.ptx_types import is_signed
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64, int_constant
from lanewise.ptx.language.operands import Name, Negated, Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

Operation = Callable[["PtxCode", Value, Value], Value]

_SELECTED: Final = re.compile(r"(%?[\w$]+)\.([bh])(\d+)").fullmatch
_I128: Final = ty.integer(128)
_WORD: Final = 32


class _Selection(NamedTuple):
    """A register, and the parts of it that are meant: their size in bits, and their numbers, the highest part first."""

    operand: Operand
    bits: int
    places: tuple[int, ...]


def _selection(operand: Operand) -> _Selection:
    """`%r1.h0` taken apart; an operand without a selection is a whole word."""
    found = _SELECTED(operand.text) if isinstance(operand, Name) else None
    if found is None:
        return _Selection(operand, _WORD, (0,))
    places = tuple(int(digit) for digit in found[3])
    return _Selection(Name(found[1]), 8 if found[2] == "b" else 16, places)


# ---- Operations ----------------------------------------------------------------------------------------------


def _binary(op: str) -> Operation:
    return lambda code, x, y: code.build.binary(op, x, y)


def _extreme(name: str) -> Operation:
    return lambda code, x, y: extreme(code, name, x, y)


def _distance(code: "PtxCode", x: Value, y: Value) -> Value:
    difference = code.build.binary("sub", x, y)
    return code.intrinsic("abs.i64", ty.I64, difference, int_constant(ty.I1, 0))


def _average(code: "PtxCode", x: Value, y: Value) -> Value:
    """Half the sum; halves are rounded away from zero."""
    total = code.build.binary("add", x, y)
    up = code.build.cast("zext", code.build.compare("sge", total, i64(0)), ty.I64)
    return code.build.binary("ashr", code.build.binary("add", total, up), i64(1))


_OPERATIONS: Final[dict[str, Operation]] = {
    "vadd": _binary("add"), "vsub": _binary("sub"), "vabsdiff": _distance, "vmin": _extreme("smin"),
    "vmax": _extreme("smax"), "vavrg": _average,
}  # fmt: skip
_SECOND: Final[dict[str, Operation]] = {"add": _binary("add"), "min": _extreme("smin"), "max": _extreme("smax")}


def _compared(code: "PtxCode", instruction: Instruction, x: Value, y: Value) -> Value:
    relation = next(word for word in instruction.modifiers if word in ("eq", "ne", "lt", "le", "gt", "ge"))
    return code.build.cast("zext", compare(code, relation, "s64", x, y), ty.I64)


def _clamped(code: "PtxCode", value: Value, bits: int, signed: bool) -> Value:
    """The nearest integer of so many bits."""
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    low = extreme(code, "smax", value, int_constant(value.type, least))
    return extreme(code, "smin", low, int_constant(value.type, most))


def _part(code: "PtxCode", word: Value, bits: int, place: int, signed: bool, wide: Type = ty.I64) -> Value:
    """A part of a word in a wider type."""
    if bits < word.type.bits:
        word = code.build.binary("lshr", word, int_constant(word.type, bits * place)) if place else word
        word = code.build.cast("trunc", word, ty.integer(bits))
    return code.extended(word, wide, signed)


def _inserted(code: "PtxCode", part: Value, into: Value, bits: int, place: int) -> Value:
    """A word with a part of it replaced by low bits of a number."""
    mask = (1 << bits) - 1
    low = code.build.binary("and", code.build.cast("trunc", part, ty.I32), int_constant(ty.I32, mask))
    rest = code.build.binary("and", into, int_constant(ty.I32, ~(mask << bits * place)))
    return code.build.binary("or", rest, code.build.binary("shl", low, int_constant(ty.I32, bits * place)))


# ---- One part ------------------------------------------------------------------------------------------------


def _scalar(code: "PtxCode", instruction: Instruction) -> None:
    types = types_of(instruction)
    target, a, b, *third = instruction.operands
    to = "u32" if instruction.name == "vset" else types.pop(0)
    x, y = (
        _part(code, code.read(each.operand, "b32"), each.bits, each.places[0], is_signed(word))
        for each, word in zip((_selection(a), _selection(b)), types, strict=True)
    )
    if instruction.name == "vset":
        result = _compared(code, instruction, x, y)
    elif instruction.name in ("vshl", "vshr"):
        result = _shifted(code, instruction, x, y)
    else:
        result = _OPERATIONS[instruction.name](code, x, y)
    place = _selection(target)
    if "sat" in instruction.modifiers:
        result = _clamped(code, result, place.bits, is_signed(to))
    _finish(code, instruction, result, place, third, is_signed(to))


def _shifted(code: "PtxCode", instruction: Instruction, x: Value, count: Value) -> Value:
    if "wrap" in instruction.modifiers:
        count = code.build.binary("and", count, i64(_WORD - 1))
    else:
        count = extreme(code, "umin", count, i64(_WORD))
    if instruction.name == "vshl" and "sat" in instruction.modifiers:  # all bits count
        wide = code.build.binary("shl", code.extended(x, _I128, True), code.extended(count, _I128, False))
        low, high = (int_constant(_I128, number) for number in (-(1 << 62), 1 << 62))
        within = extreme(code, "smin", extreme(code, "smax", wide, low), high)
        return code.build.cast("trunc", within, ty.I64)
    return code.build.binary("shl" if instruction.name == "vshl" else "ashr", x, count)


def _finish(
    code: "PtxCode", instruction: Instruction, result: Value, place: _Selection, third: list[Operand], signed: bool
) -> None:
    """Set the result, after the second operation or as a part of the third operand."""
    word: Value = code.build.cast("trunc", result, ty.I32)
    second = next((each for each in instruction.modifiers if each in _SECOND), None)
    if place.bits < _WORD:
        word = _inserted(code, result, code.read(third[0], "b32"), place.bits, place.places[0])
    elif second is not None and third:
        other = code.extended(code.read(third[0], "b32"), ty.I64, signed)
        both = _SECOND[second](code, code.extended(word, ty.I64, signed), other)
        word = code.build.cast("trunc", both, ty.I32)
    code.write(place.operand, word)


def _vmad(code: "PtxCode", instruction: Instruction) -> None:
    """A product and a sum of 128 bits, shifted and brought within 32. Two operands with different signs negate the
    product."""
    words = instruction.modifiers
    types = types_of(instruction)
    target, *operands = instruction.operands
    negated = [isinstance(each, Negated) for each in operands]
    plain = [_selection(each.operand if isinstance(each, Negated) else each) for each in operands]
    less, subtracts = negated[0] != negated[1], negated[2]
    signed = is_signed(types[1]) or is_signed(types[2]) or less or subtracts
    a, b = (
        _part(code, code.read(each.operand, "b32"), each.bits, each.places[0], is_signed(word), _I128)
        for each, word in zip(plain, types[1:], strict=False)
    )
    product: Value = code.build.binary("mul", a, b)
    c = code.extended(code.read(plain[2].operand, "b32"), _I128, signed)
    nothing = int_constant(_I128, 0)
    if less and "po" not in words:
        product = code.build.binary("sub", nothing, product)
    elif subtracts and "po" not in words:
        c = code.build.binary("sub", nothing, c)
    total: Value = code.build.binary("add", product, c)
    if "po" in words:
        total = code.build.binary("add", total, int_constant(_I128, 1))
    shift = next((int(word[3:]) for word in words if word in ("shr7", "shr15")), 0)
    if shift:
        total = code.build.binary("ashr", total, int_constant(_I128, shift))
    if "sat" in words:
        total = _clamped(code, total, _WORD, signed)
    code.write(target, code.build.cast("trunc", total, ty.I32))


# ---- Two or four parts ---------------------------------------------------------------------------------------


def _in_parts(parts: int) -> Row:
    bits = _WORD // parts

    def row(code: "PtxCode", instruction: Instruction) -> None:
        name = instruction.name[:-1]
        types = types_of(instruction)
        to = "u32" if name == "vset" else types.pop(0)
        target, a, b, c = instruction.operands
        mask, of_a, of_b = _selection(target), _selection(a), _selection(b)
        words = code.read(of_a.operand, "b32"), code.read(of_b.operand, "b32")
        into = code.read(c, "b32")
        total = into
        for place in range(parts):
            if mask.bits < _WORD and place not in mask.places:
                continue
            x, y = (
                _chosen(code, words, bits, chosen, place + first, is_signed(word))
                for chosen, first, word in ((of_a, 0, types[0]), (of_b, parts, types[1]))
            )
            result = _compared(code, instruction, x, y) if name == "vset" else _OPERATIONS[name](code, x, y)
            if "sat" in instruction.modifiers:
                result = _clamped(code, result, bits, is_signed(to))
            if "add" in instruction.modifiers:
                total = code.build.binary("add", total, code.build.cast("trunc", result, ty.I32))
            else:
                total = _inserted(code, result, total, bits, place)
        code.write(mask.operand, total)

    return row


def _chosen(
    code: "PtxCode", words: tuple[Value, Value], bits: int, chosen: _Selection, usual: int, signed: bool
) -> Value:
    """A part of two words, the second one above the first: the usual one, or the one that a selection names."""
    parts = _WORD // bits
    number = usual
    if chosen.bits < _WORD:
        if len(chosen.places) != parts:
            raise RefusedError(f"a selection of {parts} parts has {parts} digits")
        number = chosen.places[-1 - usual % parts]
    return _part(code, words[number // parts], bits, number % parts, signed)


_SCALARS: Final = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset")
_SIMD: Final = ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")

ROWS: Final[dict[str, Row]] = {
    **dict.fromkeys(_SCALARS, _scalar),
    "vmad": _vmad,
    **{f"{name}{parts}": _in_parts(parts) for name in _SIMD for parts in (2, 4)},
}
