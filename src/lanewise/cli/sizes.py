# SPDX-License-Identifier: Apache-2.0
"""Numbers of entries and bytes, as text."""

from __future__ import annotations


def counted(entries: int) -> str:
    """The number of entries of the cache."""
    return f"{entries} entr{'y' if entries == 1 else 'ies'}"


def size(bytes_: int) -> str:
    """A number of bytes in a unit that suits it."""
    amount = float(bytes_)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1000:
            return f"{amount:.0f} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"
