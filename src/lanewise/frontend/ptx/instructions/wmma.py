# SPDX-License-Identifier: Apache-2.0
"""Matrices of a warp as a whole: `wmma.load`, `wmma.mma` and `wmma.store`.

The manual leaves it open which elements a lane holds. Here they are those of `mma`, as nvcc's code has them on sm_80
and later. A fragment of half precision always has eight registers; those beyond its elements repeat them.

Source: PTX ISA 9.0, 9.7.14.4 "Matrix multiply-accumulate operation using wmma instructions".
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, final

from lanewise.frontend.ptx.instructions.matrix_elements import (
    KINDS,
    SUMS,
    ElementKind,
    Tiling,
    items_of,
    pair,
    read_sums,
    registers_of,
    sum_of_products,
    tiling,
    write_sums,
)
from lanewise.frontend.ptx.instructions.memory import space_of
from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.matrix_products import QUAD
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i64, int_constant
from lanewise.ptx.language.operands import Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_SHAPE: Final = re.compile(r"m(\d+)n(\d+)k(\d+)").fullmatch
_OF_16: Final = ("m16n16k16", "m32n8k16", "m8n32k16")
_SHAPES: Final = {
    "f16": _OF_16, "bf16": _OF_16, "s8": _OF_16, "u8": _OF_16, "tf32": ("m16n16k8",), "f64": ("m8n8k4",),
    "f32": (*_OF_16, "m16n16k8"), "s32": _OF_16,
}  # fmt: skip
"""The shapes of each type of elements."""
_HALF_REGISTERS: Final = 8
_LANE: Final = "nvvm.read.ptx.sreg.laneid"


class _Shape(NamedTuple):
    """Rows of A, columns of B, and columns of A."""

    rows: int
    columns: int
    depth: int


def _shape_of(instruction: Instruction, *types: str) -> _Shape:
    word = next((word for word in instruction.modifiers if _SHAPE(word)), "")
    for type_ in types:
        if word not in _SHAPES.get(type_, ()):
            raise RefusedError(f".{word} of .{type_} is not supported")
    found = _SHAPE(word)
    assert found is not None
    return _Shape(*(int(number) for number in found.groups()))


def _types(instruction: Instruction) -> list[str]:
    known = [word for word in instruction.modifiers if word in _SHAPES]
    if not known:
        raise RefusedError("its type is not supported")
    return known


def _wmma(code: "PtxCode", instruction: Instruction) -> None:
    action = instruction.modifiers[0]
    if action == "mma":
        _mma(code, instruction)
    elif action == "load" and instruction.modifiers[1] in ("a", "b"):
        _load(code, instruction, instruction.modifiers[1])
    elif action == "load":
        _load_sum(code, instruction)
    elif action == "store":
        _store(code, instruction)
    else:
        raise RefusedError("this form is not supported")


# ---- Products ------------------------------------------------------------------------------------------------


def _mma(code: "PtxCode", instruction: Instruction) -> None:
    types = _types(instruction)
    if len(types) == 2:  # halves: only the types of the sums are given
        types[1:1] = ["f16", "f16"]
    to, a_word, b_word, start = types
    directed = any(word in ("rz", "rm", "rp") for word in instruction.modifiers)
    if directed or a_word not in KINDS or b_word not in KINDS or KINDS[a_word].bits != KINDS[b_word].bits:
        raise RefusedError("this form is not supported")
    shape = _shape_of(instruction, a_word)
    tiles = tiling(*shape, KINDS[a_word])
    d, a, b, c = instruction.operands
    of_a = registers_of(code, a, KINDS[a_word], _count(a_word, tiles.a_registers))[: tiles.a_registers]
    of_b = registers_of(code, b, KINDS[b_word], _count(b_word, tiles.b_registers))[: tiles.b_registers]
    sums = read_sums(code, c, start, tiles.sums)
    saturated = "satfinite" in instruction.modifiers
    results = sum_of_products(code, tiles, (KINDS[a_word], of_a), (KINDS[b_word], of_b), sums, saturated)
    write_sums(code, d, to, results)


def _count(word: str, registers: int) -> int:
    """The registers that a fragment of A or B has."""
    return _HALF_REGISTERS if word == "f16" else registers


# ---- Loads and stores ----------------------------------------------------------------------------------------


@final
class _Places:
    """The addresses of a lane's elements. `shape` is the matrix's in memory: rows and columns."""

    def __init__(self, code: "PtxCode", instruction: Instruction, address: Operand, stride: list[Operand],
                 shape: tuple[int, int], size: int) -> None:  # fmt: skip
        self._build: Final = code.build
        self._pointer: Final = code.pointer(address, space_of(instruction))
        self.by_rows: Final = "row" in instruction.modifiers
        self._size: Final = size
        apart = code.read(stride[0], "s32") if stride else None
        packed = int_constant(ty.I64, shape[1] if self.by_rows else shape[0])
        self._stride: Final = packed if apart is None else code.extended(apart, ty.I64, signed=True)
        lane = self._build.cast("zext", code.intrinsic(_LANE, ty.I32), ty.I64)
        self.quad: Final = self._build.binary("lshr", lane, i64(2))
        self.member: Final = self._build.binary("and", lane, i64(QUAD - 1))

    def at(self, row: Value, column: Value) -> Value:
        line, along = (row, column) if self.by_rows else (column, row)
        index = self._build.binary("add", self._build.binary("mul", line, self._stride), along)
        offset = self._build.binary("mul", index, i64(self._size))
        return self._build.emit(Made("getelementptr", self._pointer.type, (self._pointer, offset), source_type=ty.I8))

    def plus(self, value: Value, number: int) -> Value:
        return self._build.binary("add", value, i64(number)) if number else value

    def times(self, value: Value, number: int) -> Value:
        return self._build.binary("mul", value, i64(number)) if number != 1 else value


def _load(code: "PtxCode", instruction: Instruction, matrix: str) -> None:
    """Load A or B. Elements of a register that are neighbours in memory are loaded together."""
    word = _types(instruction)[-1]
    if word not in KINDS:
        raise RefusedError(f"elements of .{word} are not supported")
    kind = KINDS[word]
    shape = _shape_of(instruction, word)
    tiles = tiling(*shape, kind)
    extents = (shape.rows, shape.depth) if matrix == "a" else (shape.depth, shape.columns)
    target, address, *stride = instruction.operands
    places = _Places(code, instruction, address, stride, extents, kind.bits // 8)
    first = _first_elements(tiles, kind, matrix)
    registers = [_loaded(code, places, kind, matrix, *each) for each in first]
    items = items_of(target, _count(word, len(registers)))
    for number, item in enumerate(items):
        code.write(item, registers[number % len(registers)])


def _first_elements(tiles: Tiling, kind: ElementKind, matrix: str) -> Iterator[tuple[int, int]]:
    """For each register, its row of A or column of B, and the number of its first element there, of lane 0."""
    count, rows = (tiles.tall, tiles.rows) if matrix == "a" else (tiles.wide, 1)
    for tile in range(count):
        for group in range(tiles.groups):
            for row in range(rows):
                yield 8 * (tile * rows + row), group * QUAD * kind.together


def _loaded(code: "PtxCode", places: _Places, kind: ElementKind, matrix: str, line: int, depth: int) -> Value:
    """A register of A or B."""
    line_of = places.plus(places.quad, line)
    along = places.plus(places.times(places.member, kind.together), depth)

    def at(place: int) -> Value:
        within = places.plus(along, place)
        return places.at(line_of, within) if matrix == "a" else places.at(within, line_of)

    if places.by_rows == (matrix == "a"):
        whole = ty.integer(max(32, kind.bits))
        return _load_part(code, whole, at(0))
    part = ty.integer(kind.bits)
    parts = [_load_part(code, part, at(place)) for place in range(kind.together)]
    whole = parts[0]
    for place, each in enumerate(parts[1:], 1):
        whole = code.as_type(whole, ty.I32)
        high = code.build.binary("shl", code.as_type(each, ty.I32), int_constant(ty.I32, place * kind.bits))
        whole = code.build.binary("or", whole, high)
    return whole


def _sum_places(code: "PtxCode", instruction: Instruction, address: Operand, stride: list[Operand]) -> list[Value]:
    """The addresses of the elements of the sum in a lane."""
    word = _types(instruction)[-1]
    if word not in SUMS:
        raise RefusedError(f"elements of .{word} are not supported")
    rows, columns, _ = _shape_of(instruction, word)
    tiles = tiling(rows, columns, 0, KINDS["f64"])
    size = 2 if word == "f16" else SUMS[word].bits // 8
    places = _Places(code, instruction, address, stride, (rows, columns), size)
    twice = places.times(places.member, 2)
    return [
        places.at(places.plus(places.quad, 8 * (tall * tiles.rows + row)), places.plus(twice, 8 * wide + column))
        for tall in range(tiles.tall)
        for wide in range(tiles.wide)
        for row in range(tiles.rows)
        for column in range(2)
    ]


def _load_sum(code: "PtxCode", instruction: Instruction) -> None:
    target, address, *stride = instruction.operands
    word = _types(instruction)[-1]
    places = _sum_places(code, instruction, address, stride)
    type_ = ty.integer(16) if word == "f16" else SUMS[word]
    loaded = [_load_part(code, type_, each) for each in places]
    if word == "f16":
        loaded = [pair(code, low, high) for low, high in zip(loaded[::2], loaded[1::2], strict=True)]
    for item, value in zip(items_of(target, len(loaded)), loaded, strict=True):
        code.write(item, value)


def _store(code: "PtxCode", instruction: Instruction) -> None:
    address, source, *stride = instruction.operands
    word = _types(instruction)[-1]
    places = _sum_places(code, instruction, address, stride)
    if word == "f16":
        halves: list[Value] = []
        for item in items_of(source, len(places) // 2):
            both = code.read_as(item, ty.I32)
            high = code.build.binary("lshr", both, int_constant(ty.I32, 16))
            halves += [code.build.cast("trunc", each, ty.integer(16)) for each in (both, high)]
        values = halves
    else:
        values = [code.read_as(item, SUMS[word]) for item in items_of(source, len(places))]
    for value, place in zip(values, places, strict=True):
        _count_part(code, place, value.type)
        code.build.store(value, place, align=value.type.bits // 8)


def _load_part(code: "PtxCode", type_: Type, pointer: Value) -> Value:
    _count_part(code, pointer, type_)
    return code.build.load(type_, pointer, align=type_.bits // 8)


def _count_part(code: "PtxCode", pointer: Value, type_: Type) -> None:
    if code.counters is not None:
        code.counters.part(code.step.number, pointer, type_.bits // 8)


ROWS: Final[dict[str, Row]] = {"wmma": _wmma}
