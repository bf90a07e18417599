# SPDX-License-Identifier: Apache-2.0
"""Results of instructions, as terms.

Instructions that are not in the table are uninterpreted functions: equal operands yield equal results. Source: PTX ISA
9.0, 9.7.1 to 9.7.9; PTXASW (CC 2023), 4.1 "Instruction Encoding".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ptx.language.statements import Instruction
from lanewise.ptx.symbolic.operations import Operations
from lanewise.ptx.symbolic.terms import Term, Terms

WIDTHS: Final = {
    **{f"{kind}{bits}": bits for kind in "bsuf" for bits in (8, 16, 32, 64)},
    "pred": 1, "b128": 128, "f16x2": 32, "bf16": 16, "bf16x2": 32, "tf32": 32, "f32x2": 64, "u16x2": 32, "s16x2": 32,
}  # fmt: skip
"""Width of each type in bits."""

_MINIMA: Final = {("min", "u"): "umin", ("min", "s"): "smin", ("max", "u"): "umax", ("max", "s"): "smax"}
_CONVERTED: Final = frozenset("bsu")
_OF_ANY_TYPE: Final = frozenset({"setp", "selp", "mov"})


def type_of(instruction: Instruction) -> str:
    """The type in which an instruction computes: the last modifier that is a type, `s32` for `add.s32`. For set and
    setp with a result type, it is that of the operands."""
    types = [modifier for modifier in instruction.modifiers if modifier in WIDTHS]
    return types[-1] if types else ""


class Encoder:
    """Terms of instructions. Operands have the width of the instruction's type, if that is known."""

    def __init__(self, terms: Terms, operations: Operations) -> None:
        self._terms: Final = terms
        self._operations: Final = operations
        self._table: Final[dict[str, Callable[[Instruction, str, list[Term]], Term | None]]] = {
            "mov": self._moved, "add": self._sum, "sub": self._difference, "mul": self._product,
            "mad": self._product_sum, "shl": self._shifted, "shr": self._shifted, "and": self._bits,
            "or": self._bits, "xor": self._bits, "not": self._complement, "cnot": self._is_zero,
            "neg": self._negative, "min": self._extreme, "max": self._extreme, "div": self._quotient,
            "rem": self._quotient, "selp": self._selected, "slct": self._selected_by_sign,
            "setp": self._compared, "set": self._compared_wide, "cvt": self._converted, "bfe": self._field,
            "abs": self._absolute,
        }  # fmt: skip

    def encode(self, instruction: Instruction, arguments: list[Term], width: int) -> Term:
        """The result of an instruction in a register of `width` bits."""
        type_ = type_of(instruction)
        maker = self._table.get(instruction.name)
        made = None
        if maker is not None and (
            type_[:1] in _CONVERTED or type_ == "pred" or instruction.name in ("setp", "selp", "mov")
        ):
            made = maker(instruction, type_, arguments)
        if made is None:
            return self._terms.apply("call", width, tuple(arguments), instruction.opcode)
        return self.resized(made, width, type_)

    def resized(self, term: Term, width: int, type_: str) -> Term:
        """Resize a value for a register that may be wider than its type; the type selects the extension (9.4.1)."""
        if term.width == width:
            return term
        return self._operations.extend("sext" if type_[:1] == "s" else "zext", term, width)

    # -- arithmetic --------------------------------------------------------------------------------------------

    def _moved(self, _: Instruction, type_: str, args: list[Term]) -> Term | None:
        return args[0] if len(args) == 1 else None

    def _sum(self, instruction: Instruction, _: str, args: list[Term]) -> Term | None:
        return None if _saturates(instruction) else self._terms.add(*args)

    def _difference(self, instruction: Instruction, _: str, args: list[Term]) -> Term | None:
        return None if _saturates(instruction) else self._terms.subtract(*args)

    def _negative(self, _: Instruction, __: str, args: list[Term]) -> Term:
        return self._terms.scale(args[0], -1)

    def _product(self, instruction: Instruction, type_: str, args: list[Term]) -> Term | None:
        """mul.lo, mul.wide, mul.hi"""
        a, b = args[:2]
        if "lo" in instruction.modifiers or "mul24" in instruction.opcode:
            return self._terms.multiply(a, b)
        extension = "sext" if type_[0] == "s" else "zext"
        wide = self._terms.multiply(
            self._operations.extend(extension, a, 2 * a.width), self._operations.extend(extension, b, 2 * b.width)
        )
        if "wide" in instruction.modifiers:
            return wide
        if wide.value is not None:
            return self._terms.constant(a.width, wide.value >> a.width)
        return None

    def _product_sum(self, instruction: Instruction, type_: str, args: list[Term]) -> Term | None:
        if _saturates(instruction):
            return None
        product = self._product(instruction, type_, args)
        return None if product is None else self._terms.add(product, args[2])

    def _quotient(self, instruction: Instruction, type_: str, args: list[Term]) -> Term:
        return self._operations.binary(type_[0].replace("b", "u") + instruction.name, *args)

    def _extreme(self, instruction: Instruction, type_: str, args: list[Term]) -> Term | None:
        op = _MINIMA.get((instruction.name, type_[0]))
        return (
            None
            if op is None or "relu" in instruction.modifiers or type_.endswith("x2")
            else self._operations.binary(op, *args)
        )

    def _absolute(self, _: Instruction, __: str, args: list[Term]) -> Term:
        a = args[0]
        zero = self._terms.constant(a.width, 0)
        return self._operations.choose(self._operations.binary("slt", a, zero), self._terms.scale(a, -1), a)

    # -- bits --------------------------------------------------------------------------------------------------

    def _bits(self, instruction: Instruction, _: str, args: list[Term]) -> Term:
        return self._operations.binary(instruction.name, *args)

    def _complement(self, _: Instruction, __: str, args: list[Term]) -> Term:
        return self._terms.complement(args[0])

    def _is_zero(self, _: Instruction, __: str, args: list[Term]) -> Term:
        a = args[0]
        zero = self._operations.binary("eq", a, self._terms.constant(a.width, 0))
        return self._operations.extend("zext", zero, a.width)

    def _shifted(self, instruction: Instruction, type_: str, args: list[Term]) -> Term:
        op = "shl" if instruction.name == "shl" else "ashr" if type_[0] == "s" else "lshr"
        return self._operations.binary(op, *args)

    def _field(self, _: Instruction, type_: str, args: list[Term]) -> Term | None:
        """bfe with a known position within the value (9.7.8.9)"""
        a, place, length = args
        if place.value is None or length.value is None:
            return None
        start, count = place.value & 255, length.value & 255
        if not 0 < count <= a.width - start:
            return None
        low = self._terms.truncate(self._operations.binary("lshr", a, self._terms.constant(32, start)), count)
        return self._operations.extend("sext" if type_[0] == "s" else "zext", low, a.width)

    # -- comparisons -------------------------------------------------------------------------------------------

    def compared(self, instruction: Instruction, args: list[Term]) -> Term | None:
        """The comparison itself, without the combining predicate; None for floating point."""
        type_ = type_of(instruction)
        if type_[:1] not in _CONVERTED:
            return None
        a, b = args[:2]
        less = "slt" if type_[0] == "s" else "ult"
        binary, negated = self._operations.binary, self._operations.negated
        match next((m for m in instruction.modifiers if m in _COMPARISONS), ""):
            case "eq":
                return binary("eq", a, b)
            case "ne":
                return negated(binary("eq", a, b))
            case "lt" | "lo":
                return binary("ult" if "lo" in instruction.modifiers else less, a, b)
            case "gt" | "hi":
                return binary("ult" if "hi" in instruction.modifiers else less, b, a)
            case "ge" | "hs":
                return negated(binary("ult" if "hs" in instruction.modifiers else less, a, b))
            case "le" | "ls":
                return negated(binary("ult" if "ls" in instruction.modifiers else less, b, a))
            case _:
                return None

    def _compared(self, instruction: Instruction, _: str, args: list[Term]) -> Term:
        result = self.compared(instruction, args)
        if result is None:
            result = self._terms.apply("call", 1, tuple(args[:2]), instruction.opcode)
        return self.combined(instruction, result, args)

    def combined(self, instruction: Instruction, result: Term, args: list[Term]) -> Term:
        """The comparison combined with the predicate operand, as in setp.lt.and."""
        for op in ("and", "or", "xor"):
            if op in instruction.modifiers and len(args) > 2:
                return self._operations.binary(op, result, args[2])
        return result

    def _compared_wide(self, instruction: Instruction, type_: str, args: list[Term]) -> Term | None:
        """set: all ones if true; None if the result is a floating-point number."""
        if instruction.modifiers[-2][:1] == "f":
            return None
        return self._operations.extend("sext", self._compared(instruction, type_, args), 32)

    def _selected(self, _: Instruction, __: str, args: list[Term]) -> Term:
        return self._operations.choose(args[2], args[0], args[1])

    def _selected_by_sign(self, instruction: Instruction, _: str, args: list[Term]) -> Term | None:
        if type_of(instruction)[0] != "s":
            return None
        zero = self._terms.constant(args[2].width, 0)
        return self._operations.choose(self._operations.binary("slt", args[2], zero), args[1], args[0])

    def _converted(self, instruction: Instruction, type_: str, args: list[Term]) -> Term | None:
        """cvt between integers; `type_` is the source type, the last one"""
        types = [modifier for modifier in instruction.modifiers if modifier in WIDTHS]
        if len(types) != 2 or types[0][0] not in _CONVERTED or "sat" in instruction.modifiers:
            return None
        value = self._terms.truncate(args[0], min(WIDTHS[type_], args[0].width))
        to = self._operations.extend("sext" if type_[0] == "s" else "zext", value, WIDTHS[types[0]])
        # The register may be wider than the target type, whose sign then determines the extension.
        return self.resized(to, max(to.width, 32), types[0]) if to.width < 32 else to


_COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"})


def _saturates(instruction: Instruction) -> bool:
    return any(m in ("sat", "cc", "relu") for m in instruction.modifiers) or type_of(instruction).endswith("x2")
