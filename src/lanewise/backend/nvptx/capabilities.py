# SPDX-License-Identifier: Apache-2.0
"""Checks a module against a target before code generation, because LLVM aborts the process on what it can't select.

1. Each intrinsic is in the table, and the target has its instruction.
2. Each operation has an instruction for its types, atomic orders and scopes (`selection.py`).
3. Each function that is called is defined, or one of CUDA's system calls. A mathematical function without an
   instruction is refused by name.
4. Each variable that is used is defined; `extern __shared__` arrays are the launch's.
5. The module asks for nothing that PTX modules have not: constructors that run when it is loaded, other names for
   symbols, variables of threads, initial values of shared variables, other address spaces.
6. No parameter is empty.
7. Kernels and variables that keep their names have names that PTX allows: CUDA C++ allows others, such as `größe`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Final

from lanewise.analysis.references import reached_from, symbols_in
from lanewise.backend.nvptx import selection
from lanewise.backend.nvptx.targets import Target
from lanewise.errors import CompileError
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Block, Function
from lanewise.ir.initializer import unescape
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import is_wide
from lanewise.ir.layout import size_of
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.names import is_number
from lanewise.ir.symbol_words import LOCAL_LINKAGES
from lanewise.ir.texture_functions import texture_function
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Constant, Global
from lanewise.ir.written_names import written_name

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_$]*|[_$%][A-Za-z0-9_$]+")
"""Names of symbols. Source: PTX ISA, 4.4, "Identifiers"."""
_WITHOUT_SYMBOLS: Final = frozenset({Argument, Block, Instruction})
"""Operands that name nothing outside their function."""


def check(module: Module, target: Target, source: Callable[[], Module]) -> None:
    """Raises `CompileError` that names all that `target` can't have, each once, with the kernel and the reason.

    `module` is what code is generated from; `source` gives what it was made from, with debug information, and is asked
    only where something is wrong: it says where in the program a fault comes from.
    """

    @functools.cache
    def lacking(type_: Type) -> str:
        return selection.lacking(type_, module.types)

    found = [
        (owner, instruction, text, symbol)
        for owner, function in _owned_functions(module)
        for instruction in function.instructions()
        for text, symbol in _faults(instruction, target, lacking)
    ]
    faults = dict.fromkeys([*_module_faults(module), *_name_faults(module, source)])
    if found:
        origin = source()
        for owner, instruction, text, symbol in found:
            kind = "kernel" if owner.is_kernel else "function"
            faults[f"{_place(origin, instruction, symbol)}{kind} {_readable(origin, owner)} {text}"] = None
    if faults:
        raise CompileError(f"no PTX for {target.name}:\n" + "\n".join(faults), tuple(faults))


def _owned_functions(module: Module) -> Iterator[tuple[Function, Function]]:
    """All functions with a body, each with the kernels that reach it; with itself if only a variable does."""
    reached: set[Global] = set()
    for kernel in module.kernels:
        functions = [each for each in reached_from([kernel]) if isinstance(each, Function)]
        reached.update(functions)
        yield from ((kernel, function) for function in functions)
    yield from ((function, function) for function in module.functions if function.blocks and function not in reached)


def _faults(instruction: Instruction, target: Target, lacking: Callable[[Type], str]) -> Iterator[tuple[str, str]]:
    """(what is wrong, the symbol that it is about or ""). `lacking`: that of `selection`, for the module's types."""
    operands = instruction.operands
    for type_ in dict.fromkeys([instruction.type, *[operand.type for operand in operands]]):
        if lacking(type_):
            yield f"has a value of type {lacking(type_)}, which PTX doesn't have", ""  # 2
    for text in selection.faults(instruction, target):  # 1, 2
        yield text, instruction.callee
    for operand in operands:
        if operand.__class__ not in _WITHOUT_SYMBOLS:
            for symbol in symbols_in(operand):
                text = _symbol_fault(symbol)
                if text:
                    yield text, symbol.name or ""


