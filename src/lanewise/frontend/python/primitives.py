# SPDX-License-Identifier: Apache-2.0
"""Calls of LLVM's functions and of C's mathematical library, on registers."""

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.python_types import Number
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Value as IrValue


def intrinsic(code: PythonCode, name: str, type_: Number, *operands: IrValue) -> Instruction:
    """A call of one of LLVM's functions."""
    register = type_.register
    suffix = f"f{type_.bits}" if type_.is_floating else f"i{type_.bits}"
    callee_type = ty.function(register, tuple(operand.type for operand in operands))
    callee = code.program.module.declare(f"llvm.{name}.{suffix}", callee_type)
    return code.build.call_function(callee, operands)


def function(code: PythonCode, name: str, type_: Number, *operands: IrValue) -> IrValue:
    """A call of a function of C's mathematical library, in the type's precision. Halves are computed as floats."""
    if type_.bits == 16:
        wide = [code.build.cast("fpext", operand, ty.FLOAT) for operand in operands]
        return code.build.cast("fptrunc", function(code, name, Number("float", 32), *wide), ty.floating("half"))
    register = type_.register
    callee = code.program.module.declare(
        name + ("f" if type_.bits == 32 else ""), ty.function(register, tuple(operand.type for operand in operands))
    )
    return code.build.call_function(callee, operands)
