# SPDX-License-Identifier: Apache-2.0
"""A user's module, imported for being built: by its own name, with its package around it."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from lanewise.errors import CompileError, Error
from lanewise.jit.function import JitFunction


def dotted_name(source: Path) -> tuple[str, Path]:
    """The name by which programs import a source, and the folder that they find it in: that of the outermost package
    around it."""
    folder, names = source.parent, [source.stem]
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names if names[-1] != "__init__" else names[:-1]), folder


def user_module(source: Path) -> ModuleType:
    """The module of a source, imported. Error for no such file; CompileError, in one line with file and line, for a
    module that can't be imported."""
    if source.suffix != ".py":
        raise Error(f"{source}: modules that are built are files of Python, such as fast.py")
    if not source.is_file():
        raise Error(f"{source}: no such file")
    name, folder = dotted_name(source.resolve())
    if name.partition(".")[0] in sys.stdlib_module_names:  # which what is loaded later may import
        raise Error(f"{source}: the module '{name}' that Python imports is another one, of its standard library")
    sys.path.insert(0, str(folder))
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise _told(source, error) from None
    finally:
        sys.path.remove(str(folder))
    found = getattr(module, "__file__", None)
    if found is None or Path(found).resolve() != source.resolve():
        raise Error(f"{source}: the module '{name}' that Python imports is another one, {found or 'without a file'}")
    return module


def jit_functions(module: ModuleType) -> list[JitFunction]:
    """The functions marked with `lw.jit` that the module defines, in the order of the source."""
    found = {
        id(value): value
        for value in vars(module).values()
        if isinstance(value, JitFunction) and value.py_func.__module__ == module.__name__
    }
    return sorted(found.values(), key=lambda each: each.py_func.__code__.co_firstlineno)


def _told(source: Path, error: BaseException) -> CompileError:
    """An exception of a module that is imported, as one line at the deepest place in the module."""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}"
        return CompileError(f"{place}: error: {error.msg}", (f"{place}: error: {error.msg}",))
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_same(frame.filename, source)]
    place = f"{source}:{own[-1].lineno}" if own else str(source)
    reason = " ".join(str(error).split())
    shown = f"{place}: error: the module can't be imported: {type(error).__name__}{': ' if reason else ''}{reason}"
    return CompileError(shown, (shown,))


def _is_same(file: str, source: Path) -> bool:
    return Path(file).resolve() == source.resolve()
