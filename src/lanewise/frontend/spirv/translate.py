# SPDX-License-Identifier: Apache-2.0
"""SPIR-V to LLVM IR for nvptx64, in the form that clang gives a program in OpenCL C."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import ARITHMETIC, Handler
from lanewise.frontend.spirv.atomics import ATOMICS
from lanewise.frontend.spirv.built_in_values import put_in_memory
from lanewise.frontend.spirv.composites import COMPOSITES
from lanewise.frontend.spirv.control_flow import CONTROL_FLOW, write_phis
from lanewise.frontend.spirv.conversions import CONVERSIONS
from lanewise.frontend.spirv.declarations import read_declarations
from lanewise.frontend.spirv.extended import EXTENDED
from lanewise.frontend.spirv.function import Declarations, FunctionWriter
from lanewise.frontend.spirv.groups import GROUPS
from lanewise.frontend.spirv.images import IMAGES
from lanewise.frontend.spirv.kernels import Metadata, is_by_value, kernel_metadata
from lanewise.frontend.spirv.literals import quoted
from lanewise.frontend.spirv.memory import MEMORY
from lanewise.frontend.spirv.module import EXTERNAL, SpirvModule, damaged, refused
from lanewise.frontend.spirv.words import SpirvInstruction, instructions_of

_HANDLERS: Final[dict[str, Handler]] = {
    **ARITHMETIC, **ATOMICS, **COMPOSITES, **CONTROL_FLOW, **CONVERSIONS, **EXTENDED, **GROUPS, **IMAGES, **MEMORY,
}  # fmt: skip
_SAYING_NOTHING: Final = frozenset(
    ["Nop", "Line", "NoLine", "LoopMerge", "SelectionMerge", "LifetimeStart", "LifetimeStop", "AssumeTrueKHR", "String"]
)
_TARGET: Final = (
    'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"\n'
    'target triple = "nvptx64-nvidia-cuda"\n'
)
_ATTRIBUTES: Final = (
    'attributes #0 = { convergent norecurse nounwind "uniform-work-group-size"="false" }\n'
    "attributes #1 = { convergent nounwind }\n"
)
_DAMAGE: Final = (ValueError, LookupError, RecursionError)
"""Exceptions of an unpacking or a table where words are missing, and of types in one another without end."""


def spirv_program(data: bytes) -> str:
    """The program in a SPIR-V module. CompileError for a module that is damaged, that is none of OpenCL's, or that has
    what no program of OpenCL has here."""
    from lanewise.child import guarded  # a warm start needs no LLVM
    from lanewise.llvm import LlvmError

    module = SpirvModule()
    try:
        read_declarations(module, instructions_of(data))
        text = _Program(module).text()
    except _DAMAGE as error:
        raise damaged(f"{type(error).__name__}: {error}") from error
    try:
        return guarded(True, "SPIR-V", _as_llvm_writes_it, text)
    except LlvmError as error:
        raise damaged(f"LLVM says of its translation: {error}") from None


def _as_llvm_writes_it(text: str) -> str:
    """A module in LLVM's own form, verified. Raises `LlvmError` for what is none."""
    from lanewise.llvm import LlvmModule

    return LlvmModule.parse(text).text()


