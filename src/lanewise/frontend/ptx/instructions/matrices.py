# SPDX-License-Identifier: Apache-2.0
"""Products of small matrices that the registers of a warp hold together, and the exchange of such matrices.

Lane l holds parts of row l / 4 of A, of column l / 4 of B, and of row l / 4 and columns 2 (l % 4) and 1 more of the
sum; where A has 16 rows, also of row l / 4 + 8. Each lane computes its four (or two) elements of the sum. It gets the
rows of A from its *quad*, the lanes with the same l / 4, and its two columns of B from two other quads. Products are
added in ascending order with one rounding each, in single precision for half and tf32.

Source: PTX ISA 9.0, 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction" (with the layouts of the
fragments), 9.7.14.5.15 "ldmatrix", "stmatrix" and "movmatrix".
"""

import re
from typing import TYPE_CHECKING, Final, NamedTuple, final

from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.ptx_types import BFLOAT, HALF
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.intrinsics import spelled
from lanewise.ir.matrix_products import QUAD, MatrixProduct
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, int_constant
from lanewise.ptx.language.operands import Address, Operand, Vector
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_SHAPE: Final = re.compile(r"m(\d+)n8k(\d+)").fullmatch
_ALL: Final = i32(-1)
_CLAMP: Final = i32(31)
_EXCHANGE: Final = "convergent nocallback nounwind willreturn memory(inaccessiblemem: readwrite)"
"""Attributes of LLVM's intrinsics that exchange values in a warp."""


class _Kind(NamedTuple):
    """Elements of A or B: of `bits`, read by a register's part."""

    bits: int
    type: Type
    signed: bool = False


_KINDS: Final = {
    "f16": _Kind(16, HALF), "bf16": _Kind(16, BFLOAT), "tf32": _Kind(32, ty.FLOAT), "f64": _Kind(64, ty.DOUBLE),
    "s8": _Kind(8, ty.I8, True), "u8": _Kind(8, ty.I8),
}  # fmt: skip
_SUMS: Final = {"f16": ty.FLOAT, "f32": ty.FLOAT, "f64": ty.DOUBLE, "s32": ty.I32}
_SHAPES: Final = {
    "f16": ("m16n8k8", "m16n8k16"), "bf16": ("m16n8k8", "m16n8k16"), "tf32": ("m16n8k4", "m16n8k8"),
    "f64": ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"), "s8": ("m8n8k16", "m16n8k16", "m16n8k32"),
    "u8": ("m8n8k16", "m16n8k16", "m16n8k32"),
}  # fmt: skip


