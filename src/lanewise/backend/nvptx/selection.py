# SPDX-License-Identifier: Apache-2.0
"""Operations that LLVM 22's NVPTX back end can select instructions for, and those on which it would abort the process.

Found by trying every intrinsic of the table and every operation of the IR, for all types, on sm_50 to sm_120, each in
a process of its own. What is legal by this page is known to work; what LLVM could do beyond it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lanewise.backend.nvptx.assembly import assembly_faults, is_assembly
from lanewise.backend.nvptx.targets import Target, shown_version
from lanewise.backend.nvptx.textures import texture_faults
from lanewise.ir.address_spaces import CONSTANT, GENERIC, GLOBAL, LOCAL, PARAMETER, SHARED, SHARED_OF_CLUSTER
from lanewise.ir.effects import accessed_type
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.layout import NamedTypes
from lanewise.ir.types import Type
from lanewise.ir.values import Constant

_FLOATS: Final = frozenset({"half", "bfloat", "float", "double"})
_INEXACT: Final = (
    "sin", "cos", "tan", "exp", "exp10", "log", "log2", "log10", "pow", "powi", "lround", "llround", "lrint", "llrint",
)  # fmt: skip
_ELEMENTS: Final = {
    **{f"llvm.{name}": frozenset[str]() for name in _INEXACT},
    "llvm.exp2": _FLOATS - {"double"},
    "llvm.ldexp": _FLOATS,
    "llvm.frexp": _FLOATS,
}
"""Intrinsic -> element types for which there are instructions. All others of the table take any type, but for the
combinations in `_gap`."""

_SYSTEM_CALLS: Final = frozenset({"vprintf", "malloc", "free", "__assertfail", "__nvvm_reflect"})
"""Functions of the driver (CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory Allocation",
"Assertion"); `__nvvm_reflect` LLVM itself replaces."""

_SCOPES: Final = {"": 50, "block": 50, "device": 50, "cluster": 90}
"""Scopes of atomics -> least sm."""
_SCOPE: Final = re.compile(r'syncscope\("([^"]*)"\)').fullmatch

_CONVERSIONS: Final = frozenset({"fptosi", "fptoui", "sitofp", "uitofp"})
_SCALARS: Final = frozenset(
    {"int", "ptr", "half", "bfloat", "float", "double", "void", "label", "metadata", "function"}
)
_STACK_SPACES: Final = frozenset({GENERIC, LOCAL})
"""Address spaces in which an alloca may be."""
VARIABLE_SPACES: Final = frozenset({GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL})
"""Address spaces in which a variable of the module may be."""
_SPACES: Final = VARIABLE_SPACES | {SHARED_OF_CLUSTER, PARAMETER}
"""Generic, global, shared, constant, local, shared by a cluster, and kernel parameters."""


def is_system_call(name: str) -> bool:
    return name in _SYSTEM_CALLS


def faults(instruction: Instruction, target: Target) -> Iterator[str]:
    """Reasons why `target` can't have `instruction`: none, or phrases that continue "kernel k ..."."""
    op = instruction.op
    if instruction.ordering is not None:
        yield from _atomic_faults(instruction, target)
    if op == "call":
        if instruction.call is not None and "[" in instruction.call.suffix and instruction.callee != "llvm.assume":
            yield "has a call with operand bundles, which PTX doesn't have"
        yield from texture_faults(instruction)
        if instruction.callee.startswith("llvm."):
            yield from _intrinsic_faults(instruction, target)
        elif is_assembly(instruction):
            yield from assembly_faults(instruction, target)
    elif op in _CONVERSIONS:
        yield from _conversion_faults(instruction)
    elif op == "addrspacecast":
        for space in (instruction.operands[0].type.scalar.addrspace, instruction.type.scalar.addrspace):
            if space not in _SPACES:
                yield f"has a pointer to address space {space}, which PTX doesn't have"
    elif op == "indirectbr":
        yield "jumps to a computed label, which PTX can't express"
    elif op == "alloca":
        yield from _alloca_faults(instruction, target)


