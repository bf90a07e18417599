# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on numbers of floating point, packed and half ones included.

An approximate instruction gives the correctly rounded result, or the device's approximation of CUDA's functions: both
within the errors of the manual. `.ftz` counts denormals as 0 where all instructions of the module do; see `flushing`.

Source: PTX ISA 9.0, 9.7.3 "Floating Point Instructions", 9.7.4 "Half Precision", 9.7.5 "Mixed Precision".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.flushing import flushed
from lanewise.frontend.ptx.instructions.words import Row, only, rounding, type_word
from lanewise.frontend.ptx.operands import float_constant
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.intrinsics import spelled
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32
from lanewise.ptx.language.operands import Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_ROUNDINGS: Final = ("rn", "rz", "rm", "rp")
_SUMS: Final = {"add": "fadd", "sub": "fsub", "mul": "fmul"}


def splat(value: float, type_: Type) -> Value:
    """A number, in all elements of a vector."""
    scalar = type_.scalar
    if scalar.kind == "bfloat":
        one = Constant(scalar, "float", {0.0: "0xR0000", 1.0: "0xR3F80"}[value])
    else:
        one = float_constant(value, scalar)
    return Constant(type_, "splat", operands=(one,)) if type_.is_vector else one


def _read(code: PtxCode, instruction: Instruction, operand: Operand, word: str) -> Value:
    value = code.read(operand, word)
    return flushed(code, value) if "ftz" in instruction.modifiers else value


def _write(code: PtxCode, instruction: Instruction, value: Value) -> None:
    """Set the result, after `.sat`, `.relu` and `.ftz`."""
    type_ = value.type
    if "sat" in instruction.modifiers:
        value = _clamped(code, value)
    elif "relu" in instruction.modifiers:
        value = code.intrinsic(f"maximumnum.{spelled(type_)}", type_, value, splat(0.0, type_))
    code.write(instruction.operands[0], flushed(code, value) if "ftz" in instruction.modifiers else value)


def _clamped(code: PtxCode, value: Value) -> Value:
    """To [0, 1]; a NaN becomes 0."""
    type_ = value.type
    low = code.intrinsic(f"maximumnum.{spelled(type_)}", type_, value, splat(0.0, type_))
    return code.intrinsic(f"minimumnum.{spelled(type_)}", type_, low, splat(1.0, type_))


def directed(code: PtxCode, name: str, mode: str, type_: Type, *values: Value) -> Value:
    """An operation with a rounding other than to nearest."""
    if type_.is_vector and type_.inner is ty.FLOAT:
        return _by_elements(code, type_, lambda *parts: directed(code, name, mode, ty.FLOAT, *parts), *values)
    if type_ not in (ty.FLOAT, ty.DOUBLE):
        raise RefusedError(f".{mode} of {type_} is not supported")
    return code.intrinsic(f"nvvm.{name}.{mode}.{'f' if type_ is ty.FLOAT else 'd'}", type_, *values)


def _by_elements(code: PtxCode, type_: Type, one: Callable[..., Value], *values: Value) -> Value:
    """A function of the elements of vectors."""
    result: Value = Constant(type_, "undef")
    for place in range(type_.count):
        index = i32(place)
        parts = [code.build.emit(Made("extractelement", each.type.inner, (each, index))) for each in values]
        result = code.build.emit(Made("insertelement", type_, (result, one(*parts), index)))
    return result


def sum_(name: str) -> Row:
    """add, sub or mul."""

    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, *_ROUNDINGS, "ftz", "sat")
        word = type_word(instruction)
        _, a, b = instruction.operands
        x, y = _read(code, instruction, a, word), _read(code, instruction, b, word)
        mode = rounding(instruction)
        if mode == "rn":
            result = code.build.binary(_SUMS[name], x, y)
        elif name == "sub":
            result = directed(code, "add", mode, x.type, x, code.build.emit(Made("fneg", y.type, (y,))))
        else:
            result = directed(code, name, mode, x.type, x, y)
        _write(code, instruction, result)

    return row


def fma(code: PtxCode, instruction: Instruction) -> None:
    """fma, and mad of numbers of floating point, which rounds once."""
    only(instruction, *_ROUNDINGS, "ftz", "sat", "relu")
    word = type_word(instruction)
    values = [_read(code, instruction, operand, word) for operand in instruction.operands[1:]]
    mode, type_ = rounding(instruction), values[0].type
    if mode == "rn":
        result = code.intrinsic(f"fma.{spelled(type_)}", type_, *values)
    else:
        result = directed(code, "fma", mode, type_, *values)
    _write(code, instruction, result)


def quotient(code: PtxCode, instruction: Instruction) -> None:
    """Division: correctly rounded, even where less is asked for."""
    only(instruction, *_ROUNDINGS, "ftz", "approx", "full")
    word = type_word(instruction)
    x, y = (_read(code, instruction, operand, word) for operand in instruction.operands[1:])
    _write(code, instruction, _quotient(code, x, y, rounding(instruction)))


def _quotient(code: PtxCode, x: Value, y: Value, mode: str) -> Value:
    if mode == "rn":
        return code.build.binary("fdiv", x, y)
    return directed(code, "div", mode, x.type, x, y)


def _rcp(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, *_ROUNDINGS, "ftz", "approx")
    value = _read(code, instruction, instruction.operands[1], type_word(instruction))
    _write(code, instruction, _quotient(code, splat(1.0, value.type), value, rounding(instruction)))


