# SPDX-License-Identifier: Apache-2.0
"""Random kernels whose lanes part: locks, flags, fences, barriers of some lanes, calls in loops, bodies for some lanes.

Lanes of a warp then read one address at different times, or are in different iterations of a loop, and come together
all the same, as `Machine` sees to. No kernel has a race, and none's result depends on the order of its threads: where
they wait for one another, it is for their turn.

A kernel is a row of scenes. A scene finds out an index, mostly another one for each lane, that looks alike for all;
loads of neighbours at that index follow, within the scene or behind it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import numpy as np

from .judge import Arguments, Launch
from .stencils import Stencil
from .text import NAME, Text

_ROOM: Final = 8192
"""Elements on each side of where the input's pointer is."""
_CELLS: Final = 512
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
        self.cells = self.at(cells, text.make("r", "mul.lo.s32", block, _CELLS))
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


# -- one address at different times ---------------------------------------------------------------------------------


def _wait(w: Writer, cell: str, wanted: str) -> None:
    """Until a word is `wanted`."""
    text, again, found = w.text, w.text.label(), w.text.new("r")
    text.at(again)
    match w.rng.randrange(5):
        case 0:
            text.do("ld.volatile.global.u32", found, f"[{cell}]")
            w.fence()
        case 1:
            text.do("ld.relaxed.gpu.global.u32", found, f"[{cell}]")
            w.fence()
        case 2:
            text.do("ld.acquire.gpu.global.u32", found, f"[{cell}]")
        case 3:
            text.do("atom.global.add.u32", found, f"[{cell}]", 0)
        case _:
            text.do("atom.acquire.gpu.global.cas.b32", found, f"[{cell}]", wanted, wanted)
    text.do("bra", again, guard=f"@{text.make('p', 'setp.ne.s32', found, wanted)}")


def _tell(w: Writer, cell: str, value: str | int, guard: str = "") -> None:
    """Others that wait for it."""
    text = w.text
    match w.rng.randrange(4):
        case 0:
            w.fence()
            text.do("st.volatile.global.u32", f"[{cell}]", value, guard=guard)
        case 1:
            text.do("st.release.gpu.global.u32", f"[{cell}]", value, guard=guard)
        case 2:
            w.fence()
            text.do("atom.global.exch.b32", text.new("r"), f"[{cell}]", value, guard=guard)
        case _:
            w.fence()
            text.do("red.global.max.u32", f"[{cell}]", value, guard=guard)


def _take(w: Writer, cell: str) -> str:
    """The plain read of a word that all threads read, and one after the other adds to."""
    found = w.text.make("r", "ld.global.u32", f"[{cell}]")
    more = w.text.make("r", "add.s32", found, w.rng.choice((1, 2, 3, 5)))
    w.text.do("st.global.u32", f"[{cell}]", more)
    return found


def _by_turns(w: Writer) -> None:
    """A lock that threads take one after the other."""
    text, turn, shared = w.text, w.cell(), w.cell()
    mine = w.tid
    if w.chance(0.4):
        mine = text.make("r", "sub.s32", text.make("r", "add.s32", w.threads, -1), w.tid)
    _wait(w, turn, mine)
    found = _take(w, shared)
    _tell(w, turn, text.make("r", "add.s32", mine, 1))
    w.gather()
    w.loads(found)


def _by_flags(w: Writer) -> None:
    """Each thread waits for a flag of its own, which the one before sets."""
    text, flag, shared = w.text, w.cell(w.tid), w.cell()
    first, last = text.label(), text.make("p", "setp.ne.s32", text.make("r", "add.s32", w.tid, 1), w.threads)
    one = text.make("r", "mov.u32", 1)
    text.do("bra", first, guard=f"@{text.make('p', 'setp.eq.s32', w.tid, 0)}")
    _wait(w, flag, one)
    text.at(first)
    found = _take(w, shared)
    _tell(w, text.make("rd", "add.s64", flag, 4), one, guard=f"@{last}")
    w.gather()
    w.loads(found)


