# SPDX-License-Identifier: Apache-2.0
"""Random kernels whose lanes part: locks, flags, fences, barriers of some lanes, calls in loops, bodies for some lanes.

Lanes of a warp then read one address at different times, or are in different iterations of a loop, and come together
all the same, as `Machine` sees to. No kernel has a race, and none's result depends on the order of its threads: where
they wait for one another, it is for their turn.

A kernel is a row of scenes. A scene finds out an index, mostly another one for each lane, that looks alike for all;
loads of neighbours at that index follow, within the scene or behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from . import looping, waiting
from .judge import Arguments, Launch
from .parting_writer import CELLS, Writer
from .stencils import Stencil
from .text import NAME

_ROOM: Final = 8192
"""Elements on each side of where the input's pointer is."""
SCENES: Final[dict[str, tuple[Callable[[Writer], None], int]]] = {
    "lock by turns": (waiting.by_turns, 2),
    "flags of their own": (waiting.by_flags, 2),
    "turn in a function": (waiting.by_function, 1),
    "handed over": (waiting.handed_over, 2),
    "published": (waiting.published, 2),
    "called in a loop": (looping.called, 2),
    "halves": (looping.halves, 2),
    "nest": (looping.nest, 4),
}
"""Each with its weight."""


def _launch(block: int, blocks: int, trips: int) -> Launch:
    def arguments(rng: np.random.Generator) -> Arguments:
        source = rng.integers(0, 1 << 32, 2 * _ROOM, np.uint32)
        return source[_ROOM:], np.zeros(block * blocks, np.uint32), np.zeros(CELLS * blocks, np.uint32), trips

    return Launch((blocks, 1, 1), (block, 1, 1), arguments)


def parting(seed: int) -> Stencil:
    """The random kernel of a seed."""
    w = Writer(seed)
    rng, text = w.rng, w.text
    chosen = rng.choices(list(SCENES), [weight for _, weight in SCENES.values()], k=rng.randint(1, 3))
    for name in chosen:
        SCENES[name][0](w)
    text.do("st.global.u32", f"[{w.out}]", w.sum)
    text.do("ret")
    target = rng.choice(("sm_60", "sm_70", "sm_80", "sm_90"))
    whole = text.whole(target, []).replace(
        ".address_size 64\n", ".address_size 64\n" + "\n".join(w.functions) + "\n", 1
    )
    launch = _launch(rng.choice((32, 32, 64)), rng.choice((1, 1, 2)), rng.randint(2, 4))
    return Stencil(seed, whole, (launch,), tuple(dict.fromkeys(chosen)), NAME)
