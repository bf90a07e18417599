# SPDX-License-Identifier: Apache-2.0
"""Numbers as memory has them: a bool is a byte, and a complex number its two parts."""

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.python_types import Number
from lanewise.frontend.python.values import NumberValue
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import int_constant


def load_number(code: PythonCode, address: IrValue, type_: Number) -> NumberValue:
    """The number at an address."""
    if type_.kind == "complex":
        part = type_.part
        places = address, code.build.offset(address, part.size)
        real, imag = (code.build.load(part.register, place, align=part.size) for place in places)
        return NumberValue(type_, real, imag=imag)
    ir: IrValue = code.build.load(type_.memory, address, align=type_.size)
    if type_.kind == "bool":
        ir = code.compare("ne", ir, int_constant(ty.I8, 0))
    return NumberValue(type_, ir)


def store_number(code: PythonCode, place: IrValue, value: NumberValue) -> None:
    """Store a number."""
    size = value.type.part.size
    if value.imag is not None:
        code.build.store(value.imag, code.build.offset(place, size), size)
    ir = value.ir
    if value.type.kind == "bool":
        ir = code.build.cast("zext", ir, ty.I8)
    code.build.store(ir, place, size)
