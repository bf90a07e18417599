# SPDX-License-Identifier: Apache-2.0
"""src/lanewise/mathlib/functions.toml as values: a `Row` for each function and type."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import lanewise

TABLE: Final = Path(lanewise.__file__).with_name("mathlib") / "functions.toml"
TYPES: Final = ("float", "double")
CORRECTLY_ROUNDED: Final = 0.5

Range = tuple[float, float]


class Row(NamedTuple):
    """A function of one type, and what standards ask of it."""

    function: str
    """The name in the table, "sincos (sine)" for example."""
    type: str
    parameters: tuple[str, ...]
    """Types in CUDA C++."""
    result: str
    body: str | None
    reference: str
    opencl: float | None
    """Greatest error in ulp; `CORRECTLY_ROUNDED` where the standard asks for that."""
    cuda: float | None
    opencl_only: bool
    ranges: tuple[tuple[Range, ...], ...]
    """Boxes, a range for each parameter."""
    integers: Range
    """Least and greatest integer argument."""
    interval: Range
    """The bounds hold for the last argument inside of this or, by `holds_inside`, outside."""
    holds_inside: bool
    absolute: float | None
    """Greatest absolute error where the bounds in ulp don't hold."""

    @property
    def name(self) -> str:
        """As C spells it: sincosf (sine)."""
        word, space, rest = self.function.partition(" ")
        return word + ("f" if self.type == "float" else "") + space + rest

    @property
    def symbol(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def takes_every_float(self) -> bool:
        return self.parameters == ("float",)


def rows(names: Sequence[str] = ()) -> list[Row]:
    """All rows, or those of the functions that `names` spells as C does. Raises `SystemExit` for an unknown name."""
    entries: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text())
    found = [_row(name, entry, index) for name, entry in entries.items() for index in range(len(TYPES))]
    if not names:
        return found
    known = {spelling for row in found for spelling in (row.name, row.symbol)}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"no such function in {TABLE.name}: {', '.join(unknown)}")
    return [row for row in found if row.name in names or row.symbol in names]


def _row(name: str, entry: dict[str, Any], index: int) -> Row:
    of_type = TYPES[index]
    parameters = tuple(of_type if word == "T" else word for word in entry.get("parameters", ["T"]))
    inside = entry.get("inside")
    outside = entry.get("outside")
    if outside is not None:
        interval = (float(outside[index][0]), float(outside[index][1]))
    else:
        size = math.inf if inside is None else float(inside)
        interval = (-size, size)
    return Row(
        function=name,
        type=of_type,
        parameters=parameters,
        result=entry.get("result", of_type),
        body=entry.get("body"),
        reference=entry.get("reference", name),
        opencl=_bound(entry.get("opencl")),
        cuda=_bound(entry["cuda"][index] if "cuda" in entry else None),
        opencl_only="opencl" in entry and "cuda" not in entry,
        ranges=tuple(_box(box) for box in entry["ranges"]),
        integers=tuple(entry.get("integers", (-math.inf, math.inf))),
        interval=interval,
        holds_inside=outside is None,
        absolute=entry["absolute"][index] if "absolute" in entry else None,
    )


def _bound(value: float | None) -> float | None:
    return CORRECTLY_ROUNDED if value == 0 else value


def _box(box: list[Any]) -> tuple[Range, ...]:
    ranges: list[list[float]] = box if isinstance(box[0], list) else [box]
    return tuple((float(low), float(high)) for low, high in ranges)
