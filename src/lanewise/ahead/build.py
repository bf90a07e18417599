# SPDX-License-Identifier: Apache-2.0
"""A module built ahead of time: the machine code of its functions, in a file beside its source (`jit/built.py`)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lanewise.ahead.function_types import FunctionTypes
from lanewise.ahead.user_module import jit_functions, user_module
from lanewise.cache import tool_versions
from lanewise.errors import Error
from lanewise.frontend.python.python_types import Type
from lanewise.frontend.python.unit import PythonUnit
from lanewise.jit.built import FORMAT, RUNTIME, SUFFIX, digest_of_text, forms
from lanewise.jit.function import JitFunction
from lanewise.jit.geometry import usual_blocks
from lanewise.jit.made_kernel import Made
from lanewise.jit.region_kernel import RegionKernel
from lanewise.program.saved import lwo
from lanewise.program.saved.files import Contents
from lanewise.runtime.build import libraries_to_bring
from lanewise.session import session_of_this_process


class FunctionReport(NamedTuple):
    """A function of a module: its name, file and line, the lines of its compiled loops, or the reason if it can't be
    built."""

    name: str
    place: str
    loops: tuple[int, ...]
    reason: str = ""


class Survey(NamedTuple):
    """A module's functions, those with types that are known, and a report on each."""

    source: Path
    text: str
    """The digest of the source."""
    types: tuple[FunctionTypes, ...]
    functions: tuple[FunctionReport, ...]


class BuiltFile(NamedTuple):
    """The content of the file beside a source, and a report on each function."""

    source: Path
    contents: Contents
    functions: tuple[FunctionReport, ...]


def survey(source: Path) -> Survey:
    """The functions that can be built of a module, and the reasons why others can't. Error for a module that can't be
    imported, or of which nothing can be built."""
    module = user_module(source)
    types: list[FunctionTypes] = []
    reports: list[FunctionReport] = []
    for function in jit_functions(module):
        found, report = _surveyed(source, function)
        reports.append(report)
        types += [] if found is None else [found]
    if not any(each.parts.regions for each in types):
        raise Error(f"{source}: nothing can be built: {_why_nothing(reports)}")
    return Survey(source, digest_of_text(module.__file__ or ""), tuple(types), tuple(reports))


def _surveyed(source: Path, function: JitFunction) -> tuple[FunctionTypes | None, FunctionReport]:
    name, place = function.py_func.__qualname__, f"{source}:{function.py_func.__code__.co_firstlineno}"
    try:
        found = FunctionTypes(function)
    except Error as error:
        return None, FunctionReport(name, place, (), " ".join(str(error).split("\n", 1)[0].split()))
    return found, FunctionReport(name, place, tuple(sorted({_line(each) for each in found.parts.regions})))


def _line(kernel: RegionKernel) -> int:
    """The line of a region's loop."""
    region = kernel.region
    return (region.body[0] if region.loop is None else region.loop).lineno


def built(found: Survey) -> BuiltFile:
    """The functions, compiled for this processor or the one that `LANEWISE_CPU` names."""
    regions: dict[str, dict[str, Any]] = {}
    libraries = libraries_to_bring(session_of_this_process().cache)
    files = {f"{RUNTIME}{digest}": data for digest, data in libraries.items()}
    for kernel, types in (pair for function in found.types for pair in function.pairs()):
        for made in _forms(kernel, types):
            unit = made.module.unit
            assert isinstance(unit, PythonUnit)
            digest = unit.portable_digest
            blocks = usual_blocks(made.grid, reduces=bool(kernel.region.reductions))
            regions[digest], kept = made.module.contents({made.symbol: blocks})
            files |= {f"0/{digest}/{name}": data for name, data in kept.items()}
    about = {
        "format": FORMAT,
        "source": found.source.name,
        "text": found.text,
        "made by": tool_versions(),
        "others": {each.name: each.reason for each in found.functions if each.reason},
        "targets": [{"regions": regions}],
    }
    return BuiltFile(found.source, Contents(about, files), found.functions)


def write(made: BuiltFile, folder: Path | None = None) -> Path:
    """Write the file beside its source, or into a folder, with a copy of the source: each whole or not at all. Returns
    its path. Error if that can't be done."""
    if folder is None:
        path = made.source.with_suffix(SUFFIX)
    else:
        path = (folder / made.source.name).with_suffix(SUFFIX)
        make_folder(folder)
        copy = folder / made.source.name
        if not copy.exists() or not copy.samefile(made.source):
            lwo.replace(copy, made.source.read_bytes())
    lwo.write(path, *made.contents)
    return path


def make_folder(folder: Path) -> None:
    """Make a folder, unless it is there. Error if that can't be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error(f"{folder}: the folder can't be made: {error.strerror}") from None


def _forms(kernel: RegionKernel, types: dict[str, Type]) -> Iterator[Made]:
    """The kernels of a region: for each form of its types, and for arrays that overlap if these need another."""
    for form in forms(types):
        made = kernel.compiled_for(form)
        yield made
        if made.grid is not None and made.grid.has_found:
            yield kernel.compiled_for(form, widen=False)


def _why_nothing(reports: Sequence[FunctionReport]) -> str:
    if not reports:
        return "no function in it is marked with @lw.jit"
    first = next((each for each in reports if each.reason), None)
    return "its functions have no loops" if first is None else f"{first.place}: '{first.name}': {first.reason}"
