# SPDX-License-Identifier: Apache-2.0
"""How long it takes from source to running machine code, cold and cached; what a launch and PTX cost.

python bench/compile_time.py [TIMES]

Cold runs are new processes with an empty cache, or with one that holds only the runtime's core, which is compiled
once a machine. Imports of numpy and lanewise are not counted; those of LLVM and of lanewise's own modules, which are
loaded at first use, are, except where a row says so.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fresh_process import Row, milliseconds, show

# Thirty lines.
KERNEL = """\
// Both factors are read in square tiles.
constexpr int TILE = 16;

// c = a b + c, for square matrices of n rows.
__global__ void multiply(float *c, const float *a, const float *b, int n) {
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE];

    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int column = blockIdx.x * TILE + x;
    float sum = 0;

    for (int k = 0; k < n; k += TILE) {
        bool has_left = row < n && k + x < n;
        bool has_right = column < n && k + y < n;
        left[y][x] = has_left ? a[row * n + k + x] : 0;
        right[y][x] = has_right ? b[(k + y) * n + column] : 0;
        __syncthreads();

        for (int i = 0; i < TILE; i++)
            sum += left[y][i] * right[i][x];
        __syncthreads();
    }

    if (row >= n || column >= n)
        return;
    float before = c[row * n + column];
    c[row * n + column] = before + sum;
}
"""

EMPTY = "__global__ void nothing() {}"

RUN = """
import time, numpy as np, lanewise as lw
{preload}
source = {source!r}
a, b = np.ones((2, 40, 40), np.float32)
c = np.zeros((40, 40), np.float32)
start = time.perf_counter()
module = lw.compile(source, language="cuda")
module["multiply"][(3, 3), (16, 16)](c, a, b, 40)
first = time.perf_counter()
assert (c == 40).all()
module["multiply"][(3, 3), (16, 16)](c, a, b, 40)
second = time.perf_counter()
print(1e3 * ({measured}))
"""
PRELOAD = "import lanewise.program.source.compilation, lanewise.session, lanewise.device.cpu"
TO_FIRST_RUN, SECOND_RUN = "first - start", "second - first"

PTX = """
import time
start = time.perf_counter()
import lanewise as lw
source = {source!r}
text = lw.compile(source, language="cuda").ptx(arch="sm_80")
print(1e3 * (time.perf_counter() - start))
assert ".visible .entry" in text
"""

LAUNCHES = """
import statistics, time, numpy, lanewise as lw
kernel = lw.compile({source!r}, language="cuda")["nothing"]
times = []
for _ in range(20000):
    start = time.perf_counter()
    kernel[{grid}, 64]()
    times.append(time.perf_counter() - start)
print(1e3 * statistics.median(times[1000:]))
"""


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    with tempfile.TemporaryDirectory() as folder:
        cache, core, headers = (Path(folder) / name for name in ("cache", "core", "headers"))
        milliseconds(LAUNCHES.format(source=EMPTY, grid=1), core)

        def repeated(prepare: Callable[[], object], code: str) -> list[float]:
            found: list[float] = []
            for _ in range(times):
                prepare()
                found.append(milliseconds(code, cache))
            return found

        def empty() -> None:
            shutil.rmtree(cache, ignore_errors=True)

        def core_only() -> None:
            empty()
            shutil.copytree(core, cache)

        def as_it_is() -> None:
            pass

        def precompiled(run: int) -> float:
            return milliseconds(PTX.format(source=f"{KERNEL}// {run}"), headers)

        for use in range(2):
            milliseconds(PTX.format(source=f"{EMPTY}// {use}"), headers)
        loaded_run = RUN.format(source=KERNEL, preload=PRELOAD, measured=TO_FIRST_RUN)
        first_run = RUN.format(source=KERNEL, preload="", measured=TO_FIRST_RUN)
        rows = [
            Row("source to first result, cold", 250, repeated(core_only, first_run)),
            Row("the same, and the runtime's core too", None, repeated(empty, first_run)),
            Row("the same, from the disk cache", None, repeated(as_it_is, first_run)),
            Row("the same, beside imports of our own", 15, repeated(as_it_is, loaded_run)),
            Row(
                "second launch in a process",
                None,
                repeated(as_it_is, RUN.format(source=KERNEL, preload="", measured=SECOND_RUN)),
            ),
            Row(
                "launch an empty kernel and wait, 1 group",
                0.015,
                repeated(as_it_is, LAUNCHES.format(source=EMPTY, grid=1)),
            ),
            Row(
                "the same, 1024 groups",
                None,
                repeated(as_it_is, LAUNCHES.format(source=EMPTY, grid=1024)),
            ),
            Row("imports and source to PTX, cold", 100, repeated(empty, PTX.format(source=KERNEL))),
            Row("the same, with CUDA's headers precompiled", None, [precompiled(run) for run in range(times)]),
            Row("the same, from the disk cache", None, repeated(as_it_is, PTX.format(source=KERNEL))),
        ]
        if shutil.which("nvcc"):
            rows.append(Row("nvcc -ptx", None, [nvcc(Path(folder)) for _ in range(times)]))
    show(f"A kernel of 30 lines, {times} new processes each", rows)


def nvcc(folder: Path) -> float:
    """Milliseconds that NVIDIA's compiler takes to PTX."""
    source = folder / "kernel.cu"
    source.write_text(KERNEL)
    start = time.perf_counter()
    command = ["nvcc", "-ptx", "-arch=sm_80", "-o", str(folder / "kernel.ptx"), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return 1e3 * (time.perf_counter() - start)


if __name__ == "__main__":
    main()
