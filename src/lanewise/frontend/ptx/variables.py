# SPDX-License-Identifier: Apache-2.0
"""Variables of a module, with their initialisers.

Source: PTX ISA 9.0, 5.4 "Variables", 5.4.4 "Initializers".
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.frontend.ptx import references
from lanewise.frontend.ptx.code import ModuleSymbols
from lanewise.frontend.ptx.operands import constant
from lanewise.frontend.ptx.ptx_types import bits_of
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import element_of, of_one, type_of
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT, GLOBAL, SHARED
from lanewise.ir.layout import align_of
from lanewise.ir.module import GlobalVariable
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64
from lanewise.ptx.language.operands import Immediate, Name, Offset
from lanewise.ptx.language.statements import Declaration, Declarator, Initializer

_SPACES: Final = {"global": GLOBAL, "const": CONSTANT, "shared": SHARED}
_GENERIC: Final = re.compile(r"generic\(([^()]+)\)([-+]\d+)?").fullmatch


def declare(declaration: Declaration, name: str, symbol: str, symbols: ModuleSymbols) -> GlobalVariable:
    """Add a variable to the module, under the name `symbol`."""
    if references.is_reference(declaration):
        made = references.declare(declaration, name, symbol, symbols.module)
        symbols.references[made] = references.kind_of(declaration)
        return made
    space = _SPACES.get(declaration.space)
    if space is None:
        raise RefusedError(f"{name}: a variable in .{declaration.space} is not supported", declaration.start)
    one = of_one(declaration, name)
    own = one.declarators[0]
    type_ = type_of(one)
    open_array = None in own.dimensions and own.initializer is None
    if open_array and space == SHARED:
        type_ = ty.array(0, element_of(one))
    elif None in own.dimensions:
        type_ = _closed(one, own)
    align = max(declaration.alignment or 1, align_of(type_, {}))
    external = open_array and space == SHARED
    if ".extern" in declaration.linkage and not external:
        raise RefusedError(f"{name} is in another module; several are linked by lw.link", declaration.start)
    words = ("external" if external else "internal" if space == SHARED else "dso_local",)
    kind = "constant" if space == CONSTANT else "global"
    prefix = (*words, f"addrspace({space})", *(("externally_initialized",) if space != SHARED else ()), kind)
    made = GlobalVariable(symbol, type_, None, addrspace=space, prefix=prefix, suffix=f", align {align}")
    symbols.module.add(made)
    if space == SHARED:
        made.initializer = None if external else Constant(type_, "undef")
    else:
        made.initializer = _initial(own.initializer, type_, symbols)
    return made


def _closed(declaration: Declaration, own: Declarator) -> Type:
    """The type of an open array, which has as many elements as its initialiser."""
    count = len(own.initializer) if isinstance(own.initializer, tuple) else 0
    return ty.array(count, element_of(declaration))


def _initial(given: Initializer | None, type_: Type, symbols: ModuleSymbols) -> Value:
    if given is None:
        return Constant(type_, "zeroinitializer")
    if type_.kind == "array":
        if not isinstance(given, tuple):
            raise RefusedError(f"the initializer {given} of an array")
        if type_.inner.kind == "int" and type_.inner.bits == 8 and all(isinstance(each, Immediate) for each in given):
            return _bytes([each.value for each in given if isinstance(each, Immediate)], type_)
        parts = [_initial(each, type_.inner, symbols) for each in given[: type_.count]]
        parts += [Constant(type_.inner, "zeroinitializer")] * (type_.count - len(parts))
        return Constant(type_, "aggregate", operands=tuple(_plain(part) for part in parts))
    if isinstance(given, tuple):
        raise RefusedError("braces round the initializer of a number")
    if isinstance(given, Immediate):
        return constant(given, type_)
    return _address(given, type_, symbols)


def _plain(value: Value) -> Value:
    """Zero as LLVM writes it in a list."""
    if isinstance(value, Constant) and value.kind == "zeroinitializer" and value.type.is_int:
        return Constant(value.type, "int", "0")
    if isinstance(value, Constant) and value.kind == "zeroinitializer" and value.type.is_float:
        return Constant(value.type, "float", "0x" + "0" * 16) if bits_of(value.type) > 16 else value
    return value


def _bytes(values: list[int | float], type_: Type) -> Constant:
    data = bytes(int(value) & 0xFF for value in values)[: type_.count].ljust(type_.count, b"\0")
    if not any(data):
        return Constant(type_, "zeroinitializer")
    shown = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
    return Constant(type_, "string", shown)


def _address(given: Initializer, type_: Type, symbols: ModuleSymbols) -> Value:
    """The address of a variable or a function, as a number."""
    if isinstance(given, str):
        found = _GENERIC(given)
        if found is None:
            raise RefusedError(f"the initializer {given} is not supported")
        name, offset = found[1], int(found[2] or 0)
    elif isinstance(given, Offset):
        name, offset = given.base.text, given.offset
    else:
        assert isinstance(given, Name)
        name, offset = given.text, 0
    symbol = symbols.address(name)
    if symbol.type.addrspace == SHARED or type_.bits != 64:
        raise RefusedError(f"the address of {name} as the initializer of {type_.bits} bits is not supported")
    pointer: Value = symbol
    if symbol.type.addrspace:
        pointer = Constant(ty.PTR, "expr", operands=(symbol,), opcode="addrspacecast")
    if offset:
        pointer = Constant(ty.PTR, "expr", operands=(pointer, i64(offset)), opcode="getelementptr", source_type=ty.I8)
    return Constant(ty.I64, "expr", operands=(pointer,), opcode="ptrtoint")
