# SPDX-License-Identifier: Apache-2.0
"""A header that every program includes first, in clang's precompiled form: 60 ms of clang's time become 10.

The form is built when a header is included for the second time with the same arguments. If it were
built at the first time, the first program would be a third slower. From the third on, each program gains more than
that. The form is kept in the cache, under a key of all of clang's arguments and of the versions of Lanewise and its
tools. No cache, no form.

A program has the same meaning with it, and the same IR, diagnostics and dependencies. It isn't used if that is not
certain:

1. A macro that the user defines occurs in the header, or in what it includes, as a word.
2. A folder of the user's, or the current one, has a file of the name of one that the header includes.
3. Clang says anything about the precompiled file itself.
"""

import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.clang.deferred_diagnostics import without_deferred_diagnostics
from lanewise.frontend.clang.run import run_clang
from lanewise.log import looked_up

_FORM: Final = "header.pch"
_FILES: Final = "files.txt"
_WORDS: Final = "words.txt"
_USED: Final = "used"
_WORD: Final = re.compile(rb"\b[A-Za-z_]\w*")
_PASTED: Final = re.compile(rb"[A-Za-z_]\w{3,}")
"""A name that `##` may have made: the precompiled form has it, among much else that looks like a short word."""
_COMMENT: Final = re.compile(rb"//[^\"\n]*$", re.MULTILINE)


class PrecompiledHeader(NamedTuple):
    """A header as `-include` names it, and the folders, `-isystem` in order, in which it and what it includes are."""

    name: str
    folders: tuple[Path, ...]


def precompiled(
    header: PrecompiledHeader, arguments: Sequence[str], macros: Iterable[str], folders: Iterable[str], cache: Cache
) -> Path | None:
    """The precompiled form of `header` for clang's `arguments`, which name it after `-include` and hold nothing of the
    user's that names folders. None if there is no form (yet), or if it may not be used.

    `macros` are names of the user's macros, `folders` those that the user includes files from.
    """
    entry = key("precompiled header", header.name, *arguments)
    form = cache.get(entry, _FORM)
    looked_up(f"precompiled {header.name}", found=form is not None)
    form = form or _second_use(header, arguments, entry, cache)
    if form is None:
        return None
    names = [macro.encode(errors="replace") for macro in macros]
    try:
        words = form.with_name(_WORDS).read_bytes() if names else b""
        files = form.with_name(_FILES).read_text().split("\n")
    except OSError:  # evicted a moment ago
        return None
    if any(b"\n%b\n" % name in words for name in names):
        return None
    return None if any(_hides(folder, files) for folder in (".", *folders)) else form


def _hides(folder: str, files: Sequence[str]) -> bool:
    """True if `folder` has one of these files. Most folders have not even the first part of a name."""
    names = {file.partition("/")[0] for file in files}
    found = {name for name in names if os.path.exists(f"{folder}/{name}")}
    return any(os.path.exists(f"{folder}/{file}") for file in files if file.partition("/")[0] in found)


def kept_forms(cache: Cache) -> list[int]:
    """Return the bytes of each precompiled form in the cache, those of other versions of Lanewise included."""
    return cache.sizes_of(_FORM)


def with_form(arguments: Sequence[str], header: PrecompiledHeader, form: Path) -> list[str]:
    """`arguments` with the precompiled form in the place of the header's name."""
    at = list(pairwise(arguments)).index(("-include", header.name))
    return [*arguments[:at], "-include-pch", str(form), *arguments[at + 2 :]]


def _second_use(header: PrecompiledHeader, arguments: Sequence[str], entry: str, cache: Cache) -> Path | None:
    first = key("precompiled header, first use", entry)
    if cache.get(first, _USED) is None:
        cache.put(first, {_USED: b""})
        return None
    made = _build(header, arguments)
    folder = cache.put(entry, made) if made is not None else None
    return None if folder is None else folder / _FORM


def _build(header: PrecompiledHeader, arguments: Sequence[str]) -> dict[str, bytes] | None:
    """The files of the entry; None if clang fails, or if a file comes from another folder than the header's."""
    plain = [argument for argument in arguments if argument not in ("-emit-llvm", "-S")]
    plain += ["-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", "-"]
    try:
        built = run_clang("", None, plain, purpose=f"{header.name}, to precompile it")
        paths = [Path(name) for name in built.dependencies]
        files = [_name(path, header.folders) for path in paths]
        texts = [path.read_bytes() for path in paths]
    except (Error, OSError):
        return None
    if not all(files):
        return None
    words = {word for text in texts for word in _WORD.findall(_COMMENT.sub(b"", text))} | {*_PASTED.findall(built.data)}
    return {
        _FORM: without_deferred_diagnostics(built.data),
        _FILES: "\n".join(filter(None, files)).encode(),
        _WORDS: b"\n" + b"\n".join(sorted(words)) + b"\n",
    }


def _name(path: Path, folders: Iterable[Path]) -> str | None:
    """The name by which the file at `path` is included."""
    inside = [path.relative_to(folder) for folder in folders if path.is_relative_to(folder)]
    return str(min(inside, key=lambda name: len(str(name)))) if inside else None
