# SPDX-License-Identifier: Apache-2.0
"""A precompiled header of device functions without the list of those whose diagnostics were put off."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lanewise.frontend.clang import run_clang
from lanewise.frontend.clang.deferred_diagnostics import without_deferred_diagnostics
from lanewise.toolchain import clang_command

MODE = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=sm_80"]
PUT_OFF = 200
HEADER = "".join(f"__attribute__((device)) static inline int f{n}() {{ return {n}; }}\n" for n in range(PUT_OFF))
USE = "__attribute__((global)) void k(int *p) { *p = f3(); }"


def _form(header: str) -> bytes:
    words = [*MODE, "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", "-"]
    return run_clang(header, None, words).data


@pytest.fixture(scope="module")
def form() -> bytes:
    return _form(HEADER)


def _compiled(form: bytes, folder: Path) -> tuple[str, int]:
    """The IR of `USE`, and how many declarations of the header clang has read."""
    file = folder / "header.pch"
    file.write_bytes(form)
    words = [*MODE, "-include-pch", str(file), "-Xclang", "-print-stats", "-emit-llvm", "-S", "-o", "-", "-"]
    done = subprocess.run([*clang_command(), *words], input=USE, capture_output=True, text=True, check=True)
    read = re.search(r"(\d+)/\d+ declarations read", done.stderr)
    assert read is not None
    return done.stdout, int(read[1])


def test_fewer_declarations_are_read_and_the_code_is_the_same(form: bytes, tmp_path: Path) -> None:
    changed = without_deferred_diagnostics(form)
    assert len(changed) == len(form)
    before, read_before = _compiled(form, tmp_path)
    after, read_after = _compiled(changed, tmp_path)
    assert after == before
    assert read_after < PUT_OFF <= read_before


def test_nothing_is_left_to_change(form: bytes) -> None:
    changed = without_deferred_diagnostics(form)
    assert without_deferred_diagnostics(changed) == changed


def test_a_header_without_device_functions_stays() -> None:
    form = _form("int declared();\n")
    assert without_deferred_diagnostics(form) == form


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9])
def test_what_is_cut_off_stays(form: bytes, share: float) -> None:
    cut = form[: int(len(form) * share)]
    assert without_deferred_diagnostics(cut) == cut


def test_other_files_stay() -> None:
    for data in (b"", b"CPC", b"BC\xc0\xde" + bytes(100), b"CPCH" + b"\xff" * 100):
        assert without_deferred_diagnostics(data) == data
