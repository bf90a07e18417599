# SPDX-License-Identifier: Apache-2.0
"""Gives a kernel its own copy of structs passed by value that it may write to.

    Before                                        After
    define ptx_kernel void @k(ptr byval(%S) %p)   define ptx_kernel void @k(ptr byval(%S) %p)
      store i32 1, ptr %p                           %p.own = alloca %S
                                                    call void @llvm.memcpy(ptr %p.own, ptr %p, i64 8)
                                                    store i32 1, ptr %p.own

Why: on the CPU all work-items share the packed arguments. SROA takes the copy away again where nobody writes.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.module import Module
from lanewise.ir.parameters import byval_type
from lanewise.ir.values import Argument, Constant, i64

_COPY = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I64, ty.I1))


def copy_byval_parameters(module: Module, kernel: Function) -> bool:
    """Copy each parameter passed in memory at the entry, and use the copy; returns whether there is any."""
    entry = kernel.entry
    changed = False
    for argument in kernel.arguments:
        type_ = byval_type(argument)
        if type_ is None:
            continue
        align = align_of(type_, module.types)
        own = Instruction("alloca", ty.PTR, (), source_type=type_, align=align)
        own.name = f"{argument.name}.own" if argument.name else None
        argument.replace_all_uses(own)
        size = i64(size_of(type_, module.types))
        copy = Instruction(
            "call",
            ty.VOID,
            (_memcpy(module), own, argument, size, Constant(ty.I1, "int", "false")),
            call=CallSite(_COPY, arguments=((f"align {align}",), (f"align {align}",), (), ())),
        )
        entry.insert(0, own)
        entry.insert(1, copy)
        changed = True
    return changed


def _memcpy(module: Module) -> Function:
    name = "llvm.memcpy.p0.p0.i64"
    known = module.symbols.get(name)
    if isinstance(known, Function):
        return known
    declared = Function(name, _COPY, [Argument(p) for p in _COPY.fields])
    declared.arguments[3].attributes = ("immarg",)
    module.add(declared)
    return declared