def lacking(type_: Type, names: NamedTypes) -> str:
    """`type_`, or what is in it, where PTX has no such values; "" where all is well."""
    if type_.kind in _SCALARS:
        return ""
    if type_.kind in ("array", "vector"):
        return str(type_) if type_.scalable else lacking(type_.inner, names)
    if type_.kind == "named":
        body = names.get(type_.name)
        return str(type_) if body is None else lacking(body, names)
    if type_.kind == "struct":
        return next(filter(None, (lacking(field, names) for field in type_.fields)), "")
    return str(type_)


def _alloca_faults(instruction: Instruction, target: Target) -> Iterator[str]:
    variable = instruction.operands and instruction.operands[0].__class__ is not Constant
    if variable and target.sm < 52:
        yield f"has an array of variable length, which needs sm_52; the target is {target.name}"
    if instruction.type.addrspace not in _STACK_SPACES:
        yield f"has a local variable in address space {instruction.type.addrspace}, which PTX doesn't have"


def _intrinsic_faults(instruction: Instruction, target: Target) -> Iterator[str]:
    name = instruction.callee
    row = intrinsic_of(name)
    if row is None:
        yield f"uses {name}, an intrinsic that this compiler does not know"
        return
    if target.sm < row.sm or target.ptx < row.ptx:
        yield (
            f"uses {row.name}, which needs sm_{row.sm} and PTX {shown_version(row.ptx)}; the target is {target.name} "
            f"with PTX {shown_version(target.ptx)}"
        )
    types = [operand.type for operand in instruction.arguments] + [instruction.type]
    allowed = _ELEMENTS.get(row.name)
    element = types[0].scalar.kind if types else ""
    if allowed is not None and element not in allowed:
        yield f"uses {name}, for which PTX has no instruction"
    elif reason := _gap(row.name, types, target):
        yield f"uses {name}, which LLVM can't select for {target.name}: {reason}"


def _gap(name: str, types: list[Type], target: Target) -> str:
    """Single combinations that the back end lacks."""
    first, result = types[0] if types else None, types[-1]
    if name == "llvm.canonicalize" and first is not None:
        plain = first.kind in ("float", "double") or (first.kind == "half" and target.sm >= 53)
        return "" if plain else f"no canonicalisation of {first}"
    if name == "llvm.bswap" and result.is_vector and result.inner.bits == 32 and target.sm >= 100:
        return "no byte swap of vectors"
    if name in ("llvm.fptosi.sat", "llvm.fptoui.sat") and result.scalar.bits > 64:
        return "no conversion to 128 bits"
    if name in ("llvm.stacksave", "llvm.stackrestore") and target.sm < 52:
        return "the stack can't grow before sm_52"
    if name == "llvm.threadlocal.address":
        return "no variables of threads"
    return ""


def _conversion_faults(instruction: Instruction) -> Iterator[str]:
    source, result = instruction.operands[0].type, instruction.type
    if any(type_.scalar.is_int and type_.scalar.bits > 64 for type_ in (source, result)):
        yield f"converts {source} to {result}, for which PTX has no instruction"


def _atomic_faults(instruction: Instruction, target: Target) -> Iterator[str]:
    ordering = instruction.ordering
    assert ordering is not None
    match = _SCOPE(ordering.scope)
    scope = match[1] if match is not None else ""
    if scope not in _SCOPES:
        yield f"has an atomic operation of scope {scope!r}; PTX has block, cluster, device and, unnamed, system"
    elif target.sm < _SCOPES[scope]:
        yield f"has an atomic operation of scope {scope!r}, which needs sm_{_SCOPES[scope]}, on {target.name}"
    if instruction.op == "fence":
        return
    value = accessed_type(instruction)
    if target.sm < 70 and instruction.op in ("load", "store") and ordering.success not in ("unordered", "monotonic"):
        yield f"has an atomic {instruction.op} of order {ordering.success}, which needs sm_70, on {target.name}"
    bits = value.scalar.bits * (value.count or 1)
    if instruction.align and instruction.align * 8 < bits:
        yield f"has an atomic operation on {value} at a multiple of {instruction.align} bytes, expected {bits // 8}"
    if bits > 64:
        if target.sm < 90 or target.ptx < 84:
            yield f"has an atomic operation on {value}, which needs sm_90 and PTX 8.4, on {target.name}"
        elif ordering.success == "seq_cst":
            yield f"has an atomic operation on {value} of order seq_cst, which PTX doesn't have"
