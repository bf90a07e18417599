# SPDX-License-Identifier: Apache-2.0
"""Amounts of memory as users write them: 4096, "512 KiB", "8 GiB"."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from lanewise.errors import Error

_UNITS: Final = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
_MOST: Final = 1 << 44
"""More than this is no amount: a process has 2^47 bytes of addresses."""


def bytes_of(amount: str | int) -> int:
    """The bytes of an amount. Error for what is none, or is not a whole number from 1 byte to 16 TiB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", str(amount).strip().lower())
    if isinstance(amount, bool) or match is None or match[2] not in _UNITS:
        raise Error(f'memory must be bytes or a text such as "8 GiB" or "512 MiB", not {amount!r}')
    nbytes = Fraction(match[1]) * _UNITS[match[2]]
    if not 1 <= nbytes <= _MOST:
        raise Error(f"memory must be from 1 byte to 16 TiB, not {amount!r}")
    if nbytes.denominator != 1:
        raise Error(f"memory must be a whole number of bytes, not {amount!r}")
    return int(nbytes)


def shown(nbytes: int) -> str:
    """An amount for people, exact where it is a whole number of some unit."""
    for unit, size in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if nbytes % size == 0:
            return f"{nbytes // size} {unit}"
    return f"{nbytes} byte{'' if nbytes == 1 else 's'}"
