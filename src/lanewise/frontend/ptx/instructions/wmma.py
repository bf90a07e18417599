# SPDX-License-Identifier: Apache-2.0
"""Matrices of a warp as a whole: `wmma.load`, `wmma.mma` and `wmma.store`.

The manual leaves it open which elements a lane holds. Here they are those of `mma`, as nvcc's code has them on sm_80
and later. A fragment of half precision always has eight registers; those beyond its elements repeat them. Elements
below a byte are loaded as words of 32 bits: A has to be in rows and B in columns.

Source: PTX ISA 9.0, 9.7.14.4 "Matrix multiply-accumulate operation using wmma instructions".
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, final

from lanewise.frontend.ptx.instructions.matrix_elements import (
    ALL_LANES,
    EXCHANGE,
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
from lanewise.ir.matrix_rows import MatrixRows
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
    "s4": ("m8n8k32",), "u4": ("m8n8k32",), "b1": ("m8n8k128",),
    "f32": (*_OF_16, "m16n16k8"), "s32": (*_OF_16, "m8n8k32", "m8n8k128"),
}  # fmt: skip
"""The shapes of each type of elements."""
_HALF_REGISTERS: Final = 8
_BYTE: Final = 8
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
    tiles = _tiling(_shape_of(instruction, a_word), a_word)
    of_bits = ("xor" if "xor" in instruction.modifiers else "and") if a_word == "b1" else ""
    d, a, b, c = instruction.operands
    of_a = registers_of(code, a, KINDS[a_word], _count(a_word, tiles.a_registers))[: tiles.a_registers]
    of_b = registers_of(code, b, KINDS[b_word], _count(b_word, tiles.b_registers))[: tiles.b_registers]
    sums = read_sums(code, c, start, tiles.sums)
    saturated = "satfinite" in instruction.modifiers
    results = sum_of_products(code, tiles, (KINDS[a_word], of_a), (KINDS[b_word], of_b), sums, saturated, of_bits)
    write_sums(code, d, to, results)


def _tiling(shape: _Shape, word: str) -> Tiling:
    return tiling(shape.rows, shape.columns, shape.depth * _bits(word) // KINDS[word].bits, KINDS[word])


def _bits(word: str) -> int:
    """Bits of an element of A or B in memory."""
    return 1 if word == "b1" else KINDS[word].bits


def _count(word: str, registers: int) -> int:
    """The registers that a fragment of A or B has."""
    return _HALF_REGISTERS if word == "f16" else registers


# ---- Loads and stores ----------------------------------------------------------------------------------------


@final
class _Places:
    """A matrix in memory of `shape`, rows and columns, with elements of `bits`."""

    def __init__(self, code: "PtxCode", instruction: Instruction, address: Operand, stride: list[Operand],
                 shape: tuple[int, int], bits: int) -> None:  # fmt: skip
        self._code: Final = code
        self._build: Final = code.build
        self._pointer: Final = code.pointer(address, space_of(instruction))
        self.by_rows: Final = "row" in instruction.modifiers
        self._bits: Final = bits
        apart = code.read(stride[0], "s32") if stride else None
        packed = int_constant(ty.I64, shape[1] if self.by_rows else shape[0])
        elements = packed if apart is None else code.extended(apart, ty.I64, signed=True)
        whole = self._times(elements, max(1, bits // _BYTE))
        self._stride: Final = (
            whole if bits >= _BYTE else self._build.binary("ashr", whole, i64((_BYTE // bits).bit_length() - 1))
        )

    def load(self, kind: MatrixRows, row: int, column: int, step: int = 1) -> list[Value]:
        """The elements of this lane in the part of the matrix that starts at a row and a column. `step`: lines of
        memory from one that the part has to the next."""
        element = ty.integer(kind.bits)
        result = ty.struct((element,) * 2) if kind.together == 2 else element
        loaded = self._access(kind, row, column, step, result, ())
        if kind.together == 1:
            return [loaded]
        return [self._build.emit(Made("extractvalue", element, (loaded,), indices=(n,))) for n in range(2)]

    def store(self, kind: MatrixRows, row: int, column: int, values: Sequence[Value], step: int = 1) -> None:
        self._access(kind, row, column, step, ty.VOID, [self._code.as_integer(value) for value in values])

    def _access(
        self, kind: MatrixRows, row: int, column: int, step: int, result: Type, values: Sequence[Value]
    ) -> Value:
        line, along = (row, column) if self.by_rows else (column, row)
        start = self._build.binary("add", self._times(self._stride, line), i64(along * self._bits // _BYTE))
        pointer = self._offset(self._pointer, start)
        between = self._times(self._stride, step)
        self._count(kind, pointer, between)
        if pointer.type != ty.PTR:
            pointer = self._build.cast("addrspacecast", pointer, ty.PTR)
        arguments = [ALL_LANES, pointer, between, *values]
        function = ty.function(result, tuple(each.type for each in arguments))
        declared = self._code.symbols.module.declare(kind.symbol, function)
        declared.suffix = EXCHANGE.replace("memory(", f"memory(argmem: {'write' if values else 'read'}, ")
        return self._build.call_function(declared, arguments)

    def _count(self, kind: MatrixRows, pointer: Value, between: Value) -> None:
        """Count what this lane accesses, for a profile."""
        counters = self._code.counters
        if counters is None:
            return
        lane = self._build.cast("zext", self._code.intrinsic(_LANE, ty.I32), ty.I64)
        quad, member = self._build.binary("lshr", lane, i64(2)), self._build.binary("and", lane, i64(QUAD - 1))
        row, place = (member, quad) if kind.across else (quad, member)
        size = kind.bits // 8
        along = self._times(place, size * kind.together)
        first = self._offset(pointer, self._build.binary("add", self._build.binary("mul", row, between), along))
        for number in range(kind.together):
            counters.part(self._code.step.number, self._offset(first, i64(number * size)), size)

    def _offset(self, pointer: Value, offset: Value) -> Value:
        return self._build.emit(Made("getelementptr", pointer.type, (pointer, offset), source_type=ty.I8))

    def _times(self, value: Value, number: int) -> Value:
        return self._build.binary("mul", value, i64(number)) if number != 1 else value


def _load(code: "PtxCode", instruction: Instruction, matrix: str) -> None:
    """Load A or B. Elements of a register that are neighbours in memory are loaded together."""
    word = _types(instruction)[-1]
    if word not in KINDS:
        raise RefusedError(f"elements of .{word} are not supported")
    kind = KINDS[word]
    shape = _shape_of(instruction, word)
    tiles = _tiling(shape, word)
    extents = (shape.rows, shape.depth) if matrix == "a" else (shape.depth, shape.columns)
    target, address, *stride = instruction.operands
    places = _Places(code, instruction, address, stride, extents, _bits(word))
    if kind.bits < _BYTE or word == "b1":
        _require_whole_words(word, places.by_rows == (matrix == "a"))
    first = _first_elements(tiles, kind, matrix)
    registers = [_loaded(code, places, kind, matrix, *each) for each in first]
    items = items_of(target, _count(word, len(registers)))
    for number, item in enumerate(items):
        code.write(item, registers[number % len(registers)])


def _require_whole_words(word: str, together: bool) -> None:
    """RefusedError for elements below a byte whose neighbours in a register aren't neighbours in memory."""
    if not together:
        raise RefusedError(f"elements of .{word} are loaded by rows for A and by columns for B")


