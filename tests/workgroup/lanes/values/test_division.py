# SPDX-License-Identifier: Apache-2.0
"""Division and remainder of integers in lanes: all of 8 bits, edges and random numbers of more, and what is promised
where the language promises nothing."""

import re
from functools import cache

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.opencl.unit import opencl_unit
from lanewise.frontend.source import Source
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import host_target
from lanewise.program.source.translation import translate
from lanewise.workgroup.lanes.values.division import FLOAT_BITS
from lanewise.workgroup.layout.local_size import MAX_WORK_ITEMS
from lanewise.workgroup.mapping import mapping_of

SOURCE = """
template <typename T> __global__ void each(T *quotients, T *remainders, const T *a, const T *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = a[i], y = b[i];
    quotients[i] = x / y;
    remainders[i] = x % y;
}
template <typename T> __global__ void by_one(T *quotients, T *remainders, const T *a, const T *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = a[i], y = b[blockIdx.x];
    quotients[i] = x / y;
    remainders[i] = x % y;
}
template <typename T> __global__ void some(T *quotients, T *remainders, const T *a, const T *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = a[i], y = b[i], quotient = 77, remainder = 77;
    if (x & 1) {
        quotient = x / y;
        remainder = x % y;
    }
    quotients[i] = quotient;
    remainders[i] = remainder;
}
#define FOR(T) \\
    template __global__ void each(T *, T *, const T *, const T *); \\
    template __global__ void by_one(T *, T *, const T *, const T *);
FOR(signed char) FOR(unsigned char) FOR(short) FOR(unsigned short) FOR(int) FOR(unsigned)
template __global__ void some(int *, int *, const int *, const int *);
template __global__ void some(unsigned char *, unsigned char *, const unsigned char *, const unsigned char *);
"""
TYPES = {
    "i1": "signed char", "u1": "unsigned char", "i2": "short", "u2": "unsigned short", "i4": "int", "u4": "unsigned int"
}  # fmt: skip
Array = np.ndarray


@cache
def _module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping="lanes")


def _numbers(type_: str) -> Array:
    """All numbers of 8 bits, or those near powers of two."""
    bits = 8 * np.dtype(type_).itemsize
    if bits == 8:
        return np.arange(256).astype(np.uint8).view(type_)
    near = {sign * (1 << k) + d for k in range(bits) for d in (-1, 0, 1) for sign in (-1, 1)}
    return np.array(sorted({each % (1 << bits) for each in near}), np.uint64).astype(f"u{bits // 8}").view(type_)


def _pairs(type_: str) -> tuple[Array, Array]:
    a, b = (each.ravel() for each in np.meshgrid(_numbers(type_), _numbers(type_)))
    bits = 8 * np.dtype(type_).itemsize
    random = np.random.default_rng(bits)
    words, shifts = random.integers(0, 1 << bits, (2, 1 << 14), np.uint64), random.integers(0, bits, (2, 1 << 14))
    c, d = (words >> shifts.astype(np.uint64)).astype(f"u{bits // 8}").view(type_)
    # n b - 1 and n b are where a quotient goes up.
    multiples = c - c % np.where(d == 0, 1, d) if type_[0] == "u" else c
    a, b = np.concatenate([a, c, multiples, multiples - np.array(1, type_)]), np.concatenate([b, d, d, d])
    size = a.size // 64 * 64
    return a[:size].copy(), b[:size].copy()


def _expected(a: Array, b: Array) -> tuple[Array, Array]:
    """By wider integers, rounded towards 0. A divisor of 0 counts as 1."""
    x, y = a.astype(np.int64), np.where(b == 0, 1, b.astype(np.int64))
    quotients = np.abs(x) // np.abs(y) * np.sign(x) * np.sign(y)
    return quotients.astype(a.dtype), (x - quotients * y).astype(a.dtype)


