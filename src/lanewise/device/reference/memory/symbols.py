# SPDX-License-Identifier: Apache-2.0
"""Addresses of a module's symbols, and runtime values of its constants.

Variables of device memory have bytes of their own for the life of the module, written by their initialisers. Shared
variables have offsets in the window of shared memory; the dynamic ones (declared without a size) all start after the
others. Functions have addresses at which there is no memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from lanewise.device.reference.address_windows import FUNCTION_WINDOW, HEAP_WINDOW, SHARED_WINDOW, WINDOW_SHIFT
from lanewise.device.reference.arithmetic.encoding import uniform_value, zero
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison, unknown_result
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.device.reference.arithmetic.operations import Operations
from lanewise.device.reference.memory.objects import HostRange, MemoryObject, fresh_object, is_in_window
from lanewise.errors import CompileError
from lanewise.ir.address_spaces import CONSTANT, SHARED
from lanewise.ir.function import Function
from lanewise.ir.layout import align_of, size_of
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Global
from lanewise.ir.values import Value as IRValue
from lanewise.ir.written_names import written_name

_METADATA_SECTION: Final = "llvm.metadata"
_SHARED_GUARD: Final = 128  # bytes between shared variables, and the alignment that each has at least

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class SymbolTable:
    """Addresses, memory and constants of one module."""

    def __init__(self, module: Module, operations: Operations) -> None:
        self._module: Final = module
        self._operations: Final = operations
        self._shared: Final[list[tuple[str, int, int]]] = []
        self._addresses: Final[dict[str, int]] = {}
        self._dynamic_base = SHARED_WINDOW
        self.bytes: Final[dict[str, Bytes]] = {}
        """Content of each variable in device memory, by symbol."""
        self.functions: Final[dict[int, str]] = {}
        """Symbol of the function at an address."""
        self._place_all()
        for variable in module.variables:
            if variable.name in self.bytes and variable.initializer is not None:
                self._initialise(variable)

    # -- places ------------------------------------------------------------------------------------------------

    def _place_all(self) -> None:
        dynamic: list[str] = []
        for symbol in self._module.symbols.values():
            name = symbol.name or ""
            if isinstance(symbol, Function):
                address = FUNCTION_WINDOW + 16 * (len(self.functions) + 1)
                self._addresses[name] = address
                self.functions[address] = name
            elif isinstance(symbol, GlobalVariable) and _METADATA_SECTION not in symbol.suffix:
                if symbol.type.addrspace == SHARED and symbol.initializer is None:
                    dynamic.append(name)
                elif symbol.type.addrspace == SHARED:
                    self._place_shared(name, symbol)
                else:
                    self._place_bytes(name, symbol)
        for name in dynamic:
            self._addresses[name] = self._dynamic_base

    def _place_shared(self, name: str, variable: GlobalVariable) -> None:
        size = size_of(variable.value_type, self._module.types)
        align = max(_SHARED_GUARD, variable.align)
        self._dynamic_base = -(-self._dynamic_base // align) * align
        self._addresses[name] = self._dynamic_base
        self._shared.append((f"shared variable '{written_name(name)}'", self._dynamic_base, size))
        self._dynamic_base += -(-(size + _SHARED_GUARD) // _SHARED_GUARD) * _SHARED_GUARD

    def _place_bytes(self, name: str, variable: GlobalVariable) -> None:
        size = size_of(variable.value_type, self._module.types)
        align = max(16, variable.align, align_of(variable.value_type, self._module.types))
        whole = np.zeros(size + align, np.uint8)
        start = -_address_of(whole) % align
        self.bytes[name] = whole[start : start + size]
        self._addresses[name] = _address_of(self.bytes[name])

    def _initialise(self, variable: GlobalVariable) -> None:
        assert variable.name is not None
        assert variable.initializer is not None
        codec = self._operations.codecs.of(variable.value_type)
        bits, unknown = codec.encode(self.constant(variable.initializer))
        content = self.bytes[variable.name]
        content[: codec.size] = np.frombuffer((bits & ~unknown).to_bytes(codec.size, "little"), np.uint8)

    def regions(self) -> list[HostRange]:
        """Device memory, as a launch sees it."""
        found: list[HostRange] = []
        for variable in self._module.variables:
            content = self.bytes.get(variable.name or "")
            if content is not None:
                name = f"variable '{written_name(variable.name or '')}'"
                found.append(HostRange(name, _address_of(content), content.size, not variable.is_constant))
        return found

    def shared_objects(self, dynamic_size: int) -> list[MemoryObject]:
        """Shared memory of a work-group, with `dynamic_size` bytes of dynamic shared memory."""
        found = [fresh_object(name, base, size) for name, base, size in self._shared]
        found.append(fresh_object("dynamic shared memory", self._dynamic_base, dynamic_size))
        return found

    def address(self, symbol: Global) -> int:
        if isinstance(symbol, Alias):
            return self.constant(symbol.aliasee)
        found = self._addresses.get(symbol.name or "")
        if found is None:
            raise CompileError(f"@{symbol.name} has no address on the reference device")
        return found

    def has_address(self, symbol: Global) -> bool:
        return (symbol.name or "") in self._addresses

    def is_global_address(self, address: Value) -> Value:
        """True if an address is of the host or the heap, but not in constant memory."""
        if address.__class__ is Indeterminate:
            return unknown_result(address)
        if is_in_window(HEAP_WINDOW >> WINDOW_SHIFT)(address):
            return True
        return is_in_window(0)(address) and not self.is_constant_address(address)

    def is_constant_address(self, address: Value) -> Value:
        """True if an address is within a variable in constant memory."""
        if address.__class__ is Indeterminate:
            return unknown_result(address)
        for variable in self._module.variables:
            content = self.bytes.get(variable.name or "")
            if content is not None and variable.type.addrspace == CONSTANT:
                base = _address_of(content)
                if base <= address < base + content.size:
                    return True
        return False

    # -- constants ---------------------------------------------------------------------------------------------

    def constant(self, value: IRValue) -> Value:
        """The runtime value of a constant."""
        if isinstance(value, Global):
            return self.address(value)
        assert isinstance(value, Constant), f"{value!r} is no constant"
        match value.kind:
            case "int":
                return wrapped(value.integer, value.type.bits)
            case "float":
                return self._float(value)
            case "null" | "zeroinitializer":
                return self._uniform(value.type, zero)
            case "undef":
                return self._uniform(value.type, lambda _: Indeterminate("an undefined value"))
            case "poison":
                return self._uniform(value.type, lambda _: poison("a poison value"))
            case "string":
                return tuple(wrapped(byte, 8) for byte in string_bytes(value.text))
            case "aggregate":
                return tuple(self.constant(o) for o in value.operands)
            case "splat":
                return (self.constant(value.operands[0]),) * value.type.count
            case "expr":
                return self._expression(value)
            case _:
                raise CompileError(f"the reference device has no value for the constant {value.text!r}")

    def _uniform(self, type_: Type, element: Callable[[Type], Value]) -> Value:
        return uniform_value(type_, self._module.types, element)

    def _float(self, value: Constant) -> Value:
        if value.text.startswith(("0xH", "0xR")):
            codec = self._operations.codecs.of(value.type)
            return codec.decode(int(value.text[3:], 16), 0)
        return value.floating

    def _expression(self, value: Constant) -> Value:
        operands = [self.constant(o) for o in value.operands]
        types = [o.type for o in value.operands]
        if value.opcode == "getelementptr":
            assert value.source_type is not None
            compute = self._operations.address(value.flags, value.source_type, types, operands[1:])
            return compute(operands[0])
        if value.opcode == "shufflevector":
            raise CompileError("the reference device has no constant shufflevector")
        return self._operations.function(value.opcode, value.flags, value.type, types)(*operands)


def string_bytes(text: str) -> bytes:
    """The bytes of the text between the quotes of c"...": a backslash and two hexadecimal digits are one byte, two
    backslashes are one backslash."""
    result = bytearray()
    at = 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1] == "\\":
            result.append(0x5C)
            at += 2
        elif text[at] == "\\":
            result.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            result += text[at].encode()
            at += 1
    return bytes(result)


def _address_of(array: Bytes) -> int:
    return array.__array_interface__["data"][0]
