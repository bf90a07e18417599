# SPDX-License-Identifier: Apache-2.0
"""Programs in C++ that call each function of libcudart, each TEST of `programs/*.cpp` in a process of its own.

.venv/bin/python -m pytest tests/cuda/runtime/test_programs.py -k the_last_error
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

PROGRAMS = Path(__file__).parent / "programs"

_RUN = """
import ctypes, os, sys
flags = os.RTLD_NOW | os.RTLD_GLOBAL
for library in sys.argv[1:-1]:
    loaded = ctypes.CDLL(library, flags)
getattr(loaded, sys.argv[-1])()
"""
"""Loads libraries, and calls a function of the last one."""


class Case(NamedTuple):
    """A TEST, with what the comments in front of it say."""

    file: str
    name: str
    stderr: tuple[str, ...]
    stdout: tuple[str, ...]
    environment: dict[str, str]


def cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted(PROGRAMS.glob("*.cpp")):
        for comments, name in re.findall(r"((?:^//.*\n)*)^TEST\((\w+)\)", path.read_text(), re.MULTILINE):
            said = re.findall(r"^// (stderr|stdout|environment): (.*)$", comments, re.MULTILINE)
            found.append(
                Case(
                    path.name,
                    name,
                    tuple(text for kind, text in said if kind == "stderr"),
                    tuple(text for kind, text in said if kind == "stdout"),
                    dict(text.split("=", 1) for kind, text in said if kind == "environment"),
                )
            )
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.file.removesuffix('.cpp')}-{case.name}")
def test_program(case: Case, libraries: Path, program: Callable[[str], Path]) -> None:
    paths = [str(libraries / "liblanewise.so"), str(libraries / "libcudart.so.12"), str(program(case.file))]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LANEWISE_")}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _RUN, *paths, case.name],
        env=environment | case.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for text in case.stderr:
        assert text in done.stderr
    if case.stdout:
        assert done.stdout.splitlines() == list(case.stdout)


def test_every_program_has_tests():
    assert {case.file for case in cases()} == {path.name for path in PROGRAMS.glob("*.cpp")}
    assert len({(case.file, case.name) for case in cases()}) == len(cases())
