# SPDX-License-Identifier: Apache-2.0
"""Clang's diagnostics, read from what it prints, and the error that shows them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lanewise.errors import CompileError

# A message shows this many errors whole; all of them are in `CompileError.diagnostics`.
SHOWN_ERRORS = 5

_SEVERITY = r"(?P<severity>fatal error|error|warning|note|remark)"
_IN_SOURCE = re.compile(rf"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): {_SEVERITY}: (?P<text>.*)$")
# Clang's driver calls itself by the name of its file.
_OF_THE_DRIVER = re.compile(rf"^(?:(?:zig )?[\w.+-]+: )?{_SEVERITY}: (?P<text>.*)$")
_TOTAL = re.compile(r"^\d+ (errors?|warnings?)( and \d+ (errors?|warnings?))? generated")
_INCLUSION = "In file included from "


class Diagnostic(NamedTuple):
    """One message of clang. `line` and `column` count from 1; both are 0, and `file` is empty, for messages
    about an option or the compiler itself. `context` is the source line, the caret and the trail of inclusions."""

    file: str
    line: int
    column: int
    severity: str
    text: str
    context: str = ""

    @property
    def is_error(self) -> bool:
        return self.severity in ("error", "fatal error")

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.text}"

    def shown(self) -> str:
        """The message followed by its context."""
        return f"{self}\n{self.context}" if self.context else str(self)


def read_diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """The messages in clang's standard error, in their order."""
    found: list[Diagnostic] = []
    inclusions: list[str] = []
    context: list[str] = []

    def close() -> None:
        if found and context:
            last = found[-1]
            found[-1] = Diagnostic(
                last.file, last.line, last.column, last.severity, last.text, "\n".join(context).rstrip()
            )
        context.clear()

    for line in text.splitlines():
        if line.startswith(_INCLUSION):
            inclusions.append(line)
        elif match := _IN_SOURCE.match(line):
            close()
            context.extend(f"  {inclusion[0].lower()}{inclusion[1:]}" for inclusion in inclusions)
            inclusions.clear()
            found.append(
                Diagnostic(match["file"], int(match["line"]), int(match["column"]), match["severity"], match["text"])
            )
        elif match := _OF_THE_DRIVER.match(line):
            close()
            found.append(Diagnostic("", 0, 0, match["severity"], match["text"]))
        elif not _TOTAL.match(line):
            context.append(line)
    close()
    return once_each(found)


def once_each(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics without repetitions and their notes. Clang repeats some if it reads a construct twice, and host
    and device code are compiled in runs of their own."""
    seen: set[str] = set()
    kept: list[Diagnostic] = []
    is_new = True
    for diagnostic in diagnostics:
        if diagnostic.severity != "note":
            is_new = str(diagnostic) not in seen
            seen.add(str(diagnostic))
        if is_new:
            kept.append(diagnostic)
    return tuple(kept)


def compile_error(diagnostics: Sequence[Diagnostic]) -> CompileError:
    """The error for a failed run: the first errors with their notes and source lines, and how many more there are."""
    shown: list[str] = []
    errors = 0
    for diagnostic in diagnostics:
        if diagnostic.is_error:
            errors += 1
        elif diagnostic.severity != "note":
            continue
        if 1 <= errors <= SHOWN_ERRORS:
            shown.append(diagnostic.shown())
    if errors > SHOWN_ERRORS:
        shown.append(f"and {errors - SHOWN_ERRORS} more errors")
    return CompileError("\n".join(shown), tuple(str(diagnostic) for diagnostic in diagnostics))
