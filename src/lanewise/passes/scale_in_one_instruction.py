# SPDX-License-Identifier: Apache-2.0
"""scale-in-one-instruction: has the mathematical library multiply by powers of two in one instruction.

Why
    The last step of each exponential is a product with 2^n. By arithmetic on the bits of an exponent, and in two steps
    so that denormal results are rounded once, that is eight instructions of the 25 of `expf`. AVX-512 has one that does
    it.

Before
    define internal float @__lw_scale_by_power_of_twof(float %value, float %shifted) {
      %bits = bitcast float %shifted to i32
      %exponent = shl i32 %bits, 23
      %one = add i32 %exponent, 1065353216
      %power = bitcast i32 %one to float
      %product = fmul float %value, %power
      ret float %product
    }

After
    define internal float @__lw_scale_by_power_of_twof(float %value, float %shifted) {
      %1 = fsub float %shifted, 0x4168000000000000
      %2 = fptosi float %1 to i32
      %3 = freeze i32 %2
      %4 = call float @llvm.ldexp.f32.i32(float %value, i32 %3)
      ret float %4
    }
    declare float @llvm.ldexp.f32.i32(float, i32)

Needs
    1. The function is one of those in `FUNCTIONS`, which are the library's (`mathlib/source/*/scaling.c`).
    2. It is defined.

Method
    `llvm.ldexp` rounds once, so results are the same to the bit. The exponent of a NaN is none: frozen, it may be any
    number, since the result is a NaN then. Lanes give the instruction the number that the exponent was converted from
    (`workgroup/lanes/values/scaling.py`).

When not
    On processors without such an instruction, where LLVM calls a function of the C library for each lane. On GPUs.

Neighbours
    Runs before the functions are inlined.
"""

from collections.abc import Callable
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value

_SCALE: Final = "llvm.ldexp."
_ROUNDER_F: Final = Constant(ty.FLOAT, "float", "0x4168000000000000")
"""3 * 2^22, as LLVM writes a float."""


def _integer(build: Builder, exponent: Value) -> Value:
    """An exponent that is an integer already."""
    del build
    return exponent


def _number(build: Builder, exponent: Value) -> Value:
    """An exponent that is a floating-point number."""
    return build.emit(Instruction("freeze", ty.I32, (build.cast("fptosi", exponent, ty.I32),)))


def _shifted(build: Builder, exponent: Value) -> Value:
    """An exponent to which 3 * 2^22 is added."""
    return _number(build, build.binary("fsub", exponent, _ROUNDER_F))


FUNCTIONS: Final[dict[str, Callable[[Builder, Value], Value]]] = {
    "__lw_scale_by_power_of_twof": _shifted,
    "__lw_scale_by_power_of_two": _number,
    "__lw_load_exponentf": _integer,
    "__lw_load_exponent": _integer,
}
"""Functions of a number and an exponent, and how the latter becomes an integer."""


def run(function: Function, module: Module) -> bool:
    """Replace the body of a function that scales; see above. Returns whether anything changed."""
    convert = FUNCTIONS.get(function.symbol)
    if convert is None:  # 1
        return False
    if not function.blocks:  # 2
        return False
    if any(each.op == "call" and each.callee.startswith(_SCALE) for each in function.instructions()):
        return False  # has been done
    value, exponent = function.arguments
    for instruction in function.instructions():
        instruction.drop_operands()
    function.blocks = []
    build = Builder(function.add_block())
    suffix = "f32" if value.type is ty.FLOAT else "f64"
    scale = module.declare(f"{_SCALE}{suffix}.i32", ty.function(value.type, (value.type, ty.I32)))
    build.ret(build.call_function(scale, (value, convert(build, exponent))))
    return True
