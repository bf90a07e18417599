# SPDX-License-Identifier: Apache-2.0
"""write-scoped-atomics: writes the read-modify-write instructions whose order or scope LLVM 22 would drop.

Why
    LLVM's NVPTX back end prints `atom.add.u32` for all of them, which PTX reads as relaxed and of the device. An
    operation that shall synchronise would not, and one of the system would not be seen by the host.

Before
    define i32 @f(ptr %p, i32 %v) {
    entry:
      %x = atomicrmw add ptr %p, i32 %v syncscope("block") acquire, align 4
      ret i32 %x
    }

After
    define i32 @f(ptr %p, i32 %v) {
    entry:
      %x = call i32 asm sideeffect "atom.acquire.cta.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %v)
      ret i32 %x
    }

Needs
    1. The instruction is an `atomicrmw`: loads, stores, fences and `cmpxchg` are right.
    2. It is ordered, or of another scope than the device. What is relaxed and of the device is right. On sm_50 any
       scope is: later code can't tell them apart there.
    3. PTX has such an operation on the type. LLVM makes loops of `cmpxchg` of the others, which keep the order.

Method
    Inline assembly takes the place of the instruction. Before sm_70 PTX has no orders on `atom`: fences stand around a
    relaxed one. So they do around operations that LLVM widens to 32 bits without their order.

Sources: PTX ISA, "atom"; Lustig, Sahasrabuddhe, Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency
Model" (ASPLOS 2019), table 2: a sequentially consistent one is a fence and an acquiring one.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.backend.nvptx.targets import Target
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import GENERIC, GLOBAL, SHARED
from lanewise.ir.instruction import CallSite, Instruction, Ordering
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, int_constant

_SCOPES: Final = {"": "sys", "block": "cta", "cluster": "cluster", "device": "gpu"}
_SPACES: Final = {GENERIC: "", GLOBAL: ".global", SHARED: ".shared"}
_OPERATIONS: Final = {
    "add": "add.u", "sub": "add.u", "xchg": "exch.b", "and": "and.b", "or": "or.b", "xor": "xor.b",
    "min": "min.s", "max": "max.s", "umin": "min.u", "umax": "max.u", "uinc_wrap": "inc.u", "udec_wrap": "dec.u",
}  # fmt: skip
_NARROW: Final = frozenset({"uinc_wrap", "udec_wrap"})
_WIDENED: Final = frozenset({"and", "or", "xor"})
"""Operations on 8 and 16 bits that LLVM does on the 32 around them, again without the order."""
_REGISTERS: Final = {"i32": "r", "i64": "l", "ptr": "l", "half": "h", "bfloat": "h", "float": "f", "double": "d"}
_FLOAT_ADDITIONS: Final = {
    "half": ("add.noftz.f16", 70), "bfloat": ("add.noftz.bf16", 90), "float": ("add.f32", 50),
    "double": ("add.f64", 60),
}  # fmt: skip
"""Element type -> operation, least sm."""
_SCOPE: Final = re.compile(r'syncscope\("([^"]*)"\)').fullmatch


def run(module: Module, target: Target) -> bool:
    """Rewrite all such instructions; returns whether there are any."""
    found = [
        instruction
        for function in module.functions
        for instruction in function.instructions()
        if instruction.op == "atomicrmw" and _needs_care(instruction, target)  # 1
    ]
    return sum(_rewrite(instruction, target) for instruction in found) > 0


def _needs_care(instruction: Instruction, target: Target) -> bool:
    ordering = _ordering(instruction)
    return ordering.success != "monotonic" or (target.sm >= 60 and _scope(ordering) != "device")  # 2


def _rewrite(instruction: Instruction, target: Target) -> bool:
    ordering = _ordering(instruction)
    order = ordering.success
    operation = _operation(instruction, target)
    pointer, value = instruction.operands
    block = instruction.parent
    at = block.instructions.index(instruction)
    if operation is None and instruction.predicate not in _WIDENED:  # 3
        return False
    if operation is None or target.sm < 70:
        is_ordered = order != "monotonic"
        if is_ordered:
            before = "seq_cst" if order == "seq_cst" else "acq_rel"
            block.insert(at + 1, _fence("acq_rel", ordering))
            block.insert(at, _fence(before, ordering))
            at += 1
        if operation is None or target.sm < 60:
            instruction.ordering = ordering._replace(success="monotonic")
            return is_ordered
        order = ""
    elif order == "seq_cst":
        block.insert(at, _fence("seq_cst", ordering))
        at += 1
        order = "acquire"
    order = {"": "", "monotonic": ".relaxed"}.get(order, f".{order}")
    if instruction.predicate == "sub":
        value = Instruction("sub", value.type, (int_constant(value.type, 0), value))
        block.insert(at, value)
        at += 1
    space = _SPACES.get(pointer.type.addrspace, "")
    register = _REGISTERS[str(value.type)]
    text = f"atom{order}.{_SCOPES[_scope(ordering)]}{space}.{operation} $0, [$1], $2;"
    callee = Constant(ty.PTR, "asm", f'asm sideeffect "{text}", "={register},l,{register},~{{memory}}"')
    type_ = ty.function(value.type, (pointer.type, value.type))
    call = Instruction("call", value.type, (callee, pointer, value), name=instruction.name, call=CallSite(type_))
    block.insert(at, call)
    instruction.replace_all_uses(call)
    instruction.erase()
    return True


def _operation(instruction: Instruction, target: Target) -> str | None:
    """`add.u32`, or None if PTX has no such operation for the type."""
    type_ = instruction.operands[1].type
    name = instruction.predicate
    if name == "fadd":
        addition, sm = _FLOAT_ADDITIONS.get(type_.kind, ("", 0))
        return addition if addition and target.sm >= sm else None
    if str(type_) not in ("i32", "i64", "ptr") and not (name == "xchg" and type_.kind in ("float", "double")):
        return None
    bits = 64 if type_.kind == "ptr" else type_.bits
    return f"{_OPERATIONS[name]}{bits}" if name in _OPERATIONS and not (name in _NARROW and bits > 32) else None


def _fence(order: str, of: Ordering) -> Instruction:
    return Instruction("fence", ty.VOID, ordering=Ordering(order, scope=of.scope))


def _ordering(instruction: Instruction) -> Ordering:
    assert instruction.ordering is not None
    return instruction.ordering


def _scope(ordering: Ordering) -> str:
    match = _SCOPE(ordering.scope)
    return match[1] if match is not None else ""
