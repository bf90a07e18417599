# SPDX-License-Identifier: Apache-2.0
"""Constant expressions come to what ptxas makes of them."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from tests.ptx.language.cubin import PTXAS, assembled

from lanewise.errors import CompileError
from lanewise.ptx.language.operands import Immediate
from lanewise.ptx.language.parser import parse
from lanewise.ptx.language.statements import Declaration

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
_LEAVES = ("0", "1", "7", "0xFF", "5U", "18446744073709551615", "9223372036854775807", "012", "0b101", "3", "64")
_BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<", "<=", ">", ">="]


def value_of(expression: str) -> int | float:
    (item,) = parse(f"{HEAD}.global .u64 x = {expression};").items
    assert isinstance(item, Declaration)
    found = item.declarators[0].initializer
    assert isinstance(found, Immediate)
    return found.value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("1 << 4 | 3", 19),
        ("-7 / 2", -3),
        ("- -1", 1),
        ("~0 & 0xFF", 255),
        ("!5 + !0", 1),
        ("5 > 3 ? 10 : 20", 10),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("2*WARP_SZ", 64),
        ("1 || 1 && 0", 1),
        ("7 % 4", 3),
        ("(.s64) 18446744073709551615", -1),
        ("(.u64) -1 / 2", (1 << 63) - 1),
        ("-1 / 2", 0),
        ("-7 < 5U", 0),
        ("-7 < (1 & 1)", 1),
        ("-7 < (5 % 3)", 0),
        ("9223372036854775807 + 1", -(1 << 63)),
        ("-1 >> 1", -1),
        ("1 << 65", 2),
        ("017 + 0b11 + 0x1f", 49),
        ("-1.5", -1.5),
        ("+1e3", 1000.0),
        ("0f3F800000", 0x3F800000),
    ],
)
def test_value(expression: str, value: float) -> None:
    found = value_of(expression)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("expression", ["", "1 +", "(1", "1)", "1 2", "1 ? 2", "* 3", "(.f64) 1", "5 % 0", "-x", "5%3"])
def test_no_value(expression: str) -> None:
    with pytest.raises(CompileError):
        value_of(expression)


def expression(pick: random.Random, depth: int) -> str:
    kind = pick.random()
    if depth == 0 or kind < 0.2:
        return pick.choice(_LEAVES)

    def part() -> str:
        return expression(pick, depth - 1)

    if kind < 0.35:
        return pick.choice("-+~!") + part()
    if kind < 0.45:
        return f"{pick.choice(('(.s64)', '(.u64)'))} {part()}"
    if kind < 0.5:
        return f"({part()} ? {part()} : {part()})"
    return f"({part()} {pick.choice(_BINARY)} {part()})"


@pytest.mark.skipif(PTXAS is None, reason="no ptxas here")
def test_as_ptxas(tmp_path: Path) -> None:
    """400 expressions, those with a division by zero left out, in one array."""
    pick = random.Random(1)
    texts: list[str] = []
    values: list[int] = []
    while len(texts) < 400:
        text = expression(pick, 3)
        try:
            value = value_of(text)
        except CompileError as error:
            assert "division by zero" in str(error)  # noqa: PT017 : others are not divisions by zero
            continue
        assert isinstance(value, int)
        texts.append(text)
        values.append(value)
    use = ".visible .entry k() { .reg .b64 a; mov.u64 a, x; ret; }"
    text = f"{HEAD}.visible .global .u64 x[] = {{ {', '.join(texts)}, 1 }};\n{use}\n"
    data = assembled(text, "sm_80", tmp_path)[".nv.global.init"]
    found = struct.unpack_from(f"<{len(texts)}Q", data)
    expected = [value & (1 << 64) - 1 for value in values]
    wrong = [row for row in zip(texts, expected, found, strict=True) if row[1] != row[2]]
    assert wrong == []
