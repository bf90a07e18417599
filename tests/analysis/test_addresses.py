# SPDX-License-Identifier: Apache-2.0
"""Affine addresses, each written as a sum."""

from typing import Final

import pytest

from lanewise.analysis.addresses import AffineAddress, affine_address
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module

HEAD: Final = "%point = type { float, [3 x i64] }\n@table = global [8 x i32] zeroinitializer\n"
PARAMETERS: Final = "ptr %p, i64 %a, i64 %b, i32 %i, i32 %j, <4 x i64> %v"


def module_of(body: str) -> Module:
    return read_module(f"{HEAD}define void @f({PARAMETERS}) {{\n{body}\nret void\n}}\n")


def address_of(body: str, name: str = "q") -> AffineAddress:
    """The address that `body` computes as %q."""
    module = module_of(body)
    named = {i.name: i for i in module.function("f").instructions()}
    return affine_address(named[name], module.types)


def written(address: AffineAddress) -> str:
    """`p + 4 sext(i) + 12`: the base first, then the other terms in the order of their names."""
    others = sorted(address.others, key=lambda term: (term.value.name, term.extension))
    values = [f"{t.extension}({t.value.name})" if t.extension else str(t.value.name) for t in others]
    sums = [f"{term.factor} {value}" for term, value in zip(others, values, strict=True)]
    return " + ".join([str(address.base.name), *sums, *([str(address.offset)] if address.offset else [])])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%q = freeze ptr %p", "q"),
        ("%q = getelementptr float, ptr %p, i64 %a", "p + 4 a"),
        ("%q = getelementptr float, ptr %p, i64 3", "p + 12"),
        ("%q = getelementptr float, ptr @table, i32 %i", "table + 4 sext(i)"),
        ("%q = getelementptr [4 x float], ptr %p, i64 %a, i64 %b", "p + 16 a + 4 b"),
        ("%q = getelementptr [4 x float], ptr %p, i64 %a, i64 -1", "p + 16 a + -4"),
        ("%q = getelementptr %point, ptr %p, i64 %a, i32 1, i64 %b", "p + 32 a + 8 b + 8"),
        ("%r = getelementptr i8, ptr %p, i64 %a\n%q = getelementptr i16, ptr %r, i64 %a", "p + 3 a"),
        ("%r = getelementptr i8, ptr %p, i64 %a\n%q = getelementptr i16, ptr %r, i64 5", "p + 1 a + 10"),
        # sums of 64 bits may wrap, as addresses do
        ("%s = add i64 %a, %b\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 a + 4 b"),
        ("%s = sub i64 %a, %b\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 a + -4 b"),
        ("%s = sub i64 %a, %a\n%q = getelementptr i32, ptr %p, i64 %s", "p"),
        ("%s = or disjoint i64 %a, 1\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 a + 4"),
        ("%s = or i64 %a, 1\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 s"),
        ("%s = mul i64 %a, 6\n%q = getelementptr i32, ptr %p, i64 %s", "p + 24 a"),
        ("%s = shl i64 %a, 3\n%q = getelementptr i32, ptr %p, i64 %s", "p + 32 a"),
        ("%s = shl i64 %a, 64\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 s"),
        ("%s = mul i64 %a, %b\n%q = getelementptr i32, ptr %p, i64 %s", "p + 4 s"),
        # sums of 32 bits must not, unless the address stays in its array
        ("%s = add i32 %i, 1\n%q = getelementptr i32, ptr %p, i32 %s", "p + 4 sext(s)"),
        ("%s = add nsw i32 %i, 1\n%q = getelementptr i32, ptr %p, i32 %s", "p + 4 sext(i) + 4"),
        ("%s = add i32 %i, 1\n%q = getelementptr inbounds i32, ptr %p, i32 %s", "p + 4 sext(i) + 4"),
        ("%s = add nuw i32 %i, %j\n%w = zext i32 %s to i64\n%q = getelementptr i8, ptr %p, i64 %w",
         "p + 1 zext(i) + 1 zext(j)"),
        ("%s = add nsw i32 %i, %j\n%w = zext i32 %s to i64\n%q = getelementptr i8, ptr %p, i64 %w", "p + 1 zext(s)"),
        ("%s = add nuw i32 %i, -1\n%w = zext i32 %s to i64\n%q = getelementptr i8, ptr %p, i64 %w",
         "p + 1 zext(i) + 4294967295"),
        ("%s = add nsw i32 %i, -1\n%w = zext nneg i32 %s to i64\n%q = getelementptr i8, ptr %p, i64 %w",
         "p + 1 sext(i) + -1"),
        ("%s = sext i32 %i to i64\n%w = zext i32 %i to i64\n%t = add i64 %s, %w\n%q = getelementptr i8, ptr %p, i64 %t",
         "p + 1 sext(i) + 1 zext(i)"),
    ],
)  # fmt: skip
def test_an_address_is_a_sum(body: str, expected: str):
    assert written(address_of(body)) == expected


def test_a_vector_of_addresses_is_no_sum():
    assert address_of("%q = getelementptr i8, ptr %p, <4 x i64> %v").base.name == "q"


def test_addresses_at_a_known_distance_have_one_start():
    body = "%q = getelementptr i32, ptr %p, i64 %a\n%r = getelementptr i32, ptr %q, i64 2"
    module = module_of(body)
    q, r, _ = module.function("f").instructions()
    one, other = affine_address(q, module.types), affine_address(r, module.types)
    assert one.start == other.start
    assert other.offset - one.offset == 8
    assert one.start != address_of("%q = getelementptr i32, ptr %p, i64 %b").start


def test_the_base_is_a_term():
    address = address_of("%q = getelementptr i32, ptr %p, i64 %a")
    assert {(term.extension, term.value.name, term.factor) for term in address.terms} == {("", "p", 1), ("", "a", 4)}


def test_deep_sums_end_somewhere():
    lines = ["%s0 = add i64 %a, 1", *(f"%s{n + 1} = add i64 %s{n}, 1" for n in range(20))]
    address = address_of("\n".join([*lines, "%q = getelementptr i8, ptr %p, i64 %s20"]))
    assert written(address) == "p + 1 s12 + 8"


def test_an_address_that_is_computed_from_itself_is_followed_once_around():
    body = "ret void\nunreached:\n%q = getelementptr i8, ptr %r, i64 4\n%r = getelementptr i8, ptr %q, i64 %a"
    assert written(address_of(body)) == "q + 1 a + 4"
