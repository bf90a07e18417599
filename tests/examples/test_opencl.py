# SPDX-License-Identifier: Apache-2.0
"""Programs that call OpenCL: one in C, without a loader, and one in Python by pyopencl, where that is installed."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import lanewise
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.installed import loader_files
from lanewise.opencl.library import NAME, platform_library

EXAMPLES = Path(__file__).parents[2] / "examples" / "opencl"
HEADERS = Path(__file__).parent / "opencl_headers"
SAID = "lanewise-cpu: 0.000 0.000 0.000 0.063 0.500 0.066 0.000 0.000\n"


def test_a_wave_in_c(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    library = tmp_path / NAME
    library.write_bytes(platform_library(Cache(from_environment().cache_dir), lanewise.__version__))
    for file in ("Makefile", "waves.c"):
        shutil.copy(EXAMPLES / file, tmp_path)
    words = ["make", "-s", f"OPENCL={library} -Wl,-rpath,{tmp_path}", f"CFLAGS=-O2 -Wall -Werror -I{HEADERS}"]
    subprocess.run(words, cwd=tmp_path, check=True, timeout=100)
    done = subprocess.run([tmp_path / "waves"], capture_output=True, text=True, timeout=100, check=False)
    assert (done.stdout, done.stderr) == (SAID, "")


def test_a_wave_in_python() -> None:
    if find_spec("pyopencl") is None:
        pytest.skip("pyopencl is not installed")
    if not any(place.file.exists() for place in loader_files()):
        pytest.skip("the platform is not installed: lanewise opencl install")
    done = subprocess.run(
        [sys.executable, EXAMPLES / "waves.py"], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout == SAID, done.stderr
