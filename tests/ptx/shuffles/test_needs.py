# SPDX-License-Identifier: Apache-2.0
"""Which loads become shuffles, each case of `cases`: what is said of them, that ptxas takes the result, and that a
concrete run finds no difference: each case in a third of all shapes of blocks, in turn, and in all of them with
LANEWISE_TEST_ALL_SHAPES=1."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ..checker.launches import BLOCKS
from . import cases
from .case import check, difference

PTXAS = shutil.which("ptxas")
RUN = {name: case for name, case in cases.ALL.items() if "// = " in case.text or "//=" in case.text}
STEP = 1 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1" else 3


@pytest.mark.parametrize("name", cases.ALL)
def test_is_replaced_or_stays_as_its_lines_say(name: str) -> None:
    check(cases.ALL[name])


@pytest.mark.parametrize("name", RUN)
def test_makes_no_difference(name: str) -> None:
    case = RUN[name]
    blocks = BLOCKS[list(RUN).index(name) % STEP :: STEP]
    assert difference(case, case.synthesise().text, blocks) is None


@pytest.mark.parametrize("name", RUN)
def test_makes_no_difference_with_the_branch(name: str) -> None:
    case = RUN[name]
    rewritten = case.synthesise(uniform_branch=True).text
    assert difference(case, rewritten, ((64, 1, 1), (33, 2, 1), (7, 9, 1))) is None


@pytest.mark.skipif(PTXAS is None, reason="needs ptxas")
@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90"])
def test_is_assembled(arch: str, tmp_path: Path) -> None:
    """All of them as one file's functions: ptxas takes 0.1 s to start."""
    assert PTXAS is not None
    for name, case in RUN.items():
        if arch == "sm_75" and "cp.async" in case.text:
            continue
        text = case.synthesise().text.replace(".target sm_80", f".target {arch}")
        path = tmp_path / f"{name}.ptx"
        path.write_text(text)
        done = subprocess.run(
            [PTXAS, f"-arch={arch}", "-o", str(tmp_path / "out"), str(path)], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{name}:\n{done.stdout}{done.stderr}\n{text}"
