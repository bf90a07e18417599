# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/cpu as PTX of nvcc on the simulated GPU, beside their source on the CPU device.

    python -m bench.simt [KERNEL ...] [--rounds N] [--size-divisor N]

Their OpenCL C is rewritten to CUDA C++, which both sides compile: nvcc to PTX, Lanewise for the CPU. The same launch is
timed in turns: the source, the PTX, and the PTX with counters. Reported are medians in milliseconds, and the ratios to
the source. With `--cpu-time`, the time is that of the process on the CPU, for machines with other work. nvcc is needed.
"""

import argparse
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

import lanewise as lw
from lanewise.frontend.ptx.unit import counting_unit
from lanewise.frontend.source import Source
from lanewise.program.module import Module
from lanewise.program.profile.counting import OPTIONS
from lanewise.session import session_of_this_process

from .cpu.compare import difference
from .cpu.geometric import mean
from .cpu.problem import Local, Problem, kernel, names, source

_PRELUDE: Final = """
typedef unsigned uint;
typedef unsigned char uchar;
#define CLK_LOCAL_MEM_FENCE 0
#define CLK_GLOBAL_MEM_FENCE 0
#define FLT_MAX 3.402823466e+38f
#define D __device__ static __forceinline__
struct Sizes { unsigned x, y, z; };
D unsigned at(unsigned x, unsigned y, unsigned z, int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
D int get_local_id(int a) { return at(threadIdx.x, threadIdx.y, threadIdx.z, a); }
D int get_group_id(int a) { return at(blockIdx.x, blockIdx.y, blockIdx.z, a); }
D int get_local_size(int a) { return at(blockDim.x, blockDim.y, blockDim.z, a); }
D int get_global_size(int a) { return get_local_size(a) * at(gridDim.x, gridDim.y, gridDim.z, a); }
D int get_global_id(int a) { return get_group_id(a) * get_local_size(a) + get_local_id(a); }
#define barrier(flags) __syncthreads()
D uint rotate(uint value, uint bits) { return __funnelshift_l(value, value, bits); }
D void atomic_add(uint *p, uint n) { atomicAdd(p, n); }
D void atomic_inc(uint *p) { atomicAdd(p, 1u); }
D float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
D float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
"""
"""What the kernels use of OpenCL C."""
_FUNCTIONS: Final = {"sqrt": "sqrtf", "exp": "expf", "log": "logf", "rsqrt": "rsqrtf", "fabs": "fabsf"}
_UNSUPPORTED: Final = {"raysphere": "float3 with swizzles"}


def cuda_of(text: str) -> str:
    """The same kernel in CUDA C++."""
    text = re.sub(r"__constant (\w+ \w+\[)", r"__constant__ \1", text)
    text = re.sub(r"__constant (\w+) \*", r"const \1 *", text)
    text = re.sub(r"\(float2\)\(", "make_float2(", text).replace("(float4)(0.0f)", "make_float4(0, 0, 0, 0)")
    for name, of_cuda in _FUNCTIONS.items():
        text = re.sub(rf"\b{name}\(", f"{of_cuda}(", text)
    text = re.sub(r"^(?!__kernel)(\w+ \w+\([^)]*\) \{)", r"D \1", text, flags=re.MULTILINE)
    text = text.replace("__global ", "")
    for pointer in re.findall(r",\s*__local \w+ \*\w+", text):
        kind, name = re.findall(r"__local (\w+) \*(\w+)", pointer)[0]
        text = text.replace(pointer, "")
        head, body = text.split("__kernel", 1)
        text = f"{head}__kernel{body.replace('{', f'{{ extern __shared__ {kind} {name}[];', 1)}"
    return _PRELUDE + text.replace("__local ", "__shared__ ").replace("__kernel ", 'extern "C" __global__ ')


def nvcc_ptx(text: str) -> str:
    """PTX of nvcc for sm_80."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cu"
        path.write_text(text)
        command = ["nvcc", "-ptx", "-arch=sm_80", "-O3", path.name, "-o", "kernel.ptx"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        return (Path(folder) / "kernel.ptx").read_text()


class Prepared:
    """A kernel on a device with its arguments there."""

    def __init__(self, module: Any, name: str, problem: Problem, device: str) -> None:
        self._buffers: Final = [
            lw.to_device(np.array(each), device) if isinstance(each, np.ndarray) else each
            for each in problem.arguments
            if not isinstance(each, Local)
        ]
        shared = sum(each.nbytes for each in problem.arguments if isinstance(each, Local))
        grid = tuple(whole // part for whole, part in zip(problem.global_size, problem.local_size, strict=True))
        self._launch: Final = lambda: module[name].launch(
            grid, problem.local_size, tuple(self._buffers), shared=shared, device=device
        )

    def results(self, problem: Problem) -> list[Any]:
        """What the kernel computes in its first launch."""
        self._launch()
        return [self._buffers[place].copy_to_host() for place in problem.results]

    def time(self, clock: Callable[[], float]) -> float:
        start = clock()
        self._launch()
        return clock() - start


def measure(name: str, rounds: int, divisor: int, clock: Callable[[], float]) -> list[float] | str:
    """Median seconds of the source, of PTX and of PTX with counters; or why there are none."""
    if name in _UNSUPPORTED:
        return _UNSUPPORTED[name]
    chosen = kernel(name)
    problem = chosen.problem(max(chosen.tiny, chosen.size // divisor))
    text = cuda_of(source(name).read_text())
    try:
        ptx = nvcc_ptx(text)
    except subprocess.CalledProcessError as error:
        return f"nvcc: {error.stderr.strip().splitlines()[0]}"
    counting = Module(counting_unit((Source(ptx),)), session_of_this_process(), OPTIONS)
    expected = problem.expected()
    sides: list[Prepared] = []
    for module, device in ((lw.compile(text, language="cuda"), "cpu"), (lw.compile(ptx, language="ptx"), "simt"),
                           (counting, "simt")):  # fmt: skip
        prepared = Prepared(module, name, problem, device)
        if wrong := difference(problem, prepared.results(problem), expected):
            return f"wrong on {device}: {wrong}"
        sides.append(prepared)
    turns = [[side.time(clock) for side in sides] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*turns, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.simt")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--size-divisor", type=int, default=1, help="sizes are this many times smaller")
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    clock = time.process_time if options.cpu_time else time.perf_counter
    print("| kernel | source, ms | PTX, ms | ratio | with counters, ms | ratio to PTX |")
    print("| --- | --: | --: | --: | --: | --: |", flush=True)
    ratios: list[float] = []
    counted: list[float] = []
    for name in options.kernels or names():
        found = measure(name, options.rounds, options.size_divisor, clock)
        if isinstance(found, str):
            print(f"| {name} | {found} |", flush=True)
            continue
        plain, ptx, counts = (1e3 * seconds for seconds in found)
        ratios.append(ptx / plain)
        counted.append(counts / ptx)
        row = f"| {plain:.3f} | {ptx:.3f} | {ratios[-1]:.2f} | {counts:.3f} | {counted[-1]:.2f} |"
        print(f"| {name} {row}", flush=True)
    print(
        f"geometric means of {len(ratios)}: PTX {mean(ratios):.2f} times the source's time, at most "
        f"{max(ratios, default=0):.2f}; counters {mean(counted):.2f} times, at most {max(counted, default=0):.2f}"
    )


if __name__ == "__main__":
    main()
