# SPDX-License-Identifier: Apache-2.0
"""Products of matrices of 4-bit integers, bits and 8-bit floats, and of halves in quad pairs, against exact sums in
NumPy.

Source: PTX ISA 9.0, the figures of 9.7.14.5 "Matrix Fragments for mma".
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ...sampling import EVERY_SHAPE
from .computing import DEVICES
from .test_matrices import LANES, run

Matrix = NDArray[Any]


def number_of_byte(byte: int, fraction: int, bias: int) -> float:
    """An 8-bit float, by its definition; e4m3 has no infinity (PTX ISA 9.0, 5.2.3)."""
    sign, exponent, rest = -1 if byte & 0x80 else 1, byte >> fraction & (0x7F >> fraction), byte & ((1 << fraction) - 1)
    if fraction == 2 and exponent == 31:
        return sign * (np.nan if rest else np.inf)
    if fraction == 3 and byte & 0x7F == 0x7F:
        return np.nan
    whole = rest if exponent == 0 else rest + (1 << fraction)
    return sign * whole * 2.0 ** (max(exponent, 1) - bias - fraction)


NUMBERS: dict[str, tuple[int, Callable[[int], float]]] = {
    "u4": (4, lambda bits: bits),
    "s4": (4, lambda bits: bits - 16 * (bits >> 3)),
    "b1": (1, lambda bits: bits),
    "e4m3": (8, lambda bits: number_of_byte(bits, 3, 7)),
    "e5m2": (8, lambda bits: number_of_byte(bits, 2, 15)),
}
"""Bits of an element, and its number."""


class Product(NamedTuple):
    rows: int
    depth: int
    a: str
    b: str
    sum: str = "s32"
    more: str = ""

    @property
    def opcode(self) -> str:
        shape = f"m{self.rows}n8k{self.depth}"
        saturated = self.more if self.more == ".satfinite" else ""
        after = self.more if self.more != ".satfinite" else ""
        return f"mma.sync.aligned.{shape}.row.col{saturated}.{self.sum}.{self.a}.{self.b}.{self.sum}{after}"


PRODUCTS = [
    Product(8, 32, "s4", "u4"), Product(16, 32, "u4", "u4"), Product(16, 64, "s4", "s4", more=".satfinite"),
    Product(8, 128, "b1", "b1", more=".xor.popc"), Product(16, 128, "b1", "b1", more=".and.popc"),
    Product(16, 256, "b1", "b1", more=".xor.popc"), Product(16, 32, "e4m3", "e5m2", "f32"),
    Product(16, 32, "e5m2", "e4m3", "f32"), Product(16, 16, "e4m3", "e4m3", "f32"),
]  # fmt: skip


def packed(elements: Matrix, bits: int, places: Callable[[int, int, int], tuple[int, int]], count: int) -> Matrix:
    """The registers of each lane: element `part` of a register is at `places(lane, register, part)`."""
    found = np.zeros((32, count), np.uint32)
    for lane in LANES:
        for register in range(count):
            for part in range(32 // bits):
                element = int(elements[places(lane, register, part)])
                found[lane, register] |= np.uint32(element << (part * bits))
    return found


def elements_of(word: str, shape: tuple[int, int], seed: int) -> Matrix:
    bits = np.random.default_rng(seed).integers(0, 1 << NUMBERS[word][0], shape)
    if word.startswith("e"):
        bits &= 0xBF  # no NaN, no infinity, and sums that a float holds
    return bits


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "product", PRODUCTS if EVERY_SHAPE else PRODUCTS[1::2] + PRODUCTS[:1], ids=lambda p: p.opcode[17:]
)
def test_products(product: Product, device: str):
    bits, number = NUMBERS[product.a]
    parts, tall = 32 // bits, product.rows // 8
    columns = product.depth // (4 * parts)
    a = elements_of(product.a, (product.rows, product.depth), 1)
    b = elements_of(product.b, (product.depth, 8), 2)

    def of_a(lane: int, register: int, part: int) -> tuple[int, int]:
        return lane // 4 + 8 * (register % tall), (register // tall) * 4 * parts + lane % 4 * parts + part

    def of_b(lane: int, register: int, part: int) -> tuple[int, int]:
        return register * 4 * parts + lane % 4 * parts + part, lane // 4

    start = np.random.default_rng(3).integers(-(1 << 31), 1 << 31, (32, 2 * tall))
    if product.sum == "f32":
        start = np.random.default_rng(3).standard_normal((32, 2 * tall)).astype(np.float32)
    given = start.astype(np.int32).view(np.uint32) if product.sum == "s32" else start.view(np.uint32)
    out = np.zeros((32, 2 * tall), np.uint32)
    run(product.opcode, (out, packed(a, bits, of_a, tall * columns), packed(b, bits, of_b, columns), given), device)

    left = np.vectorize(number)(a).astype(np.float64)
    right = np.vectorize(NUMBERS[product.b][1])(b).astype(np.float64)
    sums, sizes = left @ right, abs(left) @ abs(right)
    if product.a == "b1":
        pairs = a[:, :, None] ^ b[None] if "xor" in product.more else a[:, :, None] & b[None]
        sums = pairs.sum(axis=1)
    for lane in LANES:
        for place in range(2 * tall):
            at = lane // 4 + 8 * (place // 2), lane % 4 * 2 + place % 2
            if product.sum == "f32":
                found = float(out[lane, place : place + 1].view(np.float32)[0])
                assert abs(found - sums[at] - start[lane, place]) <= product.depth * 2.0**-24 * (sizes[at] + 1)
                continue
            wanted = int(sums[at]) + int(start[lane, place])
            if product.more == ".satfinite":
                wanted = min(max(wanted, -(1 << 31)), (1 << 31) - 1)
            assert int(out[lane, place]) == wanted & 0xFFFFFFFF, (lane, place)


@pytest.mark.parametrize("device", DEVICES)
def test_bytes_that_are_no_numbers(device: str):
    """A NaN of e4m3 makes its row NaN; an infinity of e5m2 makes it infinite."""
    a, b = np.zeros((16, 32), np.int64), np.zeros((32, 8), np.int64)
    a[0, 0], a[1, 0] = 0x7F, 0x38
    b[0, :] = 0x7C

    def of_a(lane: int, register: int, part: int) -> tuple[int, int]:
        return lane // 4 + 8 * (register % 2), (register // 2) * 16 + lane % 4 * 4 + part

    def of_b(lane: int, register: int, part: int) -> tuple[int, int]:
        return register * 16 + lane % 4 * 4 + part, lane // 4

    out, start = np.zeros((32, 4), np.uint32), np.zeros((32, 4), np.uint32)
    opcode = Product(16, 32, "e4m3", "e5m2", "f32").opcode
    run(opcode, (out, packed(a, 8, of_a, 4), packed(b, 8, of_b, 2), start), device)
    found = out.view(np.float32)
    assert np.isnan(found[0, :2]).all()
    assert np.isposinf(found[4, :2]).all()
    assert np.isnan(found[8, :2]).all()  # zero times infinity


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("sum_", "layouts"), [("f32", "row.col"), ("f16", "col.row"), ("f32", "col.row")])
def test_products_in_quad_pairs(sum_: str, layouts: str, device: str):
    """Four products of 8 x 4 by 4 x 8 at once; lanes 4 q to 4 q + 3 and 16 more have product q."""
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-32, 32, (4, 8, 4)).astype(np.float16) for _ in range(2))  # lines: rows of A, columns of B
    c = rng.integers(-64, 64, (4, 8, 8)).astype(np.float64)
    of_a, of_b = np.zeros((32, 4), np.float16), np.zeros((32, 4), np.float16)
    kept = layouts == "row.col"
    for lane in LANES:
        quad, line, upper = lane % 16 // 4, lane % 4, lane // 16 * 4
        for i in range(4):
            at = (quad, line + upper, i) if kept else (quad, i + upper, line)
            of_a[lane, i], of_b[lane, i] = a[at], b[at]

    def of_c(lane: int, i: int) -> tuple[int, int, int]:
        quad, upper = lane % 16 // 4, lane // 16 * 4
        if sum_ == "f16":
            return quad, lane % 4 + upper, i
        return quad, (lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)

    start = np.zeros((32, 8), np.float16 if sum_ == "f16" else np.float32)
    for lane in LANES:
        for i in range(8):
            start[lane, i] = c[of_c(lane, i)]
    out = np.zeros_like(start)
    opcode = f"mma.sync.aligned.m8n8k4.{layouts}.{sum_}.f16.f16.{sum_}"
    run(opcode, tuple(each.view(np.uint32) for each in (out, of_a, of_b, start)), device)  # pyright: ignore[reportArgumentType] : four
    wanted = a.astype(np.float64) @ b.astype(np.float64).transpose(0, 2, 1) + c  # exact: small integers
    for lane in LANES:
        for i in range(8):
            assert out[lane, i] == start.dtype.type(wanted[of_c(lane, i)]), (lane, i)
