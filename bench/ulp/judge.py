# SPDX-License-Identifier: Apache-2.0
"""The judge (judge.c) as a Python function. It is compiled by the ziglang wheel, into out/ulp, against the headers and
the libmpfr that the gmpy2 wheel brings along."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanewise.toolchain import link_shared_object, package_folder, run_zig

from .table import Row

HERE: Final = Path(__file__).parent
BUILT: Final = HERE.parent.parent / "out" / "ulp"
_MOST_ARGUMENTS: Final = 4
_MOST_WRONG: Final = 4


class _Finding(ctypes.Structure):
    _fields_ = [
        ("error", ctypes.c_double),
        ("arguments", ctypes.c_double * _MOST_ARGUMENTS),
        ("got", ctypes.c_double),
        ("exact", ctypes.c_double),
    ]


class _Outcome(ctypes.Structure):
    _fields_ = [
        ("ulp", _Finding),
        ("absolute", _Finding),
        ("points", ctypes.c_longlong),
        ("wrong_count", ctypes.c_longlong),
        ("wrong", _Finding * _MOST_WRONG),
    ]


class Finding(NamedTuple):
    """A result and its error."""

    error: float
    arguments: tuple[float, ...]
    got: float
    exact: float

    def __str__(self) -> str:
        arguments = ", ".join(value.hex() for value in self.arguments)
        return f"({arguments}): {self.got.hex()} for {self.exact.hex()}"


class Outcome(NamedTuple):
    """What was found out about a row at some points."""

    points: int
    ulp: Finding
    """Greatest error in ulp, where the row's bounds hold."""
    absolute: Finding
    """Greatest absolute error, elsewhere."""
    wrong_count: int
    wrong: tuple[Finding, ...]
    """The first results that are NaN, infinite or zero, or of a sign, where that is wrong."""

    def __add__(self, other: Outcome) -> Outcome:  # type: ignore[override]
        return Outcome(
            self.points + other.points,
            max(self.ulp, other.ulp, key=lambda finding: finding.error),
            max(self.absolute, other.absolute, key=lambda finding: finding.error),
            self.wrong_count + other.wrong_count,
            (*self.wrong, *other.wrong)[:_MOST_WRONG],
        )


class Judge:
    """Judges results of one row, and remembers the worst. For one thread."""

    def __init__(self, row: Row) -> None:
        library = _library()
        self._row: Final = row
        self._reference: Final = library.find_reference(row.reference.encode())
        if not self._reference:
            raise LookupError(f"no reference for {row.reference}")
        self._judge: Final = library.judge_floats if row.type == "float" else library.judge_doubles
        self._outcome: Final = _Outcome()

    def add(self, columns: list[NDArray[Any]], got: NDArray[Any]) -> None:
        """Judge got[i] as the result of columns[0][i], columns[1][i], ... The interpreter isn't held up."""
        row = self._row
        of = np.float32 if row.type == "float" else np.float64
        assert all(array.dtype == of and array.flags.c_contiguous and len(array) == len(got) for array in columns)
        assert got.dtype == of
        assert got.flags.c_contiguous
        pointers = (ctypes.c_void_p * len(columns))(*(array.ctypes.data for array in columns))
        self._judge(
            ctypes.c_void_p(self._reference), ctypes.c_longlong(len(got)), len(columns), pointers,
            ctypes.c_void_p(got.ctypes.data), len(columns) - 1, ctypes.c_double(row.interval[0]),
            ctypes.c_double(row.interval[1]), int(row.holds_inside), ctypes.byref(self._outcome),
        )  # fmt: skip

    @property
    def outcome(self) -> Outcome:
        count = len(self._row.parameters)
        found = self._outcome
        wrong = tuple(_finding(each, count) for each in found.wrong[: min(found.wrong_count, _MOST_WRONG)])
        return Outcome(
            found.points, _finding(found.ulp, count), _finding(found.absolute, count), found.wrong_count, wrong
        )


def _finding(found: Any, count: int) -> Finding:
    return Finding(found.error, tuple(found.arguments[:count]), found.got, found.exact)


@functools.cache
def _library() -> ctypes.CDLL:
    wheel = package_folder("gmpy2")
    if wheel is None:
        raise SystemExit("the gmpy2 wheel, whose MPFR is the reference, is not installed: pip install lanewise[ulp]")
    libraries = wheel.with_name("gmpy2.libs")
    for name in ("libgmp", "libmpfr"):
        ctypes.CDLL(str(next(libraries.glob(f"{name}-*"))), mode=ctypes.RTLD_GLOBAL)
    ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(_built(wheel)))
    library.find_reference.restype = ctypes.c_void_p
    return library


def _built(wheel: Path) -> Path:
    sources = [HERE / name for name in ("judge.c", "references.c")]
    headers = [HERE / name for name in ("judge.h", "close.h", "exact.h")]
    content = b"".join(path.read_bytes() for path in [*sources, *headers, wheel / "mpfr.h"])
    target = BUILT / f"judge-{hashlib.sha256(content).hexdigest()[:16]}.so"
    if not target.exists():
        objects: list[bytes] = []
        for path in sources:
            arguments = ["cc", "-c", "-fPIC", "-O2", "-march=native", "-ffp-contract=off", "-fno-sanitize=all"]
            object_file = BUILT / f"{path.stem}-{os.getpid()}.o"
            BUILT.mkdir(parents=True, exist_ok=True)
            run_zig([*arguments, "-I", str(wheel), str(path), "-o", str(object_file)], f"{path.name} is broken")
            objects.append(object_file.read_bytes())
            object_file.unlink()
        unfinished = target.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(link_shared_object(objects))
        unfinished.rename(target)
    return target
