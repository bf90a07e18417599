# SPDX-License-Identifier: Apache-2.0
"""Scenes in which lanes read one address at different times, and find what was there at their turn."""

from __future__ import annotations

from .parting_writer import Writer


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


def by_turns(w: Writer) -> None:
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


def by_flags(w: Writer) -> None:
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


def by_function(w: Writer) -> None:
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


def handed_over(w: Writer) -> None:
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


def published(w: Writer) -> None:
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
