# SPDX-License-Identifier: Apache-2.0
"""Mathematical functions over 16 million floats on two threads: kernels of the CPU device against the C library.

python bench/mathematics.py [REPEATS]

The C library's functions are called one after the other, as compilers do that have no vector library, from two threads
with half of the numbers each. Both sides take turns; medians, and their ratio.
"""

import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import lanewise as lw
from lanewise.device.cpu.device import CpuDevice
from lanewise.toolchain import zig

COUNT = 1 << 24
THREADS = 2
RANGES = {
    "expf": (-20, 20), "logf": (1e-3, 1e3), "sinf": (-100, 100), "cosf": (-100, 100), "powf": (0.1, 10),
    "sqrtf": (0, 1e3), "erff": (-3, 3), "tanhf": (-5, 5), "atanf": (-10, 10), "cbrtf": (-1e3, 1e3),
}  # fmt: skip
TWO_ARGUMENTS = {"powf"}
KERNEL = """
extern "C" __global__ void apply(float *y, const float *x, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = {call};
}}
"""
LOOP = """
float {name}(float{second});
void {name}_loop(float *y, const float *x, long n) {{ for (long i = 0; i < n; i++) y[i] = {call}; }}
"""


def call_of(name: str) -> str:
    return f"{name}(x[i], 1.5f)" if name in TWO_ARGUMENTS else f"{name}(x[i])"


def libm_loops(folder: Path) -> ctypes.CDLL:
    """A loop around each function, compiled with -O2 and no vectors."""
    source, library = folder / "loops.c", folder / "loops.so"
    source.write_text("".join(
        LOOP.format(name=name, second=", float" if name in TWO_ARGUMENTS else "", call=call_of(name)) for name in RANGES
    ))  # fmt: skip
    flags = ["-target", "x86_64-linux-gnu", "-march=native", "-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fPIC"]
    made = folder / "loops.o"
    subprocess.run([zig(), "clang", *flags, "-fmath-errno", "-c", source, "-o", made], check=True)
    subprocess.run([zig(), "ld.lld", "-shared", made, "-o", library], check=True)
    ctypes.CDLL("libm.so.6", ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(library))


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    cpu = lw.device("cpu")
    assert isinstance(cpu, CpuDevice)
    cpu.set_num_threads(THREADS)
    table = Table("function", "lanewise, ms", "libm, ms", "ratio", title=f"{COUNT:,} floats, {THREADS} threads")
    y = np.zeros(COUNT, np.float32)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(THREADS) as pool:
        loops = libm_loops(Path(folder))
        for name, (low, high) in RANGES.items():
            x = np.random.default_rng(0).uniform(low, high, COUNT).astype(np.float32)
            kernel = lw.compile(KERNEL.format(call=call_of(name)), language="cuda")["apply"]
            loop = loops[f"{name}_loop"]
            half = COUNT // THREADS

            def libm(loop: Callable[..., object] = loop, x: np.ndarray = x, half: int = half) -> None:
                parts = [(y[i : i + half], x[i : i + half]) for i in range(0, COUNT, half)]
                list(pool.map(lambda p: loop(p[0].ctypes.data_as(ctypes.c_void_p), p[1].ctypes.data_as(ctypes.c_void_p),
                                             ctypes.c_long(half)), parts))  # fmt: skip

            def ours(kernel: lw.Kernel = kernel, x: np.ndarray = x) -> None:
                kernel[COUNT // 256, 256](y, x, COUNT)

            ours()
            libm()
            times = [(seconds(ours), seconds(libm)) for _ in range(repeats)]
            mine, theirs = (1e3 * statistics.median(side) for side in zip(*times, strict=True))
            table.add_row(name, f"{mine:.1f}", f"{theirs:.1f}", f"{theirs / mine:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
