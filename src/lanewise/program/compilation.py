# SPDX-License-Identifier: Apache-2.0
"""`lw.compile`: from what the user gives to a module."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

from lanewise.config import default_mapping
from lanewise.errors import CompileError, Error
from lanewise.garbage import with_rare_searches
from lanewise.program.language import LANGUAGES, is_text, require_language_of_file, require_language_of_text
from lanewise.program.module import Module
from lanewise.program.unit import Unit
from lanewise.session import Session
from lanewise.workgroup.mapping import Mapping as WorkItemMapping
from lanewise.workgroup.mapping import mapping_of

_T = TypeVar("_T")

DEFAULT_ARCH: Final = "sm_80"
"""The architecture of a module for which none is chosen."""

_MACRO: Final = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")

_LATER: Final = frozenset({"ptx", "python"})


@with_rare_searches
def compile_source(
    session: Session,
    source: str | os.PathLike[str],
    *,
    language: str | None = None,
    arch: str | None = None,
    defines: Mapping[str, str | int | float | bool | None] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    options: Sequence[str] = (),
    mapping: str | None = None,
) -> Module:
    """See `lanewise.compile`."""
    if not isinstance(source, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise Error(f"source must be a path or source text, not {type(source).__name__}")
    if not isinstance(arch, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : as above
        raise Error(f"arch must be a name such as 'sm_80', not {arch!r}")
    if not isinstance(defines, Mapping | None):  # pyright: ignore[reportUnnecessaryIsInstance] : as above
        raise Error(f"defines must be a dict of names and values, such as {{'TILE': 16}}, not {defines!r}")
    if not isinstance(mapping, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : as above
        raise Error(f"mapping must be text such as 'lanes', not {mapping!r}")
    text, path, language = _read(source, language)
    listed = (options,) if language == "opencl" and isinstance(options, str) else tuple(_listed("options", options))
    if language == "cuda":
        arch, listed = _architecture(arch, listed)
    unit = Unit(
        text,
        path,
        language,
        arch or DEFAULT_ARCH,
        tuple((_macro_name(name), _macro(value)) for name, value in (defines or {}).items()),
        tuple(os.fspath(directory) for directory in _listed("include_dirs", include_dirs)),
        listed,
        mapping=_mapping(mapping),
    )
    return Module(unit, session)


def _read(source: str | os.PathLike[str], language: str | None) -> tuple[str, Path | None, str]:
    """Text, path and language. A string is source text if it has several lines or braces, or if a language is given,
    unless there is such a file."""
    if language is not None and language not in LANGUAGES.values():
        later = " (not supported yet)" if language in _LATER else ""
        raise Error(f"language '{language}'{later}: expected one of {', '.join(sorted(set(LANGUAGES.values())))}")
    given = os.fspath(source)
    if isinstance(source, str) and (language is not None or is_text(given)) and not _is_file(given):
        return given, None, language or require_language_of_text(given)
    path = Path(given)
    guessed = language or require_language_of_file(path, given)
    try:
        # Older programs have comments in other encodings, which are no matter to a compiler.
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        raise CompileError(f"{path}: no such file") from None
    except OSError as error:
        raise CompileError(f"{path}: can't be read: {error}") from None
    if "\0" in text:
        raise CompileError(f"{path}: can't be read: it holds null characters, so it is UTF-16 or no text at all")
    return text, path, guessed


def _architecture(arch: str | None, options: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The architecture that `arch` or one of nvcc's `options` chooses, and the other options."""
    if not options:
        return arch, options
    from lanewise.frontend.cuda.nvcc_options import split_architecture  # few programs need it

    chosen, rest = split_architecture(options)
    if arch is not None and chosen is not None and arch != chosen:
        raise Error(f"arch is {arch!r}, but the options choose {chosen!r}")
    return arch or chosen, rest


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long to be a name
        return False


def _mapping(text: str | None) -> WorkItemMapping:
    """What is asked for here, else by the environment."""
    if text is not None:
        return mapping_of(text)
    try:
        return mapping_of(default_mapping())
    except Error as error:
        raise Error(f"LANEWISE_MAPPING: {error}") from None


def _macro(value: str | float | bool | None) -> str | None:
    if isinstance(value, bool):
        return str(int(value))
    return None if value is None else str(value)


def _macro_name(name: str) -> str:
    if not _MACRO.fullmatch(name):
        raise Error(f"defines: {name!r} is not the name of a macro")
    return name


def _listed(what: str, values: Sequence[_T]) -> Sequence[_T]:
    if isinstance(values, str | bytes):
        raise Error(f"{what} must be a list, such as [{values!r}], not one string")
    return values
