# SPDX-License-Identifier: Apache-2.0
"""Integer, conversion and rounded-arithmetic intrinsics, by the values that they compute on the host."""

from __future__ import annotations

import ctypes
import itertools
import math
import random
import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

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
        ("__ffsll", i, ll), ("__brev", u, u), ("__brevll", ull, ull), ("__byte_perm", u, u, u, u),
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


def test_bytes_and_funnel_shifts(integer: Table) -> None:
    assert integer["__byte_perm"](0x33221100, 0x77665544, 0x7531) == 0x77553311
    assert integer["__byte_perm"](0x00008000, 0, 0x0009) == 0x000000FF
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
        assert integer["__mul24"](a, b) & 0xFFFFFFFF == low24(x) * low24(y) & 0xFFFFFFFF
        assert integer["mul24"](a, b) == integer["__mul24"](a, b)
        assert integer["__sad"](a, b, 3) == abs(a - b) + 3 & 0xFFFFFFFF
        assert integer["__usad"](x, y, 3) == abs(x - y) + 3 & 0xFFFFFFFF
        assert integer["__hadd"](a, b) == a + b >> 1
        assert integer["__rhadd"](a, b) == a + b + 1 >> 1
        assert integer["__uhadd"](x, y) == x + y >> 1
        assert integer["__urhadd"](x, y) == x + y + 1 >> 1


ROUNDINGS: dict[str, Callable[[Fraction], int]] = {
    "rn": round,
    "rz": math.trunc,
    "ru": math.ceil,
    "rd": math.floor,
}
RANGES = {"int": (-(2**31), 2**31 - 1), "uint": (0, 2**32 - 1), "ll": (-(2**63), 2**63 - 1), "ull": (0, 2**64 - 1)}
NAMES = {"int": "int", "uint": "unsigned", "ll": "long long", "ull": "unsigned long long"}


@pytest.fixture(scope="module")
def conversion(on_host: Callable) -> Table:
    functions = [
        (f"__{source}2{target}_{rounding}", NAMES[target], source)
        for source in ("float", "double")
        for target in NAMES
        for rounding in ROUNDINGS
    ]
    functions += [
        (f"__{source}2{target}_{rounding}", target, NAMES.get(source, source))
        for source, target in (
            ("int", "float"), ("uint", "float"), ("ll", "float"), ("ull", "float"), ("ll", "double"),
            ("ull", "double"), ("double", "float"),
        )
        for rounding in ROUNDINGS
    ]  # fmt: skip
    functions += [
        ("__int2double_rn", "double", "int"), ("__uint2double_rn", "double", "unsigned"),
        ("__float_as_int", "int", "float"), ("__float_as_uint", "unsigned", "float"),
        ("__int_as_float", "float", "int"), ("__uint_as_float", "float", "unsigned"),
        ("__double_as_longlong", "long long", "double"), ("__longlong_as_double", "double", "long long"),
        ("__double2hiint", "int", "double"), ("__double2loint", "int", "double"),
        ("__hiloint2double", "double", "int", "int"), ("float2int", "int", "float"), ("int2float", "float", "int"),
        ("float_as_int", "int", "float"), ("int_as_float", "float", "int"),
    ]  # fmt: skip
    return Table(on_host, *functions)


def test_floating_point_to_integer_rounds_and_saturates(conversion: Table) -> None:
    samples = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 1.25, -1.75, 1e9, 3e9, -3e9, 1e19, -1e19, 3e19, 1e30, -1e30]
    for source, target, rounding in itertools.product(("float", "double"), NAMES, ROUNDINGS):
        convert = conversion[f"__{source}2{target}_{rounding}"]
        least, greatest = RANGES[target]
        for x in samples:
            exact = C[source](x).value
            assert convert(x) == max(least, min(greatest, ROUNDINGS[rounding](Fraction(exact)))), (source, target, x)
        assert convert(math.inf) == greatest
        assert convert(-math.inf) == least
        assert convert(math.nan) == {"int": 0, "uint": 0, "ll": least, "ull": 2**63}[target]


def neighbours(kind: str, exact: Fraction) -> tuple[float, float]:
    """The greatest number of the type at most `exact`, and the least at least `exact`."""

    def step(x: float, direction: float) -> float:
        if kind == "double":
            return math.nextafter(x, direction)
        bits = struct.unpack("<i", struct.pack("<f", x))[0]
        if x == 0:
            return math.copysign(2.0**-149, direction)
        bits += 1 if (x > 0) == (direction > 0) else -1
        return struct.unpack("<f", struct.pack("<i", bits))[0]

    near = C[kind](float(exact)).value
    down = near if Fraction(near) <= exact else step(near, -math.inf)
    up = near if Fraction(near) >= exact else step(near, math.inf)
    return down, up


def directed(kind: str, rounding: str, exact: Fraction) -> float:
    down, up = neighbours(kind, exact)
    return {"rd": down, "ru": up, "rz": down if exact > 0 else up}[rounding]


