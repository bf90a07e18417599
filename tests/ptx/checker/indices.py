# SPDX-License-Identifier: Apache-2.0
"""What stands for x in the addresses of a random stencil, and predicates that lanes don't agree about."""

from __future__ import annotations

from typing import Any

import numpy as np

from .launches import Extent
from .writer import Writer


def indexed(w: Writer) -> str:
    """What stands for x in addresses."""
    text, i, tid = w.text, w.i, w.special("tid.x")
    match w.index:
        case "strided":
            return text.make("r", "shl.b32", i, 1)
        case "reversed":
            return text.make("r", "sub.s32", w.number(lambda extent: extent.x - 1), i)
        case "tid & 31":
            return text.make("r", "and.b32", tid, 31)
        case "tid rem n":
            return text.make("r", "rem.u32", tid, w.number(lambda extent: extent.x % 37 + 2))
        case "tid * tid":
            return text.make("r", "mul.lo.s32", tid, tid)
        case "tid >> 1":
            return text.make("r", "shr.u32", tid, 1)
        case "tid ^ 1":
            return text.make("r", "xor.b32", tid, 1)
        case "tid.y":
            return text.make("r", "mad.lo.s32", w.special("tid.y"), w.rng.choice((1, 3, 40)), i)
        case "laneid":
            return text.make("r", "add.s32", w.special("laneid"), w.special("ctaid.x"))
        case "looked up":
            return text.make("r", "add.s32", i, _looked_up(w, i))
        case "offset by a diamond":
            return _diamond(w, i)
        case "offset by selp":
            return text.make("r", "add.s32", i, text.make("r", "selp.b32", w.rng.choice((1, 2)), 0, condition(w)))
        case "scaled by a parameter":
            factor = w.rng.choice((1, 1, 2, 0))
            return text.make("r", "mul.lo.s32", i, w.number(lambda extent: factor))
        case "block of warps":
            warp = text.make("r", "shr.u32", tid, 5)
            return text.make("r", "mad.lo.s32", warp, w.rng.choice((40, 32, 33)), w.special("laneid"))
        case _:
            return i


def _looked_up(w: Writer, i: str) -> str:
    text, most = w.text, w.rng.choice((2, 2, 8))

    def table(extent: Extent, made: dict[str, Any], rng: np.random.Generator) -> Any:
        return rng.integers(0, most, extent.x, np.int32)

    address = text.make("rd", "add.s64", w.pointer(table), text.make("rd", "mul.wide.s32", i, 4))
    return text.make("r", "ld.global.u32", f"[{address}]")


def condition(w: Writer) -> str:
    """A predicate that lanes of a warp don't agree about, mostly."""
    text, tid = w.text, w.special("tid.x")
    match w.rng.randrange(5):
        case 0:
            return text.make("p", "setp.eq.s32", text.make("r", "and.b32", tid, w.rng.choice((1, 3, 16))), 0)
        case 1:
            return text.make("p", "setp.gt.s32", w.i, w.number(lambda extent: extent.x // 2))
        case 2:
            return text.make("p", "setp.lt.u32", tid, w.rng.choice((1, 5, 16, 31, 33)))
        case 3:
            return text.make("p", "setp.ne.s32", _looked_up(w, w.i), 0)
        case _:  # the same for a whole block
            return text.make("p", "setp.eq.s32", w.special("ctaid.x"), 0)


def _diamond(w: Writer, i: str) -> str:
    text, end, other = w.text, w.text.label(), w.text.label()
    predicate, result = condition(w), w.text.new("r")
    text.do("bra", other, guard=f"@{predicate}")
    text.do("mov.u32", result, i)
    text.do("bra.uni", end)
    text.at(other)
    text.do("add.s32", result, i, w.rng.choice((1, 2, 5)))
    text.at(end)
    return result