def _mma(code: "PtxCode", instruction: Instruction) -> None:
    words = instruction.modifiers
    shape = next((word for word in words if _SHAPE(word)), "")
    types = [word for word in words if word in _KINDS or word in _SUMS]
    if "sync" not in words or "sp" in words or len(types) != 4 or "row" not in words or words.count("col") != 1:
        raise RefusedError("this form is not supported")
    sum_word, a_word, b_word, _ = types
    if shape not in _SHAPES.get(a_word, ()) or b_word not in _KINDS or _KINDS[a_word].bits != _KINDS[b_word].bits:
        raise RefusedError(f".{shape} of .{a_word} and .{b_word} is not supported")
    found = _SHAPE(shape)
    assert found is not None
    product = _Product(code, int(found[1]) // 8, int(found[2]), _KINDS[a_word], _KINDS[b_word], sum_word)
    d, a, b, c = instruction.operands
    product.compute(d, a, b, c, saturated="satfinite" in words)


@final
class _Product:
    """A product of `rows` times 8 rows, 8 columns and `depth` elements in each sum."""

    def __init__(self, code: "PtxCode", rows: int, depth: int, a: _Kind, b: _Kind, sum_word: str) -> None:
        self._code: Final = code
        self._rows: Final = rows
        self._a: Final = a
        self._b: Final = b
        self._packed: Final = sum_word == "f16"
        self._type: Final = _SUMS[sum_word]
        self._each: Final = max(1, 32 // a.bits)
        """Elements of a register."""
        self._groups: Final = depth // (QUAD * self._each)

    def compute(self, d: Operand, a: Operand, b: Operand, c: Operand, *, saturated: bool) -> None:
        code = self._code
        of_a, of_b = _registers(code, a, self._a), _registers(code, b, self._b)
        sums = self._read_sums(c)
        type_ = ty.I64 if saturated and self._type.is_int else self._type
        if saturated and self._type.is_int:
            sums = [code.build.cast("sext", each, ty.I64) for each in sums]
        if len(of_a) != self._rows * self._groups or len(of_b) != self._groups:
            raise RefusedError("its vectors have other sizes than its shape")
        elements = [
            self._element(register, kind, place, type_)
            for registers, kind in ((of_a, self._a), (of_b, self._b))
            for register in registers
            for place in range(self._each)
        ]
        shape = MatrixProduct(self._rows, self._groups, self._each, spelled(type_))
        sums = _product_of_warp(code, shape, [*elements, *sums])
        self._write_sums(d, [self._narrow(each) for each in sums] if type_ is not self._type else sums)

    def _element(self, register: Value, kind: _Kind, place: int, type_: Type) -> Value:
        code = self._code
        if kind.bits >= 32:
            return code.as_type(register, kind.type)
        part = ty.integer(kind.bits)
        shifted = code.build.binary("lshr", register, i32(place * kind.bits)) if place else register
        element = code.build.cast("trunc", shifted, part)
        if type_.is_int:
            return code.extended(element, type_, kind.signed)
        return code.build.cast("fpext", code.build.cast("bitcast", element, kind.type), type_)

    def _read_sums(self, c: Operand) -> list[Value]:
        code = self._code
        items = _items(c)
        if len(items) != (self._rows if self._packed else 2 * self._rows):
            raise RefusedError("its vectors have other sizes than its shape")
        if not self._packed:
            return [code.read_as(item, self._type) for item in items]
        words = [code.read_as(item, ty.I32) for item in items]
        half = _KINDS["f16"]
        return [self._element(word, half, place, ty.FLOAT) for word in words for place in range(2)]

    def _write_sums(self, d: Operand, sums: list[Value]) -> None:
        code, items = self._code, _items(d)
        if not self._packed:
            for item, value in zip(items, sums, strict=True):
                code.write(item, value)
            return
        for item, low, high in zip(items, sums[::2], sums[1::2], strict=True):
            parts = [
                code.build.cast("zext", code.as_integer(code.build.cast("fptrunc", each, HALF)), ty.I32)
                for each in (low, high)
            ]
            code.write(item, code.build.binary("or", parts[0], code.build.binary("shl", parts[1], i32(16))))

    def _narrow(self, value: Value) -> Value:
        """A sum of 64 bits within those of 32."""
        code = self._code
        most, least = (int_constant(ty.I64, n) for n in ((1 << 31) - 1, -(1 << 31)))
        value = code.intrinsic("smax.i64", ty.I64, code.intrinsic("smin.i64", ty.I64, value, most), least)
        return code.build.cast("trunc", value, ty.I32)


def _product_of_warp(code: "PtxCode", shape: MatrixProduct, elements: list[Value]) -> list[Value]:
    """The elements of D of this lane."""
    type_ = elements[-1].type
    function = ty.function(ty.struct((type_,) * shape.sum_count), (ty.I32, *(each.type for each in elements)))
    declared = code.symbols.module.declare(shape.symbol, function)
    declared.suffix = _EXCHANGE
    made = code.build.call_function(declared, [_ALL, *elements])
    return [code.build.emit(Made("extractvalue", type_, (made,), indices=(n,))) for n in range(shape.sum_count)]


def _items(operand: Operand) -> tuple[Operand, ...]:
    return operand.items if isinstance(operand, Vector) else (operand,)


def _registers(code: "PtxCode", operand: Operand, kind: _Kind) -> list[Value]:
    return [code.read_as(item, ty.integer(max(32, kind.bits))) for item in _items(operand)]


def _from_lane(code: "PtxCode", value: Value, lane: Value) -> Value:
    """The value of another lane; all lanes take part."""
    if value.type.bits == 32:
        return code.intrinsic("nvvm.shfl.sync.idx.i32", ty.I32, _ALL, value, lane, _CLAMP)
    halves = [code.build.cast("trunc", value, ty.I32)]
    halves.append(code.build.cast("trunc", code.build.binary("lshr", value, int_constant(ty.I64, 32)), ty.I32))
    low, high = (code.build.cast("zext", _from_lane(code, half, lane), ty.I64) for half in halves)
    return code.build.binary("or", low, code.build.binary("shl", high, int_constant(ty.I64, 32)))


# ---- Matrices of 8 x 8 elements of 16 bits -------------------------------------------------------------------


def _count(instruction: Instruction) -> int:
    words = instruction.modifiers
    if "m8n8" not in words or "b16" not in words:
        raise RefusedError("matrices other than .m8n8 of .b16 are not supported")
    return next(int(word[1]) for word in words if word in ("x1", "x2", "x4"))


def _ldmatrix(code: "PtxCode", instruction: Instruction) -> None:
    """Load matrices: lane 8 i + r has the address of row r of matrix i. Lane l gets two neighbours of row l / 4, or of
    column l / 4."""
    target, address = instruction.operands
    for item, place in zip(_items(target), range(_count(instruction)), strict=True):
        parts = [
            code.build.load(ty.integer(16), each, align=2)
            for each in _places(code, address, place, transposed="trans" in instruction.modifiers)
        ]
        low, high = (code.build.cast("zext", part, ty.I32) for part in parts)
        code.write(item, code.build.binary("or", low, code.build.binary("shl", high, i32(16))))


def _stmatrix(code: "PtxCode", instruction: Instruction) -> None:
    address, source = instruction.operands
    for item, place in zip(_items(source), range(_count(instruction)), strict=True):
        word = code.read_as(item, ty.I32)
        high = code.build.binary("lshr", word, i32(16))
        places = _places(code, address, place, transposed="trans" in instruction.modifiers)
        for each, half in zip(places, (word, high), strict=True):
            code.build.store(code.build.cast("trunc", half, ty.integer(16)), each, align=2)


def _places(code: "PtxCode", address: Operand, matrix: int, *, transposed: bool) -> list[Value]:
    """The addresses of a lane's two elements of a matrix."""
    if not isinstance(address, Address):
        raise RefusedError(f"the address {address} is not supported")
    build = code.build
    own = build.cast("ptrtoint", code.pointer(address, "shared"), ty.I32)
    lane = code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
    row, pair = build.binary("lshr", lane, i32(2)), build.binary("shl", build.binary("and", lane, i32(3)), i32(1))
    found: list[Value] = []
    for half in range(2):
        along = build.binary("add", pair, i32(half))
        row_of, column = (along, row) if transposed else (row, along)
        start = _from_lane(code, own, build.binary("add", row_of, i32(8 * matrix)))
        place = build.binary("add", start, build.binary("shl", column, i32(1)))
        found.append(code.to_pointer(place, "shared"))
    return found


def _movmatrix(code: "PtxCode", instruction: Instruction) -> None:
    """Transpose a matrix: lane l gets elements l / 4 of rows 2 (l % 4) and 1 more."""
    target, source = instruction.operands
    build = code.build
    word = code.read_as(source, ty.I32)
    lane = code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
    column, pair = build.binary("lshr", lane, i32(2)), build.binary("shl", build.binary("and", lane, i32(3)), i32(1))
    halves: list[Value] = []
    for half in range(2):
        row = build.binary("add", pair, i32(half))
        holder = build.binary("add", build.binary("shl", row, i32(2)), build.binary("lshr", column, i32(1)))
        both = _from_lane(code, word, holder)
        odd = build.binary("shl", build.binary("and", column, i32(1)), i32(4))
        halves.append(build.binary("and", build.binary("lshr", both, odd), i32(0xFFFF)))
    code.write(target, build.binary("or", halves[0], build.binary("shl", halves[1], i32(16))))


ROWS: Final[dict[str, Row]] = {
    "mma": _mma,
    "ldmatrix": _ldmatrix,
    "stmatrix": _stmatrix,
    "movmatrix": _movmatrix,
}
