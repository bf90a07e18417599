# SPDX-License-Identifier: Apache-2.0
"""hide-opencl-limits: hides from LLVM that an OpenCL C kernel reads CUDA's registers, while it simplifies the kernel.

Why
    LLVM takes `llvm.nvvm.read.ptx.sreg.tid.x` to be below 1,024, CUDA's limit, and drops comparisons on that ground. In
    OpenCL C, local sizes and the numbers of groups along y and z have other limits.

Before
    define i32 @f() {
    entry:
      %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      ret i32 %id
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    !opencl.ocl.version = !{!0}
    !0 = !{i32 1, i32 2}

After
    define i32 @f() {
    entry:
      %id = call range(i32 0, 8192) i32 @llvm.nvvm.read.ptx.sreg.envreg0()
      ret i32 %id
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.envreg0()
    !opencl.ocl.version = !{!0}
    !0 = !{i32 1, i32 2}

Needs
    1. Clang has made the module of OpenCL C: CUDA has the limits that LLVM knows.

Method
    The registers take the names of others that LLVM knows nothing of and no kernel reads, with the ranges that are
    right here. `show_limits` is the inverse.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant
from lanewise.workgroup.launch_assumptions import MAX_SMALL_GRID
from lanewise.workgroup.layout.local_size import MAX_WORK_ITEMS

_MARK: Final = "!opencl.ocl.version"
"""Metadata of all modules that clang makes of OpenCL C."""
_PREFIX: Final = "llvm.nvvm.read.ptx.sreg."
_MAX_GROUPS: Final = (1 << 31) - 1
_REGISTERS: Final = [f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
_HIDDEN: Final = {register: f"envreg{number}" for number, register in enumerate(_REGISTERS)}
_SHOWN: Final = {hidden: register for register, hidden in _HIDDEN.items()}

_QUERY: Final = re.compile(r"_Z\d+get_(?:global_\w+|group_id|num_groups|local_(?:size|linear_id))[jv]").fullmatch
"""A built-in function, of a dimension or of all, such as `get_global_id(uint)`."""
_ALONG_Y: Final = frozenset(f"{_PREFIX}{name}.{axis}" for name in ("ctaid", "nctaid") for axis in "yz")


class LimitOptions(NamedTuple):
    """`small_grid`: launches meet that assumption."""

    small_grid: bool


def has_limits_of_open_cl(module: Module) -> bool:
    return _MARK in module.metadata


def may_count_groups_along_y(module: Module) -> bool:
    """A function of an isolated module may ask how many groups there are along y or z, or which of them its own is.

    To be asked before LLVM folds the answer. Built-in functions read the registers of all axes, so what their callers
    ask for counts."""
    asking = (function for function in module.functions if not _QUERY(function.symbol))
    return any(_asks(instruction) for function in asking for instruction in function.instructions())


def _asks(instruction: Instruction) -> bool:
    if _QUERY(instruction.callee or ""):
        of_x = [isinstance(a, Constant) and a.kind == "int" and a.integer == 0 for a in instruction.arguments]
        return of_x != [True]
    return instruction.callee in _ALONG_Y


def hide_limits(module: Module, options: LimitOptions) -> bool:
    """Hide the registers that the module reads from LLVM; see above. Returns whether there are any."""
    if not has_limits_of_open_cl(module):  # 1
        return False
    groups = MAX_SMALL_GRID if options.small_grid else _MAX_GROUPS
    return _rename(module, _HIDDEN, lambda register: (f"range(i32 {_range(register, groups)})",))


def show_limits(module: Module) -> bool:
    """The inverse of `hide_limits`."""
    return _rename(module, _SHOWN, lambda register: ())


def _range(register: str, groups_along_y: int) -> str:
    """The first value of a register and the one after the last, as LLVM writes an i32."""
    name, axis = register.split(".")
    groups = _MAX_GROUPS if axis == "x" else groups_along_y
    first = 0 if name in ("tid", "ctaid") else 1
    end = first + (MAX_WORK_ITEMS if name in ("tid", "ntid") else groups)
    return f"{first}, {end - (1 << 32) if end >= 1 << 31 else end}"


def _rename(module: Module, names: Mapping[str, str], prefix: Callable[[str], tuple[str, ...]]) -> bool:
    """Give registers other names, and their calls other attributes of the result."""
    found = {f"{_PREFIX}{name}": name for name in names if f"{_PREFIX}{name}" in module.symbols}
    for symbol, name in found.items():
        register = module.symbols[symbol]
        register.name = f"{_PREFIX}{names[name]}"
        for call in register.users:
            if call.call is not None and call.operands[0] is register:
                call.call = call.call._replace(prefix=prefix(name))
    if found:
        module.symbols = {str(symbol.name): symbol for symbol in module.symbols.values()}
    return bool(found)