def _first_elements(tiles: Tiling, kind: ElementKind, matrix: str) -> Iterator[tuple[int, int]]:
    """For each register, its row of A or column of B, and the number of its first element there, of lane 0."""
    count, rows = (tiles.tall, tiles.rows) if matrix == "a" else (tiles.wide, 1)
    for tile in range(count):
        for group in range(tiles.groups):
            for row in range(rows):
                yield 8 * (tile * rows + row), group * QUAD * kind.together


def _loaded(code: "PtxCode", places: _Places, kind: ElementKind, matrix: str, line: int, depth: int) -> Value:
    """A register of A or B."""

    def at(place: int) -> tuple[int, int]:
        return (line, depth + place) if matrix == "a" else (depth + place, line)

    if places.by_rows == (matrix == "a"):
        return places.load(_rows("load", max(32, kind.bits)), *at(0))[0]
    part = _columns("load", kind.bits)
    parts = [places.load(part, *at(place), kind.together)[0] for place in range(kind.together)]
    whole = parts[0]
    for place, each in enumerate(parts[1:], 1):
        whole = code.as_type(whole, ty.I32)
        high = code.build.binary("shl", code.as_type(each, ty.I32), int_constant(ty.I32, place * kind.bits))
        whole = code.build.binary("or", whole, high)
    return whole


