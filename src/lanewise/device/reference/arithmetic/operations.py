# SPDX-License-Identifier: Apache-2.0
"""Maps an operation, as an instruction or a constant expression, to the function that computes it.

Only operations that depend on their operands alone are here; `function_translator.py` does the others (memory, control
flow, calls)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.device.reference.arithmetic import casts, elements, floats, integers
from lanewise.device.reference.arithmetic.encoding import Codecs, uniform_value
from lanewise.device.reference.arithmetic.indeterminate import Value, poison, unknown_result
from lanewise.ir.layout import NamedTypes, field_offsets, resolve, size_of
from lanewise.ir.types import Type

Function = Callable[..., Value]
_ADDRESS_MASK: Final = (1 << 64) - 1
_INTEGER: Final = frozenset(
    {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"}
)
_FLOAT: Final = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
_CASTS: Final = frozenset({
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp", "ptrtoint", "ptrtoaddr",
    "inttoptr", "addrspacecast",
})  # fmt: skip


class Operations:
    """Makes the functions of a module's operations."""

    def __init__(self, names: NamedTypes) -> None:
        self.names: Final = names
        self.codecs: Final = Codecs(names)

    def function(
        self,
        op: str,
        flags: tuple[str, ...],
        result: Type,
        operands: Sequence[Type],
        *,
        predicate: str = "",
        indices: Sequence[int] = (),
    ) -> Function:
        """The function of an operation with these types. KeyError for one that isn't in this table."""
        first = operands[0]
        scalar = first.scalar
        lift = [o.is_vector for o in operands]
        if op in _INTEGER:
            return elements.lifted(integers.binary(op, flags, scalar.bits), lift)
        if op in _FLOAT:
            return elements.lifted(floats.binary(op, scalar.kind), lift)
        if op in _CASTS:
            return elements.lifted(casts.cast(op, flags, scalar, result.scalar), lift)
        match op:
            case "icmp":
                compare = integers.compare(predicate, flags, scalar.bits, pointers=scalar.is_pointer)
                return elements.lifted(compare, lift)
            case "fcmp":
                return elements.lifted(floats.compare(predicate), lift)
            case "fneg":
                return elements.lifted(floats.negate(scalar.kind), lift)
            case "freeze":
                return self._freeze(first)
            case "bitcast":
                return casts.bitcast(self.codecs.of(first), self.codecs.of(result))
            case "select":
                if first.is_vector:
                    return elements.lifted(elements.select_element, lift)
                return elements.select(lambda make: uniform_value(result, self.names, make))
            case "extractelement":
                return elements.extract_element
            case "insertelement":
                return elements.insert_element
            case "extractvalue":
                return elements.extract_value(indices)
            case "insertvalue":
                return elements.insert_value(indices)
            case _:
                raise KeyError(op)

    def _freeze(self, type_: Type) -> Function:
        """freeze: unknown bits become zeros, which is one of the choices that LLVM allows."""
        codec = self.codecs.of(type_)

        def run(a: Value) -> Value:
            bits, unknown = codec.encode(a)
            return codec.decode(bits & ~unknown, 0)

        return run

    def address(
        self, flags: tuple[str, ...], source: Type, operands: Sequence[Type], constants: Sequence[int | None]
    ) -> Function:
        """getelementptr: a function of the base and of the indices whose constant value is None.

        Poison if the sum leaves the address space although a flag excludes it. Leaving the object is detected at its
        use."""
        offset = 0
        scales: list[int] = []
        type_ = source
        for position, constant in enumerate(constants):
            body = resolve(type_, self.names)
            if position and body.kind == "struct":
                assert constant is not None, "LLVM indexes structs by constants only"
                offset += field_offsets(body, self.names)[0][constant]
                type_ = body.fields[constant]
                continue
            if position:
                type_ = body.inner
            scale = size_of(type_, self.names)
            if constant is None:
                scales.append(scale)
            else:
                offset += constant * scale
        compute = _address_sum(offset, scales, bool(flags))
        variable = [o for o, c in zip(operands[1:], constants, strict=True) if c is None]
        return elements.lifted(compute, [operands[0].is_vector, *(o.is_vector for o in variable)])


def _address_sum(offset: int, scales: list[int], checked: bool) -> Function:
    beyond = poison("an address computed beyond the address space")

    def outside(address: int) -> Value:
        return beyond if checked else address & _ADDRESS_MASK

    def constant(base: Value) -> Value:
        try:
            address = base + offset
        except TypeError:
            return unknown_result(base)
        return address if 0 <= address <= _ADDRESS_MASK else outside(address)

    def one_index(base: Value, index: Value) -> Value:
        try:
            address = base + index * scale + offset
        except TypeError:
            return unknown_result(base, index)
        return address if 0 <= address <= _ADDRESS_MASK else outside(address)

    def one_index_from_start(base: Value, index: Value) -> Value:  # most addresses, without the sum
        try:
            address = base + index * scale
        except TypeError:
            return unknown_result(base, index)
        return address if 0 <= address <= _ADDRESS_MASK else outside(address)

    def many(base: Value, *indices: Value) -> Value:
        try:
            address = base + offset + sum(i * s for i, s in zip(indices, scales, strict=True))
        except TypeError:
            return unknown_result(base, *indices)
        return address if 0 <= address <= _ADDRESS_MASK else outside(address)

    if not scales:
        return constant
    scale = scales[0]
    if len(scales) > 1:
        return many
    return one_index if offset else one_index_from_start
