# SPDX-License-Identifier: Apache-2.0
"""The language of a source: by the end of its file's name, or by its text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from lanewise.errors import CompileError, Error

LANGUAGES: Final = {".cu": "cuda", ".cuh": "cuda", ".cl": "opencl", ".ll": "ir"}
"""Language of a file by the end of its name."""

_NAMES: Final = "cuda (.cu, .cuh), opencl (.cl), ir (kernel IR, .ll)"
_COMPILED: Final = {
    ".lwo": "is a saved module, compiled already: lw.load({!r})",
    ".ptx": "is PTX, which is read and rewritten, but not run: lw.ptx.parse(Path({!r}).read_text())",
}

_NOT_CODE: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_MARKS: Final = (
    ("cuda", re.compile(r"\b__(?:global|device)__\b")),
    ("opencl", re.compile(r"\b__kernel\b|\bkernel\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?void\b", re.DOTALL)),
    ("ir", re.compile(r"^define [^\n]*\bptx_kernel\b|^target triple\s*=", re.MULTILINE)),
)
_MAIN: Final = re.compile(r"\b(?:int|void|auto)\s+main\s*\([^;{]*\)[^;{]*\{")
_LONGEST_NAME: Final = 4096


def language_of_text(text: str) -> str | None:
    """The language whose marks, such as `__global__` or `__kernel`, are in a source text; None without any, or with
    those of several."""
    code = without_comments(text)
    found = [language for language, mark in _MARKS if mark.search(code)]
    return found[0] if len(found) == 1 else None


def is_text(source: str) -> bool:
    """The string is no file's name but a source text, as several lines or braces tell."""
    return "\n" in source or len(source) > _LONGEST_NAME or ("{" in source and "}" in source)


def require_language_of_text(text: str) -> str:
    """The language of a source text that comes without one. Error if it can't be told."""
    language = language_of_text(text)
    if language is None:
        first = next((line.strip() for line in text.splitlines() if line.strip()), "")
        shown = first if len(first) <= 40 else f"{first[:40]}..."
        raise Error(
            f"the language of the source text ({shown!r}) can't be told by __global__ or __kernel in it: give "
            'language="cuda", "opencl" or "ir"'
        )
    return language


def require_language_of_file(path: Path, given: str) -> str:
    """The language of a file by the end of its name. Error if it can't be told, CompileError for no file."""
    language = LANGUAGES.get(path.suffix)
    if language is not None:
        return language
    if path.suffix in _COMPILED:
        raise Error(f"{path} {_COMPILED[path.suffix].format(given)}")
    if not path.exists():
        raise CompileError(f"{path}: no such file")
    ending = f"'{path.suffix}'" if path.suffix else "no ending"
    raise Error(f"{path}: the end of the name ({ending}) tells no language; known are {_NAMES}; or give language=")


def line_of_main(text: str) -> int | None:
    """The line on which a CUDA source defines `main`; None if it doesn't."""
    found = _MAIN.search(without_comments(text))
    return None if found is None else text.count("\n", 0, found.start()) + 1


def without_comments(text: str) -> str:
    """The text with comments and strings blanked out, at its old length."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