def _rows(action: str, bits: int, together: int = 1) -> MatrixRows:
    return MatrixRows(action, False, together, f"i{bits}")


def _columns(action: str, bits: int) -> MatrixRows:
    return MatrixRows(action, True, 1, f"i{bits}")


def _sum_places(code: "PtxCode", instruction: Instruction, address: Operand, stride: list[Operand]) -> _Places:
    word = _types(instruction)[-1]
    if word not in SUMS:
        raise RefusedError(f"elements of .{word} are not supported")
    rows, columns, _ = _shape_of(instruction, word)
    return _Places(code, instruction, address, stride, (rows, columns), _sum_bits(word))


def _sum_bits(word: str) -> int:
    """Bits of an element of a sum in memory."""
    return 16 if word == "f16" else SUMS[word].bits


def _pairs(instruction: Instruction) -> Iterator[tuple[int, int]]:
    """For each pair of neighbours of the sum in a lane, the row and column of the first, of lane 0."""
    rows, columns, _ = _shape_of(instruction, _types(instruction)[-1])
    tiles = tiling(rows, columns, 0, KINDS["f64"])
    for tall in range(tiles.tall):
        for wide in range(tiles.wide):
            for row in range(tiles.rows):
                yield 8 * (tall * tiles.rows + row), 8 * wide


def _load_sum(code: "PtxCode", instruction: Instruction) -> None:
    target, address, *stride = instruction.operands
    word = _types(instruction)[-1]
    places = _sum_places(code, instruction, address, stride)
    bits = _sum_bits(word)
    loaded: list[Value] = []
    for row, column in _pairs(instruction):
        if places.by_rows:
            kind = _rows("load", 32) if word == "f16" else _rows("load", bits, together=2)
            loaded += places.load(kind, row, column)
            continue
        both = [places.load(_columns("load", bits), row, column + n, 2)[0] for n in range(2)]
        loaded += [pair(code, *both)] if word == "f16" else both
    for item, value in zip(items_of(target, len(loaded)), loaded, strict=True):
        code.write(item, value if word == "f16" else code.as_type(value, SUMS[word]))


def _store(code: "PtxCode", instruction: Instruction) -> None:
    address, source, *stride = instruction.operands
    word = _types(instruction)[-1]
    places = _sum_places(code, instruction, address, stride)
    bits = _sum_bits(word)
    starts = list(_pairs(instruction))
    items = items_of(source, len(starts) if word == "f16" else 2 * len(starts))
    for number, (row, column) in enumerate(starts):
        if word == "f16":
            whole = code.read_as(items[number], ty.I32)
            if places.by_rows:
                places.store(_rows("store", 32), row, column, [whole])
                continue
            high = code.build.binary("lshr", whole, int_constant(ty.I32, 16))
            both = [code.build.cast("trunc", each, ty.integer(16)) for each in (whole, high)]
        else:
            both = [code.read_as(item, SUMS[word]) for item in items[2 * number : 2 * number + 2]]
        if places.by_rows:
            places.store(_rows("store", bits, together=2), row, column, both)
        else:
            for place, value in enumerate(both):
                places.store(_columns("store", bits), row, column + place, [value], 2)


ROWS: Final[dict[str, Row]] = {"wmma": _wmma}