def _by_function(w: Writer) -> None:
    """A function waits for the turn."""
    text, turn, shared = w.text, w.cell(), w.cell()
    name = f"turn{len(w.functions)}"
    w.functions.append(f"""
.func (.param .b32 r0) {name}(.param .b64 a0, .param .b32 a1)
{{
	.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<2>;
	ld.param.b64 %rd1, [a0]; ld.param.b32 %r1, [a1];
W:
	ld.volatile.global.u32 %r2, [%rd1]; setp.ne.s32 %p1, %r1, %r2; @%p1 bra W;
	st.param.b32 [r0], %r2; ret;
}}""")
    got = text.new("r")
    text.lines.append(f"""	{{
	.param .b64 q0; st.param.b64 [q0], {turn};
	.param .b32 q1; st.param.b32 [q1], {w.tid};
	.param .b32 v0;
	call.uni (v0), {name}, (q0, q1);
	ld.param.b32 {got}, [v0];
	}}""")
    found = _take(w, shared)
    _tell(w, turn, text.make("r", "add.s32", got, 1))
    w.gather()
    w.loads(found)


def _handed_over(w: Writer) -> None:
    """Half of a warp reads a word before one lane of the other half has changed it, the other half after that."""
    text = w.text
    cell = w.cell(text.make("r", "shr.u32", w.tid, 5))
    high = text.make("p", "setp.ge.u32", w.lane, 16)
    writes = text.make("p", "setp.eq.s32", w.lane, w.rng.choice((16, 23, 31)))
    late, read, met, out = (text.label() for _ in range(4))
    text.do("bra", late, guard=f"@{high}")
    text.at(read)
    if w.chance(0.7):
        w.fence()
    found = text.make("r", "ld.global.u32", f"[{cell}]")
    text.do("bra", met, guard=f"@{high}")
    text.do("bar.warp.sync", -1)
    text.at(met)
    text.do("bar.warp.sync", -1)
    text.do("bra.uni", out)
    text.at(late)
    text.do("bar.warp.sync", -1)
    text.do("st.global.u32", f"[{cell}]", w.rng.choice((1, 2, 100)), guard=f"@{writes}")
    text.do("bar.warp.sync", "0xffff0000")
    text.do("bra.uni", read)
    text.at(out)
    w.loads(found)


def _published(w: Writer) -> None:
    """One thread changes a word, and a barrier of the block follows, once or in a loop: all find the same."""
    text, cell = w.text, w.cell()
    first = text.make("p", "setp.eq.s32", w.tid, 0)
    trip, again = text.make("r", "mov.u32", 0), text.label()
    text.at(again)
    value = text.make("r", "mad.lo.s32", trip, 7, 3)
    if w.chance(0.5):
        text.do("atom.global.exch.b32", text.new("r"), f"[{cell}]", value, guard=f"@{first}")
    else:
        text.do("st.global.u32", f"[{cell}]", value, guard=f"@{first}")
    text.do("bar.sync", 0)
    found = text.make("r", "ld.global.u32", f"[{cell}]")
    w.loads(found)
    text.do("bar.sync", 0)
    text.do("add.s32", trip, trip, 1)
    if w.chance(0.6):
        text.do("bra", again, guard=f"@{text.make('p', 'setp.lt.s32', trip, w.trips)}")


# -- different iterations -------------------------------------------------------------------------------------------


def _called(w: Writer) -> None:
    """A function in a loop, in which half of each warp waits at a barrier more often in one iteration."""
    text, name = w.text, f"half{len(w.functions)}"
    extra = w.rng.randrange(2)
    w.functions.append(f"""
.func {name}(.param .b32 a0, .param .b32 a1)
{{
	.reg .b32 %r<4>; .reg .pred %p<3>;
	bar.warp.sync -1;
	ld.param.b32 %r1, [a0]; ld.param.b32 %r2, [a1];
	setp.lt.u32 %p1, %r1, 16; @%p1 bra E;
	setp.ne.s32 %p2, %r2, {extra}; @%p2 bra E;
	bar.warp.sync -1;
E:
	ret;
}}""")
    trip, again = text.make("r", "mov.u32", 0), text.label()
    text.at(again)
    text.lines.append(f"""	{{
	.param .b32 q0; st.param.b32 [q0], {w.lane};
	.param .b32 q1; st.param.b32 [q1], {trip};
	call {name}, (q0, q1);
	}}""")
    w.loads(trip, w.rng.choice((2, 3, 40)))
    text.do("add.s32", trip, trip, 1)
    text.do("bra", again, guard=f"@{text.make('p', 'setp.lt.s32', trip, 3)}")
    text.do("bra", end := text.label(), guard=f"@{text.make('p', 'setp.ge.u32', w.lane, 16)}")
    text.do("bar.warp.sync", -1)
    text.at(end)