def test_numbers_to_a_narrower_type_in_the_stated_direction(conversion: Table) -> None:
    integers = (0, 1, -1, 2**24 + 1, -(2**24) - 1, 2**31 - 1, -(2**31), 123456789)
    wide = (*integers, 2**53 + 1, 2**62 + 2**8 + 1, -(2**53) - 1)
    cases = [("int", "float", integers), ("ll", "float", wide), ("ll", "double", wide)]
    cases += [("uint", "float", (0, 1, 2**24 + 1, 2**32 - 1)), ("ull", "float", (2**64 - 1, 2**24 + 1))]
    cases += [("ull", "double", (2**64 - 1, 2**53 + 1)), ("double", "float", (0.1, -0.1, 1.0, 1e-46, 1 / 3))]
    for source, target, values in cases:
        for x in values:
            for rounding in ("rz", "ru", "rd"):
                got = conversion[f"__{source}2{target}_{rounding}"](x)
                assert got == directed(target, rounding, Fraction(x)), (source, target, rounding, x)
            assert conversion[f"__{source}2{target}_rn"](x) == C[target](x).value
    assert conversion["__int2double_rn"](-5) == -5
    assert conversion["__uint2double_rn"](2**32 - 1) == 2**32 - 1


def test_bit_casts(conversion: Table) -> None:
    assert conversion["__float_as_int"](1.0) == 0x3F800000 == conversion["float_as_int"](1.0)
    assert conversion["__float_as_uint"](-1.0) == 0xBF800000
    assert conversion["__int_as_float"](0x40000000) == 2.0 == conversion["int_as_float"](0x40000000)
    assert conversion["__uint_as_float"](0x40000000) == 2.0
    assert conversion["__double_as_longlong"](1.0) == 0x3FF0000000000000
    assert conversion["__longlong_as_double"](0x4000000000000000) == 2.0
    assert conversion["__hiloint2double"](0x3FF00000, 1) == 1.0 + 2**-52
    assert conversion["__double2hiint"](1.0 + 2**-52) == 0x3FF00000
    assert conversion["__double2loint"](1.0 + 2**-52) == 1
    assert conversion["float2int"](2.9) == 2
    assert conversion["int2float"](3) == 3.0


def test_arithmetic_in_the_stated_direction(on_host: Callable) -> None:
    operations = {
        "add": lambda x, y: Fraction(x) + Fraction(y),
        "sub": lambda x, y: Fraction(x) - Fraction(y),
        "mul": lambda x, y: Fraction(x) * Fraction(y),
        "div": lambda x, y: Fraction(x) / Fraction(y),
    }
    table = Table(
        on_host,
        *(
            (f"__{letter}{operation}_{rounding}", kind, kind, kind)
            for (letter, kind), operation, rounding in itertools.product(
                (("f", "float"), ("d", "double")), operations, ROUNDINGS
            )
        ),
        *(
            (f"__{letter}{operation}_{rounding}", kind, kind)
            for (letter, kind), operation, rounding in itertools.product(
                (("f", "float"), ("d", "double")), ("rcp", "sqrt"), ROUNDINGS
            )
        ),
        ("__frsqrt_rn", "float", "float"),
    )
    numbers = random.Random(1)
    for letter, kind in (("f", "float"), ("d", "double")):
        for _ in range(40):
            x, y = (C[kind](numbers.uniform(-4, 4) * 2.0 ** numbers.randint(-8, 8)).value for _ in range(2))
            for operation, exactly in operations.items():
                exact = exactly(x, y)
                for rounding in ("rz", "ru", "rd"):
                    got = table[f"__{letter}{operation}_{rounding}"](x, y)
                    assert got == directed(kind, rounding, exact), (kind, operation, rounding, x, y)
                down, up = neighbours(kind, exact)
                assert table[f"__{letter}{operation}_rn"](x, y) in (down, up)
            for rounding in ("rz", "ru", "rd"):
                assert table[f"__{letter}rcp_{rounding}"](x) == directed(kind, rounding, 1 / Fraction(x))
            root = table[f"__{letter}sqrt_rd"](abs(x)), table[f"__{letter}sqrt_ru"](abs(x))
            assert Fraction(root[0]) ** 2 <= Fraction(abs(x)) <= Fraction(root[1]) ** 2
            assert table[f"__{letter}sqrt_rz"](abs(x)) == root[0]
            assert table[f"__{letter}sqrt_rn"](abs(x)) in root
            assert table[f"__{letter}rcp_rn"](x) == C[kind](1 / x).value
    assert table["__frsqrt_rn"](4.0) == 0.5


def test_stated_rounding_is_never_contracted(compiled, inlined) -> None:
    ir = inlined(compiled('extern "C" __device__ float f(float x) { return __fadd_rn(__fmul_rn(x, x), x); }').text)
    assert "contract" not in "".join(line for line in ir.splitlines() if "fmul" in line or "fadd" in line)
