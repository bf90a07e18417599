# SPDX-License-Identifier: Apache-2.0
"""Integer operations against Python's own numbers."""

import itertools
from typing import Any

import pytest

from lanewise.device.reference.arithmetic import integers
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, poison
from lanewise.device.reference.faults import Fault


def corners(bits: int) -> list[int]:
    top = 1 << (bits - 1)
    return sorted({-top, -top + 1, -3, -1, 0, 1, 2, 7, top - 2, top - 1} & set(range(-top, top)) if bits < 9 else {
        -top, -top + 1, -3, -1, 0, 1, 2, 7, top - 2, top - 1})  # fmt: skip


def runtime(value: int, bits: int) -> Any:
    return value != 0 if bits == 1 else value


def same_bits(found: Any, wanted: int, bits: int) -> bool:
    return int(found) & ((1 << bits) - 1) == wanted & ((1 << bits) - 1)


@pytest.mark.parametrize("bits", [1, 7, 8, 16, 32, 33, 64, 128])
@pytest.mark.parametrize(
    ("op", "exact"),
    [
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("mul", lambda a, b: a * b),
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
    ],
)
def test_wrapping_operations_are_exact_modulo_the_width(op: str, exact: Any, bits: int) -> None:
    run = integers.binary(op, (), bits)
    for a, b in itertools.product(corners(bits), repeat=2):
        assert same_bits(run(runtime(a, bits), runtime(b, bits)), exact(a, b), bits), (a, b)


@pytest.mark.parametrize("bits", [1, 8, 32, 64])
@pytest.mark.parametrize("op", ["add", "sub", "mul"])
def test_overflow_is_poison_where_a_flag_forbids_it(op: str, bits: int) -> None:
    exact = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}[op]
    mask = (1 << bits) - 1
    for a, b in itertools.product(corners(bits), repeat=2):
        x, y = runtime(a, bits), runtime(b, bits)
        overflows = not -(1 << (bits - 1)) <= exact(a, b) < 1 << (bits - 1)
        assert isinstance(integers.binary(op, ("nsw",), bits)(x, y), Indeterminate) == overflows, (a, b)
        overflows = not 0 <= exact(a & mask, b & mask) <= mask
        assert isinstance(integers.binary(op, ("nuw",), bits)(x, y), Indeterminate) == overflows, (a, b)


@pytest.mark.parametrize("bits", [8, 32, 64])
def test_division_rounds_toward_zero(bits: int) -> None:
    mask = (1 << bits) - 1
    for a, b in itertools.product(corners(bits), corners(bits)):
        if not b:
            continue
        unsigned = divmod(a & mask, b & mask)
        assert same_bits(integers.binary("udiv", (), bits)(a, b), unsigned[0], bits)
        assert same_bits(integers.binary("urem", (), bits)(a, b), unsigned[1], bits)
        if (a, b) == (-(1 << (bits - 1)), -1):
            continue
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        assert integers.binary("sdiv", (), bits)(a, b) == quotient
        assert integers.binary("srem", (), bits)(a, b) == a - quotient * b


@pytest.mark.parametrize("op", ["sdiv", "udiv", "srem", "urem"])
def test_division_by_zero_is_a_fault(op: str) -> None:
    with pytest.raises(Fault, match="division by zero"):
        integers.binary(op, (), 32)(1, 0)


@pytest.mark.parametrize("op", ["sdiv", "srem"])
def test_overflowing_division_is_a_fault(op: str) -> None:
    with pytest.raises(Fault, match="overflows"):
        integers.binary(op, (), 32)(-(1 << 31), -1)


def test_shifts() -> None:
    assert integers.binary("shl", (), 32)(0x40000001, 1) == -(1 << 31) + 2
    assert integers.binary("lshr", (), 32)(-1, 28) == 15
    assert integers.binary("lshr", (), 32)(-1, 0) == -1
    assert integers.binary("ashr", (), 32)(-256, 4) == -16


@pytest.mark.parametrize(
    ("op", "flags", "a", "b"),
    [
        ("shl", (), 1, 32),
        ("lshr", (), 1, 32),
        ("ashr", (), 1, -1),
        ("shl", ("nsw",), 1, 31),
        ("shl", ("nuw",), -1, 1),
        ("lshr", ("exact",), 3, 1),
        ("ashr", ("exact",), 3, 1),
        ("udiv", ("exact",), 7, 2),
        ("or", ("disjoint",), 3, 1),
    ],
)
def test_broken_promises_are_poison(op: str, flags: tuple[str, ...], a: int, b: int) -> None:
    result = integers.binary(op, flags, 32)(a, b)
    assert isinstance(result, Indeterminate)
    assert result.poison


PREDICATES = {
    "eq": "a == b", "ne": "a != b", "slt": "a < b", "sle": "a <= b", "sgt": "a > b", "sge": "a >= b",
    "ult": "ua < ub", "ule": "ua <= ub", "ugt": "ua > ub", "uge": "ua >= ub",
}  # fmt: skip


@pytest.mark.parametrize("bits", [1, 8, 32, 64])
@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str, bits: int) -> None:
    mask = (1 << bits) - 1
    run = integers.compare(predicate, (), bits)
    for a, b in itertools.product(corners(bits), repeat=2):
        wanted = eval(PREDICATES[predicate], {"a": a, "b": b, "ua": a & mask, "ub": b & mask})
        assert run(runtime(a, bits), runtime(b, bits)) is wanted, (a, b)


class TestUnknownBits:
    """A byte whose lower four bits are 0101 and whose upper four are not determined."""

    half_known = Indeterminate("memory", bits=0b0101, unknown=-16)

    def test_and_with_zeros_makes_them_known(self) -> None:
        assert integers.binary("and", (), 8)(self.half_known, 15) == 5

    def test_or_with_ones_makes_them_known(self) -> None:
        assert integers.binary("or", (), 8)(-16, self.half_known) == -16 | 5

    def test_other_bits_stay_unknown(self) -> None:
        result = integers.binary("xor", (), 8)(self.half_known, 1)
        assert (result.bits, result.unknown) == (4, -16)
        assert not result.is_wholly_unknown

    def test_shifts_move_them(self) -> None:
        assert integers.binary("shl", (), 8)(self.half_known, 4) == 0x50
        result = integers.binary("lshr", (), 8)(self.half_known, 4)
        assert (result.bits, result.unknown) == (0, 15)

    def test_sums_spread_them_over_all(self) -> None:
        assert integers.binary("add", (), 8)(self.half_known, 1).is_wholly_unknown

    def test_poison_is_not_determined_by_zeros(self) -> None:
        assert integers.binary("and", (), 8)(poison("p"), 0).poison
