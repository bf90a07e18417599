# SPDX-License-Identifier: Apache-2.0
"""Denormals as zeros, for `.ftz`.

Source: PTX ISA 9.0, 9.7.3 "Floating Point Instructions": inputs and results below the least normal number become zeros
of their sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.ptx.language.module import Module

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

FLUSHED: Final = '"denormal-fp-math-f32"="preserve-sign,preserve-sign"'
"""The attribute of functions whose arithmetic in single precision counts denormals as zeros."""

_ARITHMETIC: Final = frozenset({
    "add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "min", "max",
})  # fmt: skip
_MOVES: Final = frozenset({"ld", "ldu", "mov", "selp", "shfl", "st"})


def flush_all(modules: Sequence[Module]) -> bool:
    """True if all arithmetic in single precision says `.ftz`, there is some, and the processor's mode can do it.

    The mode concerns double precision, too, and functions that aren't inlined run without it.
    """
    said: set[bool] = set()
    for module in modules:
        for function in module.functions:
            for instruction in function.instructions():
                words = instruction.modifiers
                if instruction.name == "call" or ("f64" in words and instruction.name not in _MOVES):
                    return False
                if instruction.name in _ARITHMETIC and "f32" in words:
                    said.add("ftz" in words)
    return said == {True}


def flushed(code: PtxCode, value: Value) -> Value:
    """A number of single precision, or a zero in place of a denormal one."""
    if value.type is not ty.FLOAT or code.flushes:
        return value
    bits = code.build.cast("bitcast", value, ty.I32)
    exponent = code.build.binary("and", bits, Constant(ty.I32, "int", str(0x7F800000)))
    tiny = code.build.compare("eq", exponent, Constant(ty.I32, "int", "0"))
    sign = code.build.binary("and", bits, Constant(ty.I32, "int", str(-0x80000000)))
    zero = code.build.emit(Instruction("bitcast", ty.FLOAT, (sign,)))
    return code.build.select(tiny, zero, value)
