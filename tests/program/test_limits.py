# SPDX-License-Identifier: Apache-2.0
"""Limits of the system: each leads to one error of ours, or only to no cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMPILE = """
import resource, sys, warnings
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
import numpy as np
import lanewise as lw

source = "__global__ void k(int *p) { *p += 1; }" + " " * int(sys.argv[2])
values = np.zeros(1, np.int32)
try:
    lw.compile(source, language="cuda")["k"][1, 1](values)
    print("done", values[0])
except lw.Error as error:
    print(type(error).__name__, error)
"""


def _run(cache: Path | None, limit: int, padding: int) -> str:
    environment = os.environ | ({"LANEWISE_CACHE": "0"} if cache is None else {"LANEWISE_CACHE_DIR": str(cache)})
    command = [sys.executable, "-c", COMPILE, str(limit), str(padding)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("padding", [0, 9000])
def test_a_limit_on_the_size_of_files_is_one_error(padding: int) -> None:
    """It forbids what the linker reads, or already what clang does."""
    told = _run(None, 8192, padding)
    assert told.startswith("Error ")
    assert "bytes can't be written to a file in memory: File too large (ulimit -f" in told


def test_an_overlong_cache_folder_is_no_cache(tmp_path: Path) -> None:
    assert _run(tmp_path / ("x" * 300), 1 << 30, 0) == "done 1\n"
