# SPDX-License-Identifier: Apache-2.0
"""Errors say what was expected and what was found, at the place where a user would mend it."""

from __future__ import annotations

import pytest

from lanewise.errors import CompileError
from lanewise.ptx.language.parser import parse

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def error_of(text: str) -> CompileError:
    with pytest.raises(CompileError) as caught:
        parse(text, "k.ptx")
    return caught.value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: error: expected '.version', with which PTX begins, but the text is empty"),
        ("// a\nhello", "2:1: error: expected '.version', with which PTX begins, found 'hello'"),
        (".version 0.9\n.target sm_20", "1:10: error: PTX of ISA 0.9: versions 1.0 to 9.x can be read"),
        (".version 10.0\n.target sm_80", "1:10: error: PTX of ISA 10.0: versions 1.0 to 9.x can be read"),
        (".version 8\n.target sm_80", "1:10: error: expected a version such as 8.0, found '8'"),
        (".version 8.0\n.entry", "2:1: error: expected '.target', which follows '.version', found '.entry'"),
        (".version 8.0\n.target gfx90a", "2:9: error: expected a target such as sm_80, found 'gfx90a'"),
        (".version 8.0\n.target sm_80\n.address_size 16", "3:15: error: expected 32 or 64, found '16'"),
    ],
)
def test_head(text: str, message: str) -> None:
    assert error_of(text).diagnostics == (f"k.ptx:{message}",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("add.s32 a, b, c", "6:16: error: expected ',' or ';' behind 'c', but a line with 'ret' comes next"),
        ("add.s32 a b, c;", "6:11: error: expected ',' or ';', found 'b'"),
        ("add.s32 a, , c;", "6:12: error: expected an operand, found ','"),
        ("add.s32 a, b,;", "6:14: error: expected an operand, found ';'"),
        ("ld.u32 a, [b+4;", "6:15: error: expected ']' behind the offset, found ';'"),
        ("ld.u32 a, [];", "6:12: error: expected an address, found ']'"),
        ("ld.u32 a, [b+1.5];", "6:14: error: expected a whole number, found '1.5'"),
        ("mov.b64 {a, b, c;", "6:17: error: expected ',' or '}', found ';'"),
        ("mov.b64 {}, c;", "6:10: error: expected a register, found '}'"),
        ("mov.b32 a|3, b;", "6:11: error: expected a predicate, found '3'"),
        ("mov.b32 a, 12abc;", "6:12: error: '12abc' is no number of PTX"),
        ("mov.b32 a, 08;", "6:12: error: '08' is no number of PTX"),
        ("mov.b32 a, ٣;", "6:12: error: expected an operand, found '٣'"),
        ("mov.f32 a, 0f3F80;",
         "6:12: error: '0f3F80' is no number of PTX: 0f takes 8 hexadecimal digits, 0d takes 16"),
        ("mov.b64 a, 0x1FFFFFFFFFFFFFFFF;", "6:12: error: '0x1FFFFFFFFFFFFFFFF' has more than 64 bits"),
        ("mov.b64 a, 1 / 0;", "6:14: error: a division by zero in a constant expression"),
        ("mov.b64 a, %;", "6:12: error: expected a name, found '%'"),
        ("@ add.s32 a, b, c;", "6:3: error: expected a predicate, found 'add.s32'"),
        ("call (a, f;", "6:11: error: expected ',' or ')', found ';'"),
        ("call (a), f, (b) proto;", "6:18: error: expected ',' or ';', found 'proto'"),
        (".reg .b33 x;", "6:6: error: expected a type such as '.b32', found '.b33'"),
        (".reg .b32 x<99999999>;", "6:13: error: a count goes from 0 to 16777216, not to 99999999"),
        (".local .b8 x[-1];", "6:15: error: a count goes from 0 to 1099511627776, not to -1"),
        (".local .align 3 .b8 x;", "6:15: error: an alignment is a power of two, not 3"),
        (".foo 1;", "6:1: error: expected a directive of PTX, found '.foo'"),
        ('.pragma "nounroll"', "6:19: error: expected ';' behind '\"nounroll\"', but a line with 'ret' comes next"),
        ('.pragma "nounroll;', "6:9: error: the string that begins here is not closed on its line"),
        ("/* open", "6:1: error: the comment that begins here has no '*/'"),
        (".visible .entry j() { ret; }", "6:1: error: expected '}' for the '{' of line 5, found '.visible'"),
        ("x.y: ret;", "6:1: error: expected a label, found 'x.y'"),
        ("\0", "6:1: error: expected a statement or '}', found '\\x00'"),
        ("{" * 70, "6:60: error: brackets are nested more than 60 deep"),
        ("mov.b32 a, 1" + "0" * 400 + ";", "6:12: error: '1" + "0" * 39 + "...' has more than 64 bits"),
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_statements(text: str, message: str) -> None:
    found = error_of(f"{HEAD}.entry k()\n{{\n{text}\nret;\n}}\n")
    assert found.diagnostics == (f"k.ptx:{message}",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".entry k(.param .u64 p\n{\n}", "4:23: error: expected ',' or ')' behind 'p', but a line with '{' comes next"),
        (".entry k(.u64 p) { }", "4:10: error: expected a state space such as '.param', found '.u64'"),
        (".entry (.param .u64 p) { }", "4:8: error: expected the name of a function, found '('"),
        (".entry k()\n{\n\tret;\n", "6:6: error: expected '}' for the '{' of line 5, but the text ends behind ';'"),
        (".entry k() .maxntid {}", "4:21: error: expected a number, found '{'"),
        (".entry k() .foo 3 {}",
         "4:12: error: expected '{', ';' or a directive such as '.maxntid', found '.foo'"),
        ("ret;", "4:1: error: expected a directive, found 'ret'"),
        (".global .u32 x = ;", "4:18: error: expected a number or the name of a variable, found ';'"),
        (".global .u32 x[2] = {1, 2}\n.global .u32 y;",
         "4:27: error: expected ',' or ';' behind '}', but a line with '.global' comes next"),
        (".section .debug_info\n{\n.b8 foo bar\n}",
         "6:9: error: expected data such as '.b8 1', a label or '}', found 'bar'"),
        ('.file "x.cu"', "4:7: error: expected the number of the file, found '\"x.cu\"'"),
    ],
)  # fmt: skip
def test_items(text: str, message: str) -> None:
    assert error_of(HEAD + text).diagnostics == (f"k.ptx:{message}",)


def test_the_line_stands_below_with_a_mark() -> None:
    text = str(error_of(f"{HEAD}.entry k()\n{{\n\tadd.s32\ta, \x1b[31m, c;\n}}\n"))
    assert text == "k.ptx:6:13: error: expected an operand, found '\\x1b'\n   add.s32 a,  [31m, c;\n              ^"


def test_of_a_long_line_a_part_is_shown() -> None:
    lines = str(error_of(HEAD + ".global .u32 x[] = {" + "1, " * 500 + "? };")).split("\n")
    assert lines[0] == "k.ptx:4:1521: error: expected a number or the name of a variable, found '?'"
    assert len(lines[1]) < 125
    assert lines[1][lines[2].index("^")] == "?"
