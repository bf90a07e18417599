# SPDX-License-Identifier: Apache-2.0
"""Elements of the matrices that the registers of a warp hold together, and their products.

A matrix is made of tiles. A tile of A has 16 or 8 rows, one of B has 8 columns, and one of the sum has the rows of the
one and the columns of the other. `ir/matrix_products.py` says which elements of a tile a lane holds. Registers are in
the order of tiles, then groups, then rows; those of the sum in the order of tiles by row and column, then rows, then
columns.

Source: PTX ISA 9.0, 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction" (with the layouts of the
fragments).
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.frontend.ptx.instructions.narrow_conversions import FORMATS, ByteFormat, number_of_byte
from lanewise.frontend.ptx.ptx_types import BFLOAT, HALF
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.intrinsics import spelled
from lanewise.ir.matrix_products import QUAD, MatrixProduct
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, int_constant
from lanewise.ptx.language.operands import Operand, Vector

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

ALL_LANES: Final = i32(-1)
EXCHANGE: Final = "convergent nocallback nounwind willreturn memory(inaccessiblemem: readwrite)"
"""Attributes of LLVM's intrinsics that exchange values in a warp."""


class ElementKind(NamedTuple):
    """The kind of elements of A or B: of `bits`, a part of a register. Those of one `family` are multiplied with one
    another. `form`: the format of floats of which kernel IR has no type."""

    bits: int
    type: Type
    signed: bool = False
    family: str = ""
    form: ByteFormat | None = None

    @property
    def together(self) -> int:
        """Elements of a register."""
        return max(1, 32 // self.bits)


KINDS: Final = {
    "f16": ElementKind(16, HALF),
    "bf16": ElementKind(16, BFLOAT),
    "tf32": ElementKind(32, ty.FLOAT),
    "f64": ElementKind(64, ty.DOUBLE),
    "s8": ElementKind(8, ty.I8, True, "integers"),
    "u8": ElementKind(8, ty.I8, False, "integers"),
    "s4": ElementKind(4, ty.integer(4), True, "integers"),
    "u4": ElementKind(4, ty.integer(4), False, "integers"),
    "b1": ElementKind(32, ty.I32),  # a word of them
    "e4m3": ElementKind(8, ty.I8, family="floats", form=FORMATS["e4m3x2"]),
    "e5m2": ElementKind(8, ty.I8, family="floats", form=FORMATS["e5m2x2"]),
}
SUMS: Final = {"f16": ty.FLOAT, "f32": ty.FLOAT, "f64": ty.DOUBLE, "s32": ty.I32}
"""The type in which products are added, by that of the sum."""


def go_together(a: str, b: str) -> bool:
    """Return whether elements of A and B of these types are multiplied."""
    kinds = KINDS[a], KINDS[b]
    return a == b or (kinds[0].bits == kinds[1].bits and kinds[0].family == kinds[1].family != "")


class Tiling(NamedTuple):
    """Tiles of a product: `tall` of A, each with `rows` times 8 rows; `wide` of B; `groups` of columns of A."""

    tall: int
    rows: int
    wide: int
    groups: int

    @property
    def a_registers(self) -> int:
        return self.tall * self.rows * self.groups

    @property
    def b_registers(self) -> int:
        return self.wide * self.groups

    @property
    def sums(self) -> int:
        """Elements of the sum in a lane."""
        return 2 * self.tall * self.rows * self.wide


def tiling(rows: int, columns: int, depth: int, kind: ElementKind) -> Tiling:
    """The tiles of a product of so many rows and columns, with `depth` products in each sum."""
    tall = max(1, rows // 16)
    return Tiling(tall, rows // tall // 8, columns // 8, depth // (QUAD * kind.together))


def sum_of_products(
    code: "PtxCode",
    tiles: Tiling,
    a: tuple[ElementKind, list[Value]],
    b: tuple[ElementKind, list[Value]],
    sums: list[Value],
    saturated: bool,
    of_bits: str = "",
) -> list[Value]:
    """The sums with all products added. `a` and `b` have the kind of elements and the registers. `saturated`: integers
    are added without overflow, and brought within 32 bits at the end. `of_bits`: how words of bits are combined."""
    wide = saturated and sums[0].type.is_int
    type_ = ty.I64 if wide else sums[0].type
    if wide:
        sums = [code.build.cast("sext", each, type_) for each in sums]
    of_a, of_b = (
        [element(code, register, kind, place, type_) for register in registers for place in range(kind.together)]
        for kind, registers in (a, b)
    )
    shape = MatrixProduct(tiles.rows, tiles.groups, a[0].together, spelled(type_), of_bits)
    results: list[Value] = []
    for row in range(tiles.tall):
        for column in range(tiles.wide):
            first = (row * tiles.wide + column) * shape.sum_count
            results += _product_of_warp(code, shape, [
                *of_a[row * shape.a_count : (row + 1) * shape.a_count],
                *of_b[column * shape.b_count : (column + 1) * shape.b_count],
                *sums[first : first + shape.sum_count],
            ])  # fmt: skip
    return [_within_32_bits(code, each) for each in results] if wide else results


def _product_of_warp(code: "PtxCode", shape: MatrixProduct, elements: list[Value]) -> list[Value]:
    """The elements of the sum of a tile in this lane."""
    type_ = elements[-1].type
    function = ty.function(ty.struct((type_,) * shape.sum_count), (ty.I32, *(each.type for each in elements)))
    declared = code.symbols.module.declare(shape.symbol, function)
    declared.suffix = EXCHANGE
    made = code.build.call_function(declared, [ALL_LANES, *elements])
    return [code.build.emit(Made("extractvalue", type_, (made,), indices=(n,))) for n in range(shape.sum_count)]


def element(code: "PtxCode", register: Value, kind: ElementKind, place: int, type_: Type) -> Value:
    """An element of a register in the type in which it is multiplied."""
    if kind.bits >= 32:
        return code.as_type(register, kind.type)
    shifted = code.build.binary("lshr", register, i32(place * kind.bits)) if place else register
    found = code.build.cast("trunc", shifted, ty.integer(kind.bits))
    if type_.is_int:
        return code.extended(found, type_, kind.signed)
    if kind.form is not None:
        return number_of_byte(code, found, kind.form)
    return code.build.cast("fpext", code.build.cast("bitcast", found, kind.type), type_)


def read_sums(code: "PtxCode", operand: Operand, word: str, count: int) -> list[Value]:
    """The elements of a sum of type `word`. A register has two of half precision."""
    items = items_of(operand, count // 2 if word == "f16" else count)
    if word != "f16":
        return [code.read_as(item, SUMS[word]) for item in items]
    words = [code.read_as(item, ty.I32) for item in items]
    return [element(code, each, KINDS["f16"], place, ty.FLOAT) for each in words for place in range(2)]


def write_sums(code: "PtxCode", operand: Operand, word: str, sums: list[Value]) -> None:
    """Set the registers of a sum."""
    items = items_of(operand, len(sums) // 2 if word == "f16" else len(sums))
    if word != "f16":
        for item, value in zip(items, sums, strict=True):
            code.write(item, value)
        return
    for item, low, high in zip(items, sums[::2], sums[1::2], strict=True):
        halves = [code.as_integer(code.build.cast("fptrunc", each, HALF)) for each in (low, high)]
        code.write(item, pair(code, *halves))


def pair(code: "PtxCode", low: Value, high: Value) -> Value:
    """Two numbers of 16 bits in a register."""
    parts = [code.build.cast("zext", each, ty.I32) for each in (low, high)]
    return code.build.binary("or", parts[0], code.build.binary("shl", parts[1], i32(16)))


def _within_32_bits(code: "PtxCode", value: Value) -> Value:
    most, least = (int_constant(ty.I64, n) for n in ((1 << 31) - 1, -(1 << 31)))
    value = code.intrinsic("smax.i64", ty.I64, code.intrinsic("smin.i64", ty.I64, value, most), least)
    return code.build.cast("trunc", value, ty.I32)


def items_of(operand: Operand, count: int) -> tuple[Operand, ...]:
    """The registers of a vector. RefusedError if there are others than `count`."""
    items = operand.items if isinstance(operand, Vector) else (operand,)
    if len(items) != count:
        raise RefusedError("its vectors have other sizes than its shape")
    return items


def registers_of(code: "PtxCode", operand: Operand, kind: ElementKind, count: int) -> list[Value]:
    """The registers of a matrix A or B."""
    return [code.read_as(item, ty.integer(max(32, kind.bits))) for item in items_of(operand, count)]