def _same(type_: str, kernel: str, a: Array, b: Array, expected: tuple[Array, Array]) -> None:
    found = np.zeros_like(a), np.zeros_like(a)
    _module()[f"{kernel}<{TYPES[type_]}>"].launch(a.size // 64, 64, (*found, a, b))
    for name, one, other in zip(("quotients", "remainders"), found, expected, strict=True):
        wrong = np.flatnonzero(one != other)
        assert not wrong.size, f"{name} of {a[wrong[0]]}: {one[wrong[0]]}, not {other[wrong[0]]}"


@pytest.mark.parametrize("type_", TYPES)
def test_divisors_of_each_work_item(type_: str):
    a, b = _pairs(type_)
    _same(type_, "each", a, b, _expected(a, b))


@pytest.mark.parametrize("type_", TYPES)
def test_divisors_of_each_block(type_: str):
    divisors = _numbers(type_)
    dividends = divisors if divisors.size == 256 else _pairs(type_)[0][-1024:]
    a, b = np.tile(dividends, divisors.size), np.repeat(divisors, dividends.size)
    _same(type_, "by_one", a, b[::64].copy(), _expected(a, b))


@pytest.mark.parametrize("type_", ["i4", "u1"])
def test_work_items_that_are_switched_off(type_: str):
    """They may hold any divisor."""
    a, b = _pairs(type_)
    quotients, remainders = (np.where(a & 1, each, np.array(77, a.dtype)) for each in _expected(a, b))
    _same(type_, "some", a, b, (quotients, remainders))


def test_no_division_is_left():
    """No vector is divided if the divisor is uniform: its reciprocal is a scalar."""
    module = lw.compile(SOURCE, language="cuda", mapping="lanes:8x1")
    for type_ in TYPES.values():
        text = module.ir("work-group", f"by_one<{type_}>", block=8)
        assert not any(f" {op} <" in text for op in ("sdiv", "udiv", "srem", "urem", "fdiv"))


NARROW = """
__global__ void narrow(int *out, const int *a, const int *b, int c) {
    int i = threadIdx.x;
    out[i] = (a[i] & 0xfffff) / (b[i] & 0x1fffff) + (a[i] & 0xfffff) % (c & 0xfff);
}
"""


def test_small_magnitudes_are_divided_in_single_precision():
    module = lw.compile(NARROW, language="cuda", mapping="lanes")
    assert FLOAT_BITS == 21
    text = module.ir("work-group", block=64)
    assert " x double>" not in text
    random = np.random.default_rng(3)
    a, b = random.integers(0, 1 << 20, 64, np.int32), random.integers(1, 1 << 9, 64, np.int32)
    a[:4], b[:4] = [0xFFFFF, 0xFFFFF, 0, 7 * 99991], [1, 0xFFFFF, 5, 7]
    for divisor in (1, 2, 3, 7, 0xFFF):
        out = np.zeros(64, np.int32)
        module["narrow"][1, 64](out, a, b, divisor)
        assert (out == a // b + a % divisor).all()


def test_places_in_a_group_are_divided_exactly_without_division() -> None:
    numbers = np.arange(MAX_WORK_ITEMS + 64, dtype=np.int32)
    shifted = numbers.astype(np.float32) + np.float32(0.5)
    for extent in range(1, MAX_WORK_ITEMS + 1):
        quotients = (shifted * (np.float32(1) / np.float32(extent))).astype(np.int32)
        assert np.array_equal(quotients, numbers // extent)
    places = "kernel void places(global int *out) { out[get_global_id(1) * 64 + get_global_id(0)] = get_local_id(1); }"
    unit = opencl_unit(Source(places, None), GivenOptions()).in_general_form()
    assert unit is not None
    made = translate(unit, {"mapping": "lanes"}, Cache(None))
    code = write_module(compile_for_cpu(made.program.ir(), "places", None).module)
    assert "linear.units" in code
    assert "fptosi <" in code
    assert not re.search(r" = [us](?:div|rem) <", code)


HALVES = """
__global__ void halves(unsigned *out, const unsigned *a, const unsigned *b, unsigned c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (a[i] >> 1) / b[i] ^ (a[i] >> 1) % c;
}
"""


def test_conversions_are_those_that_the_processor_has():
    """To unsigned numbers with AVX-512; numbers below 2^31 are signed ones to other processors."""
    source = lw.compile(HALVES, language="cuda").ir()
    target = host_target()
    for converts in (True, False):
        processor = target.processor._replace(unsigned_conversions=converts)
        made = compile_for_cpu(
            source, "_Z6halvesPjPKjS1_j", (64, 1, 1), mapping=mapping_of("lanes"),
            target=target._replace(processor=processor),
        )  # fmt: skip
        text = write_module(made.module)
        assert ("fptoui" in text, "fptosi" in text) == (converts, not converts)


def test_halves_of_unsigned_numbers():
    a, b = _pairs("u4")
    module = lw.compile(HALVES, language="cuda", mapping="lanes")
    b = np.where(b == 0, 1, b).astype(np.uint32)
    for divisor in (1, 2, 3, 641, 0x7FFFFFFF, 0xFFFFFFFF):
        out = np.zeros_like(a)
        module["halves"].launch(a.size // 64, 64, (out, a, b, np.uint32(divisor)))
        assert (out == (a >> 1) // b ^ (a >> 1) % divisor).all()
