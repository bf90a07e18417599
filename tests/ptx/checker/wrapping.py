# SPDX-License-Identifier: Apache-2.0
"""Random kernels whose 32-bit index wraps in the midst of a warp, so that lanes side by side read 16 GB apart.

An offset that is folded into the address and one that is added before the extension then differ, and the neighbour's
element need not be the neighbouring lane's. No compiler's source does that on purpose: signed overflow is undefined in
C. So these are apart from `stencils`, for what claims to hold in PTX, which has no such rule.
"""

from __future__ import annotations

import random

import numpy as np

from .judge import Arguments, Launch
from .memory import Placed
from .stencils import Stencil
from .text import NAME, Text

_ROOM = 4096
"""Elements on each side of where the index wraps."""
_BLOCKS = ((32, 1, 1), (64, 1, 1), (48, 1, 1), (16, 16, 1), (40, 3, 1))


def _launch(block: tuple[int, int, int], blocks: int, first: int, unsigned: bool) -> Launch:
    begin, end = (0, 1 << 32) if unsigned else (-1 << 31, 1 << 31)

    def arguments(rng: np.random.Generator) -> Arguments:
        below, above = (rng.integers(0, 1 << 32, 2 * _ROOM, np.uint32) for _ in range(2))
        places = ((begin - _ROOM) * 4, below), ((end - _ROOM) * 4, above)
        out = np.zeros(block[0] * block[1] * block[2] * blocks, np.uint32)
        return Placed(places), out, first & 0xFFFFFFFF

    return Launch((blocks, 1, 1), block, arguments)


def wrapping(seed: int) -> Stencil:
    """The random kernel of a seed."""
    rng, text = random.Random(seed), Text()
    unsigned = rng.random() < 0.5
    sign = "u" if unsigned else "s"
    array, out = (text.make("rd", "ld.param.u64", f"[{text.parameter('u64')}]") for _ in range(2))
    first = text.make("r", "ld.param.u32", f"[{text.parameter('u32')}]")
    tid, ntid, y = (text.make("r", "mov.u32", name) for name in ("%tid.x", "%ntid.x", "%tid.y"))
    i = text.make("r", "mad.lo.s32", text.make("r", "mov.u32", "%ctaid.x"), ntid, tid)
    e = text.make("r", "add.s32", i, first)
    address = text.make("rd", "add.s64", array, text.make("rd", f"mul.wide.{sign}32", e, 4))
    total = text.make("r", "mov.u32", 1)
    for dx in rng.sample(range(-4, 5), rng.randint(2, 5)):
        place = f"[{address}+{4 * dx}]" if dx else f"[{address}]"
        if rng.random() < 0.4:
            moved = text.make("rd", f"mul.wide.{sign}32", text.make("r", "add.s32", e, dx), 4)
            place = f"[{text.make('rd', 'add.s64', array, moved)}]"
        total = text.make("r", "mad.lo.s32", total, 31, text.make("r", "ld.global.u32", place))
    rows = text.make("r", "mov.u32", "%ntid.y")
    line = text.make("r", "mad.lo.s32", text.make("r", "mov.u32", "%ctaid.x"), rows, y)
    cell = text.make("r", "mad.lo.s32", line, ntid, tid)
    text.do("st.global.u32", f"[{text.make('rd', 'add.s64', out, text.make('rd', 'mul.wide.u32', cell, 4))}]", total)
    text.do("ret")
    top = 1 << 32 if unsigned else 1 << 31
    launches = [_launch(block, blocks, top - rng.randint(1, block[0] * blocks), unsigned)
                for block, blocks in ((rng.choice(_BLOCKS), rng.randint(1, 3)) for _ in range(4))]  # fmt: skip
    return Stencil(seed, text.whole("sm_80", []), tuple(launches), ("wrapping",), NAME)
