# SPDX-License-Identifier: Apache-2.0
"""Modules of Python built ahead of time: machine code in a file beside the source, as `__pycache__` has byte code.

`lanewise build fast.py` writes `fast.jit.lwo`. The module stays the Python that it is; what its loops would be compiled
to at a call is in the file, under the portable digests of the regions. The form is that of saved modules
(`program/saved/lwo.py`). Beside `about`, it has

    runtime/DIGEST           shared objects of the runtime, by the digest of their sources
    0/DIGEST/program.json    a region for certain types, as `program/saved/files.py` has modules;
    0/DIGEST/cpu/...         number 0 is the first of the targets that there is code for
"""

import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, final

from lanewise import locks
from lanewise.errors import CompileError, Error
from lanewise.frontend.python.parallel import Grid
from lanewise.frontend.python.python_types import Array, Tuple, Type
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.unit import text_of
from lanewise.program.module import Module, restored
from lanewise.program.saved import lwo
from lanewise.program.saved.files import Contents
from lanewise.runtime.brought_libraries import bring
from lanewise.session import Session

SUFFIX: Final = ".jit.lwo"
FORMAT: Final = 1
RUNTIME: Final = "runtime/"


@final
class BuiltModule:
    """The file beside a source. `functions`: those that Python runs, or may compile at a call, each with the reason."""

    def __init__(self, path: Path, content: lwo.Content) -> None:
        """KeyError or ValueError for another content."""
        about = content.about
        if about["format"] != FORMAT:
            raise ValueError
        self.path: Final = path
        self.text: Final = str(about["text"])
        self.others: Final[dict[str, str]] = {str(name): str(why) for name, why in about["others"].items()}
        self.targets: Final[Sequence[Mapping[str, Any]]] = about["targets"]
        self._files: Final = content.files
        self._modules: Final[dict[tuple[str, Session], Module]] = {}
        self._refused: str | None = None
        self._target: int | None = None
        bring({name.removeprefix(RUNTIME): data for name, data in self._files.items() if name.startswith(RUNTIME)})

    def module(self, digests: Sequence[str], session: Session) -> tuple[int, Module] | None:
        """The first of the regions with these portable digests that the file has, its place among them, and its kernel.
        None if it has none of them, or no code for this processor."""
        for place, digest in enumerate(digests):
            for number, target in enumerate(self.targets):
                if digest not in target["regions"] or self._target not in (None, number):
                    continue
                try:
                    return place, self._restored(number, digest, session)
                except Error as error:  # another processor, or version; the last target is the least
                    self._refused = str(error)
        return None

    def _restored(self, number: int, digest: str, session: Session) -> Module:
        """The kernel of a region for a target, which is that of all others from now on. Error if it can't run here."""
        made = self._modules.get((digest, session))
        if made is None:
            prefix = f"{number}/{digest}/"
            files = {name.removeprefix(prefix): data for name, data in self._files.items() if name.startswith(prefix)}
            contents = Contents(self.targets[number]["regions"][digest], files)
            made = self._modules[digest, session] = restored(session, str(self.path), contents, digest)
            self._target = number
        return made

    @property
    def refused(self) -> str:
        """The reason why none of the code can be used here; empty if there is none."""
        return "" if self._target is not None else self._refused or ""


_found: Final[dict[str, BuiltModule | None]] = {}
_lock: Final = locks.lock()


def built_beside(source: str) -> BuiltModule | None:
    """The file that was built of a source, if it stands beside it. None, with a warning, for that of another text."""
    with _lock:
        if source not in _found:
            _found[source] = _read(source)
        return _found[source]


def _read(source: str) -> BuiltModule | None:
    path = Path(source).with_suffix(SUFFIX)
    if not source.endswith(".py") or not path.is_file():
        return None
    try:
        built = BuiltModule(path, lwo.read(path))
    except (Error, KeyError, ValueError, TypeError) as error:
        reason = str(error) if isinstance(error, Error) else f"{path} was not written by this version's lanewise build"
        warnings.warn(f"{reason}: it is not used", RuntimeWarning, stacklevel=2)
        return None
    if built.text != digest_of_text(source):
        warnings.warn(
            f"{path} was built of another {Path(source).name} and is not used: run lanewise build again",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return built


def without_compiler(region: PythonRegion, types: Mapping[str, Type], grid: Grid | None) -> CompileError:
    """The error for a region that would have to be compiled where there is no compiler. CompileError for Python that no
    compiler would take."""
    from lanewise.frontend.python.translate import translate  # rare

    translate(region, types, grid)
    place, shown = f"{region.file}:{region.line}", ", ".join(f"{name}: {of.name}" for name, of in types.items())
    built = built_beside(region.file)
    had = "nothing of it was built ahead of time" if built is None else f"{built.path} has no code for that"
    if built is not None and built.refused:
        had = built.refused
    return CompileError(
        f"{place}: this loop has to be compiled for {shown or 'no inputs'}, and there is no compiler: {had}; "
        "pip install llvmlite ziglang, or build the module for such arguments"
    )


def digest_of_text(source: str) -> str:
    """The digest by which a source is known to be the one that was built."""
    return hashlib.sha256(text_of(source).encode(errors="surrogateescape")).hexdigest()


# -- forms of types ----------------------------------------------------------------------------------------------------


def forms(types: Mapping[str, Type]) -> Iterator[dict[str, Type]]:
    """The types that code is built for, in place of those of one call: arrays in C order, then ones whose rows are
    dense, then ones of any strides. Arrays may be written to."""
    arrays = {name: of for name, of in types.items() if isinstance(of, Array)}
    shown = {(True, True): None, (False, True): None, (False, False): None}
    if all(of.ndim == 1 for of in arrays.values()):
        del shown[False, True]
    if not arrays:
        shown = {(True, True): None}
    for contiguous, dense in shown:
        made = {name: of._replace(contiguous=contiguous, dense=dense, const=False) for name, of in arrays.items()}
        yield {**types, **made}


def forms_for(types: Mapping[str, Type], written: frozenset[str]) -> list[dict[str, Type]]:
    """The forms that take values of these types, the fastest first. `written`: the arrays that the region may write to,
    for which no form takes read-only ones."""
    if any(isinstance(of, Tuple) and of.has_arrays for of in types.values()):
        return [dict(types)]
    arrays = {name: of for name, of in types.items() if isinstance(of, Array)}
    if any(of.const and name in written for name, of in arrays.items()):
        return []
    return [form for form in forms(types) if all(_takes(form[name], of) for name, of in arrays.items())]


def _takes(form: Type, given: Array) -> bool:
    assert isinstance(form, Array)
    return (given.contiguous or not form.contiguous) and (given.dense or not form.dense)
