# SPDX-License-Identifier: Apache-2.0
"""Addresses as polynomials, each written out."""

from typing import Final

import pytest

from lanewise.analysis.address_polynomials import PolynomialAddress, Polynomials
from lanewise.ir.reader import read_module

HEAD: Final = "%point = type { float, [3 x i64] }\n@table = addrspace(3) global [8 x i32] zeroinitializer\n"
PARAMETERS: Final = "ptr %p, i64 %a, i64 %b, i32 %i, i32 %j, i16 %s, i32 %w"


def written(address: PolynomialAddress) -> str:
    """`p + 4 sext(i) sext(w) + 12`: the base, then the products in the order of their text."""
    products: list[str] = []
    for product, count in address.terms:
        names = [
            f"{each.extension}({each.value.name})" if each.extension else str(each.value.name)
            for each in product
            for _ in range(each.power)
        ]
        products.append(" ".join([str(count), *sorted(names)]))
    return " + ".join([str(address.base.name), *sorted(products), *([str(address.offset)] if address.offset else [])])


def polynomial(body: str, **replaced: str) -> str:
    """The address that `body` computes as %q, with some values in place of others."""
    function = read_module(f"{HEAD}define void @f({PARAMETERS}) {{\n{body}\nret void\n}}\n").function("f")
    named = {value.name: value for value in (*function.arguments, *function.instructions())}
    found = Polynomials(read_module(HEAD).types)
    address = found.address_of(named["q"])
    return written(found.replaced(address, {named[old]: named[new] for old, new in replaced.items()}))


ROW: Final = "%n = add nsw i32 %i, 1\n%r = mul nsw i32 {}, %w\n%k = add nsw i32 %r, %j\n%x = sext i32 %k to i64\n"
AT: Final = "%q = getelementptr inbounds float, ptr %p, i64 %x"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%q = getelementptr float, ptr %p, i64 3", "p + 12"),
        ("%q = getelementptr %point, ptr %p, i64 %a, i32 1, i64 %b", "p + 32 a + 8 b + 8"),
        (ROW.format("%i") + AT, "p + 4 sext(i) sext(w) + 4 sext(j)"),
        (ROW.format("%n") + AT, "p + 4 sext(i) sext(w) + 4 sext(j) + 4 sext(w)"),
        ("%m = mul i64 %a, %a\n%q = getelementptr i8, ptr %p, i64 %m", "p + 1 a a"),
        ("%d = sub i64 %a, %b\n%e = add i64 %a, %b\n%m = mul i64 %d, %e\n%q = getelementptr i8, ptr %p, i64 %m",
         "p + -1 b b + 1 a a"),
        ("%m = shl i64 %a, 3\n%q = getelementptr i8, ptr %p, i64 %m", "p + 8 a"),
        ("%m = shl i64 %a, %b\n%q = getelementptr i8, ptr %p, i64 %m", "p + 1 m"),
        ("%m = or disjoint i64 %a, 1\n%q = getelementptr i8, ptr %p, i64 %m", "p + 1 a + 1"),
        ("%m = or i64 %a, 1\n%q = getelementptr i8, ptr %p, i64 %m", "p + 1 m"),
        # an array has less than 2^32 elements, so 32 bits may as well not wrap; 16 bits may
        ("%m = add i32 %i, -1\n%x = sext i32 %m to i64\n%q = getelementptr i8, ptr %p, i64 %x", "p + 1 sext(i) + -1"),
        ("%m = add i16 %s, 1\n%x = sext i16 %m to i64\n%q = getelementptr i8, ptr %p, i64 %x", "p + 1 sext(m)"),
        ("%m = add nsw i16 %s, 1\n%x = sext i16 %m to i64\n%q = getelementptr i8, ptr %p, i64 %x", "p + 1 sext(s) + 1"),
        ("%m = add nuw i16 %s, -1\n%x = zext i16 %m to i64\n%q = getelementptr i8, ptr %p, i64 %x",
         "p + 1 zext(s) + 65535"),
        # casts and constants
        ("%c = addrspacecast ptr %p to ptr addrspace(1)\n%q = getelementptr i8, ptr addrspace(1) %c, i64 %a",
         "p + 1 a"),
        ("%q = getelementptr i8, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @table to ptr), i64 8), "
         "i64 %a", "table + 1 a + 8"),
    ],
)  # fmt: skip
def test_polynomials(body: str, expected: str):
    assert polynomial(body) == expected


def test_other_values_take_the_place_of_some():
    body = ROW.format("%i") + AT
    assert polynomial(body, i="n") == polynomial(ROW.format("%n") + AT)
    assert polynomial(body, i="j") == "p + 4 sext(j) + 4 sext(j) sext(w)"
    assert polynomial(body.replace("%r = mul nsw i32 %i, %w", "%r = mul nsw i32 %i, %i"), i="n") == (
        "p + 4 sext(i) sext(i) + 4 sext(j) + 8 sext(i) + 4"
    )


def test_another_base_brings_its_own_polynomial():
    body = "%r = getelementptr float, ptr %p, i64 %a\n%q = getelementptr i8, ptr %p, i64 %b"
    assert polynomial(body, p="r") == "p + 1 b + 4 a"


def test_an_address_that_is_computed_from_itself_is_followed_once_around():
    body = "ret void\nunreached:\n%q = getelementptr i8, ptr %r, i64 4\n%r = getelementptr i8, ptr %q, i64 %a"
    assert polynomial(body) == "q + 1 a + 4"
