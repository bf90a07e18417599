# SPDX-License-Identifier: Apache-2.0
"""Code for any local size against code made for one, and the start of a process from a saved module.

The kernels: saxpy; a product of matrices in tiles, with barriers; a sum in shared memory; a stencil. Each grid runs on
one thread, so that other work on the machine disturbs little.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fresh_process import Row, milliseconds, show
from rich.console import Console
from rich.table import Table

import lanewise as lw
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.device.cpu import CpuDevice

SOURCE = """
extern "C" __global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n) {
    __shared__ float left[16][16], right[16][16];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        left[y][x] = a[row * n + tile + x];
        right[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void sum(float *out, const float *in) {
    extern __shared__ float part[];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void blur(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const float *p = in + y * width + x;
    out[y * width + x] = 0.2f * (p[0] + p[1] + p[-1] + p[width] + p[-width]);
}
"""

FRESH = """
import time; start = time.perf_counter()
import numpy as np
numpy_loaded = time.perf_counter()
import lanewise as lw
module = lw.load({path!r})
loaded = time.perf_counter()
y = np.ones(1000, np.float32)
module["saxpy"][4, 256](y, y, 2.0, 1000)
end = time.perf_counter()
print(1e3 * ({what}))
"""


class Launch(NamedTuple):
    """A kernel with its geometry, arguments and bytes of dynamic shared memory."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]
    shared: int = 0


def launches() -> list[Launch]:
    rng = np.random.default_rng(1)
    long, other = rng.random((2, 1 << 20), np.float32)
    a, b, c = rng.random((3, 256, 256), np.float32)
    image, blurred = rng.random((2, 1024, 1024), np.float32)
    return [
        Launch("saxpy", (4096,), (256,), (long, other, 0.5, long.size)),
        Launch("multiply", (16, 16), (16, 16), (c, a, b, 256)),
        Launch("sum", (4096,), (256,), (long, other), 1024),
        Launch("blur", (32, 128), (32, 8), (blurred, image, 1024, 1024)),
    ]


def run(module: lw.Module, launch: Launch, device: CpuDevice) -> None:
    kernel, grid, block, arguments, shared = launch
    module[kernel].launch(grid, block, arguments, shared=shared, device=device)


def median_ms(run: Callable[[], None], times: int = 15) -> float:
    """The median of several runs, after a first one that compiles."""
    run()
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(1e3 * (time.perf_counter() - start))
    return statistics.median(taken)


def compare() -> None:
    """A line a kernel: one size, any size, and their ratio."""
    cache = Cache(from_environment().cache_dir)
    devices = [CpuDevice(cache, 1, specialise=specialise) for specialise in (True, False)]
    module = lw.compile(SOURCE, language="cuda")
    table = Table("kernel", "block", "for this size", "for any size", "ratio", title="one thread")
    for column in table.columns[2:]:
        column.justify = "right"
    for launch in launches():
        one, any_ = (median_ms(partial(run, module, launch, device)) for device in devices)
        block = "x".join(map(str, launch.block))
        table.add_row(launch.kernel, block, f"{one:.2f} ms", f"{any_:.2f} ms", f"{any_ / one:.2f}")
    Console().print(table)


def starts(repetitions: int = 9) -> None:
    """How long a new process takes to load a module and to have its first result."""
    with tempfile.TemporaryDirectory() as folder:
        cache, path = Path(folder, "cache"), str(Path(folder, "k.lwo"))
        lw.compile(SOURCE, language="cuda").save(path)
        rows: list[Row] = []
        steps = {
            "import and lw.load, after numpy": "loaded - numpy_loaded",
            "first launch": "end - loaded",
            "both": "end - numpy_loaded",
        }
        for what, code in steps.items():
            text = FRESH.format(path=path, what=code)
            milliseconds(text, cache)  # the runtime core and Python's byte code
            rows.append(Row(what, None, [milliseconds(text, cache) for _ in range(repetitions)]))
        show("from a saved module, in a new process", rows)


if __name__ == "__main__":
    compare()
    starts()
