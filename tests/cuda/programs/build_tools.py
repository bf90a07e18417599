# SPDX-License-Identifier: Apache-2.0
"""Build systems, run as a user runs them, with nvcc of the folder that stands in for a toolkit."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.home import cuda_home
from lanewise.session import session_of_this_process


def toolkit() -> Path:
    """The folder that stands in for a CUDA toolkit."""
    return cuda_home(session_of_this_process().cache)


def run(*words: str | Path, folder: Path, **environment: str) -> str:
    """The output of a command that must succeed; the test is skipped where there is no such program."""
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr
    return done.stdout


def run_cmake(source: Path, build: Path, *words: str) -> str:
    """Configure and build a project with CUDA as a language; what configuring printed."""
    compiler = f"-DCMAKE_CUDA_COMPILER={toolkit()}/bin/nvcc"
    told = run("cmake", "-S", source, "-B", build, compiler, *words, folder=source)
    run("cmake", "--build", build, folder=source)
    return told
