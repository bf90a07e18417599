# SPDX-License-Identifier: Apache-2.0
"""Excerpts of code in docstrings: some of its lines in order, `...` for what is left out."""

import re

_NUMBER = re.compile(r"%(\d+)\b")


def lines(text: str) -> list[str]:
    """Lines that say something, without attachments."""
    return [re.sub(r", ![\w.]+ ![\w.]+", "", line).strip() for line in text.splitlines() if line.strip()]


def matched(wanted: str, found: str, numbers: dict[str, str]) -> dict[str, str] | None:
    """The numbers of values in `found` by those in `wanted`, if the lines are the same but for them."""
    if _NUMBER.sub("%", wanted) != _NUMBER.sub("%", found):
        return None
    pairs_ = list(zip(_NUMBER.findall(wanted), _NUMBER.findall(found), strict=True))
    return numbers | dict(pairs_) if all(numbers.get(a, b) == b for a, b in pairs_) else None


def has_excerpt(wanted: list[str], found: list[str], numbers: dict[str, str], anywhere: bool) -> bool:
    """True if the lines come in this order, each next to the one before it unless `...` is between them."""
    if not wanted:
        return True
    if wanted[0] == "...":
        return has_excerpt(wanted[1:], found, numbers, True)
    for place, line in enumerate(found if anywhere else found[:1]):
        now = matched(wanted[0], line, numbers)
        if now is not None and has_excerpt(wanted[1:], found[place + 1 :], now, False):
            return True
    return False
