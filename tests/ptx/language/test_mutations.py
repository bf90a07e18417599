# SPDX-License-Identifier: Apache-2.0
"""A sample of what `python -m tests.ptx.language.mutations` tries, of the texts by hand; and inputs of known malice."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.ptx.language.corpus import TEXTS
from tests.ptx.language.mutations import Mutator, outcome, run

from lanewise.errors import CompileError
from lanewise.ptx.language.parser import parse

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
MANY = 50_000


@pytest.mark.parametrize("seed", range(4))
def test_sample(seed: int) -> None:
    found = run([path.read_bytes().decode() for path in TEXTS], 500, seed)
    assert min(found["read"], found["refused"]) > 50


def test_mutations_repeat_by_their_seed() -> None:
    texts = [path.read_bytes().decode() for path in TEXTS]
    first, second = Mutator(texts, 5), Mutator(texts, 5)
    assert [first.text() for _ in range(20)] == [second.text() for _ in range(20)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_cut_anywhere(path: Path) -> None:
    text = path.read_bytes().decode()
    for end in range(0, len(text), 7):
        outcome(text[:end])


@pytest.mark.parametrize(
    "text",
    [
        "/*" * MANY,
        '"\\' * MANY,
        '"' * MANY,
        "\0" * MANY,
        "." * MANY,
        "0" * MANY,
        "a." * MANY,
        "a::" * MANY,
        "é" * MANY,
        "/ " * MANY,
        "1e" * MANY,
        "@ " * MANY,
        ".visible " * MANY,
        ".entry k() {" + "{" * MANY,
        ".entry k() { mov.b32 " + "[" * MANY,
        ".entry k() { mov.b32 " + "a|" * MANY,
        ".entry k() { mov.b32 " + "a[" * MANY,
        ".entry k() { mov.b32 " + "{a," * MANY,
        ".entry k() { mov.b32 a, " + "-" * MANY,
        ".entry k() { mov.b32 a, " + "(" * MANY,
        ".entry k() { mov.b32 a, " + "1||1&&1|1^1&1==1<1<<1+1*(" * MANY,
        ".entry k() { mov.b32 a, " + "1?" * MANY,
        ".entry k() { mov.b32 a, " + "(.s64)" * MANY,
        ".entry k() { mov.b32 a, 1" + "0" * MANY,
        ".entry k() { mov.b32 a, 0" + "7" * MANY,
        ".entry k() { mov.b32 a, 0x" + "F" * MANY,
        ".entry k() { call f, " + "(" * MANY,
        ".entry k() { .pragma " + '"a",' * MANY,
        ".entry k() { .branchtargets " + "a," * MANY,
        ".entry k(" + ".param .b32 a," * MANY,
        ".entry k() .attribute" + "(" * MANY,
        ".global .b32 x = " + "{" * MANY,
        ".global .b32 x = " + "generic(" * MANY,
        ".global .b32 x" + "[" * MANY,
        ".section .debug_info {" + ".b8 1," * MANY,
        ".section .debug_info {" + "a:" * MANY,
    ],
    ids=lambda text: text[:40],
)
def test_malice(text: str) -> None:
    assert outcome(HEAD + text) == "refused"


def test_version_of_many_digits() -> None:
    assert outcome(f".version {'9' * 5000}.0\n.target sm_80\n") == "refused"


def test_counts_cost_nothing() -> None:
    module = parse(f"{HEAD}.entry k() {{ .reg .b32 %r<16777216>; .local .b8 x[1099511627776]; ret; }}")
    assert "%r<16777216>" in str(module)


@pytest.mark.parametrize("text", ["", "\n", "\0", "\ufeff", "// nothing", "int main() {}", "\x7fELF\x02\x01"])
def test_what_is_no_ptx(text: str) -> None:
    with pytest.raises(CompileError, match=r"expected '\.version', with which PTX begins"):
        parse(text)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends(end: str) -> None:
    text = f"{HEAD}.entry k()\n{{\n\tret // gone\n\t;\n\tadd.s32 a b;\n}}\n".replace("\n", end)
    with pytest.raises(CompileError, match=r"k\.ptx:8:12: error: expected ',' or ';', found 'b'"):
        parse(text, "k.ptx")


def test_deep_callers_have_enough_stack() -> None:
    """The parser's depth is bounded, and leaves most of Python's 1,000 frames to its caller."""

    def deeper(frames: int) -> str:
        return deeper(frames - 1) if frames else outcome(f"{HEAD}.entry k() {{ mov.b32 a, {'1||1&&1|1^' * 99}(")

    assert deeper(500) == "refused"
    nested = "{" * 40 + "mov.b32 a, " + "(" * 15 + "1" + ")" * 15 + ";" + "}" * 40
    assert str(parse(f"{HEAD}.entry k() {{ {nested} }}")).count("}") == 41
