# SPDX-License-Identifier: Apache-2.0
"""Matrices that a warp holds, against NumPy: whole matrices are taken apart and put together by the manual's layouts.

Source: PTX ISA 9.0, the figures of 9.7.14.5 "Matrix Fragments for mma" and 9.7.14.5.15 "ldmatrix".
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

from ...sampling import EVERY_SHAPE
from .computing import DEVICES, module

Matrix = NDArray[Any]
LANES = range(32)


class Product(NamedTuple):
    """`mma.sync.aligned.SHAPE.row.col.SUM.A.B.SUM`; `error` is relative to the sum of the products' magnitudes."""

    rows: int
    depth: int
    a: str
    b: str
    sum: str
    error: float
    more: str = ""

    @property
    def opcode(self) -> str:
        shape = f"m{self.rows}n8k{self.depth}"
        return f"mma.sync.aligned.{shape}.row.col{self.more}.{self.sum}.{self.a}.{self.b}.{self.sum}"


PRODUCTS = [
    Product(16, 16, "f16", "f16", "f32", 2**-22), Product(16, 8, "f16", "f16", "f32", 2**-22),
    Product(16, 16, "bf16", "bf16", "f32", 2**-22), Product(16, 8, "bf16", "bf16", "f32", 2**-22),
    Product(16, 16, "f16", "f16", "f16", 2**-10), Product(16, 8, "tf32", "tf32", "f32", 2**-21),
    Product(16, 4, "tf32", "tf32", "f32", 2**-21), Product(8, 4, "f64", "f64", "f64", 2**-51),
    Product(16, 16, "f64", "f64", "f64", 2**-51), Product(16, 32, "s8", "u8", "s32", 0),
    Product(16, 16, "u8", "s8", "s32", 0, ".satfinite"), Product(8, 16, "s8", "s8", "s32", 0),
]  # fmt: skip


def drawn(word: str, shape: tuple[int, int], seed: int) -> tuple[Matrix, Matrix]:
    """A matrix as numbers, and as the bits of its elements."""
    rng = np.random.default_rng(seed)
    if word in ("s8", "u8"):
        bits = rng.integers(0, 256, shape).astype(np.uint8)
        return bits.view(np.int8 if word == "s8" else np.uint8).astype(np.int64), bits
    values = rng.standard_normal(shape)
    if word == "f16":
        half = values.astype(np.float16)
        return half.astype(np.float64), half.view(np.uint16)
    if word == "f64":
        return values, values.view(np.uint64)
    bits = values.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000 if word == "bf16" else 0xFFFFE000)
    return bits.view(np.float32).astype(np.float64), (bits >> 16).astype(np.uint16) if word == "bf16" else bits


