# SPDX-License-Identifier: Apache-2.0
"""Integer intrinsics and bit casts, by the values that they compute on the host; what others become in PTX. Values of
those are in tests/kernels/language (rounding.cu, words.cu)."""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Callable

import pytest

import lanewise as lw

C = {
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
WORDS = (0, 1, 2, 5, 0x7F, 0x80, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0xDEADBEEF)


def function_text(name: str, result: str, *parameters: str) -> str:
    """A C function `lw_<name>` that passes its parameters on."""
    listed = ", ".join(f"{kind} p{index}" for index, kind in enumerate(parameters))
    passed = ", ".join(f"p{index}" for index in range(len(parameters)))
    return f'extern "C" __device__ {result} lw_{name}({listed}) {{ return {name}({passed}); }}\n'


class Table:
    """Functions of the headers with their types, compiled at once."""

    def __init__(self, on_host: Callable, *functions: tuple[str, ...]) -> None:
        self._host = on_host("".join(function_text(*function) for function in functions))
        self._types = {name: types for name, *types in functions}

    def __getitem__(self, name: str) -> Callable[..., float]:
        result, *parameters = self._types[name]
        return self._host.function(f"lw_{name}", C[result], *(C[kind] for kind in parameters))


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


@pytest.fixture(scope="module")
def integer(on_host: Callable) -> Table:
    u, i, ull, ll = "unsigned", "int", "unsigned long long", "long long"
    return Table(
        on_host,
        ("__popc", i, u), ("__popcll", i, ull), ("__clz", i, i), ("__clzll", i, ll), ("__ffs", i, i),
        ("__ffsll", i, ll), ("__brev", u, u), ("__brevll", ull, ull),
        ("__fns", u, u, u, i), ("__funnelshift_l", u, u, u, u), ("__funnelshift_r", u, u, u, u),
        ("__funnelshift_lc", u, u, u, u), ("__funnelshift_rc", u, u, u, u), ("__mul24", i, i, i),
        ("__umul24", u, u, u), ("mul24", i, i, i), ("umul24", u, u, u), ("__mulhi", i, i, i), ("__umulhi", u, u, u),
        ("__mul64hi", ll, ll, ll), ("__umul64hi", ull, ull, ull), ("__sad", u, i, i, u), ("__usad", u, u, u, u),
        ("__hadd", i, i, i), ("__rhadd", i, i, i), ("__uhadd", u, u, u), ("__urhadd", u, u, u),
    )  # fmt: skip


def test_bits(integer: Table) -> None:
    for x in WORDS:
        assert integer["__popc"](x) == x.bit_count()
        assert integer["__clz"](x) == 32 - x.bit_length()
        assert integer["__ffs"](x) == (x & -x).bit_length()
        assert integer["__brev"](x) == int(f"{x:032b}"[::-1], 2)
        wide = x << 32 | 0x1000 * (x & 1)
        assert integer["__popcll"](wide) == wide.bit_count()
        assert integer["__clzll"](wide) == 64 - wide.bit_length()
        assert integer["__ffsll"](wide) == (wide & -wide).bit_length()
        assert integer["__brevll"](wide) == int(f"{wide:064b}"[::-1], 2)
    assert integer["__fns"](0b10110, 0, 2) == 2
    assert integer["__fns"](0b10110, 31, -1) == 4
    assert integer["__fns"](0b10110, 1, 0) == 1
    assert integer["__fns"](0b10110, 0, 4) == 0xFFFFFFFF


def test_funnel_shifts(integer: Table) -> None:
    for shift in (0, 1, 7, 31, 32, 33, 64):
        pair = 0x89ABCDEF_01234567
        low, high = pair & 0xFFFFFFFF, pair >> 32
        modulo, clamped = shift % 32, min(shift, 32)
        assert integer["__funnelshift_l"](low, high, shift) == (pair << modulo) >> 32 & 0xFFFFFFFF
        assert integer["__funnelshift_r"](low, high, shift) == pair >> modulo & 0xFFFFFFFF
        assert integer["__funnelshift_lc"](low, high, shift) == (pair << clamped) >> 32 & 0xFFFFFFFF
        assert integer["__funnelshift_rc"](low, high, shift) == pair >> clamped & 0xFFFFFFFF


def test_products_sums_and_averages(integer: Table) -> None:
    def low24(x: int) -> int:
        return (x & 0xFFFFFF) - (1 << 24 if x >> 23 & 1 else 0)

    for x, y in itertools.product(WORDS, WORDS):
        a, b = signed(x), signed(y)
        assert integer["__umulhi"](x, y) == x * y >> 32
        assert integer["__mulhi"](a, b) == a * b >> 32
        assert integer["__umul64hi"](x << 20, y << 30) == (x << 20) * (y << 30) >> 64
        assert integer["__mul64hi"](a << 30, b << 20) == (a << 30) * (b << 20) >> 64
        assert integer["__umul24"](x, y) == (x & 0xFFFFFF) * (y & 0xFFFFFF) & 0xFFFFFFFF == integer["umul24"](x, y)
        assert int(integer["__mul24"](a, b)) & 0xFFFFFFFF == low24(x) * low24(y) & 0xFFFFFFFF
        assert integer["mul24"](a, b) == integer["__mul24"](a, b)
        assert integer["__sad"](a, b, 3) == abs(a - b) + 3 & 0xFFFFFFFF
        assert integer["__usad"](x, y, 3) == abs(x - y) + 3 & 0xFFFFFFFF
        assert integer["__hadd"](a, b) == a + b >> 1
        assert integer["__rhadd"](a, b) == a + b + 1 >> 1
        assert integer["__uhadd"](x, y) == x + y >> 1
        assert integer["__urhadd"](x, y) == x + y + 1 >> 1


@pytest.fixture(scope="module")
def bit_cast(on_host: Callable) -> Table:
    return Table(
        on_host,
        ("__float_as_int", "int", "float"), ("__float_as_uint", "unsigned", "float"),
        ("__int_as_float", "float", "int"), ("__uint_as_float", "float", "unsigned"),
        ("__double_as_longlong", "long long", "double"), ("__longlong_as_double", "double", "long long"),
        ("__double2hiint", "int", "double"), ("__double2loint", "int", "double"),
        ("__hiloint2double", "double", "int", "int"), ("float_as_int", "int", "float"),
        ("int_as_float", "float", "int"), ("__int2double_rn", "double", "int"),
        ("__uint2double_rn", "double", "unsigned"),
    )  # fmt: skip


def test_bit_casts(bit_cast: Table) -> None:
    assert bit_cast["__float_as_int"](1.0) == 0x3F800000 == bit_cast["float_as_int"](1.0)
    assert bit_cast["__float_as_uint"](-1.0) == 0xBF800000
    assert bit_cast["__int_as_float"](0x40000000) == 2.0 == bit_cast["int_as_float"](0x40000000)
    assert bit_cast["__uint_as_float"](0x40000000) == 2.0
    assert bit_cast["__double_as_longlong"](1.0) == 0x3FF0000000000000
    assert bit_cast["__longlong_as_double"](0x4000000000000000) == 2.0
    assert bit_cast["__hiloint2double"](0x3FF00000, 1) == 1.0 + 2**-52
    assert bit_cast["__double2hiint"](1.0 + 2**-52) == 0x3FF00000
    assert bit_cast["__double2loint"](1.0 + 2**-52) == 1
    assert bit_cast["__int2double_rn"](-5) == -5
    assert bit_cast["__uint2double_rn"](2**32 - 1) == 2**32 - 1


def test_stated_rounding_is_never_contracted(compiled, inlined) -> None:
    ir = inlined(compiled('extern "C" __device__ float f(float x) { return __fadd_rn(__fmul_rn(x, x), x); }').text)
    assert "contract" not in "".join(line for line in ir.splitlines() if "fmul" in line or "fadd" in line)


ROUNDED = {  # expression of x -> instruction of PTX
    "__fadd_rz(x, y)": "add.rz.f32", "__fsub_ru(x, y)": "sub.rp.f32", "__fmul_rd(x, y)": "mul.rm.f32",
    "__fdiv_rz(x, y)": "div.rz.f32", "__frcp_ru(x)": "rcp.rp.f32", "__fsqrt_rd(x)": "sqrt.rm.f32",
    "__fmaf_rz(x, y, x)": "fma.rz.f32", "__fmaf_ieee_ru(x, y, x)": "fma.rp.f32", "__dadd_rz(d, x)": "add.rz.f64",
    "__dsub_rd(d, x)": "sub.rm.f64", "__dmul_ru(d, x)": "mul.rp.f64", "__ddiv_rd(d, x)": "div.rm.f64",
    "__drcp_rz(d)": "rcp.rz.f64", "__dsqrt_ru(d)": "sqrt.rp.f64", "__fma_rd(d, x, y)": "fma.rm.f64",
    "__float2int_rd(x)": "cvt.rmi.s32.f32", "__double2ull_rn(d)": "cvt.rni.u64.f64",
    "__ll2float_ru(i)": "cvt.rp.f32.s64", "__double2float_rz(d)": "cvt.rz.f32.f64", "__sinf(x)": "sin.approx.f32",
    "__expf(x)": "ex2.approx.f32", "__log2f(x)": "lg2.approx.f32", "__fdividef(x, y)": "div.approx.f32",
    "__saturatef(x)": "cvt.sat.f32.f32", "__byte_perm(i, 1, 2)": "prmt.b32",
    "__ldg(p)": "ld.global.nc.b32",
}  # fmt: skip


def test_intrinsics_are_single_instructions_of_ptx() -> None:
    lines = "".join(f"  out[{i}] = {expression};\n" for i, expression in enumerate(ROUNDED))
    text = f"__global__ void k(double *out, float x, float y, double d, int i, const float *p) {{\n{lines}}}"
    ptx = lw.compile(text, language="cuda").ptx()
    assert [instruction for instruction in ROUNDED.values() if not re.search(rf"^\s*{instruction}\s", ptx, re.M)] == []
