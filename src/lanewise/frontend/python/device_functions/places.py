# SPDX-License-Identifier: Apache-2.0
"""Numbers and sizes of work-items and work-groups along an axis: Python's ints, from registers of 32 bits."""

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.device_functions.call import Emit, called, constant_integer
from lanewise.frontend.python.python_types import INT
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue


def register_along(name: str) -> Emit:
    """The function of an axis that reads a register, such as `tid`."""

    def emit(code: PythonCode, axis: Value) -> NumberValue:
        return _extended(code, _register(code, f"{name}.{_letter(axis)}"))

    return emit


def global_id(code: PythonCode, axis: Value) -> NumberValue:
    """As CUDA's code has it: passes know the sum of 32 bits, and that it doesn't wrap in most launches."""
    letter = _letter(axis)
    group, size, item = (_register(code, f"{name}.{letter}") for name in ("ctaid", "ntid", "tid"))
    build = code.build
    return _extended(code, build.binary("add", build.binary("mul", group, size), item))


def global_size(code: PythonCode, axis: Value) -> NumberValue:
    letter = _letter(axis)
    size, groups = (_extended(code, _register(code, f"{name}.{letter}")) for name in ("ntid", "nctaid"))
    return NumberValue(INT, code.times(size.ir, groups.ir))


def lane_id(code: PythonCode) -> NumberValue:
    return _extended(code, _register(code, "laneid"))


def _letter(axis: Value) -> str:
    number = constant_integer(axis, "an axis")
    if number not in (0, 1, 2):
        raise UnsupportedError(f"a grid has the axes 0, 1 and 2, and no axis {number}")
    return "xyz"[number]


def _register(code: PythonCode, name: str) -> IrValue:
    return called(code, f"llvm.nvvm.read.ptx.sreg.{name}", ty.I32)


def _extended(code: PythonCode, word: IrValue) -> NumberValue:
    return NumberValue(INT, code.build.cast("zext", word, ty.I64))
