# SPDX-License-Identifier: Apache-2.0
"""Hides from LLVM that an OpenCL C kernel reads CUDA's registers, while it simplifies the kernel.

LLVM takes `llvm.nvvm.read.ptx.sreg.tid.x` to be below 1,024, CUDA's limit, and drops comparisons on that ground. In
OpenCL C, local sizes and the numbers of groups along y and z have other limits. So the registers take the names of
others that LLVM knows nothing of and no kernel reads, with the ranges that are right here:

    Before   %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    After    %id = call range(i32 0, 8192) i32 @llvm.nvvm.read.ptx.sreg.envreg0()
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant
from lanewise.workgroup.local_size import MAX_WORK_ITEMS
from lanewise.workgroup.promise import MAX_SMALL_GRID

_MARK: Final = "!opencl.ocl.version"
"""Metadata of all modules that clang makes of OpenCL C."""
_PREFIX: Final = "@llvm.nvvm.read.ptx.sreg."
_MAX_GROUPS: Final = (1 << 31) - 1
_REGISTERS: Final = [f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"]
_HIDDEN: Final = {register: f"envreg{number}" for number, register in enumerate(_REGISTERS)}
_SHOWN: Final = {hidden: register for register, hidden in _HIDDEN.items()}

_QUERY: Final = re.compile(r"_Z\d+get_(?:global_\w+|group_id|num_groups|local_(?:size|linear_id))[jv]").fullmatch
"""A built-in function, of a dimension or of all, such as `get_global_id(uint)`."""
_ALONG_Y: Final = frozenset(f"{_PREFIX[1:]}{name}.{axis}" for name in ("ctaid", "nctaid") for axis in "yz")

_CALL: Final = re.compile(rf"call (?:noundef )?i32 {re.escape(_PREFIX)}(n?(?:cta|t)id)\.([xyz])\(")
_HIDDEN_CALL: Final = re.compile(
    rf"call (?:noundef )?(?:range\(i32 [\d-]+, [\d-]+\) )?i32 {re.escape(_PREFIX)}(envreg\d+)\("
)
_NAME: Final = re.compile(rf"{re.escape(_PREFIX)}(n?(?:cta|t)id\.[xyz]|envreg\d+)\(")


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


def hidden(text: str, *, small_grid: bool) -> str:
    """The text of a module with its registers hidden from LLVM. `small_grid`: for launches that keep that promise."""

    def call(found: re.Match[str]) -> str:
        name, axis = found.groups()
        groups = MAX_SMALL_GRID if small_grid and axis != "x" else _MAX_GROUPS
        most = MAX_WORK_ITEMS if name in ("tid", "ntid") else groups
        first = 0 if name in ("tid", "ctaid") else 1
        return f"call range(i32 {first}, {_signed(first + most)}) i32 {_PREFIX}{_HIDDEN[f'{name}.{axis}']}("

    return _renamed(_CALL.sub(call, text), _HIDDEN)


def shown(text: str) -> str:
    """The inverse of `hidden`."""
    text = _HIDDEN_CALL.sub(lambda found: f"call i32 {_PREFIX}{found[1]}(", text)
    return _renamed(text, _SHOWN)


def _renamed(text: str, names: dict[str, str]) -> str:
    """With the names of registers exchanged, in declarations too."""
    return _NAME.sub(lambda found: f"{_PREFIX}{names.get(found[1], found[1])}(", text)


def _signed(number: int) -> int:
    """As LLVM writes an i32."""
    return number - (1 << 32) if number >= 1 << 31 else number