class _Program:
    """A program while it is written."""

    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._declarations = Declarations()
        self._metadata = Metadata()
        self._symbols = {function[0].result: self._symbol(function) for function in module.functions}
        self._called = {
            each.operands[0] for function in module.functions for each in function if each.name == "FunctionCall"
        }

    def _symbol(self, function: list[SpirvInstruction]) -> str:
        number = function[0].result
        if number in self._module.entry_points:
            return self._module.unique(f"{self._module.entry_points[number][0]}.body")
        linkage = self._module.linkage(number)
        if linkage is None:
            return self._module.symbol(number, "function")
        if linkage.word == EXTERNAL:
            return quoted(_for_nvptx(linkage.name))
        return self._module.unique(linkage.name)

    def text(self) -> str:
        """The program. CompileError for a kernel without a function."""
        for number, names in self._module.entry_points.items():
            if number not in self._symbols:
                raise damaged(f"the kernel {names[0]} has no function")
        functions = [line for function in self._module.functions for line in self._function(function)]
        version = self._metadata.node("i32 3, i32 0")
        lines = [
            *self._module.struct_lines(),
            *self._module.globals,
            *self._declarations.lines.values(),
            *functions,
        ]
        return "\n".join(
            (_TARGET, *lines, _ATTRIBUTES, f"!opencl.ocl.version = !{{{version}}}", *self._metadata.lines(), "")
        )

    def _function(self, function: list[SpirvInstruction]) -> Iterable[str]:
        """The lines of a function: of a kernel, under each of its names."""
        head = function[0]
        parameters = [each for each in function if each.name == "FunctionParameter"]
        if not any(each.name == "Label" for each in function):
            kinds = [self._module.type(each.type).text for each in parameters]
            symbol = self._symbols[head.result]
            self._declarations.add(symbol, self._module.type(head.type).text, kinds, "convergent nounwind")
            return
        names = self._module.entry_points.get(head.result, [])
        for name in names:
            yield from self._defined(function, f"ptx_kernel void @{quoted(name)}", is_kernel=True)
        if not names or head.result in self._called:
            linkage = self._module.linkage(head.result)
            word = "internal" if linkage is None or names else linkage.word
            result = self._module.type(head.type).text
            yield from self._defined(function, f"{word} {result} @{self._symbols[head.result]}", is_kernel=False)

    def _defined(self, function: list[SpirvInstruction], start: str, *, is_kernel: bool) -> Iterable[str]:
        writer = FunctionWriter(self._module, self._declarations, self._symbols)
        addressed = self._addressed(function)
        parameters: list[str] = []
        for each in function:
            if each.name == "FunctionParameter":
                if is_kernel:
                    writer.give(each.result, each.type, f"%arg{len(parameters)}")
                else:
                    writer.define(each.result, each.type)
                parameters.append(self._parameter(writer, each, is_kernel=is_kernel))
            elif each.name in _HANDLERS:
                _HANDLERS[each.name](writer, each)
                if each.name == "Label":
                    while addressed:
                        put_in_memory(writer, addressed.pop())
            elif each.name not in _SAYING_NOTHING and each.name not in ("Function", "FunctionEnd"):
                raise refused(f"Op{each.name}" if not each.name.isdecimal() else f"the instruction {each.name}")
        attachments = ""
        if is_kernel:
            kinds = [(p.result, self._module.type(p.type)) for p in function if p.name == "FunctionParameter"]
            attachments = " " + kernel_metadata(self._module, self._metadata, function[0].result, kinds)
        yield f"define {start}({', '.join(parameters)}) #{int(not is_kernel)}{attachments} {{"
        write_phis(writer)
        self._module.charge(sum(map(len, writer.lines)))
        first, *rest = writer.lines
        yield first
        yield from writer.entry
        yield from rest
        yield "}"

    def _addressed(self, function: list[SpirvInstruction]) -> list[int]:
        """The variables that say which work-item runs, and whose address a function takes: all uses but loads."""
        uses = (number for each in function for number in each.operands[each.name == "Load" :])
        return sorted(set(uses) & self._module.built_ins.keys())

    def _parameter(self, writer: FunctionWriter, each: SpirvInstruction, *, is_kernel: bool) -> str:
        """A parameter as the signature has it. What a function other than a kernel gets by value, it copies."""
        kind = self._module.type(each.type)
        name = writer.value(each.result)
        aligned = self._module.alignment(each.result)
        if isinstance(kind, ty.PointerType) and is_by_value(self._module, each.result):
            pointee = self._module.pointee(kind).text
            if is_kernel:
                return f"{kind.text} byval({pointee}){aligned} {name}"
            copy, value = writer.temporary(), writer.temporary()
            writer.entry.append(f"  {copy} = alloca {pointee}{',' if aligned else ''}{aligned}")
            writer.entry.append(f"  {value} = load {pointee}, {kind.text} {name}")
            writer.entry.append(f"  store {pointee} {value}, ptr {copy}")
            writer.give(each.result, each.type, copy)
        return f"{kind.text}{aligned if isinstance(kind, ty.PointerType) and is_kernel else ''} {name}"


def _for_nvptx(symbol: str) -> str:
    """The symbol of a built-in function with nvptx64's numbers of address spaces."""
    if not symbol.startswith("_Z"):
        return symbol
    return symbol.replace("PU3AS4", "P").replace("U3AS2", "U3AS4")
