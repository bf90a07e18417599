# SPDX-License-Identifier: Apache-2.0
"""Types are single objects, constants know their numbers, names are spelled as LLVM spells them."""

from __future__ import annotations

import math

import pytest

from lanewise.ir import types as ty
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.names import quoted, unquoted
from lanewise.ir.reader import read_module
from lanewise.ir.values import Constant, int_constant, parse_float


def test_equal_types_are_one_object() -> None:
    assert ty.vector(4, ty.FLOAT) is ty.vector(4, ty.floating("float"))
    assert ty.struct((ty.I32, ty.PTR)) is not ty.struct((ty.I32, ty.PTR), packed=True)
    assert ty.I1.with_shape_of(ty.vector(4, ty.FLOAT)) is ty.vector(4, ty.I1)
    assert str(ty.function(ty.VOID, (ty.PTR,), vararg=True)) == "void (ptr, ...)"


@pytest.mark.parametrize(
    ("bits", "value", "text"),
    [
        (8, 255, "-1"),
        (8, 128, "-128"),
        (8, 127, "127"),
        (1, 1, "true"),
        (1, 2, "false"),
        (64, -5, "-5"),
        (32, 1 << 32, "0"),
    ],
)
def test_integers_wrap_as_llvm_prints_them(bits: int, value: int, text: str) -> None:
    assert int_constant(ty.integer(bits), value).text == text


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("float", "0x3FB99999A0000000", 0.10000000149011612),
        ("double", "1.000000e-01", 0.1),
        ("double", "0xFFF0000000000000", -math.inf),
        ("half", "0xH3C00", 1.0),
        ("bfloat", "0xRC040", -3.0),
    ],
)
def test_floating_point_literals(kind: str, text: str, value: float) -> None:
    assert parse_float(text, ty.floating(kind)) == value


def test_literal_without_python_value() -> None:
    with pytest.raises(ValueError, match="no Python value"):
        parse_float("0xL00000000000000003FFF000000000000", ty.floating("fp128"))


def test_hexadecimal_integers_are_read_as_llvm_prints_them() -> None:
    module = read_module("@a = global i8 u0xFF\n@b = global i16 s0xFF\n@c = global i1 u0x1")
    values = [v.initializer for v in module.variables]
    assert [v.text for v in values if isinstance(v, Constant)] == ["-1", "-1", "true"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("abc", "abc"),
        ('"a b"', "a b"),
        ('"0"', '"0"'),
        ("0", "0"),
        (r'"a\62"', "ab"),
        (r'"q\22"', r"q\22"),
        (r'"\e2"', r"\E2"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert unquoted(text) == name
    assert unquoted(quoted(name)) == name


def test_intrinsics_are_found_behind_their_type_suffixes() -> None:
    fma = intrinsic_of("llvm.fma.v4f32")
    assert fma is not None
    assert fma.name == "llvm.fma"
    assert intrinsic_of("llvm.unheard.of.i32") is None
    assert intrinsic_of("llvm.nvvm.prmt") is not None
    assert intrinsic_of("llvm.nvvm.prmt.f4e") is None  # an intrinsic of its own
    assert intrinsic_of("llvm.memcpy.p0.p1.i64") is intrinsic_of("llvm.memcpy")
    assert intrinsic_of("llvm.memcpy.element.unordered.atomic.p0.p0.i32") is None
    assert intrinsic_of("fma") is None


def test_equal_vectors_of_numbers_in_a_function_are_one_object() -> None:
    """Constants with addresses are not: what they point to may change."""
    numbers, address = "<i64 1, i64 poison>", "<i64 ptrtoint (ptr @data to i64), i64 1>"
    vectors = [numbers, numbers, "<i64 poison, i64 1>", address, address]
    lines = [f"  %a{n} = add <2 x i64> %a, {vector}" for n, vector in enumerate(vectors)]
    head = "@data = global [4 x i8] zeroinitializer\ndefine void @f(<2 x i64> %a) {\nentry:"
    module = read_module("\n".join([head, *lines, "  ret void", "}"]))
    found = [i.operands[1] for i in module.function("f").instructions() if i.op == "add"]
    assert found[0] is found[1]
    assert found[0] is not found[2]
    assert found[3] is not found[4]
