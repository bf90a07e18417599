# SPDX-License-Identifier: Apache-2.0
"""The names of checks."""

from collections.abc import Iterable
from typing import cast

from lanewise.errors import Error

MEMORY = "memory"
"""Accesses out of bounds, through null pointers, and at addresses that aren't aligned."""
VALUES = "values"
"""Divisions by zero, shifts too far, conversions out of range, signed overflow."""
GLOBAL_RACES = "races in global memory"
"""The part of `RACES` that is told of with the other work-group; no name that users choose from."""
EQUAL_WRITES = "equal writes"
"""The part of `STRICT_RACES` that is told of as such, in shared memory; likewise no name that users choose from."""
GLOBAL_EQUAL_WRITES = "equal writes in global memory"
"""The same in global memory."""
UNWRITTEN = "unwritten"
"""Reads of shared memory, of arrays of the work-item and of its heap that nobody has written."""
RACES = "races"
"""Races between threads, in shared and global memory."""
STRICT_RACES = "races-strict"
"""The same, and writes of one value by several threads, which programs use to set flags; not part of all."""
BARRIERS = "barriers"
"""Barriers that work-items of a group don't come to together, and masks of warp operations that name lanes that don't
come."""
STRICT_BARRIERS = "barriers-strict"
"""The same, with barriers that are to be executed by all work-items of the group, as OpenCL C says; not part of all."""
ALL = (MEMORY, VALUES, UNWRITTEN, RACES, BARRIERS)
LEAKS = "leaks"
"""Memory of whole programs, and of their kernels' malloc(), that was never freed; not part of all, since most programs
leave that to their end."""
_EACH = "1"
"""The name of all among others, as in LANEWISE_CHECK=1,leaks."""
KNOWN = (*ALL, STRICT_RACES, STRICT_BARRIERS, LEAKS)


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
    if _EACH in wanted:
        wanted = (wanted - {_EACH}) | set(ALL)
    unknown = sorted(wanted - set(KNOWN))
    if unknown:
        several = "; several are a list of names" if "," in unknown[0] else ""
        raise Error(f"checked: there is no check {unknown[0]!r}; the checks are {', '.join(map(repr, KNOWN))}{several}")
    return tuple(name for name in KNOWN if name in wanted)


def _wrong(given: object) -> Error:
    return Error(f"checked must be True, False, or names of checks such as {MEMORY!r}, not {given!r}")