def _square_root(code: PtxCode, value: Value, mode: str) -> Value:
    if mode == "rn":
        return code.intrinsic(f"sqrt.{spelled(value.type)}", value.type, value)
    return directed(code, "sqrt", mode, value.type, value)


def _sqrt(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, *_ROUNDINGS, "ftz", "approx")
    value = _read(code, instruction, instruction.operands[1], type_word(instruction))
    _write(code, instruction, _square_root(code, value, rounding(instruction)))


def _rsqrt(code: PtxCode, instruction: Instruction) -> None:
    only(instruction, "ftz", "approx")
    value = _read(code, instruction, instruction.operands[1], type_word(instruction))
    if value.type is ty.FLOAT:
        _write(code, instruction, code.intrinsic("nvvm.rsqrt.approx.f", ty.FLOAT, value))
        return
    root = _square_root(code, value, "rn")
    _write(code, instruction, code.build.binary("fdiv", splat(1.0, value.type), root))


def absolute(code: PtxCode, instruction: Instruction) -> None:
    """The absolute value."""
    only(instruction, "ftz")
    value = _read(code, instruction, instruction.operands[1], type_word(instruction))
    _write(code, instruction, code.intrinsic(f"fabs.{spelled(value.type)}", value.type, value))


def negated(code: PtxCode, instruction: Instruction) -> None:
    """The number with its sign changed."""
    only(instruction, "ftz")
    value = _read(code, instruction, instruction.operands[1], type_word(instruction))
    _write(code, instruction, code.build.emit(Made("fneg", value.type, (value,))))


def extreme_number(name: str) -> Row:
    """min or max: of a NaN and a number, the number, or the NaN with `.NaN`."""

    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, "ftz", "NaN", "xorsign", "abs")
        word = type_word(instruction)
        x, y, *more = (_read(code, instruction, operand, word) for operand in instruction.operands[1:])
        type_, signs = x.type, (x, y)
        if "abs" in instruction.modifiers:
            x, y, *more = (code.intrinsic(f"fabs.{spelled(type_)}", type_, each) for each in (x, y, *more))
        function = f"{name}imum" if "NaN" in instruction.modifiers else f"{name}imumnum"
        result = code.intrinsic(f"{function}.{spelled(type_)}", type_, x, y)
        for each in more:
            result = code.intrinsic(f"{function}.{spelled(type_)}", type_, result, each)
        if "xorsign" in instruction.modifiers:
            result = _with_sign(code, result, *signs)
        _write(code, instruction, result)

    return row


def _with_sign(code: PtxCode, value: Value, a: Value, b: Value) -> Value:
    """The value with the sign of a product of two others."""
    type_ = ty.integer(value.type.scalar.bits)
    whole = ty.vector(value.type.count, type_) if value.type.is_vector else type_
    x, y = (code.build.cast("bitcast", each, whole) for each in (a, b))
    both = code.build.binary("xor", x, y)
    sign = code.build.cast("bitcast", both, value.type)
    return code.intrinsic(f"copysign.{spelled(value.type)}", value.type, value, sign)


def _copysign(code: PtxCode, instruction: Instruction) -> None:
    only(instruction)
    word = type_word(instruction)
    sign, value = (code.read(operand, word) for operand in instruction.operands[1:])
    code.write(instruction.operands[0], code.intrinsic(f"copysign.{spelled(value.type)}", value.type, value, sign))


_CLASSES: Final = {
    "finite": 0x1F8, "infinite": 0x204, "number": 0x3FC, "notanumber": 0x003, "normal": 0x108, "subnormal": 0x090,
}  # fmt: skip
"""Masks of llvm.is.fpclass. Zeros are numbers, finite, and of neither of the last two classes."""


def _testp(code: PtxCode, instruction: Instruction) -> None:
    word = type_word(instruction)
    kind = next((word for word in instruction.modifiers if word in _CLASSES), None)
    if kind is None:
        raise RefusedError("it has no class")
    value = code.read(instruction.operands[1], word)
    mask = Constant(ty.I32, "int", str(_CLASSES[kind]))
    code.write(instruction.operands[0], code.intrinsic(f"is.fpclass.{spelled(value.type)}", ty.I1, value, mask))


def _approximate(name: str) -> Row:
    """The function `name` of a float. Narrower numbers are widened, and the result is rounded to them."""

    def row(code: PtxCode, instruction: Instruction) -> None:
        only(instruction, "approx", "ftz")
        value = _read(code, instruction, instruction.operands[1], type_word(instruction))
        function = code.symbols.module.declare(name, ty.function(ty.FLOAT, (ty.FLOAT,)))

        def of(part: Value) -> Value:
            type_ = part.type
            if type_ is ty.FLOAT:
                return code.build.call_function(function, [part])
            wide = code.build.cast("fpext", part, ty.FLOAT)
            return code.build.cast("fptrunc", code.build.call_function(function, [wide]), type_)

        _write(code, instruction, _by_elements(code, value.type, of, value) if value.type.is_vector else of(value))

    return row


ROWS: Final[dict[str, Row]] = {
    "fma": fma,
    "rcp": _rcp,
    "sqrt": _sqrt,
    "rsqrt": _rsqrt,
    "copysign": _copysign,
    "testp": _testp,
    "sin": _approximate("llvm.nvvm.sin.approx.f"),
    "cos": _approximate("llvm.nvvm.cos.approx.f"),
    "lg2": _approximate("llvm.nvvm.lg2.approx.f"),
    "ex2": _approximate("llvm.nvvm.ex2.approx.f32"),
    "tanh": _approximate("tanhf"),
}
