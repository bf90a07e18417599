# SPDX-License-Identifier: Apache-2.0
"""Malformed text ends in IRSyntaxError and nothing else; what is read all the same can be written and verified."""

from __future__ import annotations

import contextlib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lanewise.ir.lexer import IRSyntaxError, tokens
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import VerifierError, verify
from lanewise.ir.writer import write_module

TEXTS = [path.read_text() for path in sorted((Path(__file__).parent / "texts").glob("*.ll"))]
WORDS = sorted({token for text in TEXTS for line in text.split("\n") for token in tokens(line)})


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A text with one to three lines dropped, moved, cut, or with another token or character in them."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        match draw(st.sampled_from(("drop", "move", "cut", "end", "token", "character"))):
            case "drop":
                lines[at] = ""
            case "move":
                lines.insert(draw(st.integers(0, len(lines))), line)
            case "cut":
                lines[at] = line[: draw(st.integers(0, len(line)))]
            case "end":
                lines = [*lines[:at], ""]
            case "token":
                parts = tokens(line) or [""]
                parts[draw(st.integers(0, len(parts) - 1))] = draw(st.sampled_from(WORDS))
                lines[at] = " ".join(parts)
            case _:
                where = draw(st.integers(0, len(line)))
                lines[at] = line[:where] + draw(st.sampled_from('"()[]{}<>%@!#,=\\;:\0 é0x-*')) + line[where + 1 :]
    return "\n".join(lines)


def read_or_refuse(text: str) -> Module | IRSyntaxError:
    try:
        return read_module(text)
    except IRSyntaxError as error:
        return error


@settings(max_examples=400, deadline=None)
@given(damaged())
def test_only_syntax_errors(text: str) -> None:
    found = read_or_refuse(text)
    if isinstance(found, IRSyntaxError):
        assert 1 <= found.line <= text.count("\n") + 1
        return
    once = write_module(found)
    assert write_module(read_module(once)) == once
    with contextlib.suppress(VerifierError):
        verify(found)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    read_or_refuse(text)
