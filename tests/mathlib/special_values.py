# SPDX-License-Identifier: Apache-2.0
"""Reads special_values.txt."""

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

_LINE = re.compile(r"(\w+)\(([^)]*)\) = (\S+)")


class Special(NamedTuple):
    function: str
    arguments: tuple[str, ...]
    result: str


def specials() -> list[Special]:
    lines = Path(__file__).with_name("special_values.txt").read_text().splitlines()
    matches = [_LINE.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert all(matches)
    return [Special(match[1], tuple(match[2].split(", ")), match[3]) for match in matches if match]


def number(text: str, of: type[np.floating[Any]]) -> np.floating[Any]:
    """-0, inf, 2.5, -denormal, -3*pi/4"""
    sign, size = (-1, text[1:]) if text.startswith("-") else (1, text)
    if size == "denormal":
        return of(sign * np.finfo(of).smallest_subnormal)
    factor, _, rest = size.rpartition("pi")
    if size.startswith("pi") or factor:
        return of(sign * np.pi * float(factor.rstrip("*") or 1) / float(rest.lstrip("/") or 1))
    return of(sign * float(size))


def same(got: np.floating[Any], text: str) -> bool:
    wanted = number(text, type(got))
    if "pi" in text:
        return bool(abs(got - wanted) <= np.spacing(abs(wanted)))
    return got.tobytes() == wanted.tobytes() or bool(np.isnan(got) and np.isnan(wanted))
