# SPDX-License-Identifier: Apache-2.0
"""Calls of functions of work-items: arguments by name and by position, defaults, and where they may be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeAlias

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.expressions import of_python
from lanewise.frontend.python.python_types import Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue

Emit: TypeAlias = Callable[..., Value]
"""Makes the code of a call, from the code so far and the values of all parameters."""

WORD = Number("uint", 32)


def emitted(
    code: PythonCode,
    name: str,
    signature: inspect.Signature,
    emit: Emit,
    arguments: list[Value],
    named: dict[str | None, Value],
) -> Value:
    """The result of a call. UnsupportedError outside of a kernel, or for arguments that don't fit the signature."""
    if not code.program.is_kernel:
        raise UnsupportedError(
            f"lw.{name} is for the work-items of a kernel, not for a loop: mark the function with @lw.kernel, and "
            "launch it by f[grid, block](...)"
        )
    try:
        bound = signature.bind(*arguments, **{str(each): value for each, value in named.items()})
    except TypeError as error:
        raise UnsupportedError(f"lw.{name}{signature}: {error}") from None
    for parameter in signature.parameters.values():
        if parameter.name not in bound.arguments:
            bound.arguments[parameter.name] = of_python(code, parameter.name, parameter.default)
    return emit(code, *(bound.arguments[parameter] for parameter in signature.parameters))


def word(code: PythonCode, value: Value) -> IrValue:
    """An integer as i32."""
    return code.convert(code.index(value), WORD).ir


def constant_integer(value: Value, what: str) -> int:
    """An integer that is known while compiling."""
    if not isinstance(value, NumberValue) or type(value.constant) is not int:
        raise UnsupportedError(
            f"{what} must be a constant: a number, or a name from outside of the function that means one"
        )
    return value.constant


def called(code: PythonCode, symbol: str, result: ty.Type, *operands: IrValue) -> IrValue:
    """A call of an intrinsic."""
    callee = code.program.module.declare(symbol, ty.function(result, tuple(operand.type for operand in operands)))
    return code.build.call_function(callee, operands)
