# SPDX-License-Identifier: Apache-2.0
"""Mathematical functions of vectors: cycles per call, by the C library element by element and by Lanewise (pocl-2014,
6.5, Tables 3 and 4).

Each call is in a loop, as in the paper; the overhead is that of the loop without a call. The loop would end at a sum
that there never is, so that compilers don't make vectors of several iterations. The options are -ffast-math, and
-cl-fast-relaxed-math. "In lanes" are 64 work-items with a number each, per work-item.
"""

import ctypes
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

import lanewise as lw
from lanewise.pipelines.target import CpuTarget
from lanewise.toolchain import zig

from .generated import Counts, counts, work_group_ir

FUNCTIONS: Final = {"overhead": "", "exp": "exp", "sin": "sin", "sqrt": "sqrt"}
VECTORS: Final = (("float", 1), ("float", 4), ("double", 1), ("double", 2))
_OPTIONS: Final = "-cl-fast-relaxed-math"
_ITEMS: Final = 64
_C: Final = """
#include <math.h>
#include <stdint.h>
__attribute__((noinline)) void ours(TYPE *out, TYPE start, TYPE step, TYPE stop, int n) {
  TYPE x[WIDTH], sum[WIDTH] = {0};
  for (int j = 0; j < WIDTH; ++j) x[j] = start;
  for (int i = 0; i < n && sum[0] != stop; ++i)
    for (int j = 0; j < WIDTH; ++j) { sum[j] += CALL(x[j]); x[j] += step; }
  for (int j = 0; j < WIDTH; ++j) out[j] = sum[j];
}
// A chain of additions, one cycle each.
uint64_t chain(uint64_t n) {
  uint64_t x = n;
  for (uint64_t i = 0; i < n; ++i) __asm__ volatile("add $1, %0" : "+r"(x));
  return x;
}
"""


def source(type_: str, width: int, call: str) -> str:
    """The kernel, in OpenCL C."""
    vector, first = (type_, "") if width == 1 else (f"{type_}{width}", ".x")
    return f"""
        kernel void calls(global {vector} *out, {type_} start, {type_} step, {type_} stop, int n) {{
            {vector} x = ({vector})(start + get_global_id(0) * step), sum = ({vector})(0);
            for (int i = 0; i < n && sum{first} != stop; i++) {{
                sum += {call}(x);
                x += step;
            }}
            out[get_global_id(0)] = sum;
        }}
    """


def by_lanewise(type_: str, width: int, call: str, items: int, n: int) -> Callable[[], object]:
    """A launch of `items` work-items, with `n` calls each."""
    kernel = lw.compile(source(type_, width, call), language="opencl", options=_OPTIONS)["calls"]
    dtype = np.dtype("f4" if type_ == "float" else "f8").type
    out = np.zeros(items * width, dtype)
    return lambda: kernel.ndrange(items, items)(out, dtype(0.1), dtype(1e-7), dtype(-1), n)


def by_library(type_: str, width: int, call: str, n: int, folder: Path) -> Callable[[], object]:
    """The same calls of the C library."""
    name = f"{call}{'f' if type_ == 'float' else ''}" if call else ""
    path = folder / f"{type_}{width}{name}"
    path.with_suffix(".c").write_text(_C)
    words = [
        "-O3",
        "-ffast-math",
        "-fno-vectorize",
        "-fno-slp-vectorize",
        "-fno-unroll-loops",
        "-march=native",
        "-shared",
    ]
    macros = [f"-DTYPE={type_}", f"-DWIDTH={width}", f"-DCALL={name}"]
    made = path.with_suffix(".so")
    subprocess.run([str(zig()), "cc", *words, *macros, f"{path}.c", "-o", str(made), "-lm"], check=True)
    library = ctypes.CDLL(str(made))
    number = ctypes.c_float if type_ == "float" else ctypes.c_double
    out = np.zeros(width, "f4" if type_ == "float" else "f8")
    return lambda: library.ours(ctypes.c_void_p(out.ctypes.data), number(0.1), number(1e-7), number(-1), n)


def seconds(run: Callable[[], object], times: int) -> float:
    """The least processor time of several runs, after one that doesn't count."""
    run()
    found: list[float] = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return min(found)


def hertz(folder: Path) -> float:
    """Cycles per second of the processor's time, by a chain of additions."""
    by_library("float", 1, "", 1, folder)
    chain = ctypes.CDLL(str(folder / "float1.so")).chain
    count = 100_000_000
    return count / seconds(lambda: chain(ctypes.c_uint64(count)), 3)


def table(n: int, times: int) -> str:
    """Table 3 on this host."""
    lines = [
        f"| type | vector | by | {' | '.join(FUNCTIONS)} |",
        f"| --- | --: | --- |{' --: |' * len(FUNCTIONS)}",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rate = hertz(folder)
        for type_, width in VECTORS:
            rows: dict[str, list[float]] = {"the C library": [], "Lanewise": []}
            if width == 1:
                rows["Lanewise, in lanes"] = []
            for call in FUNCTIONS.values():
                rows["the C library"].append(seconds(by_library(type_, width, call, n, folder), times) / n)
                rows["Lanewise"].append(seconds(by_lanewise(type_, width, call, 1, n), times) / n)
                if width == 1:
                    took = seconds(by_lanewise(type_, width, call, _ITEMS, n), times)
                    rows["Lanewise, in lanes"].append(took / n / _ITEMS)
            for who, found in rows.items():
                cells = [rate * found[0], *(rate * (each - found[0]) for each in found[1:])]
                lines.append(f"| {type_} | {width} | {who} | {' | '.join(f'{each:.1f}' for each in cells)} |")
    return "\n".join(lines)


def generated(target: CpuTarget) -> str:
    """Table 4 as instructions of the code for a target: of the kernel without a call, and beyond these."""
    lines = [f"| type | vector | {' | '.join(FUNCTIONS)} |", f"| --- | --: |{' --: |' * len(FUNCTIONS)}"]
    for type_, width in VECTORS:
        found: list[Counts] = []
        for call in FUNCTIONS.values():
            ir = work_group_ir(source(type_, width, call), "calls", (1,), "loop", target, options=_OPTIONS)
            found.append(counts(ir, target))
        cells = [str(found[0].all)]
        cells += [f"{each.all - found[0].all}{f', {each.calls} calls' if each.calls else ''}" for each in found[1:]]
        lines.append(f"| {type_} | {width} | {' | '.join(cells)} |")
    return "\n".join(lines)
