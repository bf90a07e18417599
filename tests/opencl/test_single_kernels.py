# SPDX-License-Identifier: Apache-2.0
"""Kernels that are compiled alone, at their first launch: of large programs, and for ranges that aren't plain."""

import os
import re
import subprocess
import sys
from pathlib import Path

from lanewise.cuda.service.known_images import LARGE_PROGRAM

_PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from tests.opencl.interface import Interface, Session
session = Session(Interface(Path(sys.argv[1])))
program = session.program(sys.argv[2], "-cl-std=CL3.0")
kernels = {name: session.cl.clCreateKernel(program, name) for name in (b"first", b"second")}
print("built", file=sys.stderr)
out = session.buffer(np.zeros(8, "u4"))
for name, size, local in eval(sys.argv[3]):
    session.set(kernels[name], out)
    session.run(kernels[name], [size], local=[local])
print(session.read(out, np.zeros(8, "u4")).tolist())
"""
_TWO = "kernel void first(global uint *p) { %s } kernel void second(global uint *p) { %s }"
_COUNTED = "p[get_global_id(0)] += %d;"


def _run(library: Path, cache: Path, source: str, launches: str) -> tuple[str, list[str], list[str]]:
    """Text that the program prints, and the kernels that were compiled while it was built, and later."""
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-c", _PROGRAM, str(library), source, launches]
    more = {"PYTHONPATH": str(folder), "LANEWISE_CACHE_DIR": str(cache), "LANEWISE_LOG": "1"}
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=120, env={**os.environ, **more}, cwd=folder, check=True
    )
    first, second = (sorted(re.findall(r"machine code of (\w+)", part)) for part in done.stderr.split("built\n"))
    return done.stdout, first, second


def test_a_range_that_is_not_plain_compiles_its_kernel_alone(library: Path, tmp_path: Path) -> None:
    source = _TWO % (_COUNTED % 1, _COUNTED % 2)
    launches = "[(b'second', 7, 4), (b'second', 5, 2)]"
    printed, first, second = _run(library, tmp_path, source, launches)
    assert printed == "[4, 4, 4, 4, 4, 2, 2, 0]\n"
    assert first == ["first", "second"]
    assert second == ["second"]
    assert _run(library, tmp_path, source, launches) == (printed, [], [])


def test_a_kernel_of_a_large_program_is_compiled_when_it_is_launched(library: Path, tmp_path: Path) -> None:
    """Each statement is several lines of IR."""
    many = f"for (int i = 0; i < 3; ++i) {{ {_COUNTED % 1 * (LARGE_PROGRAM // 10)} }}"
    source = _TWO % (many, many)
    launches = "[(b'first', 4, 4), (b'first', 6, 2), (b'first', 7, 4)]"
    printed, first, second = _run(library, tmp_path, source, launches)
    once = 3 * (LARGE_PROGRAM // 10)
    assert printed == f"{[3 * once] * 4 + [2 * once] * 2 + [once, 0]}\n"
    assert first == []
    assert second == ["first", "first"]  # for plain ranges, and for others
    assert _run(library, tmp_path, source, launches) == (printed, [], [])
