# SPDX-License-Identifier: Apache-2.0
"""Random stencil kernels, as compilers write them in PTX, and launches of them.

A kernel loads from neighbouring places of some arrays and stores what it mixes of that. Most of the ways in which
taking a neighbour's value goes wrong are somewhere among them; `Stencil.traps` names those of one kernel. No kernel's
result rests on the order of its threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from .bodies import BODIES
from .indices import indexed
from .judge import Arguments, Launch
from .launches import Extent, extents
from .text import NAME
from .writer import Array, Element, Maker, Writer

_OUT: Final = Array(Element("u32", "r", 4))


@dataclass(frozen=True, slots=True)
class Stencil:
    """`traps`: what makes it harder than a plain stencil."""

    seed: int
    text: str
    launches: tuple[Launch, ...]
    traps: tuple[str, ...]
    kernel: str = NAME


def _launch(makers: list[Maker], extent: Extent) -> Launch:
    def arguments(rng: np.random.Generator) -> Arguments:
        made: dict[str, Any] = {}
        return tuple(make(extent, made, rng) for make in makers)

    return Launch(extent.grid, extent.block, arguments)


def _parameters(w: Writer) -> None:
    for array in w.arrays:
        array.base = w.pointer(lambda extent, made, rng, array=array: w.input(array, extent, rng))
    if w.own_out:
        w.out = w.pointer(lambda extent, made, rng: np.zeros(extent.threads, np.uint32))
    else:
        w.out = w.pointer(lambda extent, made, rng: w.input(_OUT, extent, rng))
    if w.dimensions > 1:
        w.pitches["pitch"] = w.number(w.pitch)
    if w.dimensions > 2:
        w.pitches["plane"] = w.number(lambda extent: w.pitch(extent) * (extent.y + 1))


def _directives(w: Writer) -> list[str]:
    if w.block:
        return [f".reqntid {', '.join(map(str, w.block))}"]
    return [".maxntid 1024, 1, 1"] if w.chance(0.2) else []


def stencil(seed: int) -> Stencil:
    """The random kernel of a seed."""
    return _written(Writer(seed))


def plain_stencil(seed: int) -> Stencil:
    """The random kernel of a seed that is `plain`: see Writer."""
    return _written(Writer(seed, plain=True))


def _written(w: Writer) -> Stencil:
    _parameters(w)
    w.positions()
    w.x = indexed(w)
    if w.body != "shared":
        w.guards()
    w.begin_sum()
    BODIES[w.body](w)
    w.store()
    w.text.at(w.end)
    w.text.do("ret")
    text = w.text.whole(w.rng.choice(("sm_70", "sm_80", "sm_80", "sm_90")), _directives(w))
    launches = tuple(_launch(w.makers, extent) for extent in extents(w.rng, w.dimensions, w.rows_first, w.block))
    return Stencil(w.seed, text, launches, tuple(w.traps))