def _symbol_fault(symbol: Global) -> str:
    name = symbol.name or ""
    if isinstance(symbol, Function):
        if symbol.blocks or name.startswith("llvm.") or selection.is_system_call(name) or texture_function(name):
            return ""
        if is_wide(name):
            return "has functions of sub-groups of 64 work-items, and a GPU's warps have 32"  # 3
        return f"calls {written_name(name)}, which is declared and nowhere defined"  # 3
    if isinstance(symbol, GlobalVariable) and symbol.initializer is None and symbol.type.addrspace != SHARED:
        return f"uses the variable {written_name(name)}, which is declared extern and nowhere defined"  # 4
    return ""


def _module_faults(module: Module) -> Iterator[str]:
    for name, symbol in module.symbols.items():
        if name in ("llvm.global_ctors", "llvm.global_dtors") and _has_elements(symbol):  # 5
            yield "variables have constructors or destructors, but loading a PTX module runs no code"
        elif isinstance(symbol, Alias):  # 5
            yield f"{name} is an alias ({symbol.text}), which PTX doesn't have"
        elif isinstance(symbol, GlobalVariable):
            yield from _variable_faults(symbol)
        elif isinstance(symbol, Function) and symbol.blocks:
            for index, argument in enumerate(symbol.arguments):
                type_ = argument.type
                if type_.is_aggregate and not size_of(type_, module.types):  # 6
                    yield f"parameter {index} of {name} is empty, which PTX can't pass"


def _variable_faults(variable: GlobalVariable) -> Iterator[str]:
    name = written_name(variable.name or "")
    if variable.type.addrspace not in selection.VARIABLE_SPACES:  # 5
        yield f"the variable {name} is in address space {variable.type.addrspace}, which PTX doesn't have"
    if any(word.startswith("thread_local") for word in variable.prefix):  # 5
        yield f"the variable {name} is thread_local, which PTX doesn't have"
    value = variable.initializer
    begins = isinstance(value, Constant) and value.kind not in ("undef", "poison")
    if begins and variable.type.addrspace == SHARED:  # 5
        yield f"the shared variable {name} has an initial value, which PTX doesn't have"


def _name_faults(module: Module, source: Callable[[], Module]) -> Iterator[str]:
    for name, symbol in module.symbols.items():
        is_kernel = isinstance(symbol, Function) and symbol.is_kernel and bool(symbol.blocks)
        is_visible = isinstance(symbol, GlobalVariable) and LOCAL_LINKAGES.isdisjoint(symbol.prefix)
        is_free = is_number(name) or name.startswith("llvm.")
        if not (is_kernel or is_visible) or is_free or _NAME.fullmatch(name):  # 7
            continue
        written = _readable(source(), symbol) if isinstance(symbol, Function) else name
        shown = unescape(written).decode(errors="replace") if "\\" in written else written
        kind = "kernel" if is_kernel else "variable"
        yield f"{kind} {shown}: PTX allows a-z, A-Z, 0-9, _ and $ in a name, and no digit at its start"


def _has_elements(symbol: Global) -> bool:
    """A list of constructors that is not empty."""
    initializer = symbol.initializer if isinstance(symbol, GlobalVariable) else None
    return isinstance(initializer, Constant) and bool(initializer.operands)


# -- for messages ------------------------------------------------------------------------------------------------------


def _readable(source: Module, kernel: Function) -> str:
    """The kernel's name as written, where debug information has it."""
    original = source.symbols.get(kernel.symbol)
    if isinstance(original, Function):
        node = DebugInfo(source.metadata).node(dict(original.metadata).get("!dbg", ""))
        if node is not None and node.get("name"):
            return node.get("name")
    return written_name(kernel.symbol)


def _place(source: Module, instruction: Instruction, symbol: str) -> str:
    """`file:line:column: ` of the first use of `symbol`, or of the first operation alike, in the source."""
    info = DebugInfo(source.metadata)
    for function in source.functions:
        for original in function.instructions():
            if symbol:
                alike = any(s.name == symbol for o in original.operands for s in symbols_in(o))
            else:
                alike = original.op == instruction.op and [o.type for o in original.operands] == [
                    o.type for o in instruction.operands
                ]
            location = info.location(dict(original.metadata).get("!dbg", "")) if alike else None
            if location is not None:
                return f"{location}: "
    return ""
