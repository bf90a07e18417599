# SPDX-License-Identifier: Apache-2.0
"""Scenes in which lanes that execute together are in different iterations of a loop."""

from __future__ import annotations

from .parting_writer import Writer


def called(w: Writer) -> None:
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


def halves(w: Writer) -> None:
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


def nest(w: Writer) -> None:
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
