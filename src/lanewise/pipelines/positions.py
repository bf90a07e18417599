# SPDX-License-Identifier: Apache-2.0
"""mark-positions: marks where in the source a kernel is, so that the report of a failure can say it.

Why
    Machine code keeps no lines. A wrong access, a trap or a timeout is then known by its work-group only.

Before
    define float @f(ptr %p) !dbg !1 {
    entry:
      %x = load float, ptr %p, align 4, !dbg !2
      ret float %x
    }
    !lanewise.debug = !{}
    !0 = !DIFile(filename: "a.cu", directory: "")
    !1 = distinct !DISubprogram(name: "f", file: !0)
    !2 = !DILocation(line: 7, scope: !1)

After, beside the metadata
    define float @f(ptr %p) !dbg !1 {
    entry:
      call void @__lw_position(ptr @.lw.position.0, ptr @.lw.position.1, i32 7), !dbg !2
      %x = load float, ptr %p, align 4, !dbg !2
      ret float %x
    }
    declare void @__lw_position(ptr, ptr, i32) nounwind
    @.lw.position.0 = private unnamed_addr constant [5 x i8] c"a.cu\\00", align 1
    @.lw.position.1 = private unnamed_addr constant [2 x i8] c"f\\00", align 1

Needs
    1. The module asks for it, as code compiled with `-g` does, and has no marks yet.
    2. The instruction may fail: it accesses memory that isn't a local variable's, or calls what is no intrinsic.
    3. Its line is known and differs from that of the mark before it in its block.

Method
    The mark is a call of a function that LLVM knows nothing of, so no access moves across it.
    `workgroup/lowering/lowering.py` makes stores to the thread's `lw_position` of it.

When not
    Without `-g`: marks keep loops from being vectorised.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.debug_info import POSITIONS_WANTED, DebugInfo
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.intrinsics import PARTIAL_BARRIERS
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Argument, Constant, i32
from lanewise.workgroup.layout.abi import POSITION_MARK

_MARK_TYPE: Final = ty.function(ty.VOID, (ty.PTR, ty.PTR, ty.I32))
_HARMLESS: Final = ("llvm.dbg.", "llvm.lifetime.", "llvm.nvvm.read.ptx.")


def mark_positions(module: Module) -> bool:
    """Mark all functions if the module asks for it; returns whether it does."""
    if POSITIONS_WANTED not in module.metadata or POSITION_MARK in module.symbols:  # 1
        return False
    marker = _Marker(module)
    for function in [f for f in module.functions if f.blocks]:
        for block in function.blocks:
            marker.mark(block, function)
    return True


class _Marker:
    def __init__(self, module: Module) -> None:
        self._module: Final = module
        self._info: Final = DebugInfo(module.metadata)
        self._names: Final = self._info.function_names(module.functions)
        self._strings: Final[dict[str, GlobalVariable]] = {}
        self._mark: Final = Function(
            POSITION_MARK, _MARK_TYPE, [Argument(t) for t in _MARK_TYPE.fields], suffix="nounwind"
        )
        module.add(self._mark)

    def mark(self, block: Block, function: Function) -> None:
        marked: list[Instruction] = []
        last: tuple[str, int] | None = None
        for instruction in block.instructions:
            name = dict(instruction.metadata).get("!dbg", "")
            place = self._info.location(name) if may_fail(instruction) else None  # 2
            if place is not None and place[:2] != last:  # 3
                last = place[:2]
                marked.append(self._new_mark(place.file, self._names.get(function.symbol, ""), place.line, name))
            marked.append(instruction)
        block.instructions = []
        for instruction in marked:
            block.append(instruction)

    def _new_mark(self, file: str, function: str, line: int, location: str) -> Instruction:
        operands = (self._mark, self._string(file), self._string(function), i32(line))
        return Instruction("call", ty.VOID, operands, call=CallSite(_MARK_TYPE), metadata=(("!dbg", location),))

    def _string(self, text: str) -> GlobalVariable:
        known = self._strings.get(text)
        if known is None:
            data = text.encode(errors="surrogateescape") + b"\0"
            literal = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
            type_ = ty.array(len(data), ty.I8)
            known = self._strings[text] = GlobalVariable(
                f".lw.position.{len(self._strings)}",
                type_,
                Constant(type_, "string", literal),
                prefix=("private", "unnamed_addr", "constant"),
                suffix=", align 1",
            )
            self._module.add(known)
        return known


def may_fail(instruction: Instruction) -> bool:
    """True if an instruction accesses memory that is not a local variable's, or calls what may; or if it is a barrier
    of some warps, which others may never come to."""
    if instruction.op in effects.ACCESSES:
        address = effects.pointer_operand(instruction)
        return not (isinstance(address, Instruction) and address.op == "alloca")
    if instruction.op != "call" or instruction.is_debug_record:
        return False
    callee = instruction.operands[0]
    harmless = isinstance(callee, Function) and callee.symbol.startswith(_HARMLESS)
    return not harmless or instruction.callee in PARTIAL_BARRIERS
