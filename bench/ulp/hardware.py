# SPDX-License-Identifier: Apache-2.0
"""The functions that GPUs have a form of their own of, run here with models of the approximate instructions
(approximations.h). They are compiled by the ziglang wheel, into out/ulp."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lanewise.mathlib.library import SOURCE, hardware_files, library_file
from lanewise.toolchain import link_shared_object, run_zig

from . import points, sweep
from .judge import BUILT, HERE, Judge, Outcome
from .table import CORRECTLY_ROUNDED, Row, rows

AT_RANDOM: Final = 1 << 16
_MODEL: Final = HERE / "approximations.h"
_FLOATS_AT_ONCE: Final = 1 << 20

Columns = list[NDArray[Any]]


def hardware_rows(names: Sequence[str] = ()) -> list[Row]:
    """The rows of functions with a form for GPUs, or those of them that `names` spells as C does."""
    return [row for row in rows(names) if row.symbol in _files() and row.body is None]


def results(row: Row, columns: Columns, directions: int = 0) -> NDArray[Any]:
    """Values at these points. `directions`: a bit for each instruction, set where its results are too great rather than
    too small; `AT_RANDOM`, either."""
    return _run(row, columns, directions)[0]


def all_directions(row: Row) -> list[int]:
    """Each combination of sides that matters to a function, and both at random."""
    (columns,) = itertools.islice(points.chunks(row, 0), 1)
    more = next(itertools.islice(points.chunks(row, 1 << 14), 1, None))
    used = _run(row, columns, 0)[1] | _run(row, more, 0)[1]
    bits = [1 << place for place in range(16) if used >> place & 1]
    sides = [sum(chosen) for count in range(len(bits) + 1) for chosen in itertools.combinations(bits, count)]
    return [*sides, AT_RANDOM] if bits else [0]


def at_points(row: Row, count: int, jobs: int) -> Outcome:
    """At special points and `count` others, with the instructions' errors on all sides."""
    return _judged(row, lambda: points.chunks(row, count), jobs)


def at_every_float(row: Row, jobs: int, stride: int = 1) -> Outcome:
    """At all 2^32, or at each `stride`-th float; otherwise as `at_points`."""

    def pieces() -> Iterator[Columns]:
        yield from points.chunks(row, jobs * points.CHUNK)
        for first in range(0, 1 << 32, _FLOATS_AT_ONCE * stride):
            last = min(first + _FLOATS_AT_ONCE * stride, 1 << 32)
            yield [np.arange(first, last, stride, dtype=np.uint32).view(np.float32)]

    return _judged(row, pieces, jobs)


def _judged(row: Row, pieces: Any, jobs: int) -> Outcome:
    def work(piece: tuple[int, Columns], judge: Judge) -> None:
        directions, columns = piece
        judge.add(columns, results(row, columns, directions))

    every = ((directions, columns) for directions in all_directions(row) for columns in pieces())
    return sweep.spread(row, every, work, jobs)


def _run(row: Row, columns: Columns, directions: int) -> tuple[NDArray[Any], int]:
    got = np.empty_like(columns[0])
    pointers = (ctypes.c_void_p * len(columns))(*(column.ctypes.data for column in columns))
    run = _library()[f"run_{row.symbol}"]
    used = run(pointers, ctypes.c_void_p(got.ctypes.data), ctypes.c_longlong(len(got)), directions)
    return got, used


_CALLED: Final = ("__lw_scale_by_power_of_twof", "__lw_scale_by_power_of_two")
"""Functions of other files that these functions call."""


@functools.cache
def _files() -> dict[str, Path]:
    """The file of each function that has code of its own for GPUs, or uses reciprocals (reciprocal.h)."""
    shared = {row.symbol: file for row in rows() if (file := library_file(row.symbol)) is not None and _divides(file)}
    return {**shared, **hardware_files()}


@functools.cache
def _divides(file: Path) -> bool:
    included = [SOURCE / name for name in re.findall(r'#include "(.*)"', file.read_text())]
    return any(path.name == "reciprocal.h" or _divides(path) for path in included)


@functools.cache
def _library() -> ctypes.CDLL:
    ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(_built()))


def _built() -> Path:
    called = {file for name in _CALLED if (file := library_file(name)) is not None}
    texts = {path: _with_loops(path) for path in sorted({*_files().values(), *called})}
    headers = [_MODEL, *sorted(SOURCE.rglob("*.h"))]
    content = "".join([*texts.values(), *(path.read_text() for path in [*headers, *texts])])
    target = BUILT / f"hardware-{hashlib.sha256(content.encode()).hexdigest()[:16]}.so"
    if not target.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(link_shared_object([_compiled(text) for text in texts.values()]))
        unfinished.rename(target)
    return target


def _compiled(text: str) -> bytes:
    source, object_file = (BUILT / f"hardware-{os.getpid()}.{suffix}" for suffix in ("c", "o"))
    source.write_text(text)
    command = [
        "cc", "-c", "-fPIC", "-O2", "-march=native", "-ffp-contract=off", "-fno-sanitize=all", "-fno-builtin",
        "-fno-math-errno", "-fno-trapping-math", "-DLW_FUSED=1", "-DLW_HARDWARE=1", f'-DLW_MODEL="{_MODEL}"',
        "-I", str(SOURCE), str(source), "-o", str(object_file),
    ]  # fmt: skip
    run_zig(command, "a function for GPUs is broken")
    made = object_file.read_bytes()
    source.unlink()
    object_file.unlink()
    return made


def _with_loops(path: Path) -> str:
    """A file of the library whose functions have other names than those of C, and a loop over each of them."""
    text = ['#include "hardware/instructions.h"']  # whose model calls the C library
    text += [f"#define {name} hardware_{name}" for name, file in _files().items() if file == path]
    text += [f'#include "{path}"']
    text += [_loop(row) for row in hardware_rows() if _files()[row.symbol] == path]
    return "\n".join(text) + "\n"


def _loop(row: Row) -> str:
    arguments = ", ".join(f"({of})columns[{i}][at]" for i, of in enumerate(row.parameters))
    return f"""
int run_{row.symbol}(const {row.type} *const *columns, {row.type} *result, i64 count, int sides) {{
  directions = sides;
  used = 0;
  for (i64 at = 0; at < count; at++)
    result[at] = {row.symbol}({arguments});
  return used;
}}"""


def exceeded(row: Row, outcome: Outcome) -> float | None:
    """CUDA's bound, if the worst result is beyond it. CUDA counts the steps to the correctly rounded result, which is
    up to half an ulp from the exact one; beside a power of two, a step is an ulp on one side and two on the other."""
    worst = outcome.ulp
    if row.cuda is None or worst.error <= max(row.cuda, CORRECTLY_ROUNDED) + 0.5:
        return None
    of, bits = (np.float32, np.int32) if row.type == "float" else (np.float64, np.int64)
    got, exact = (int(of(value).view(bits)) for value in (worst.got, worst.exact))
    return row.cuda if abs(got - exact) > row.cuda else None
