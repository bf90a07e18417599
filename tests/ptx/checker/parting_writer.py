# SPDX-License-Identifier: Apache-2.0
"""Writes a random kernel whose lanes part: its inputs, the words that a block shares, loads of neighbours."""

from __future__ import annotations

import random
from typing import Final

from .text import Text

CELLS: Final = 512
"""Words of memory that the threads of a block share, all 0 at first."""
_MOST_THREADS: Final = 64


class Writer:
    """Writes one kernel. Registers have one meaning throughout: `tid`, the thread in its block, also in `lane`s;
    `here`, the address of its input; `cells`, that of its block's words; `sum`, of all that was loaded."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.text = text = Text()
        self.functions: list[str] = []
        self.traps: list[str] = []
        self.used = 0
        """Words of `cells`."""
        source, out, cells = (text.make("rd", "ld.param.u64", f"[{text.parameter('u64')}]") for _ in range(3))
        self.trips = text.make("r", "ld.param.u32", f"[{text.parameter('u32')}]")
        self.tid, block, self.threads, self.lane = (
            text.make("r", "mov.u32", name) for name in ("%tid.x", "%ctaid.x", "%ntid.x", "%laneid")
        )
        self.i = text.make("r", "mad.lo.s32", block, self.threads, self.tid)
        self.source = source
        self.out = self.at(out, self.i)
        self.cells = self.at(cells, text.make("r", "mul.lo.s32", block, CELLS))
        self.sum = text.make("r", "mov.u32", 1)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def at(self, base: str, index: str) -> str:
        """The address of a word."""
        return self.text.make("rd", "add.s64", base, self.text.make("rd", "mul.wide.s32", index, 4))

    def cell(self, index: str = "") -> str:
        """A new word of the block, or as many as it has threads, of which `index` chooses one."""
        first = 4 * self.used
        self.used += _MOST_THREADS if index else 1
        base = self.at(self.cells, index) if index else self.cells
        return self.text.make("rd", "add.s64", base, first)

    def loads(self, index: str, scale: int = 1) -> None:
        """Neighbours' elements, at an index that is added to the thread's own."""
        text = self.text
        if self.chance(0.7):  # a block of its own
            text.at(text.label())
        if self.chance(0.3):
            scaled = text.make("r", "mad.lo.s32", index, scale, self.i)
            address = self.at(self.source, scaled)
        else:
            moved = self.at(self.source, text.make("r", "mul.lo.s32", index, scale) if scale > 1 else index)
            address = text.make("rd", "add.s64", moved, text.make("rd", "mul.wide.u32", self.i, 4))
        for dx in self.rng.sample(range(-3, 4), self.rng.randint(2, 4)):
            value = text.make("r", f"ld.global{self.rng.choice(('', '.nc'))}.u32", f"[{address}+{4 * dx}]")
            self.mix(value)

    def mix(self, value: str) -> None:
        self.text.do("mad.lo.s32", self.sum, self.sum, 31, value)

    def gather(self) -> None:
        """What brings lanes together, or nothing."""
        match self.rng.randrange(4):
            case 0:
                self.text.do("bar.sync", 0)
            case 1 | 2:
                self.text.do("bar.warp.sync", -1)
            case _:
                pass

    def fence(self) -> None:
        self.text.do(self.rng.choice(("membar.cta", "membar.gl", "fence.acq_rel.cta", "fence.sc.gpu")))

    def half(self) -> str:
        """0 or 1: lanes below 16, or every other one, and the rest."""
        of = self.rng.choice((self.text.make("r", "shr.u32", self.lane, 4), self.lane))
        return self.text.make("r", "and.b32", of, 1)
