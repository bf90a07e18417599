# SPDX-License-Identifier: Apache-2.0
"""Shapes and divergence, with what is expected beside the lines: shapes of values, `; together` or `; masked` for
blocks, `; join`, `; divergent loop` and `; divergent` of a branch.

Units have two chunks of four work-items: %t is 0 to 3, and 4 to 7.
"""

import re
from collections.abc import Iterator

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow
from lanewise.analysis.shapes import Extent, Shape
from lanewise.ir.function import Block, Function
from lanewise.ir.reader import read_module

EXTENT = Extent(4, 1, 2)
THREAD = Shape(1, 0, 4)
_NOTE = re.compile(r" ; (.*)$")


def kernel(body: str) -> Function:
    declared = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
    text = f"{declared}\ndefine ptx_kernel void @k(ptr %p, i32 %n, i1 %flag) {{\n{body}\n}}"
    return read_module(text).function("k")


def flow_of(function: Function) -> Flow:
    end = Block("end")

    def successors(block: Block) -> Iterator[Block]:
        return iter(dict.fromkeys(block.successors) or (end,))

    return Flow(function.blocks[0], end, successors)


def facts_of(function: Function, single: frozenset[Block] = frozenset(), entry: Shape | None = None) -> Divergence:
    thread = next(i for i in function.instructions() if i.op == "call")
    return Divergence(flow_of(function), {thread: THREAD}, EXTENT, {}, single, entry)


def seen_at(facts: Divergence, block: Block) -> str:
    notes = ["masked" if block in facts.masked else "together"]
    loop = facts.flow.loop_of(block)
    if loop in facts.divergent_loops and loop is not None and loop.header is block:
        notes.append("divergent loop")
    return ", ".join([*notes, *(["join"] if block in facts.joins else [])])


def check(body: str, function: Function | None = None, facts: Divergence | None = None) -> Divergence:
    """Compares each annotated line with the facts."""
    function = function or kernel(body)
    facts = facts or facts_of(function)
    blocks = {block.name: block for block in function.blocks}
    values = {i.name: i for i in function.instructions() if i.name}
    at, noted = function.blocks[0], 0
    for line in body.splitlines():
        code = _NOTE.sub("", line).strip()
        if code.endswith(":"):
            at = blocks[code[:-1]]
        note = _NOTE.search(line)
        if not note:
            continue
        noted += 1
        if code.endswith(":"):
            found = seen_at(facts, at)
        elif code.startswith(("br ", "switch ")):
            found = "divergent" if facts.is_divergent(at) else "uniform"
        else:
            found = str(facts.at_definition(values[code.split("=")[0].strip().removeprefix("%")]))
        assert found == note[1], f"{found}, in the line\n  {line.strip()}\nof\n{facts.table()}"
    assert noted
    return facts


def test_shapes_follow_the_operations():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() ; affine (1, 0, 4)
  %twice = mul i32 %t, 2 ; affine (2, 0, 8)
  %moved = add i32 %twice, %n ; affine (2, 0, 8)
  %at = getelementptr float, ptr %p, i32 %t ; affine (4, 0, 16)
  %value = load float, ptr %at ; varying
  %same = load i32, ptr %p ; uniform
  %square = mul i32 %t, %t ; varying
  ret void""")


def test_both_arms_of_a_divergent_branch_are_masked_and_meet_in_a_join():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %t, 3 ; varying
  br i1 %small, label %then, label %else ; divergent
then: ; masked
  br label %join
else: ; masked
  br label %join
join: ; together, join
  %other = phi i32 [ 1, %then ], [ 2, %else ] ; varying
  %alike = phi i32 [ %n, %then ], [ %n, %else ] ; uniform
  ret void""")


def test_a_uniform_branch_has_no_effect():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br i1 %flag, label %then, label %join ; uniform
then: ; together
  br label %join
join: ; together
  %which = phi i32 [ 1, %then ], [ 2, %entry ] ; uniform
  %moved = phi i32 [ %t, %then ], [ 5, %entry ] ; varying
  ret void""")


def test_a_branch_that_all_are_known_to_agree_on_has_no_effect():
    body = """
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %t, %n ; varying
  br i1 %small, label %then, label %join ; uniform
then: ; together
  br label %join
join: ; together
  ret void"""
    function = kernel(body)
    check(body, function, facts_of(function, single=frozenset([function.blocks[0]])))


def test_a_loop_that_lanes_leave_in_different_iterations():
    facts = check("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; masked, divergent loop
  %i = phi i32 [ 0, %entry ], [ %next, %loop ] ; uniform
  %next = add i32 %i, 1 ; uniform
  %stays = icmp ult i32 %next, %t ; varying
  br i1 %stays, label %loop, label %after ; divergent
after: ; together
  %double = mul i32 %next, 2 ; varying
  ret void""")
    loop, after = (facts.flow.order[n] for n in (1, 2))
    (next_,) = (i for i in loop.instructions if i.name == "next")
    assert str(facts.at_use(next_, loop)) == "uniform"
    assert str(facts.at_use(next_, after)) == str(facts.behind_loops(next_)) == "varying"
    assert facts.left_loop(next_, after) is facts.flow.loops[0]
    assert facts.left_loop(next_, loop) is None
    assert facts.leaves(loop, after) == [facts.flow.loops[0]]
    assert facts.leaves(loop, loop) == []


def test_a_loop_with_a_uniform_number_of_iterations_keeps_all_together():
    check("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; together
  %i = phi i32 [ %t, %entry ], [ %next, %loop ] ; affine (1, 0, 4)
  %count = phi i32 [ 0, %entry ], [ %more, %loop ] ; uniform
  %next = add i32 %i, 8 ; affine (1, 0, 4)
  %more = add i32 %count, 1 ; uniform
  %stays = icmp ult i32 %more, %n ; uniform
  br i1 %stays, label %loop, label %after ; uniform
after: ; together
  ret void""")


def test_a_value_that_a_branch_makes_varying_makes_another_branch_divergent():
    check("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; masked, divergent loop
  %i = phi i32 [ 0, %entry ], [ %next, %latch ] ; varying
  %odd = trunc i32 %t to i1
  br i1 %odd, label %one, label %latch ; divergent
one: ; masked
  br label %latch
latch: ; masked, join
  %step = phi i32 [ 1, %loop ], [ 2, %one ] ; varying
  %next = add i32 %i, %step ; varying
  %stays = icmp ult i32 %next, %n ; varying
  br i1 %stays, label %loop, label %after ; divergent
after: ; together
  ret void""")


def test_all_is_masked_if_only_some_come_to_the_code():
    body = """
entry: ; masked
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() ; affine (1, 0, 4)
  br i1 %flag, label %then, label %after ; uniform
then: ; masked
  br label %after
after: ; masked
  ret void"""
    function = kernel(body)
    check(body, function, facts_of(function, entry=Shape(None, None, None)))


def test_the_table_has_a_line_for_each_block_and_instruction():
    facts = facts_of(
        kernel("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %p
  ret void""")
    )
    assert [" ".join(line.split()) for line in facts.table().splitlines()] == [
        "together entry:",
        "affine (1, 0, 4) %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "store i32 %t, ptr %p",
        "ret void",
    ]
