# SPDX-License-Identifier: Apache-2.0
"""`lw.compile`: checks the source and the options, and makes a module."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from lanewise.config import default_mapping
from lanewise.errors import CompileError, Error
from lanewise.frontend import table
from lanewise.frontend.given_options import GivenOptions, listed
from lanewise.frontend.source import Source
from lanewise.frontend.table import FrontEnd
from lanewise.garbage import with_rare_searches
from lanewise.program.checked.asked import checks_of
from lanewise.program.module import Module
from lanewise.program.source.language import is_text, require_language_of_file, require_language_of_text
from lanewise.program.source.mathematics import mathematics_option
from lanewise.session import Session
from lanewise.workgroup.mapping import mapping_of

if TYPE_CHECKING:
    from lanewise.frontend.unit import Unit

_MACRO: Final = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")


@with_rare_searches
def compile_source(
    session: Session,
    source: object,
    *,
    language: str | None = None,
    arch: str | None = None,
    defines: Mapping[str, str | int | float | bool | None] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    options: Sequence[str] = (),
    mapping: str | None = None,
    math: str | None = None,
    checked: object = None,
) -> Module:
    """See `lanewise.compile`. `source` may be any value that the front end of `language` takes."""
    unit = unit_of(source, language, arch, defines, include_dirs, options)
    if parts := checks_of(checked):
        from lanewise.checks.unit import CheckedUnit  # few programs are checked

        unit = CheckedUnit(unit, parts)
    return Module(unit, session, {**device_options(mapping), **mathematics_option(math)})


def unit_of(
    source: object,
    language: str | None,
    arch: str | None,
    defines: Mapping[str, str | int | float | bool | None] | None,
    include_dirs: Sequence[str | os.PathLike[str]],
    options: Sequence[str],
) -> Unit:
    """The unit of a source. Error for options that are none."""
    if not isinstance(arch, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
        raise Error(f"arch must be a name such as 'sm_80', not {arch!r}")
    if not isinstance(defines, Mapping | None):  # pyright: ignore[reportUnnecessaryIsInstance] : as above
        raise Error(f"defines must be a dict of names and values, such as {{'TILE': 16}}, not {defines!r}")
    front_end, read = _read(source, language)
    given = GivenOptions(
        arch,
        tuple((_macro_name(name), _macro(value)) for name, value in (defines or {}).items()),
        tuple(os.fspath(directory) for directory in listed("include_dirs", include_dirs)),
        options,
    )
    return front_end.load()(read, given)


def _read(source: object, language: str | None) -> tuple[FrontEnd, object]:
    """The front end, and the source that it takes: a text, read if `source` names a file, or the value itself."""
    language = "spir" if language is None and isinstance(source, bytes) else language
    front_end = None if language is None else table.front_end_of(language)
    if (binary := _binary(source, front_end)) is not None:
        return binary
    if front_end is not None and not front_end.takes_text:
        return front_end, source
    if not isinstance(source, str | os.PathLike):
        raise Error(f"source must be a path or source text, not {type(source).__name__}")
    if front_end is None and language is not None:
        known = ", ".join(sorted(row.language for row in table.FRONT_ENDS))
        raise Error(f"language '{language}': expected one of {known}")
    return _text(cast("str | os.PathLike[str]", source), front_end)


def _binary(source: object, front_end: FrontEnd | None) -> tuple[FrontEnd, Source] | None:
    """The front end and the content of a file that is no text, in which surrogates stand for bytes; None for anything
    else."""
    if not isinstance(source, str | os.PathLike):
        return None
    given = os.fspath(cast("str | os.PathLike[str]", source))
    of_file = None if is_text(given) else table.front_end_of_file(Path(given).suffix)
    if of_file is None or of_file.takes_text or front_end not in (None, of_file):
        return None
    path = Path(given)
    return of_file, Source(_content(path).decode(errors="surrogateescape"), path)


def _text(source: str | os.PathLike[str], front_end: FrontEnd | None) -> tuple[FrontEnd, Source]:
    """The front end, guessed without one, and the text. A string is source text if it has several lines or braces, or
    if the language is known and it doesn't end as a name of such files, unless there is such a file."""
    given = os.fspath(source)
    named = front_end is None or Path(given).suffix in front_end.suffixes
    if isinstance(source, str) and (is_text(given) or not named) and not _is_file(given):
        return front_end or require_language_of_text(given), Source(given)
    path = Path(given)
    guessed = front_end or require_language_of_file(path, given)
    # Older programs have comments in other encodings, which are no matter to a compiler.
    text = _content(path).decode(encoding="utf-8", errors="surrogateescape")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise CompileError(f"{path}: can't be read: it holds null characters, so it is UTF-16 or no text at all")
    return guessed, Source(text, path)


def _content(path: Path) -> bytes:
    """A file's content. CompileError if it can't be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise CompileError(f"{path}: no such file") from None
    except OSError as error:
        raise CompileError(f"{path}: can't be read: {error.strerror}") from None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long to be a name
        return False


def device_options(mapping: str | None) -> dict[str, str]:
    """The wishes for devices: the mapping that is asked for here, else by the environment."""
    if not isinstance(mapping, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write
        raise Error(f"mapping must be text such as 'lanes', not {mapping!r}")
    if mapping is not None:
        return {"mapping": str(mapping_of(mapping))}
    try:
        return {"mapping": str(mapping_of(default_mapping()))}
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
