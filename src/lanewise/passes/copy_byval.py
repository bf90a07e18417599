# SPDX-License-Identifier: Apache-2.0
"""copy-byval: gives each work-item its own copy of structs that are passed by value.

Why
    On the CPU all work-items share the packed arguments. A kernel may write to a parameter, as CUDA and OpenCL C say,
    and no other work-item may see that. LLVM's SROA takes the copy away again if nothing writes to it.

Before
    define ptx_kernel void @k(ptr byval(i32) align 4 %p, i32 %n) {
      store i32 %n, ptr %p, align 4
      ret void
    }

After
    define ptx_kernel void @k(ptr byval(i32) align 4 %p, i32 %n) {
      %p.own = alloca i32, align 4
      call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p.own, ptr align 4 %p, i64 4, i1 false)
      store i32 %n, ptr %p.own, align 4
      ret void
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

Needs
    1. The function has a body.
    2. A parameter is passed in memory (byval).
    3. Something other than such a copy uses it.

Method
    The copy is made at the entry, and all uses of the parameter become uses of the copy.

When not
    PTX has parameters of each thread's own; LLVM's back end copies them if they are written to.

Neighbours
    Runs once a kernel is isolated, since the other kernels' parameters don't matter, and before LLVM simplifies it.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.module import Module
from lanewise.ir.parameters import byval_type
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, i64

_COPY = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I64, ty.I1))
_NAME = "llvm.memcpy.p0.p0.i64"


def run(function: Function, module: Module) -> bool:
    """Copy the parameters passed in memory of a kernel, or of a function that isn't inlined; see above. Returns whether
    there are any."""
    if not function.blocks:  # 1
        return False
    changed = False
    for argument in function.arguments:
        type_ = byval_type(argument)
        if type_ is None:  # 2
            continue
        if all(user.callee == _NAME and user.arguments[1] is argument for user in argument.users):  # 3
            continue
        _copy(argument, type_, function, module)
        changed = True
    return changed


def _copy(argument: Argument, type_: Type, function: Function, module: Module) -> None:
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
    function.entry.insert(0, own)
    function.entry.insert(1, copy)


def _memcpy(module: Module) -> Function:
    known = module.symbols.get(_NAME)
    if isinstance(known, Function):
        return known
    declared = Function(_NAME, _COPY, [Argument(p) for p in _COPY.fields])
    declared.arguments[3].attributes = ("immarg",)
    module.add(declared)
    return declared
