# SPDX-License-Identifier: Apache-2.0
"""Nanoseconds a call: our functions as vectorised loops, ours and libm's one call after the other."""

from __future__ import annotations

import ctypes
import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import lanewise
import lanewise as lw
from lanewise.device.cpu import CpuDevice
from lanewise.toolchain import link_shared_object, run_zig

from . import kernels
from .judge import BUILT, HERE
from .table import Row

_SOURCE: Final = Path(lanewise.__file__).with_name("mathlib") / "source"
_VECTORISED_CALLS: Final = 1 << 20
_SCALAR_CALLS: Final = 1 << 12
_REPEATS: Final = 15


class Speed(NamedTuple):
    """Nanoseconds a call on one core, the least of several runs; None where there is nothing to call."""

    loop: float
    """A kernel of Lanewise on the CPU device, which LLVM vectorises."""
    scalar: float | None
    """The function of the library alone, compiled for this processor."""
    libm: float | None


def measure(row: Row) -> Speed:
    """In the first range of the row."""
    random = np.random.default_rng(1)
    of = np.float32 if row.type == "float" else np.float64
    columns = [
        (values if parameter == row.type else np.rint(values)).astype(of)
        for parameter, (low, high) in zip(row.parameters, row.ranges[0], strict=True)
        for values in [low + (high - low) * random.random(_VECTORISED_CALLS)]
    ]
    scalar = libm = None
    if set(row.parameters) == {row.type} and row.result == row.type and len(columns) <= 2 and row.body is None:
        few = [column[:_SCALAR_CALLS] for column in columns]
        scalar, libm = (_scalar(row, few, library) for library in (_ours(), ctypes.CDLL("libm.so.6")))
    return Speed(_loop(row, columns), scalar, libm)


def _least(run: Callable[[], object], calls: int) -> float:
    times: list[float] = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) / calls * 1e9


def _loop(row: Row, columns: list[NDArray[Any]]) -> float:
    kernel = lw.compile(kernels.source([row]), language="cuda")[kernels.over_points(0)]
    got = np.empty_like(columns[0])
    grid = _VECTORISED_CALLS // kernels.BLOCK
    cpu = lw.device("cpu")
    assert isinstance(cpu, CpuDevice)
    threads = cpu.num_threads
    cpu.set_num_threads(1)
    try:
        return _least(lambda: kernel[grid, kernels.BLOCK](got, *columns, _VECTORISED_CALLS), _VECTORISED_CALLS)
    finally:
        cpu.set_num_threads(threads)


def _scalar(row: Row, columns: list[NDArray[Any]], library: ctypes.CDLL) -> float | None:
    try:
        function = getattr(library, row.symbol)
    except AttributeError:
        return None
    caller = getattr(_callers(), f"{('unary', 'binary')[len(columns) - 1]}_{row.type}")
    got = np.empty_like(columns[0])
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (got, *columns)]
    return _least(lambda: caller(function, ctypes.c_long(len(got)), *pointers), len(got))


@functools.cache
def _callers() -> ctypes.CDLL:
    return _load("callers", [HERE / "speed.c"], ())


@functools.cache
def _ours() -> ctypes.CDLL:
    """All of the library. Its functions call one another, never libm's of the same name: they are protected."""
    arguments = ("-I", str(_SOURCE), "-ffreestanding", "-fno-builtin", "-fno-math-errno", "-fvisibility=protected")
    return _load("ours", sorted(_SOURCE.glob("*/*.c")), arguments)


def _load(name: str, sources: list[Path], arguments: tuple[str, ...]) -> ctypes.CDLL:
    """Compile C for this processor, without vectorising."""
    target = "-march=native", "-O2", "-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off", "-fno-sanitize=all"
    BUILT.mkdir(parents=True, exist_ok=True)
    file = BUILT / f"{name}-{os.getpid()}"
    objects: list[bytes] = []
    for source in sources:
        run_zig(
            ["cc", "-c", "-fPIC", "-std=gnu11", *target, *arguments, str(source), "-o", str(file)],
            f"{source.name} is broken",
        )
        objects.append(file.read_bytes())
    file.write_bytes(link_shared_object(objects))
    library = ctypes.CDLL(str(file))
    file.unlink()
    return library
