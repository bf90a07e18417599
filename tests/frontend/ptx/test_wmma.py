# SPDX-License-Identifier: Apache-2.0
"""`wmma.load`, `wmma.mma` and `wmma.store` of whole matrices, against NumPy.

Source: PTX ISA 9.0, 9.7.14.4.
"""

import re
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

from ...sampling import EVERY_SHAPE
from .computing import DEVICES, device_for, module
from .test_matrices import drawn

Matrix = NDArray[Any]


class Product(NamedTuple):
    """`types`: those of the sum, A, B and the sum before. `registers`: how many A, B and both sums have."""

    shape: str
    layouts: str
    types: str
    registers: str
    error: float
    more: str = ""


PRODUCTS = [
    Product("m16n16k16", "row.col", "f32 f16 f16 f32", "8 8 8 8", 2**-22),
    Product("m16n16k16", "col.row", "f16 f16 f16 f16", "8 8 4 4", 2**-10),
    Product("m32n8k16", "row.row", "f32 f16 f16 f16", "8 8 8 4", 2**-10),
    Product("m8n32k16", "col.col", "f16 f16 f16 f32", "8 8 4 8", 2**-10),
    Product("m16n16k16", "row.row", "f32 bf16 bf16 f32", "4 4 8 8", 2**-22),
    Product("m32n8k16", "col.col", "f32 bf16 bf16 f32", "8 2 8 8", 2**-22),
    Product("m8n32k16", "row.col", "f32 bf16 bf16 f32", "2 8 8 8", 2**-22),
    Product("m16n16k16", "row.col", "s32 s8 s8 s32", "2 2 8 8", 0, ".satfinite"),
    Product("m32n8k16", "col.row", "s32 u8 u8 s32", "4 1 8 8", 0),
    Product("m8n32k16", "row.row", "s32 s8 s8 s32", "1 4 8 8", 0),
    Product("m16n16k8", "row.col", "f32 tf32 tf32 f32", "4 4 8 8", 2**-21),
    Product("m16n16k8", "col.row", "f32 tf32 tf32 f32", "4 4 8 8", 2**-21),
    Product("m8n8k4", "row.col", "f64 f64 f64 f64", "1 1 2 2", 2**-51),
    Product("m8n8k4", "col.row", "f64 f64 f64 f64", "1 1 2 2", 2**-51),
]

APART = 16
"""Elements between the end of a row (or column) and the start of the next."""


def in_memory(bits: Matrix, by_rows: bool) -> Matrix:
    """A matrix as memory has it, with a gap after each row or column."""
    lines = np.ascontiguousarray(bits if by_rows else bits.T)
    return np.pad(lines, ((0, 0), (0, APART)))


def kernel(case: Product, by_rows: bool, strides: tuple[int, int, int]) -> lw.Module:
    """The kernel D = A B + C; the sums are by rows or by columns, and D is where C is."""
    d, a, b, c = case.types.split()
    counts = dict(zip("abdc", map(int, case.registers.split()), strict=True))
    a_layout, b_layout = case.layouts.split(".")
    layout = "row" if by_rows else "col"
    size = dict.fromkeys("abcd", 64 if "f64" in case.types else 32)
    declared = "".join(f".reg .b{size[n]} %{n}<{counts[n]}>;" for n in "abcd")
    vector = {n: f"{{{', '.join(f'%{n}{i}' for i in range(counts[n]))}}}" for n in "abcd"}
    types = f"{d}.{c}" if a == "f16" else ".".join((d, a, b, c))
    body = f"""
    {declared} .reg .b64 %p<4>; .reg .b32 %s;
    ld.param.u64 %p0, [pa]; ld.param.u64 %p1, [pb]; ld.param.u64 %p2, [pc]; ld.param.u64 %p3, [pd];
    mov.u32 %s, {strides[0]};
    wmma.load.a.sync.aligned.{a_layout}.{case.shape}.global.{a} {vector["a"]}, [%p0], %s;
    wmma.load.b.sync.aligned.{b_layout}.{case.shape}.{b} {vector["b"]}, [%p1], {strides[1]};
    wmma.load.c.sync.aligned.{layout}.{case.shape}.global.{c} {vector["c"]}, [%p2], {strides[2]};
    wmma.mma.sync.aligned.{case.layouts}.{case.shape}.{types}{case.more}
        {vector["d"]}, {vector["a"]}, {vector["b"]}, {vector["c"]};
    wmma.store.d.sync.aligned.{layout}.{case.shape}.global.{d} [%p3], {vector["d"]};
    """
    return module(body, [f".u64 .ptr .global .align 32 {name}" for name in ("pa", "pb", "pc", "pd")])


NUMBERS = range(0, len(PRODUCTS), 1 if EVERY_SHAPE else 3)


@pytest.mark.parametrize(("device", "number"), [*product(DEVICES, NUMBERS), ("simt", 0)])
def test_products(device: str, number: int):
    case = PRODUCTS[number]
    by_rows = number % 2 == 0
    found = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", case.shape)
    assert found is not None
    rows, columns, depth = map(int, found.groups())
    d, a_word, b_word, c_word = case.types.split()
    a, a_bits = drawn(a_word, (rows, depth), 1)
    b, b_bits = drawn(b_word, (depth, columns), 2)
    if c_word == "s32":
        c = np.random.default_rng(3).integers(-(1 << 31), 1 << 31, (rows, columns))
        c_bits = c.astype(np.int32)
    else:
        c, c_bits = drawn(c_word, (rows, columns), 3)
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
    a_layout, b_layout = case.layouts.split(".")
    given = in_memory(a_bits, a_layout == "row"), in_memory(b_bits, b_layout == "row"), in_memory(c_bits, by_rows)
    out = np.zeros((rows, columns) if by_rows else (columns, rows), kinds[d])
    strides = given[0].shape[1], given[1].shape[1], given[2].shape[1]
    kernel(case, by_rows, strides)["k"].launch(1, 32, (*given, out), device=device_for(device))
    result, expected = (out if by_rows else out.T).astype(c.dtype), a @ b + c
    if case.more:
        expected = np.clip(expected, -(1 << 31), (1 << 31) - 1)
    if d == "s32":
        assert (result == expected.astype(np.int32)).all()
    else:
        assert (abs(result - expected) <= case.error * (abs(a) @ abs(b) + abs(c)) + 1e-30).all()


