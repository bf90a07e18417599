# SPDX-License-Identifier: Apache-2.0
"""Products of small matrices that the registers of a warp hold together, and the exchange of such matrices.

Products are added in ascending order with one rounding each, in single precision for half and tf32.

Source: PTX ISA 9.0, 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction", 9.7.14.5.15 "ldmatrix",
"stmatrix" and "movmatrix".
"""

import re
from typing import TYPE_CHECKING, Final

from lanewise.frontend.ptx.instructions.matrix_elements import (
    ALL_LANES,
    KINDS,
    SUMS,
    go_together,
    items_of,
    pair,
    read_sums,
    registers_of,
    sum_of_products,
    tiling,
    write_sums,
)
from lanewise.frontend.ptx.instructions.quad_pairs import product_of_quad_pairs
from lanewise.frontend.ptx.instructions.words import Row
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i32
from lanewise.ptx.language.operands import Address, Operand
from lanewise.ptx.language.statements import Instruction

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode

_SHAPE: Final = re.compile(r"m(\d+)n8k(\d+)").fullmatch
_CLAMP: Final = i32(31)
_SHAPES: Final = {
    "f16": ("m16n8k8", "m16n8k16"), "bf16": ("m16n8k8", "m16n8k16"), "tf32": ("m16n8k4", "m16n8k8"),
    "f64": ("m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"),
    **dict.fromkeys(("s8", "u8"), ("m8n8k16", "m16n8k16", "m16n8k32")),
    **dict.fromkeys(("s4", "u4"), ("m8n8k32", "m16n8k32", "m16n8k64")),
    **dict.fromkeys(("e4m3", "e5m2"), ("m16n8k16", "m16n8k32")),
    "b1": ("m8n8k128", "m16n8k128", "m16n8k256"),
}  # fmt: skip


def _mma(code: "PtxCode", instruction: Instruction) -> None:
    words = instruction.modifiers
    shape = next((word for word in words if _SHAPE(word)), "")
    types = [word for word in words if word in KINDS or word in SUMS]
    if "sync" not in words or "sp" in words or len(types) != 4 or len(instruction.operands) != 4:
        raise RefusedError("this form is not supported")
    sum_word, a_word, b_word, start_word = types
    if shape == "m8n8k4" and a_word == b_word == "f16":
        product_of_quad_pairs(code, instruction, sum_word, start_word)
        return
    if shape not in _SHAPES.get(a_word, ()) or not go_together(a_word, b_word):
        raise RefusedError(f".{shape} of .{a_word} and .{b_word} is not supported")
    if "row" not in words or words.count("col") != 1:
        raise RefusedError("this form is not supported")
    found = _SHAPE(shape)
    assert found is not None
    kinds = KINDS[a_word], KINDS[b_word]
    of_bits = ("xor" if "xor" in words else "and") if a_word == "b1" else ""
    tiles = tiling(int(found[1]), 8, int(found[2]) // (32 if of_bits else 1), kinds[0])
    d, a, b, c = instruction.operands
    of_a = registers_of(code, a, kinds[0], tiles.a_registers)
    of_b = registers_of(code, b, kinds[1], tiles.b_registers)
    sums = read_sums(code, c, start_word, tiles.sums)
    results = sum_of_products(code, tiles, (kinds[0], of_a), (kinds[1], of_b), sums, "satfinite" in words, of_bits)
    write_sums(code, d, sum_word, results)


def _from_lane(code: "PtxCode", value: Value, lane: Value) -> Value:
    """The value of another lane; all lanes take part."""
    return code.intrinsic("nvvm.shfl.sync.idx.i32", ty.I32, ALL_LANES, value, lane, _CLAMP)


# ---- Matrices of 8 x 8 elements of 16 bits -------------------------------------------------------------------


def _count(instruction: Instruction) -> int:
    words = instruction.modifiers
    if "m8n8" not in words or "b16" not in words:
        raise RefusedError("matrices other than .m8n8 of .b16 are not supported")
    return next(int(word[1]) for word in words if word in ("x1", "x2", "x4"))


def _ldmatrix(code: "PtxCode", instruction: Instruction) -> None:
    """Load matrices: lane 8 i + r has the address of row r of matrix i. Lane l gets two neighbours of row l / 4, or of
    column l / 4."""
    if "m16n16" in instruction.modifiers:
        _load_bytes(code, instruction)
        return
    target, address = instruction.operands
    for place, item in enumerate(items_of(target, _count(instruction))):
        parts = [
            code.build.load(ty.integer(16), each, align=2)
            for each in _places(code, address, place, transposed="trans" in instruction.modifiers)
        ]
        code.write(item, pair(code, *parts))


def _load_bytes(code: "PtxCode", instruction: Instruction) -> None:
    """Load matrices of 16 x 16 bytes, transposed: lane 16 i + r has the address of row r of matrix i. Lane l gets four
    neighbours of column l / 4, and four of the column 8 behind."""
    words = instruction.modifiers
    count = next((int(word[1]) for word in words if word in ("x1", "x2")), 0)
    if not count or "trans" not in words or words[-1] != "b8":
        raise RefusedError("matrices of 16 x 16 are supported as .x1 or .x2 of .b8 with .trans")
    target, address = instruction.operands
    build = code.build
    own, lane = _own_address(code, address), code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
    row = build.binary("shl", build.binary("and", lane, i32(3)), i32(2))
    column = build.binary("lshr", lane, i32(2))
    starts = [
        _from_lane(code, own, build.binary("add", row, i32(16 * matrix + place)))
        for matrix in range(count)
        for place in range(4)
    ]
    for number, item in enumerate(items_of(target, 2 * count)):
        along = build.binary("add", column, i32(8 * (number % 2)))
        whole: Value = i32(0)
        for place, start in enumerate(starts[4 * (number // 2) :][:4]):
            pointer = code.to_pointer(build.binary("add", start, along), "shared")
            byte = build.cast("zext", build.load(ty.I8, pointer, align=1), ty.I32)
            whole = build.binary("or", whole, build.binary("shl", byte, i32(8 * place)))
        code.write(item, whole)


def _own_address(code: "PtxCode", address: Operand) -> Value:
    """The address of a row that this lane has."""
    if not isinstance(address, Address):
        raise RefusedError(f"the address {address} is not supported")
    return code.build.cast("ptrtoint", code.pointer(address, "shared"), ty.I32)


def _stmatrix(code: "PtxCode", instruction: Instruction) -> None:
    address, source = instruction.operands
    for place, item in enumerate(items_of(source, _count(instruction))):
        word = code.read_as(item, ty.I32)
        high = code.build.binary("lshr", word, i32(16))
        places = _places(code, address, place, transposed="trans" in instruction.modifiers)
        for each, half in zip(places, (word, high), strict=True):
            code.build.store(code.build.cast("trunc", half, ty.integer(16)), each, align=2)


def _places(code: "PtxCode", address: Operand, matrix: int, *, transposed: bool) -> list[Value]:
    """The addresses of a lane's two elements of a matrix."""
    build = code.build
    own = _own_address(code, address)
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
