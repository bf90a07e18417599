# SPDX-License-Identifier: Apache-2.0
"""A random program run by Python and compiled, and how they differ."""

from __future__ import annotations

import importlib.util
import tempfile
import traceback
import warnings
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import lanewise as lw
from lanewise.jit import direct

from .nests import Nest
from .program import Program

_COMPILED, _PLAIN = "import lanewise as lw", "from tests.frontend.python.generator import plain as lw"


class Failure(NamedTuple):
    """A fault of a function of a program."""

    program: Program
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.program.source}\nprogram {self.program.seed}, {self.name}: {self.text}"


def check(program: Program, compiled: bool = True, device: lw.Device | None = None) -> list[Failure]:
    """How the compiled functions of a program differ from Python's. Without `compiled`, Python runs them twice, which
    shows whether the programs themselves are right.

    Compiled functions run twice: the second call is C's on the CPU. `device`: where they run; one with memory of its
    own gets the elements that they touch.
    """
    with tempfile.TemporaryDirectory() as folder, _calls_by_c_at_once():
        plain = loaded(program.source.replace(_COMPILED, _PLAIN), Path(folder) / f"plain_{program.seed}.py")
        source = program.source.replace("exact=True", 'exact=True, transfers="exact"')
        ours = loaded(source, Path(folder) / f"program_{program.seed}.py") if compiled else plain
        texts: dict[str, str] = {}
        with lw.on(device) if device is not None else nullcontext():
            for nest in program.nests:
                texts[nest.name] = compare(plain, ours, nest)
                if compiled and not texts[nest.name] and (again := compare(plain, ours, nest)):
                    texts[nest.name] = f"called again, {again}"
    return [Failure(program, name, text) for name, text in texts.items() if text]


@contextmanager
def _calls_by_c_at_once() -> Generator[None]:
    """Within the block, the second call with certain types is C's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(direct, "FEW", 0)
        yield


def loaded(source: str, path: Path) -> ModuleType:
    """From a file, since compilers read their functions' source there."""
    path.write_text(source)
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def compare(plain: ModuleType, ours: ModuleType, nest: Nest) -> str:
    """How a function of `ours` differs from that of `plain`; empty if it doesn't."""
    expected, given = (getattr(module, f"inputs_{nest.name}")() for module in (plain, ours))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            right = getattr(plain, nest.name)(*expected)
        except Exception as error:  # of any kind: the program is wrong
            error.add_note("\n".join([*nest.lines, *nest.inputs]))
            raise
        try:
            found = getattr(ours, nest.name)(*given)
        except Exception:  # of any kind: that is what was looked for
            return traceback.format_exc()
    if text := difference(found, right, nest.tolerance):
        return f"it returns something else: {text}"
    for place, (array, correct) in enumerate(zip(given, expected, strict=True)):
        if not isinstance(correct, np.ndarray):
            continue
        tolerance = nest.tolerance if place in nest.inexact else 0.0
        if text := difference(array, correct, tolerance):
            return f"argument {place} differs: {text}"
        if correct.base is not None and (text := difference(array.base, correct.base, tolerance)):
            return f"the memory around argument {place} differs: {text}"
    return ""


def difference(found: Any, right: Any, tolerance: float) -> str:
    """The places where two arrays or numbers differ, by type, by bits or by more than `tolerance`; empty if
    nowhere. Python's numbers have the types that NumPy makes of them."""
    if found is None or right is None:
        return "" if found is right else f"{found!r}, not {right!r}"
    a, b = np.asarray(found), np.asarray(right)
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype}{list(a.shape)} {found!r}, not {b.dtype}{list(b.shape)} {right!r}"
    if a.dtype.names is not None:
        texts = {name: difference(a[name], b[name], tolerance) for name in a.dtype.names}
        return "; ".join(f"field {name}: {text}" for name, text in texts.items() if text)
    if a.dtype.kind == "c":
        texts = {name: difference(getattr(a, name), getattr(b, name), tolerance) for name in ("real", "imag")}
        return "; ".join(f"{name}: {text}" for name, text in texts.items() if text)
    equal = (a == b) | ((a != a) & (b != b))
    if a.dtype.kind == "f":
        equal &= np.signbit(a) == np.signbit(b)
        if tolerance:
            equal |= np.abs(a.astype(np.float64) - b.astype(np.float64)) <= tolerance
    if equal.all():
        return ""
    worst = np.unravel_index(int(np.argmin(equal)), equal.shape)
    at = [int(each) for each in worst]
    count = np.count_nonzero(~equal)
    return f"{count} of {equal.size}, the first at {at}: {a[worst]!r}, not {b[worst]!r}"
