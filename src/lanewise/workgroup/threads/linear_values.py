# SPDX-License-Identifier: Apache-2.0
"""Linear values: their bits from 5 up are the same in a warp, and those below are the lane's number.

    %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()     in blocks of one row, or rows of whole warps
    %row = mul i32 %ntid.x, %tid.y                       the sum of both, in any block
    %i = add i32 %first, %tid                            %first the same multiple of 32 in the warp

A shift of such a value to the right by k is alike in groups of 2^k lanes, and so is what else depends on its high bits
alone. In code for any block size, rows of threads are taken to be whole warps. Warps have 32 lanes unless told.
"""

from __future__ import annotations

from math import prod
from typing import Final, final

from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.layout.local_size import Extent

WARP_SIZE: Final = 32
WHOLE: Final = 5
"""The level of a warp: 2^5 lanes, unless its kernel has sub-groups of 64."""
MASK: Final = 31
_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."
_CASTS: Final = frozenset({"zext", "sext", "trunc", "freeze"})


@final
class LinearValues:
    """The linear values of a kernel. `block`: its local size; None for any. `whole`: the level of a warp."""

    def __init__(self, block: Extent | None, whole: int = WHOLE) -> None:
        self._block: Final = block
        self._whole: Final = whole
        self._mask: Final = (1 << whole) - 1
        self._linear: Final[dict[Value, bool]] = {}

    def register_level(self, symbol: str) -> int | None:
        """The level of a special register, by the name of the function that reads it; None for another function."""
        if not symbol.startswith(_REGISTER):
            return None
        name = symbol.removeprefix(_REGISTER)
        if not name.startswith("tid."):
            return 0 if name == "laneid" or name.startswith("lanemask") else self._whole
        axis, block = "xyz".index(name[-1]), self._block
        if block is None:
            return self._whole if axis else 0
        if block[axis] == 1:
            return self._whole
        return self._zeros(prod(block[:axis]))

    def level_by_bits(self, instruction: Instruction) -> int | None:
        """The level of what depends on high bits of a linear value alone; None for other values."""
        value, known = instruction.operands[0], integer_of(instruction.operands[1])
        if known is None or not self.is_linear(value):
            return None
        match instruction.op:
            case "lshr" | "ashr":
                return min(known, self._whole)
            case "sdiv" if not _is_not_negative(value):
                return None
            case "udiv" | "sdiv":
                return min((known & -known).bit_length() - 1, self._whole) if known > 0 else None
            case "and":
                return self._zeros(known)
            case _:
                if instruction.predicate in ("eq", "ne"):
                    return None
                above = instruction.predicate in ("ugt", "sgt", "ule", "sle")  # x > 15 is x >= 16
                return self._zeros(known + above)

    def is_linear(self, value: Value) -> bool:
        known = self._linear.get(value)
        if known is None:
            self._linear[value] = False  # for a phi that depends on itself
            known = self._linear[value] = isinstance(value, Instruction) and self._looks_linear(value)
        return known

    def is_number(self, value: Value) -> bool:
        """Return whether a value is the thread's number in its group."""
        return self._is_place(value, 0)

    def _looks_linear(self, value: Instruction) -> bool:
        if self._is_place(value, 0):
            return True
        if value.op == "call":
            if value.callee == _REGISTER + "tid.x":
                block = self._block
                return block is None or block[0] & self._mask == 0 or block[1] * block[2] == 1
            return value.callee == _REGISTER + "laneid"
        if value.op in _CASTS:
            return value.type.bits >= 8 and self.is_linear(value.operands[0])
        if value.op == "and":
            cut = integer_of(value.operands[1])
            return cut is not None and cut & self._mask == self._mask and self.is_linear(value.operands[0])
        if value.op in ("add", "or"):
            a, b = value.operands
            return (self.is_linear(a) and self._is_whole(b)) or (self.is_linear(b) and self._is_whole(a))
        return False

    def _is_whole(self, value: Value) -> bool:
        """Return whether a value is the same multiple of the warp's size in all its lanes."""
        known = integer_of(value)
        if known is not None:
            return known & self._mask == 0
        if not isinstance(value, Instruction) or self._level_so_far(value) < self._whole:
            return False
        return self._is_multiple(value)

    def _level_so_far(self, value: Instruction) -> int:
        """The level of what only depends on registers, which is known before others are."""
        if value.op == "call":
            return self.register_level(value.callee) or 0
        if value.op in ("mul", "shl", "add", *_CASTS):
            levels = (self._level_so_far(o) for o in value.operands if isinstance(o, Instruction))
            return min(levels, default=self._whole)
        return 0

    def _is_multiple(self, value: Value) -> bool:
        """Return whether a value is a multiple of the warp's size."""
        known = integer_of(value)
        if known is not None:
            return known & self._mask == 0
        if not isinstance(value, Instruction):
            return False
        if value.op == "call" and value.callee == _REGISTER + "ntid.x":
            block = self._block
            return block is None or block[0] & self._mask == 0 or block[1] * block[2] == 1
        if value.op == "shl":
            by = integer_of(value.operands[1])
            return by is not None and by >= self._whole
        if value.op == "mul":
            return any(map(self._is_multiple, value.operands))
        if value.op in _CASTS:
            return self._is_multiple(value.operands[0])
        return value.op == "add" and all(map(self._is_multiple, value.operands))

    def _zeros(self, number: int) -> int:
        """The number of zeros at the end of a number, at most those of the warp's size."""
        return self._whole if number & self._mask == 0 else (number & -number).bit_length() - 1

    def _is_extent(self, value: Value, axis: int) -> bool:
        """Return whether a value is the number of threads along an axis."""
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_extent(value.operands[0], axis)
        if isinstance(value, Instruction):
            return value.callee == f"{_REGISTER}ntid.{'xyz'[axis]}"
        return self._block is not None and integer_of(value) == self._block[axis]

    def _is_place(self, value: Value, axis: int) -> bool:
        """Return whether a value is the thread's place along x, or its number in a row, or in a plane of them:
        place along this axis, and the number of threads along it times the same of the next axis."""
        if not isinstance(value, Instruction):
            return False
        if value.op in ("zext", "sext"):
            return self._is_place(value.operands[0], axis)
        if value.callee == f"{_REGISTER}tid.{'xyz'[axis]}":
            return axis == 2 or self._block is None or self._block[axis + 1 :] == (1, 1)[axis:]
        if value.op != "add" or axis == 2:
            return False
        for place, rows in (value.operands, value.operands[::-1]):
            if isinstance(place, Instruction) and self._is_register(place, f"tid.{'xyz'[axis]}"):
                return self._is_times(rows, axis)
        return False

    def _is_register(self, value: Value, name: str) -> bool:
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_register(value.operands[0], name)
        return isinstance(value, Instruction) and value.callee == _REGISTER + name

    def _is_times(self, value: Value, axis: int) -> bool:
        """Return whether a value is the place along the axes after this one, times the threads along it."""
        if isinstance(value, Instruction) and value.op in ("zext", "sext"):
            return self._is_times(value.operands[0], axis)
        if not isinstance(value, Instruction) or value.op not in ("mul", "shl"):
            return False
        a, b = value.operands
        if value.op == "shl":
            by = integer_of(b)
            fits = by is not None and self._block is not None and 1 << by == self._block[axis]
            return fits and self._is_place(a, axis + 1)
        return any(self._is_extent(n, axis) and self._is_place(m, axis + 1) for n, m in ((a, b), (b, a)))


def integer_of(value: Value) -> int | None:
    """The number that a constant is; None for other values."""
    return value.integer if isinstance(value, Constant) and value.kind in ("int", "zeroinitializer") else None


def _is_not_negative(value: Value) -> bool:
    """Return whether a linear value is surely not negative, as no number of a thread is."""
    if not isinstance(value, Instruction):
        return False
    return value.op in ("call", "zext") or (value.op == "add" and {"nuw", "nsw"} <= set(value.flags))
