# SPDX-License-Identifier: Apache-2.0
"""How long compilers take from CUDA C++ to PTX: Lanewise and NVRTC in a process that is warm, nvcc as a program.

Times are those of the processor, of the process and its children, so that other work on the machine disturbs them less;
the least of several runs, in which the compilers take turns. No cache has what is compiled: each run's source differs
by a comment.
"""

from __future__ import annotations

import ctypes
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import lanewise as lw

from ..cpu.geometric import mean
from .suite import kernel
from .tools import Tools

_ARCH: Final = "sm_80"
_ROUNDS: Final = 3
_LONG: Final = (10_000, 20_000)
_count = 0


def straight_line(statements: int) -> str:
    """A kernel of so many multiplications and additions, one after the other."""
    lines = ["__global__ void straight_line(float *out, const float *in, float a) {", "    int i = threadIdx.x;"]
    lines += [f"    float v{k} = in[i + {k}];" for k in range(16)]
    lines += [f"    v{k % 16} = v{k % 16} * a + v{(k * 7 + 3) % 16};" for k in range(statements)]
    lines += [f"    out[i + {k}] = v{k};" for k in range(16)]
    return "\n".join([*lines, "}", ""])


def deep_unrolling(turns: int = 24) -> str:
    """Three nested loops, all unrolled."""
    unrolled = "#pragma unroll\n"
    loops = "".join(f"{unrolled}for (int {x} = 0; {x} < {turns}; {x}++)\n" for x in "ijk")
    return (
        "__global__ void deep_unrolling(float *out, const float *in, int n) {\nfloat sum = 0;\n"
        f"{loops}sum += in[i * n + j * 3 + k] * (i + 1);\nout[threadIdx.x] = sum;\n}}\n"
    )


def table(names: Sequence[str], tools: Tools, nvrtc: str | None) -> Iterator[str]:
    """Lines of Markdown: milliseconds of the processor per kernel, geometric means, then long kernels."""
    compilers: dict[str, Callable[[str], object]] = {"lanewise": _lanewise}
    if nvrtc is not None:
        compilers["NVRTC"] = _Nvrtc(nvrtc)
    if tools.nvcc is not None:
        compilers["nvcc"] = lambda source: _nvcc(str(tools.nvcc), source)
    yield f"| kernel | {' | '.join(compilers)} |"
    yield f"| --- |{' --: |' * len(compilers)}"
    for compiler in compilers.values():
        compiler(_fresh(kernel(names[0]).source()))
    totals: list[list[float]] = []
    for name in names:
        times = _least(kernel(name).source(), list(compilers.values()))
        totals.append(times)
        yield _row(name, times)
    yield _row("geometric mean", [mean(column) for column in zip(*totals, strict=True)])
    for statements in _LONG:
        yield _row(f"{statements:,} statements", _least(straight_line(statements), list(compilers.values())))
    yield _row("three loops of 24 turns, unrolled", _least(deep_unrolling(), list(compilers.values())))


def _row(name: str, times: Sequence[float]) -> str:
    return f"| {name} | {' | '.join(f'{1000 * each:,.0f}' for each in times)} |"


def _least(source: str, compilers: Sequence[Callable[[str], object]]) -> list[float]:
    rounds = [[_seconds(lambda c=c: c(_fresh(source))) for c in compilers] for _ in range(_ROUNDS)]
    return [min(column) for column in zip(*rounds, strict=True)]


def _seconds(call: Callable[[], object]) -> float:
    start = _processor_time()
    call()
    return _processor_time() - start


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _fresh(source: str) -> str:
    global _count
    _count += 1
    return f"{source}\n// {time.time_ns()} {_count}\n"


def _lanewise(source: str) -> str:
    return lw.compile(source, language="cuda", arch=_ARCH).ptx(_ARCH)


def _nvcc(program: str, source: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernel.cu").write_text(source)
        command = [program, "-ptx", f"-arch={_ARCH}", "-std=c++17", "kernel.cu", "-o", "kernel.ptx"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


class _Nvrtc:
    """NVRTC's library, called as nvrtc.h says."""

    def __init__(self, path: str) -> None:
        self._library: Final = ctypes.CDLL(path)

    def __call__(self, source: str) -> str:
        library, program, size = self._library, ctypes.c_void_p(), ctypes.c_size_t()
        _check(library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None))
        options = (ctypes.c_char_p * 2)(f"-arch={_ARCH.replace('sm', 'compute')}".encode(), b"-std=c++17")
        _check(library.nvrtcCompileProgram(program, 2, options))
        _check(library.nvrtcGetPTXSize(program, ctypes.byref(size)))
        text = ctypes.create_string_buffer(size.value)
        _check(library.nvrtcGetPTX(program, text))
        _check(library.nvrtcDestroyProgram(ctypes.byref(program)))
        return text.value.decode()


def _check(code: int) -> None:
    if code:
        raise RuntimeError(f"NVRTC: error {code}")
