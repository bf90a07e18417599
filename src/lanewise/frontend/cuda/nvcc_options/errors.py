# SPDX-License-Identifier: Apache-2.0
"""nvcc's `-Werror KIND,...`, which makes errors of some warnings, in clang's words.

Clang's own `-Werror` and `-Werror=NAME` stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_OPTION: Final = "Werror"
_KINDS: Final = {
    "all-warnings": "-Werror",
    "deprecated-declarations": "-Werror=deprecated-declarations",
    "reorder": "-Werror=reorder",
    "cross-execution-space-call": "",  # an error anyway
    "default-stream-launch": "",
    "missing-launch-bounds": "",
    "ext-lambda-captures-this": "",
}
"""Kinds of warnings, with clang's option for each that it has."""


def with_clangs_errors(words: Sequence[str]) -> list[str]:
    """The words of a command line with `-Werror KIND,...` replaced."""
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.removeprefix("-").removeprefix("-").partition("=")
        if name != _OPTION or not word.startswith("-"):
            found.append(word)
            continue
        if not equals and rest:
            value = rest[0]
        kinds = value.split(",")
        if all(kind in _KINDS for kind in kinds):
            found += [_KINDS[kind] for kind in kinds if _KINDS[kind]]
            del rest[: 0 if equals else 1]
        else:
            found.append("-" + word.lstrip("-"))
    return found
