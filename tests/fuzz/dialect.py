# SPDX-License-Identifier: Apache-2.0
"""What a source language has, as far as random kernels need to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .aggregates import Aggregate
from .arithmetic import Number

if TYPE_CHECKING:
    from .writer import Kind


@dataclass(frozen=True)
class Dialect:
    numbers: Sequence[Number]
    """To draw from; common ones stand there more than once."""
    unsigned: Number
    int: Number
    operands: Mapping[str, Number]
    """What stands in braces in a template and isn't of the template's own type."""
    converted: Callable[[str, Number, Number], str]
    """A value of one type as another."""
    memory: Sequence[tuple[str, Number, int]]
    """Arrays of so many elements that all work-items read."""
    streams: Sequence[tuple[str, Number]]
    """Elements that all work-items may read, at places that count with an index {p}; see `Scope.streams`."""
    places: Sequence[str]
    """What tells work-items apart: of type `unsigned`, and small."""
    sides: Sequence[str]
    """Conditions on where a work-item is."""
    aggregates: Sequence[Aggregate]
    kinds: Sequence[Kind]
    """Of statements."""
    barrier: str
    masks: Sequence[str] = ()
    """Where operations of a warp are made: ways to write the lanes that a warp begins with."""
