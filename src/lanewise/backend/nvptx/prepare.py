# SPDX-License-Identifier: Apache-2.0
"""Makes a module ready for PTX: kernels and the variables that a host can name are visible, nothing else.

Definitions that are not internal would stay as `.visible .func` after all their calls are inlined (facts: traps).
Debug information goes too, unless lines are wanted (`-lineinfo`), and with it `.loc` and `.file`; so do comdats, which
PTX doesn't have, and attributes that name the target, which the target machine says.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, GLOBAL
from lanewise.ir.debug_info import LINES_WANTED, directives_only
from lanewise.ir.function import Function
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.strip_debug import strip_debug_info, strip_debug_records
from lanewise.ir.symbol_words import LOCAL_LINKAGES, with_linkage
from lanewise.ir.values import Constant, Value

_BY_HOST: Final = "externally_initialized"
"""The word that keeps LLVM from taking the initial value for the one that a kernel finds."""
_COMDAT: Final = re.compile(r',? ?\bcomdat(?:\(\$(?:"[^"]*"|[^)"]*)\))?')
_TARGET_ATTRIBUTE: Final = re.compile(r'\s*"target-(?:cpu|features)"="[^"]*"|\s*"tune-cpu"="[^"]*"')
_FILE: Final = re.compile(r'(!DIFile\(filename: ")([^"</][^"]*)(", directory: "([^"]+)")')
"""A file whose name is relative to a folder. `<source>`, a text from no file, is no such name."""
_NEVER_EMPTY: Final = "nounwind"
"""The content of an attribute group that would be empty, since LLVM reads no empty one; nothing unwinds on a GPU."""
_KEPT_ALIVE: Final = ("llvm.used", "llvm.compiler.used")
"""Lists of symbols that the linker shall keep: what a host can name stays without them."""
_OF_LIBRARY: Final = "lw."
"""Prefix of the names of variables that libraries have for themselves (`linking/definitions.py`)."""


def keep_debug_directives(module: Module) -> bool:
    """Keep of debug information what becomes `.loc` and `.file`, if lines are wanted, and nothing otherwise.

    Records of variables become neither. They go in any case, so that no step that counts instructions or users makes
    other code where lines are wanted.
    """
    if LINES_WANTED in module.metadata:
        strip_debug_records(module)
        _name_whole_paths(module)
        module.metadata = {name: directives_only(node) for name, node in module.metadata.items()}
    else:
        strip_debug_info(module)
    return True


def prepare_symbols(module: Module) -> bool:
    """Make kernels and the variables that a host can name visible, and all other definitions internal."""
    for name in _KEPT_ALIVE:
        module.symbols.pop(name, None)
    module.header = [line for line in module.header if not line.startswith("$")]
    module.attributes = {
        name: _TARGET_ATTRIBUTE.sub("", body).strip() or _NEVER_EMPTY for name, body in module.attributes.items()
    }
    for symbol in module.symbols.values():
        if isinstance(symbol, Function):
            _prepare_function(symbol)
        elif isinstance(symbol, GlobalVariable):
            _prepare_variable(symbol)
        elif isinstance(symbol, Alias):
            symbol.text = " ".join(with_linkage(symbol.text.split(" "), "internal"))
    return True


def _name_whole_paths(module: Module) -> None:
    """Make names of files absolute, as nvcc has them: LLVM writes `.file` without the folder. Clang takes off what a
    file's folder and the current one have in common."""
    for name, node in module.metadata.items():
        module.metadata[name] = _FILE.sub(r"\1\4/\2\3", node)


def hide_kernels(module: Module, kept: str | None, without: Collection[str]) -> bool:
    """Make functions of the kernels other than `kept`, if that is given, and of those in `without`. Nobody calls them:
    LLVM drops them."""
    others = [f for f in module.kernels if f.symbol in without or kept not in (None, f.symbol)]
    for function in others:
        function.convention = ""
    return bool(others)


def _prepare_function(function: Function) -> None:
    function.suffix = _TARGET_ATTRIBUTE.sub("", function.suffix)
    if function.is_declaration:
        return
    function.linkage = "" if function.is_kernel else "internal"
    function.prefix = with_linkage(function.prefix, "")
    function.suffix = _COMDAT.sub("", function.suffix).strip()


def _prepare_variable(variable: GlobalVariable) -> None:
    if variable.initializer is None or str(variable.name).startswith("llvm."):
        return
    variable.suffix = _COMDAT.sub("", variable.suffix)
    is_visible = is_host_visible(variable)
    if variable.type.addrspace == CONSTANT and not variable.users and _names_code(variable.initializer):
        _move_to_global(variable)
    if is_visible:
        words = [word for word in with_linkage(variable.prefix, "") if word != _BY_HOST]
        variable.prefix = (*words[:-1], _BY_HOST, words[-1])
    elif LOCAL_LINKAGES.isdisjoint(variable.prefix):
        variable.prefix = with_linkage(variable.prefix, "internal")


def _names_code(value: Value) -> bool:
    """True if an initial value has the address of a function."""
    if isinstance(value, Alias):
        return _names_code(value.aliasee)
    return isinstance(value, Function) or (isinstance(value, Constant) and any(map(_names_code, value.operands)))


def _move_to_global(variable: GlobalVariable) -> None:
    """Let a variable of constant memory be one of global memory that no kernel writes. ptxas 13 takes an address of
    code that it loads from an initialised `.const`, and compares with null, for another one: the call is
    CUDA_ERROR_INVALID_PC. All uses are casts of the variable to a generic pointer, which have its type from itself."""
    words = {f"addrspace({CONSTANT})": f"addrspace({GLOBAL})"}
    variable.type = ty.pointer(GLOBAL)
    variable.prefix = tuple(words.get(word, word) for word in variable.prefix)


def is_host_visible(variable: GlobalVariable) -> bool:
    """A `__device__` or `__constant__` variable that a host may read and write by name.

    That includes static ones, which clang leaves internal unless host code in the same file names them: here the host
    is a program that the compiler does not see. A `__device__ const` is known to the compiler, and no host writes it.
    """
    if "private" in variable.prefix or str(variable.name).startswith(_OF_LIBRARY):
        return False
    space = variable.type.addrspace
    written = _BY_HOST in variable.prefix or not variable.is_constant
    return space == CONSTANT or (space == GLOBAL and written)