SMALL = [("s4", "m8n8k32", "", ".satfinite"), ("u4", "m8n8k32", "", ""), ("b1", "m8n8k128", ".xor.popc", ""),
         ("b1", "m8n8k128", ".and.popc", "")]  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("word", "shape", "combined", "more"), SMALL)
def test_elements_below_a_byte(word: str, shape: str, combined: str, more: str, device: str):
    """Rows of A and columns of B are twice as far apart as they are long."""
    bits = int(word[1:])
    depth = int(shape.partition("k")[2])
    rng = np.random.default_rng(depth)
    a, b = rng.integers(0, 1 << bits, (2, 8, depth))
    c = rng.integers(-(1 << 31), 1 << 31, (8, 8)).astype(np.int32)
    body = f"""
    .reg .b32 %a, %b, %c<2>; .reg .b64 %p<4>;
    ld.param.u64 %p0, [pa]; ld.param.u64 %p1, [pb]; ld.param.u64 %p2, [pc]; ld.param.u64 %p3, [pd];
    wmma.load.a.sync.aligned.row.{shape}.global.{word} {{%a}}, [%p0], {2 * depth};
    wmma.load.b.sync.aligned.col.{shape}.global.{word} {{%b}}, [%p1], {2 * depth};
    wmma.load.c.sync.aligned.row.{shape}.global.s32 {{%c0, %c1}}, [%p2];
    wmma.mma{combined}.sync.aligned.row.col.{shape}.s32.{word}.{word}.s32{more}
        {{%c0, %c1}}, {{%a}}, {{%b}}, {{%c0, %c1}};
    wmma.store.d.sync.aligned.col.{shape}.global.s32 [%p3], {{%c0, %c1}};
    """
    out = np.zeros((8, 8), np.int32)
    given = (_packed(np.pad(each, ((0, 0), (0, depth))), bits) for each in (a, b))
    made = module(body, [f".u64 .ptr .global .align 32 {name}" for name in ("pa", "pb", "pc", "pd")])
    made["k"].launch(1, 32, (*given, c, out), device=device_for(device))
    signed = [each - 16 * (each >> 3) if word == "s4" else each for each in (a, b)]
    products = a[:, None] ^ b[None] if "xor" in combined else signed[0][:, None] * signed[1][None]
    wanted = products.sum(2) + c
    if more:
        wanted = np.clip(wanted, -(1 << 31), (1 << 31) - 1)
    np.testing.assert_array_equal(out.T, wanted.astype(np.int32))


def _packed(elements: Matrix, bits: int) -> Matrix:
    """Rows as memory has them, the first element in the lowest bits."""
    parts = elements.reshape(len(elements), -1, 8 // bits) << np.arange(0, 8, bits)
    return parts.sum(2).astype(np.uint8)


def test_lanes_hold_the_elements_that_nvcc_gives_them():
    """Those of mma, and each twice in a matrix of half precision: programs that look into fragments rely on it."""
    body = """
    .reg .b32 %a<8>, %t; .reg .b64 %p, %o;
    ld.param.u64 %p, [a]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mad.wide.u32 %o, %t, 32, %o;
    wmma.load.a.sync.aligned.row.m16n16k16.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%p];
    st.v4.b32 [%o], {%a0, %a1, %a2, %a3}; st.v4.b32 [%o+16], {%a4, %a5, %a6, %a7};
    """
    a, out = np.arange(256, dtype=np.uint16).reshape(16, 16), np.zeros((32, 16), np.uint16)
    module(body, [".u64 .ptr .align 32 a", ".u64 .ptr .align 32 out"])["k"].launch(1, 32, (a, out))
    for lane in range(32):
        for place in range(16):
            row, column = lane // 4 + (place & 2) * 4, lane % 4 * 2 + (place & 1) + (place & 4) * 2
            assert out[lane, place] == a[row, column]


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("wmma.load.a.sync.aligned.row.m8n8k32.e2m1 {%r0}, [%p];", "its type is not supported"),
        ("wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%p];", r"\.s4 are loaded by rows for A and by columns for B"),
        ("wmma.load.b.sync.aligned.row.m8n8k128.b1 {%r0}, [%p];", r"\.b1 are loaded by rows for A"),
        ("wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r0}, [%p];", r"\.m16n16k8 of \.f16 is not supported"),
        ("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0, %r1}, [%p];", "other sizes than its shape"),
        ("wmma.mma.sync.aligned.row.col.m8n8k4.rz.f64.f64.f64.f64 {%d0}, {%d1}, {%d2}, {%d3};", "this form"),
    ],
)
def test_forms_that_are_refused(instruction: str, why: str):
    with pytest.raises(lw.CompileError, match=why):
        module(f".reg .b32 %r<9>; .reg .f64 %d<4>; .reg .b64 %p;\n{instruction}")