def _halves(w: Writer) -> None:
    """Halves of a warp that wait for themselves only."""
    text = w.text
    low = text.make("p", "setp.lt.u32", w.lane, 16)
    mask = text.make("r", "selp.b32", "0xffff", "0xffff0000", low)
    trip, again = text.make("r", "mov.u32", 0), text.label()
    text.at(again)
    text.do("bar.warp.sync", mask)
    if w.chance(0.5):
        w.mix(text.make("r", "vote.sync.ballot.b32", low, mask))
    w.loads(trip, w.rng.choice((2, 3, 40)))
    text.do("add.s32", trip, trip, 1)
    text.do("bra", again, guard=f"@{text.make('p', 'setp.lt.s32', trip, w.trips)}")


def _nest(w: Writer) -> None:
    """Loops in one another, whose innermost has a body for some lanes, or a length of each lane's own; then what they
    leave behind."""
    text, depth = w.text, w.rng.randint(1, 3)
    half, headers, trips = w.half(), list[str](), list[str]()
    index = text.make("r", "mov.u32", 0)
    for _ in range(depth):
        trips.append(text.make("r", "mov.u32", w.rng.choice((0, 0, 1))))
        headers.append(text.label())
        text.at(headers[-1])
    behind = text.label()
    parity = text.make("r", "and.b32", text.make("r", "add.s32", half, w.rng.choice(trips)), 1)
    text.do("bra", behind, guard=f"@{text.make('p', 'setp.eq.s32', parity, 0)}")
    within = w.chance(0.6)
    here = index
    if w.chance(0.5):
        here = text.make("r", "mov.u32", trips[0])
        for trip in trips[1:]:
            here = text.make("r", "mad.lo.s32", here, 5, trip)
    if within:
        w.loads(here, w.rng.choice((1, 2)))
    text.at(behind)
    if not within:
        w.loads(index, w.rng.choice((1, 2)))
    for level in reversed(range(depth)):
        text.do("add.s32", index, index, w.rng.choice((1, 2, 32)) if level == depth - 1 else 3)
        text.do("add.s32", trips[level], trips[level], 1)
        end = w.trips
        if w.chance(0.3):
            end = text.make("r", "add.s32", half, w.rng.choice((1, 2)))
        text.do("bra", headers[level], guard=f"@{text.make('p', 'setp.lt.s32', trips[level], end)}")
    if w.chance(0.4):
        w.gather()
        w.loads(w.rng.choice((index, *trips)), 2)


SCENES: Final[dict[str, Callable[[Writer], None]]] = {
    "lock by turns": _by_turns, "flags of their own": _by_flags, "turn in a function": _by_function,
    "handed over": _handed_over, "published": _published, "called in a loop": _called, "halves": _halves,
    "nest": _nest,
}  # fmt: skip
_WEIGHTS: Final = (2, 2, 1, 2, 2, 2, 2, 4)


def _launch(block: int, blocks: int, trips: int) -> Launch:
    def arguments(rng: np.random.Generator) -> Arguments:
        source = rng.integers(0, 1 << 32, 2 * _ROOM, np.uint32)
        return source[_ROOM:], np.zeros(block * blocks, np.uint32), np.zeros(_CELLS * blocks, np.uint32), trips

    return Launch((blocks, 1, 1), (block, 1, 1), arguments)


def parting(seed: int) -> Stencil:
    """The random kernel of a seed."""
    w = Writer(seed)
    rng, text = w.rng, w.text
    chosen = rng.choices(list(SCENES), _WEIGHTS, k=rng.randint(1, 3))
    for name in chosen:
        SCENES[name](w)
    text.do("st.global.u32", f"[{w.out}]", w.sum)
    text.do("ret")
    target = rng.choice(("sm_70", "sm_80", "sm_90"))
    whole = text.whole(target, []).replace(
        ".address_size 64\n", ".address_size 64\n" + "\n".join(w.functions) + "\n", 1
    )
    launch = _launch(rng.choice((32, 32, 64)), rng.choice((1, 1, 2)), rng.randint(2, 4))
    return Stencil(seed, whole, (launch,), tuple(dict.fromkeys(chosen)), NAME)
