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
_MIXED = """
import ctypes, sys
from pathlib import Path
import numpy as np
from tests.opencl.interface import Interface
cl = Interface(Path(sys.argv[1]))
platform, devices = (ctypes.c_void_p * 1)(), (ctypes.c_void_p * 2)()
cl.clGetPlatformIDs(1, platform, None)
cl.clGetDeviceIDs(platform[0], 0xFFFFFFFF, 2, devices, None)
context = cl.clCreateContext(None, 2, list(devices), None, None)
text = ctypes.c_char_p(sys.argv[2].encode())
program = cl.clCreateProgramWithSource(context, 1, ctypes.byref(text), None)
cl.clBuildProgram(program, 0, None, b"", None, None)
kernel = cl.clCreateKernel(program, b"first")
for device in devices:
    queue, out = cl.clCreateCommandQueue(context, device, 0), np.zeros(4, "u4")
    buffer = cl.clCreateBuffer(context, 1 << 5, out.nbytes, out)
    cl.clSetKernelArg(kernel, 0, 8, [buffer])
    cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, [4], [4], 0, None, None)
    cl.clEnqueueReadBuffer(queue, buffer, 1, 0, out.nbytes, out, 0, None, None)
    print(out.tolist())
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


def test_a_large_program_that_includes_a_file_is_compiled_when_it_is_built(library: Path, tmp_path: Path) -> None:
    """The file may be another one when a kernel is launched."""
    header = tmp_path / "many.h"
    header.write_text(f"#define MANY for (int i = 0; i < 3; ++i) {{ {_COUNTED % 1 * (LARGE_PROGRAM // 10)} }}\n")
    source = f'#include "{header}"\n' + _TWO % ("MANY", "MANY")
    _, first, second = _run(library, tmp_path / "cache", source, "[(b'first', 4, 4)]")
    assert (first, second) == (["first", "second"], [])


def test_a_large_program_runs_on_each_device_of_a_context(library: Path, tmp_path: Path) -> None:
    many = f"for (int i = 0; i < 3; ++i) {{ {_COUNTED % 1 * (LARGE_PROGRAM // 10)} }}"
    folder = Path(__file__).parents[2]
    more = {"PYTHONPATH": str(folder), "LANEWISE_CACHE_DIR": str(tmp_path), "LANEWISE_OPENCL_DEVICES": "simt,cpu"}
    words = [sys.executable, "-c", _MIXED, str(library), _TWO % (many, many)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env={**os.environ, **more}, cwd=folder)
    assert done.stdout == f"{[3 * (LARGE_PROGRAM // 10)] * 4}\n" * 2, done.stderr
