# SPDX-License-Identifier: Apache-2.0
"""`print` in kernels: a line by C's printf, with the format that the types of the arguments tell.

An integer is printed as Python does, a bool as True or False, a floating-point number as by "%g", with six digits.
"""

from __future__ import annotations

from typing import Final

from lanewise.frontend.python.code import PythonCode, described
from lanewise.frontend.python.python_types import FLOAT, INT, Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, PythonObject, TupleValue, Value
from lanewise.ir import types as ty
from lanewise.ir.module import GlobalVariable
from lanewise.ir.values import Constant
from lanewise.ir.values import Value as IrValue

_WIDE: Final = Number("uint", 64)


def printed(code: PythonCode, arguments: list[Value], named: dict[str | None, Value]) -> PythonObject:
    """Print arguments. UnsupportedError for those that have no text in compiled code."""
    separator, end = _text(named, "sep", " "), _text(named, "end", "\n")
    unknown = [str(name) for name in named if name not in ("sep", "end")]
    if unknown:
        raise UnsupportedError(f"print in a kernel takes sep and end, and no '{unknown[0]}'")
    parts: list[str] = []
    passed: list[IrValue] = []
    for argument in arguments:
        parts.append(_part(code, argument, passed))
    format_ = _string(code, separator.replace("%", "%%").join(parts) + end.replace("%", "%%"))
    room = code.entry.alloca(ty.array(max(len(passed), 1), ty.I64), "printed", align=8)
    for place, value in enumerate(passed):
        code.build.store(value, code.build.offset(room, 8 * place), 8)
    vprintf = code.program.module.declare("vprintf", ty.function(ty.I32, (ty.PTR, ty.PTR)))
    code.build.call_function(vprintf, (format_, room))
    return PythonObject(None)


def _part(code: PythonCode, value: Value, passed: list[IrValue], *, within: bool = False) -> str:
    """The format of a value, which is appended to what is passed: all of 8 bytes. `within`: in a tuple."""
    if isinstance(value, PythonObject) and (value.object is None or isinstance(value.object, str)):
        return (repr(value.object) if within else str(value.object)).replace("%", "%%")
    if isinstance(value, TupleValue):
        inner = ", ".join(_part(code, item, passed, within=True) for item in value.items)
        return f"({inner},)" if len(value.items) == 1 else f"({inner})"
    if not isinstance(value, NumberValue):
        raise UnsupportedError(f"{described(value)} can't be printed in a kernel: numbers, text and tuples can")
    type_ = value.type
    if type_.kind == "bool":
        passed.append(code.build.select(value.ir, _string(code, "True"), _string(code, "False")))
        return "%s"
    if type_.kind == "complex":
        raise UnsupportedError("complex numbers aren't printed in a kernel: print z.real and z.imag")
    to = FLOAT if type_.is_floating else INT if type_.is_signed else _WIDE
    passed.append(code.convert(value, to).ir)
    return {"float": "%g", "int": "%lld", "uint": "%llu"}[to.kind]


def _text(named: dict[str | None, Value], name: str, default: str) -> str:
    value = named.get(name, PythonObject(default))
    if not isinstance(value, PythonObject) or not isinstance(value.object, str):
        raise UnsupportedError(f"{name} of print must be a constant text")
    return value.object


def _string(code: PythonCode, text: str) -> IrValue:
    """The address of a text that ends with a zero."""
    if "\0" in text:
        raise UnsupportedError("a text in a kernel can't hold the character of code 0")
    module, data = code.program.module, text.encode() + b"\0"
    type_ = ty.array(len(data), ty.I8)
    literal = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    for variable in module.variables:
        initializer = variable.initializer
        if isinstance(initializer, Constant) and (initializer.kind, initializer.text) == ("string", literal):
            return variable
    made = GlobalVariable(
        f".text.{len(module.variables)}",
        type_,
        Constant(type_, "string", literal),
        prefix=("private", "unnamed_addr", "constant"),
        suffix=", align 1",
    )
    module.add(made)
    return made
