# SPDX-License-Identifier: Apache-2.0
"""Blocks, dominators, loops and liveness of random control flow, by brute force."""

from __future__ import annotations

import random

import pytest

import lanewise as lw
from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.liveness import live_at_entry
from lanewise.ptx.control.steps import steps_of
from lanewise.ptx.declined import DeclinedError

_REGISTERS = 6


def _text(rng: random.Random, blocks: int) -> str:
    """A function of random blocks, each of some moves and an end of some kind."""
    lines: list[str] = []
    for block in range(blocks):
        lines.append(f"B{block}:")
        for _ in range(rng.randrange(4)):
            a, b = (f"%r{rng.randrange(_REGISTERS)}" for _ in range(2))
            guard = rng.choice(("", "", "@%p0 ", "@!%p1 "))
            lines.append(f"{guard}add.s32 {a}, {b}, 1;")
        target = f"B{rng.randrange(blocks)}"
        end = rng.choice(
            (f"@%p{rng.randrange(2)} bra {target};", f"@%p0 bra {target};", f"bra {target};", "", "@%p1 ret;")
        )
        lines.append(end or f"add.s32 %r0, %r{rng.randrange(_REGISTERS)}, 2;")
    return (
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        f".reg .pred %p<2>;\n.reg .b32 %r<{_REGISTERS}>;\n" + "\n".join(lines) + "\nret;\n}\n"
    )


def _flow(text: str) -> Flow:
    return Flow(steps_of(lw.ptx.parse(text).kernels[0]))


def _random(seed: int) -> Flow:
    """The next random flow of a seed that loops make; others are declined."""
    rng = random.Random(seed)
    while True:
        try:
            return _flow(_text(rng, rng.randrange(2, 9)))
        except DeclinedError as declined:
            if "irreducible" not in declined.why:
                raise


def _reached(flow: Flow, without: int | None = None) -> set[int]:
    found: set[int] = set()
    work = [0] if without != 0 else []
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work += [s for s in flow.blocks[block].successors if s != without]
    return found


@pytest.mark.parametrize("seed", range(60))
def test_dominators(seed: int) -> None:
    flow = _random(seed)
    reached = _reached(flow)
    assert set(flow.order) == reached
    for a in reached:
        left = _reached(flow, without=a)
        for b in reached:
            assert flow.dominates(a, b) is (b not in left)


@pytest.mark.parametrize("seed", range(60))
def test_order_and_loops(seed: int) -> None:
    """Each block comes after all that lead to it but ways back, and those go to a header that dominates them. A loop
    has the blocks that come back to the header without passing it."""
    flow = _random(seed)
    place = {block: n for n, block in enumerate(flow.order)}
    back = {(a, b) for a in flow.order for b in flow.blocks[a].successors if place[a] >= place[b]}
    assert all(flow.is_back_edge(a, b) and flow.dominates(b, a) for a, b in back)
    assert set(flow.loops) == {b for _, b in back}
    for header, loop in flow.loops.items():
        latches = {a for a, b in back if b == header}
        wanted = {header}
        for block in flow.order:
            if not flow.dominates(header, block) or block == header:
                continue
            seen, work = {header}, [block]
            while work:
                at = work.pop()
                if at not in seen:
                    seen.add(at)
                    work += flow.blocks[at].successors
            if latches & seen - {header} or (header in latches and block == header):
                wanted.add(block)
        assert loop.blocks == wanted
    for block in flow.order:
        assert {loop.header for loop in flow.loops_around(block)} == {
            h for h, loop in flow.loops.items() if block in loop.blocks
        }


@pytest.mark.parametrize("seed", range(60))
def test_reachable_blocks(seed: int) -> None:
    flow = _random(seed)
    for block in flow.order:
        found, work = set[int](), [block]
        while work:
            at = work.pop()
            if at not in found:
                found.add(at)
                work += flow.blocks[at].successors
        assert flow.reachable(block) == found


@pytest.mark.parametrize("seed", range(60))
def test_liveness(seed: int) -> None:
    """A register is live where some way comes to a read of it with no write before that is sure."""
    flow = _random(seed)
    rng = random.Random(seed)
    steps = {step.number for step in flow.steps if rng.random() < 0.8}
    live = live_at_entry(flow, steps)
    registers = {r for step in flow.steps for r in (*step.reads, *step.writes)}
    for begin in flow.order:
        for register in registers:
            seen, work, found = set[int](), [begin], False
            while work and not found:
                block = work.pop()
                if block in seen:
                    continue
                seen.add(block)
                for step in flow.steps_in(block):
                    if step.number not in steps:
                        continue
                    if register in step.reads or (register in step.writes and step.guard is not None):
                        found = True
                        break
                    if register in step.writes:
                        break
                else:
                    work += flow.blocks[block].successors
            assert (register in live[begin]) is found


def test_every_block_holds_its_steps() -> None:
    for seed in range(30):
        flow = _random(seed)
        assert [step for block in flow.blocks for step in flow.steps_in(block.number)] == list(flow.steps)
        assert all(flow.block_of(step.number) == b.number for b in flow.blocks for step in flow.steps_in(b.number))


def test_names_of_nested_blocks_hide_others() -> None:
    flow = _flow(""".version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
    .reg .b32 %a, %b;
    mov.u32 %a, 1;
    mov.u32 %b, %a;
    {
        .reg .b32 %a<3>, %b;
        mov.u32 %b, %a;
        mov.u32 %a1, %b;
    }
    {
        .reg .b32 %b;
        mov.u32 %b, %a;
    }
    ret;
}
""")
    reads = [[(r.name, r.scope) for r in step.reads] for step in flow.steps]
    writes = [[(r.name, r.scope) for r in step.writes] for step in flow.steps]
    assert reads[:5] == [[], [("%a", 0)], [("%a", 0)], [("%b", 1)], [("%a", 0)]]
    assert writes[:5] == [[("%a", 0)], [("%b", 0)], [("%b", 1)], [("%a1", 1)], [("%b", 2)]]


def test_a_label_is_of_its_block() -> None:
    """Two blocks may each have a label of one name, and a branch means the nearest."""
    flow = _flow(""".version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
    .reg .pred %p;
    .reg .b32 %a;
    setp.eq.s32 %p, 1, 2;
    {
    L:  mov.u32 %a, 1;
        @%p bra L;
    }
    {
        mov.u32 %a, 2;
    L:  mov.u32 %a, 3;
        @%p bra L;
    }
    ret;
}
""")
    first = [flow.blocks[block].first for block in sorted(flow.loops)]
    assert first == [1, 4]


def test_a_list_of_targets_without_a_label_is_of_no_use() -> None:
    text = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
    .reg .b32 %a;
    .branchtargets L;
    mov.u32 %a, 1;
L:
    ret;
}
"""
    assert len(_flow(text).blocks) == 2
