# SPDX-License-Identifier: Apache-2.0
"""limit-registers: hands on what `__maxnreg__` says of a kernel.

Why
    clang has no such attribute. `.maxnreg` in PTX keeps `ptxas` from taking more registers per thread, so that as many
    warps are resident as the program counts on.

Before
    @0 = private unnamed_addr constant [17 x i8] c"lanewise.maxnreg\\00", section "llvm.metadata"
    @1 = private unnamed_addr constant [5 x i8] c"k.cu\\00", section "llvm.metadata"
    @2 = private unnamed_addr constant { i32 } { i32 40 }, section "llvm.metadata"
    %note = type { ptr, ptr, ptr, i32, ptr }
    @llvm.global.annotations = appending global [1 x %note] [%note { ptr @k, ptr @0, ptr @1, i32 3, ptr @2 }]
    define ptx_kernel void @k() #0 {
      ret void
    }
    attributes #0 = { nounwind }

After
    %note = type { ptr, ptr, ptr, i32, ptr }
    define ptx_kernel void @k() "nvvm.maxnreg"="40" #0 {
      ret void
    }
    attributes #0 = { nounwind }

Needs
    1. The annotation is one that our header makes of `__maxnreg__` (`qualifiers.h`): those of a program stay.
    2. The number is positive: otherwise it is an error.

Source: PTX ISA, ".maxnreg"; CUDA Programming Guide, "Maximum Number of Registers per Thread"; LLVM, "User Guide for
NVPTX Back-end", `nvvm.maxnreg`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanewise.errors import CompileError
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Constant, Value
from lanewise.ir.written_names import written_name

MARK: Final = "lanewise.maxnreg"
_LIST: Final = "llvm.global.annotations"
_SECTION: Final = 'section "llvm.metadata"'


def may_apply(text: str) -> bool:
    """False if the text of a module shows that there is nothing to do."""
    return MARK in text


def run(module: Module) -> bool:
    """Give kernels their limits, and take the annotations away; returns whether there were any.

    Raises `CompileError` for a limit that is not positive.
    """
    annotations = module.symbols.get(_LIST)
    if not isinstance(annotations, GlobalVariable) or not isinstance(annotations.initializer, Constant):
        return False
    entries = annotations.initializer.operands
    left = [entry for entry in entries if not _applied(entry)]
    if left and len(left) < len(entries):
        annotations.value_type = ty.array(len(left), annotations.value_type.inner)
        annotations.initializer = Constant(annotations.value_type, "aggregate", operands=tuple(left))
    elif not left:
        texts = {_LIST, *(each.name for entry in entries for each in _texts(entry))}
        module.symbols = {name: symbol for name, symbol in module.symbols.items() if name not in texts}
    return len(left) < len(entries)


def _applied(entry: Value) -> bool:
    """Give a kernel the limit that an annotation says; returns whether it is one."""
    assert isinstance(entry, Constant)
    kernel, name, _, _, arguments = entry.operands
    if not isinstance(kernel, Function) or _content(name).text.removesuffix("\\00") != MARK:  # 1
        return False
    numbers = _content(arguments).operands
    count = numbers[0].integer if numbers and isinstance(numbers[0], Constant) and numbers[0].kind == "int" else 0
    if count < 1:  # 2
        name = written_name(kernel.name or "")
        message = f"kernel {name}: __maxnreg__({count}): the number of registers is to be positive"
        raise CompileError(message, (message,))
    kernel.suffix = f'"nvvm.maxnreg"="{count}" {kernel.suffix}'.strip()
    return True


def _texts(entry: Value) -> Iterator[GlobalVariable]:
    """Yield the variables that hold an annotation's words and numbers."""
    assert isinstance(entry, Constant)
    for each in entry.operands:
        if isinstance(each, GlobalVariable) and _SECTION in each.suffix:
            yield each


def _content(pointer: Value) -> Constant:
    """The initial value of a variable, or a null pointer's own."""
    value = pointer.initializer if isinstance(pointer, GlobalVariable) else pointer
    return value if isinstance(value, Constant) else Constant(ty.PTR, "null")
