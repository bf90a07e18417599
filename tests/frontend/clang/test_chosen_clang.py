# SPDX-License-Identifier: Apache-2.0
"""`LANEWISE_CLANG`: another clang in place of the wheel's. Here it is a script that runs the wheel's, or pretends."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import key
from lanewise.runtime.build import compile_core
from lanewise.toolchain import clang_command, zig

Script = Callable[..., Path]

MACHINE = platform.machine().replace("_", "-")
TARGETS = f"    nvptx64     - NVIDIA PTX 64-bit\n    {MACHINE}      - this one\n"
KERNEL = "__global__ void one(int *p) { p[threadIdx.x] = 1; }"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Write a program, by default one that runs the wheel's clang and takes notes, and let LANEWISE_CLANG name it."""

    def write(version: str | None = None, targets: str = TARGETS, name: str = "my-clang") -> Path:
        path = tmp_path / name
        if version is None:
            lines = f'printf "%s\\n" "$*" >> {tmp_path}/log\nexec {zig()} clang "$@"\n'
        else:
            lines = f'case "$1" in --version) cat <<"E"\n{version}\nE\n;; *) cat <<"E"\n{targets}\nE\n;; esac\n'
        path.write_text(f"#!/bin/sh\n{lines}")
        path.chmod(0o755)
        monkeypatch.setenv("LANEWISE_CLANG", str(path))
        return path

    return write


def test_the_wheel_s_without_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANEWISE_CLANG", " ")
    assert clang_command() == [str(zig()), "clang"]


def test_kernels_and_the_runtime_are_compiled_by_it(script: Script, tmp_path: Path) -> None:
    script()
    p = np.zeros(4, np.int32)
    lw.compile(KERNEL + f"  // {tmp_path}", language="cuda")["one"][1, 4](p)
    assert p.all()
    assert compile_core().startswith(b"\x7fELF")
    log = (tmp_path / "log").read_text().splitlines()
    assert log[:2] == ["--version", "--print-targets"]  # looked at once
    assert sum(line.startswith("--version") for line in log) == 1
    assert any("--cuda-device-only" in line for line in log)
    assert any(line.endswith("core.c -o -") for line in log)
    assert all(line.startswith("--no-default-config ") for line in log[2:])


def test_its_diagnostics_are_read(script: Script) -> None:
    path = script()
    path.write_text(path.read_text().replace("exec ", "exec -a clang-22 ").replace("/bin/sh", "/bin/bash"))
    with pytest.raises(lw.CompileError, match=r"^error: unknown argument: '-fnope'$"):
        lw.compile(KERNEL, language="cuda", options=["-fnope"])


def test_a_name_is_looked_for_in_path(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script("clang version 22.1.0", name="clang-22-of-mine")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("LANEWISE_CLANG", "clang-22-of-mine")
    assert clang_command() == [str(path), "--no-default-config"]


@pytest.mark.parametrize(
    ("version", "targets", "message"),
    [
        ("Ubuntu clang version 19.1.7", TARGETS, "is clang version 19.1.7, but lanewise works with clang 22"),
        ("gcc (GCC) 14.2.0", TARGETS, "is no clang: `--version` does not say which one it is"),
        ("clang version 22.1.0", f"  {MACHINE} - X\n", f"makes no code for nvptx64; it was built for {MACHINE}"),
        ("clang version 22.1.0", "  nvptx64 - X\n", f"makes no code for {MACHINE}; it was built for nvptx64"),
    ],
)  # fmt: skip
def test_what_can_not_be_used_is_an_error(script: Script, version: str, targets: str, message: str) -> None:
    path = script(version, targets)
    with pytest.raises(
        lw.Error, match=f"^LANEWISE_CLANG: {re.escape(str(path.parent))}/my-clang {re.escape(message)}$"
    ):
        lw.compile(KERNEL + f"  // {path}", language="cuda")


def test_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LANEWISE_CLANG", str(tmp_path / "none"))
    with pytest.raises(lw.Error, match=f"^LANEWISE_CLANG: {tmp_path}/none is no program$"):
        clang_command()


def test_keys_tell_clangs_apart(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    of_the_wheel = key("a")
    path = script()
    of_ours = key("a")
    path.write_text(path.read_text() + "# another\n")
    changed = key("a")
    monkeypatch.setenv("LANEWISE_CLANG", "/nowhere/clang")
    assert len({of_the_wheel, of_ours, changed, key("a")}) == 4
    monkeypatch.delenv("LANEWISE_CLANG")
    assert key("a") == of_the_wheel