def registers(bits: Matrix, row_and_column: Callable[[int, int, int], tuple[int, int]], count: int) -> Matrix:
    """The registers of each lane: element `part` of register `number` of a lane is at `row_and_column`."""
    size = max(4, bits.itemsize)
    parts = size // bits.itemsize
    found = np.zeros((32, count * parts), bits.dtype)
    for lane in LANES:
        for place in range(count * parts):
            found[lane, place] = bits[row_and_column(lane, place // parts, place % parts)]
    return found.view(f"u{size}")


def fragments(product: Product, a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    parts = max(1, 4 // a.itemsize)  # elements of a register
    tall = product.rows // 8
    columns = product.depth // (4 * parts)

    def of_a(lane: int, register: int, part: int) -> tuple[int, int]:
        return lane // 4 + 8 * (register % tall), (register // tall) * 4 * parts + lane % 4 * parts + part

    def of_b(lane: int, register: int, part: int) -> tuple[int, int]:
        return register * 4 * parts + lane % 4 * parts + part, lane // 4

    return registers(a, of_a, tall * columns), registers(b, of_b, columns)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("product", PRODUCTS if EVERY_SHAPE else PRODUCTS[::2], ids=lambda p: p.opcode[17:])
def test_products(product: Product, device: str):
    a, a_bits = drawn(product.a, (product.rows, product.depth), 1)
    b, b_bits = drawn(product.b, (product.depth, 8), 2)
    c, c_bits = drawn(product.sum, (product.rows, 8), 3) if product.sum != "s32" else (None, None)
    if c is None or c_bits is None:
        c = np.random.default_rng(3).integers(-(1 << 31), 1 << 31, (product.rows, 8))
        c_bits = c.astype(np.int32).view(np.uint32)
    of_a, of_b = fragments(product, a_bits, b_bits)

    def of_c(lane: int, register: int, part: int) -> tuple[int, int]:
        place = 2 * register + part if product.sum == "f16" else register
        return lane // 4 + 8 * (place // 2), lane % 4 * 2 + place % 2

    sums = product.rows // 4 // (2 if product.sum == "f16" else 1)
    of_sum = registers(c_bits, of_c, sums)
    out = np.zeros_like(of_sum)
    run(product.opcode, (out, of_a, of_b, of_sum), device)
    found = np.zeros(c.shape, c_bits.dtype)
    flat = out.view(c_bits.dtype)
    for lane in LANES:
        for place in range(flat.shape[1]):
            parts = flat.shape[1] // sums
            found[of_c(lane, place // parts, place % parts)] = flat[lane, place]
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
    result, expected = found.view(kinds[product.sum]).astype(c.dtype), a @ b + c
    if product.more:
        expected = np.clip(expected, -(1 << 31), (1 << 31) - 1)
    if product.sum == "s32":
        assert (result == expected.astype(np.int32)).all()
    else:
        assert (abs(result - expected) <= product.error * (abs(a) @ abs(b) + abs(c)) + 1e-30).all()


def run(opcode: str, matrices: tuple[Matrix, Matrix, Matrix, Matrix], device: str) -> None:
    """Set the first one to the product of the second and third, and the fourth."""
    names, loads, vectors = "dabc", "", []
    for name, matrix in zip(names, matrices, strict=True):
        size, count = 8 * matrix.itemsize, matrix.shape[1]
        kind = f".reg .b{size} %{name}<{count}>; .reg .b64 %p{name};"
        address = f"ld.param.u64 %p{name}, [{name}]; mad.wide.u32 %p{name}, %lane, {count * size // 8}, %p{name};"
        loads += kind + address
        if name != "d":
            for i in range(count):
                loads += f"ld.global.b{size} %{name}{i}, [%p{name}+{i * size // 8}];"
        registers = ", ".join(f"%{name}{i}" for i in range(count))
        vectors.append(f"{{{registers}}}" if count > 1 or name in "dc" else registers)
    size, count = 8 * matrices[0].itemsize, matrices[0].shape[1]
    stores = "".join(f"st.global.b{size} [%pd+{i * size // 8}], %d{i};" for i in range(count))
    body = f".reg .b32 %lane; mov.u32 %lane, %laneid; {loads}\n{opcode} {', '.join(vectors)};\n{stores}"
    module(body, [f".u64 .ptr .global .align 8 {name}" for name in names])["k"].launch(1, 32, matrices, device=device)


MOVES = """
    .shared .align 16 .b8 s[512];
    .reg .b64 %pi, %po; .reg .b32 %lane, %at, %row, %m, %r<4>;
    ld.param.u64 %pi, [given]; ld.param.u64 %po, [out];
    mov.u32 %lane, %laneid;
    mad.wide.u32 %pi, %lane, 16, %pi; mad.wide.u32 %po, %lane, 16, %po;
    ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%pi];
    mov.u32 %at, s; mad.lo.u32 %row, %lane, 16, %at;
"""


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("transposed", [False, True])
def test_loads_and_stores_of_matrices(transposed: bool, device: str):
    """Lane l's 16 bytes are row l % 8 of matrix l / 8; `stmatrix` brings back what `ldmatrix` has loaded."""
    trans = ".trans" if transposed else ""
    body = (
        MOVES
        + f"""
    st.shared.v4.b32 [%row], {{%r0, %r1, %r2, %r3}};
    bar.sync 0;
    ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{%r0, %r1, %r2, %r3}}, [%row];
    st.global.v4.b32 [%po], {{%r0, %r1, %r2, %r3}};
    bar.sync 0;
    st.shared.v4.b32 [%row], {{0, 0, 0, 0}};
    bar.sync 0;
    stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%row], {{%r0, %r1, %r2, %r3}};
    bar.sync 0;
    ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%row];
    st.global.v4.b32 [%po+512], {{%r0, %r1, %r2, %r3}};
"""
    )
    given = np.random.default_rng(7).integers(0, 1 << 16, (4, 8, 8)).astype(np.uint16)
    out = np.zeros((2, 512), np.uint8)
    parameters = [".u64 .ptr .global .align 16 out", ".u64 .ptr .global .align 16 given"]
    module(body, parameters)["k"].launch(1, 32, (out, given), device=device)
    loaded = out[0].view(np.uint16).reshape(32, 4, 2)
    for lane in LANES:
        for number in range(4):
            matrix = given[number].T if transposed else given[number]
            assert (loaded[lane, number] == matrix[lane // 4, lane % 4 * 2 : lane % 4 * 2 + 2]).all()
    assert (out[1].view(np.uint16) == given.reshape(-1)).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("count", [1, 2])
def test_loads_of_matrices_of_bytes(count: int, device: str):
    """Lane l's 16 bytes are row l % 16 of matrix l / 16; each lane gets four neighbours of two columns."""
    targets = ", ".join(f"%r{number}" for number in range(2 * count))
    body = (
        MOVES
        + f"""
    st.shared.v4.b32 [%row], {{%r0, %r1, %r2, %r3}};
    bar.sync 0;
    ldmatrix.sync.aligned.m16n16.x{count}.trans.shared.b8 {{{targets}}}, [%row];
    st.global.v4.b32 [%po], {{%r0, %r1, %r2, %r3}};
"""
    )
    given = np.random.default_rng(9).integers(0, 1 << 8, (2, 16, 16)).astype(np.uint8)
    out = np.zeros((32, 4, 4), np.uint8)
    parameters = [".u64 .ptr .global .align 16 out", ".u64 .ptr .global .align 16 given"]
    module(body, parameters)["k"].launch(1, 32, (out, given), device=device)
    for lane in LANES:
        for number in range(2 * count):
            column, row = lane // 4 + 8 * (number % 2), lane % 4 * 4
            assert (out[lane, number] == given[number // 2, row : row + 4, column]).all()


@pytest.mark.parametrize("device", DEVICES)
def test_a_matrix_is_transposed(device: str):
    body = MOVES + "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0; st.global.b32 [%po], %r0;"
    matrix = np.random.default_rng(8).integers(0, 1 << 16, (8, 8)).astype(np.uint16)
    given, out = np.zeros((32, 8), np.uint16), np.zeros((32, 8), np.uint16)
    given[:, :2] = matrix.reshape(32, 2)
    parameters = [".u64 .ptr .global .align 16 out", ".u64 .ptr .global .align 16 given"]
    module(body, parameters)["k"].launch(1, 32, (out, given), device=device)
    assert (out[:, :2] == matrix.T.reshape(32, 2)).all()


@pytest.mark.parametrize(
    ("opcode", "why"),
    [
        ("mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e4m3.f32", "not supported"),
        ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.s8.f32", r"\.m16n8k32 of \.e4m3 and \.s8 is not supported"),
        ("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "this form is not supported"),
        ("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32", r"\.m8n8k4 of \.f16 that adds \.f32 and gives \.f16"),
    ],
)
def test_forms_that_are_refused(opcode: str, why: str):
    body = f".reg .b32 %r<16>;\n{opcode} {{%r0, %r1, %r2, %r3}}, {{%r4, %r5}}, {{%r6}}, {{%r8, %r9, %r10, %r11}};"
    with pytest.raises(lw.CompileError, match=why):
        module(body)
