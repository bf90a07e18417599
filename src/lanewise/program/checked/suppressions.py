# SPDX-License-Identifier: Apache-2.0
"""Suppressions: places in the source, and kernels, whose faults are not told.

A line of the file has a rule of `rules.py`, or `*` for all, and then a place:

    race histogram.cu:12      that line of the file
    race histogram.cu         all of it
    overflow kernel:hash      a kernel, by its name in the source
    * third_party/*.cuh       names of files and kernels may have `*`

The name of a file means the end of a path, from a `/` on. Empty lines, and what follows a `#`, are nothing.
"""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.errors import Error
from lanewise.program.checked.faults import KernelFault
from lanewise.program.checked.rules import RULES, rule_of

_ALL: Final = "*"
_KERNEL: Final = "kernel:"
_LINE: Final = re.compile(r"(?P<file>.+?)(?::(?P<line>\d+))?")


class Suppression(NamedTuple):
    """A line of the file: `text` as it is written; `line` is 0 for all of a source file."""

    text: str
    rule: str
    kernel: str
    file: str
    line: int

    def matches(self, fault: KernelFault) -> bool:
        """True for a fault that it suppresses. A race is one of both its places."""
        if self.rule not in (_ALL, rule_of(fault)):
            return False
        if self.kernel:
            return fnmatchcase(fault.kernel, self.kernel)
        places = [(fault.file, fault.line)]
        if fault.other is not None and fault.other.line:
            places.append((fault.other.file, fault.other.line))
        return any(self._is_at(file, line) for file, line in places)

    def _is_at(self, file: str, line: int) -> bool:
        ends = fnmatchcase(file, self.file) or fnmatchcase(file, f"*/{self.file}")
        return ends and self.line in (0, line)


def read_suppressions(path: str) -> tuple[Suppression, ...]:
    """The suppressions of a file; none for "". Error for a file that can't be read, or a line that is none."""
    if not path:
        return ()
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError as error:
        raise Error(f"LANEWISE_CHECK_SUPPRESS: {path}: can't be read: {error.strerror}") from None
    return tuple(
        _suppression(text, f"{path}:{number}")
        for number, line in enumerate(lines, 1)
        if (text := line.partition("#")[0].strip())
    )


def suppressing(suppressions: Sequence[Suppression], fault: KernelFault) -> Suppression | None:
    """The first suppression of a fault, whose kernel has its name in the source; None if it is to be told."""
    return next((each for each in suppressions if each.matches(fault)), None)


def _suppression(text: str, place: str) -> Suppression:
    rule, _, where = text.partition(" ")
    where = where.strip()
    if rule != _ALL and rule not in RULES:
        raise Error(f"LANEWISE_CHECK_SUPPRESS: {place}: there is no rule {rule!r}; the rules are {', '.join(RULES)}")
    match = _LINE.fullmatch(where)
    if match is None or where == _KERNEL:
        raise Error(
            f"LANEWISE_CHECK_SUPPRESS: {place}: {text!r} names no place; expected a file, as in '{rule} blur.cu:12', "
            f"or '{rule} kernel:blur'"
        )
    if where.startswith(_KERNEL):
        return Suppression(text, rule, where.removeprefix(_KERNEL), "", 0)
    return Suppression(text, rule, "", match["file"], int(match["line"] or 0))
