# SPDX-License-Identifier: Apache-2.0
"""The names of checks."""

from collections.abc import Iterable
from typing import cast

from lanewise.errors import Error

MEMORY = "memory"
"""Accesses out of bounds, through null pointers, and at addresses that aren't aligned."""
VALUES = "values"
"""Divisions by zero, shifts too far, conversions out of range, signed overflow."""
RACES = "races"
"""Races between threads of a block in shared memory."""
ALL = (MEMORY, VALUES, RACES)


def parts_of(given: object) -> tuple[str, ...]:
    """The checks that `checked=` asks for: True for all, False or None for none, a name, or several. Error for another
    value."""
    if given is None or given is False:
        return ()
    if given is True:
        return ALL
    if not isinstance(given, Iterable):
        raise _wrong(given)
    names: list[object] = [given] if isinstance(given, str) else list(cast("Iterable[object]", given))
    if not all(isinstance(name, str) for name in names):
        raise _wrong(cast("object", given))
    wanted = {str(name) for name in names}
    unknown = sorted(wanted - set(ALL))
    if unknown:
        raise Error(f"checked: there is no check {unknown[0]!r}; the checks are {', '.join(map(repr, ALL))}")
    return tuple(name for name in ALL if name in wanted)


def _wrong(given: object) -> Error:
    return Error(f"checked must be True, False, or names of checks such as {MEMORY!r}, not {given!r}")
