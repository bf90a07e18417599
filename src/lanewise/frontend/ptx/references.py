# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces by name: `.global .texref t`, or `.tex .u32 t` as ISA 1 has it.

Each is a variable of 8 bytes with the handle of what is bound to it, marked as clang marks `texture<...>`.

Source: PTX ISA 9.0, 5.3 "Texture Sampler and Surface Types", 5.1.8 "Texture State Space".
"""

from collections.abc import Mapping
from typing import Final

from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import of_one
from lanewise.frontend.texture_references import ANNOTATIONS
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import GLOBAL
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.names import quoted
from lanewise.ir.values import Global, i64
from lanewise.ptx.language.statements import Declaration

_KINDS: Final = {"texref": "texture", "surfref": "surface"}


def is_reference(declaration: Declaration) -> bool:
    """True for the declaration of a texture or surface."""
    return declaration.space == "tex" or declaration.type in _KINDS


def kind_of(declaration: Declaration) -> str:
    """The kind of what is bound to it: "texture" or "surface"."""
    return _KINDS.get(declaration.type, "texture")


def declare(declaration: Declaration, name: str, symbol: str, module: Module) -> GlobalVariable:
    """Add the variable to a module, under the name `symbol`."""
    if ".extern" in declaration.linkage:
        raise RefusedError(f"{name} is in another module; several are linked by lw.link", declaration.start)
    own = of_one(declaration, name).declarators[0]
    if own.dimensions or own.initializer is not None or declaration.space not in ("tex", "global"):
        told = f"{name}: a .{declaration.type} that is an array, has an initializer or is not in .global"
        raise RefusedError(f"{told} is not supported", declaration.start)
    prefix = ("dso_local", f"addrspace({GLOBAL})", "externally_initialized", "global")
    made = GlobalVariable(symbol, ty.I64, i64(0), addrspace=GLOBAL, prefix=prefix, suffix=", align 8")
    module.add(made)
    return made


def mark(module: Module, references: Mapping[Global, str]) -> None:
    """Say which variables of a module are references, and of what kind."""
    nodes = [
        module.add_metadata(f'!{{ptr addrspace({GLOBAL}) @{quoted(str(each.name))}, !"{kind}", i32 1}}')
        for each, kind in references.items()
        if module.symbols.get(str(each.name)) is each
    ]
    if nodes:
        module.metadata[ANNOTATIONS] = f"!{{{', '.join(nodes)}}}"
