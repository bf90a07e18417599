# SPDX-License-Identifier: Apache-2.0
"""Private memory of a size that only the run knows: alloca().

Before
    define ptx_kernel void @k(ptr %p, i64 %n) {
      %a = alloca i8, i64 %n, align 8
      call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 %n, i1 false)
      %x = load i8, ptr %a, align 1
      store i8 %x, ptr %p, align 1
      ret void
    }
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

After, for each work-item
      %stack = call ptr @llvm.stacksave.p0()
    ...
      %a = alloca i8, i64 %n, align 8
      call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 %n, i1 false)
      %x = load i8, ptr %a, align 1
      store i8 %x, ptr %p, align 1
      call void @llvm.stackrestore.p0(ptr %stack)

Private memory of known size has a place in the arena, one element per work-item. This has none: it is on the stack of
the thread while the work-item runs, and so can't live across a barrier, after which others use the stack.
"""

from __future__ import annotations

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.host_types import host_type
from lanewise.workgroup.layout.symbols import Symbols


def is_dynamic(instruction: Instruction) -> bool:
    """Return whether an instruction is an alloca of a size that is no constant."""
    return instruction.op == "alloca" and any(not isinstance(o, Constant) for o in instruction.operands)


def restores_stack(instruction: Instruction) -> bool:
    return instruction.callee.startswith("llvm.stackrestore")


def allocate(alloca: Instruction, count: Value, build: Builder) -> Instruction:
    assert alloca.source_type is not None
    type_ = host_type(alloca.source_type)
    return build.emit(Instruction("alloca", ty.PTR, (count,), name=alloca.name, source_type=type_, align=alloca.align))


def save_stack(symbols: Symbols, build: Builder) -> Value:
    """The current end of the thread's stack."""
    return build.call_function(symbols.external("llvm.stacksave.p0", ty.function(ty.PTR, ())), (), "stack")


def restore_stack(saved: Value, symbols: Symbols, build: Builder) -> None:
    """Give back all that was allocated since."""
    build.call_function(symbols.external("llvm.stackrestore.p0", ty.function(ty.VOID, (ty.PTR,))), (saved,))
