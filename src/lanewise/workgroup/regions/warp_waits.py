# SPDX-License-Identifier: Apache-2.0
"""Kernels whose warps wait for one another: by barriers of some warps, or in loops that look at shared memory.

Work-items can't run in any order between such waits, so the kernel has no regions: each warp runs it from start to end
on a stack of its own, and the runtime core switches among them (`runtime/core/warps.c`). Barriers of all work-items are
then barriers of all warps.

Before
    define void @f(i1 %p) {
      call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      ret void
    }

    declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)

    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

After
    define void @f(i1 %p) {
      call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
      call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 0)
      ret void
    }

    declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)

    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""

from __future__ import annotations

from typing import Final

from lanewise.analysis.uniformity import is_barrier
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import WARP_WAITS
from lanewise.ir.module import Module
from lanewise.ir.values import Value, i32

_CTA: Final = "llvm.nvvm.barrier.cta."
_OLDER: Final = "llvm.nvvm.barrier0"


def has_warp_waits(kernel: Function) -> bool:
    """Return whether warps of a kernel wait for one another."""
    return any(i.callee in WARP_WAITS for i in kernel.instructions())


def part_barriers(module: Module, kernel: Function) -> None:
    """Make each barrier of all work-items one of all warps."""
    for call in [i for i in kernel.instructions() if is_barrier(i)]:
        before = Builder(Block())
        result = _parted(module, call, before)
        block, place = call.parent, call.parent.instructions.index(call)
        for made in before.block.instructions:
            made.block = block
            made.metadata = tuple(each for each in call.metadata if each[0] == "!dbg")
        block.instructions[place:place] = before.block.instructions
        if call.type is not ty.VOID:
            call.replace_all_uses(result)
        call.erase()


def _parted(module: Module, call: Instruction, build: Builder) -> Value:
    name, arguments = call.callee, list(call.arguments)
    if not name.startswith(_OLDER):
        name = name.removesuffix(".all") + ".count"
        return _call(module, name, call.type, [arguments[0], i32(0), *arguments[1:]], build)
    kind = name.removeprefix(_OLDER).removeprefix(".")
    if not kind:
        return _call(module, f"{_CTA}sync.aligned.count", ty.VOID, [i32(0), i32(0)], build)
    vote = build.compare("ne", arguments[0], i32(0))
    result = ty.I32 if kind == "popc" else ty.I1
    made = _call(module, f"{_CTA}red.{kind}.aligned.count", result, [i32(0), i32(0), vote], build)
    return made if kind == "popc" else build.cast("zext", made, ty.I32)


def _call(module: Module, name: str, result: ty.Type, arguments: list[Value], build: Builder) -> Instruction:
    type_ = ty.function(result, tuple(argument.type for argument in arguments))
    return build.call_function(module.declare(name, type_), arguments)
