# SPDX-License-Identifier: Apache-2.0
"""Products of halves in `mma.m8n8k4`, of which a warp does four at once.

Each belongs to a *quad pair*: four lanes of the lower half of a warp, and the lanes 16 above them. They share lines,
the rows of A or columns of B: the lower quad has lines 0 to 3, the upper one lines 4 to 7. A layout that keeps lines
together, `row` for A and `col` for B, has a line in a lane; the other one has in lane k the elements number k of the
quad's four lines.

    sums of half precision   lane l of the eight has row l
    sums of floats           sum i of lane l of a quad has row (l & 1) + (i & 2), and 4 more in the upper quad, and
                             column (i & 4) + (l & 2) + (i & 1)

Source: PTX ISA 9.0, 9.7.14.5.1 "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.frontend.ptx.instructions.matrix_elements import (
    ALL_LANES,
    KINDS,
    read_sums,
    registers_of,
    write_sums,
)
from lanewise.frontend.ptx.ptx_types import HALF
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_DEPTH: Final = 4
_SUMS: Final = 8
_CLAMP: Final = i32(31)


class _Matrix(NamedTuple):
    """A or B. `by_lines`: a lane has the four elements of a line."""

    registers: list[Value]
    by_lines: bool


def product_of_quad_pairs(code: "PtxCode", instruction: Instruction, to: str, start: str) -> None:
    """D = A B + C. RefusedError where C and D have different types."""
    layouts = [word for word in instruction.modifiers if word in ("row", "col")]
    if to != start or len(layouts) != 2:
        raise RefusedError(f".m8n8k4 of .f16 that adds .{start} and gives .{to} is not supported")
    d, a, b, c = instruction.operands
    of_a = _Matrix(registers_of(code, a, KINDS["f16"], 2), layouts[0] == "row")
    of_b = _Matrix(registers_of(code, b, KINDS["f16"], 2), layouts[1] == "col")
    sums = read_sums(code, c, start, _SUMS)
    lane = code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
    own = code.build.binary("and", lane, i32(3))
    upper = code.build.binary("lshr", lane, i32(4))
    wide = to == "f32"
    rows = [code.build.binary("or", code.build.binary("and", own, i32(1)), i32(place)) for place in (0, 2)]
    lines = [_line(code, of_a, lane, row, upper) for row in (rows if wide else [own])]
    columns: dict[int, list[Value]] = {}
    for number in range(_SUMS):
        column = number & 5 if wide else number
        if column not in columns:
            columns[column] = _column(code, of_b, lane, own, column, wide)
        row = lines[number >> 1 & 1 if wide else 0]
        for left, right in zip(row, columns[column], strict=True):
            sums[number] = code.intrinsic("fma.f32", ty.FLOAT, left, right, sums[number])
    write_sums(code, d, to, sums)


def _column(code: "PtxCode", b: _Matrix, lane: Value, own: Value, column: int, wide: bool) -> list[Value]:
    """The elements of a column of B."""
    within: Value = i32(column & 3)
    if wide:
        within = code.build.binary("or", code.build.binary("and", own, i32(2)), within)
    return _line(code, b, lane, within, i32(column >> 2))


def _line(code: "PtxCode", matrix: _Matrix, lane: Value, within: Value, upper: Value) -> list[Value]:
    """The elements of a line, which is number `within` of the lower or `upper` quad."""
    build = code.build
    quad = build.binary("or", build.binary("and", lane, i32(12)), build.binary("shl", upper, i32(4)))
    if matrix.by_lines:
        words = [_from_lane(code, each, build.binary("or", quad, within)) for each in matrix.registers]
        return [_half(code, word, i32(place)) for word in words for place in range(2)]
    found: list[Value] = []
    second = build.compare("ne", build.binary("and", within, i32(2)), i32(0))
    for number in range(_DEPTH):
        low, high = (_from_lane(code, each, build.binary("or", quad, i32(number))) for each in matrix.registers)
        found.append(_half(code, build.select(second, high, low), build.binary("and", within, i32(1))))
    return found


def _from_lane(code: "PtxCode", value: Value, lane: Value) -> Value:
    return code.intrinsic("nvvm.shfl.sync.idx.i32", ty.I32, ALL_LANES, value, lane, _CLAMP)


def _half(code: "PtxCode", word: Value, place: Value) -> Value:
    """The lower or upper half of a word, as a float."""
    build = code.build
    shifted = build.binary("lshr", word, build.binary("shl", place, i32(4)))
    return build.cast("fpext", build.cast("bitcast", build.cast("trunc", shifted, ty.I16), HALF), ty.FLOAT)
