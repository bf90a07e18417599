# SPDX-License-Identifier: Apache-2.0
"""What is read is written again: to LLVM the text before and after is the same module.

The texts beside this file hold every construct that the reader knows, a file a theme.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule

TEXTS = Path(__file__).parent / "texts"
FILES = sorted(TEXTS.glob("*.ll"))
REFUSED = sorted((TEXTS / "refused").glob("*.ll"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_llvm_prints_both_identically(path: Path) -> None:
    text = path.read_text()
    assert LlvmModule.parse(write_module(read_module(text))).text() == LlvmModule.parse(text).text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_llvms_own_print_survives(path: Path) -> None:
    text = LlvmModule.parse(path.read_text()).text()
    assert LlvmModule.parse(write_module(read_module(text))).text() == LlvmModule.parse(text).text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_second_read_and_write_gives_the_same_text(path: Path) -> None:
    once = write_module(read_module(path.read_text()))
    assert write_module(read_module(once)) == once


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_llvm_accepts_our_verifier_accepts(path: Path) -> None:
    verify(read_module(path.read_text()))


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused_with_line_and_reason(path: Path) -> None:
    """The second line of each file is the error that its text gets."""
    text = path.read_text()
    expected = text.splitlines()[1].removeprefix("; error: ")
    with pytest.raises(IRSyntaxError) as caught:
        read_module(text)
    assert str(caught.value) == expected


def test_carriage_returns_are_line_ends() -> None:
    text = (TEXTS / "names.ll").read_text()
    assert write_module(read_module(text.replace("\n", "\r\n"))) == write_module(read_module(text))


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(IRSyntaxError, match=r"^IR line 2: expected types and constants nested"):
        read_module("\n%T = type " + "[1 x " * 5000 + "i32" + "]" * 5000)
