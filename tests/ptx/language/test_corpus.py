# SPDX-License-Identifier: Apache-2.0
"""What compilers write is read whole, and what is printed is the same program: to us, and to ptxas."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.ptx.language.comparing import assert_same
from tests.ptx.language.corpus import NVCC, NVIDIAS, OURS, TEXTS, Unit, compiled_by_nvcc, compiled_by_us
from tests.ptx.language.cubin import PTXAS, assembled

from lanewise.ptx.language.parser import parse

_FOR_PTXAS = re.compile(r"^// ptxas: (\w+)$", re.MULTILINE)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts_by_hand(path: Path, tmp_path: Path) -> None:
    text = path.read_bytes().decode()
    check(text, known=path.stem != "unknown_instruction")
    target = _FOR_PTXAS.search(text)
    if target and PTXAS:
        same_code(text, target[1], tmp_path)


@pytest.mark.parametrize("unit", OURS, ids=str)
def test_ours(unit: Unit, tmp_path: Path) -> None:
    text = compiled_by_us(unit)
    check(text)
    if PTXAS:
        same_code(text, unit.arch, tmp_path)


@pytest.mark.skipif(NVCC is None, reason="no nvcc here")
@pytest.mark.parametrize("unit", NVIDIAS, ids=str)
def test_nvccs(unit: Unit, tmp_path: Path) -> None:
    text = compiled_by_nvcc(unit)
    check(text)
    if PTXAS:
        same_code(text, unit.arch, tmp_path)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("calls.cu", {".callprototype", ".section", ".loc", "call.uni", ".extern", ".weak", "inlined_at"}),
        ("control.cu", {"vote.sync.any.pred", "activemask.b32", "atom.global.cas.b32", "trap", "SKIP"}),
        ("data.cu", {".managed", "generic", ".extern", ".const", ".maxntid", ".minnctapersm"}),
        ("hopper.cu", {"wgmma.mma_async", "tcgen05.mma", "cp.async.bulk.tensor.2d", ".reqnctapercluster"}),
        ("tensor.cu", {"wmma.mma", "ldmatrix.sync", "cp.async", "mma.sync"}),
        ("textures.cu", {"tex.cube", "tld4.b", "suld.b", "sust.b", "tex.grad"}),
    ],
)
@pytest.mark.skipif(NVCC is None, reason="no nvcc here")
def test_programs_still_hold_what_they_are_for(program: str, words: set[str]) -> None:
    texts = [compiled_by_nvcc(unit) for unit in NVIDIAS if unit.path.name == program]
    assert [word for word in sorted(words) if not any(word in text for text in texts)] == []


def test_ours_hold_tables_of_branches_and_lines() -> None:
    texts = "".join(map(compiled_by_us, OURS))
    assert all(word in texts for word in ("brx.idx", ".branchtargets", ".loc"))


def check(text: str, known: bool = True) -> None:
    module = parse(text, "corpus.ptx")
    assert bool(module.unknown) != known
    once = str(module)
    again = parse(once, "printed.ptx")
    assert_same(module, again)
    assert str(again) == once


def same_code(text: str, arch: str, folder: Path) -> None:
    options = ("-c", "-g") if re.search(r"^\.target .*\bdebug\b", text, re.MULTILINE) else ("-c",)
    expected = assembled(text, arch, folder, *options)
    assert any(name.startswith(".text.") for name in expected)
    assert assembled(str(parse(text)), arch, folder, *options) == expected
