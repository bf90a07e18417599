# SPDX-License-Identifier: Apache-2.0
"""Uniformity, with what is expected of an instruction or block beside its line: `; uniform`, `; varying` for values,
`; together`, `; divergent` for blocks."""

import re

import pytest

from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir.function import Function
from lanewise.ir.reader import read_module

DECLARATIONS = """
@tile = addrspace(3) global [64 x i32] undef
@table = addrspace(4) global i32 7
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.trap()
declare void @llvm.nvvm.membar.gl()
declare i32 @elsewhere(i32)
"""

_NOTE = re.compile(r"; (uniform|varying|together|divergent)\b.*$")


def kernel(body: str) -> Function:
    text = f"define ptx_kernel void @k(ptr %p, ptr %q, i32 %n, i32 %m) {{\n{body}\n}}"
    return read_module(DECLARATIONS + text).function("k")


def check(body: str) -> Uniformity:
    """Compares every annotated line with the facts."""
    function = kernel(body)
    facts = uniformity(function)
    blocks = {block.name: block for block in function.blocks}
    values = {i.name: i for i in function.instructions() if i.name}
    noted = 0
    for line in body.splitlines():
        note = _NOTE.search(line)
        if not note:
            continue
        noted += 1
        code = line[: note.start()].strip()
        if code.endswith(":"):
            found = "divergent" if blocks[code[:-1]] in facts.divergent_blocks else "together"
        else:
            value = values[code.split("=")[0].strip().removeprefix("%")]
            found = "uniform" if facts.is_uniform(value) else "varying"
        assert found == note[1], f"{found}, in the line\n  {line.strip()}\nof\n{facts.table(function)}"
    assert noted
    return facts


# -- values ------------------------------------------------------------------------------------------------------------


def test_ids_of_work_items_vary_and_those_of_groups_do_not():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() ; varying
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid() ; varying
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid() ; varying
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() ; uniform
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y() ; uniform
  %width = call i32 @llvm.nvvm.read.ptx.sreg.warpsize() ; uniform
  %now = call i64 @llvm.nvvm.read.ptx.sreg.clock64() ; varying
  ret void""")


def test_a_value_varies_as_soon_as_an_operand_does():
    check("""
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add i32 %n, %m ; uniform
  %offset = add i32 %sum, %t ; varying
  %double = add i32 %offset, %offset ; varying
  %high = call i32 @llvm.nvvm.mulhi.i(i32 %n, i32 %m) ; uniform
  %bits = call i32 @llvm.ctpop.i32(i32 %t) ; varying
  %is = icmp eq i32 %t, 3 ; varying
  %chosen = select i1 %is, i32 %n, i32 %m ; varying
  %known = icmp eq i32 %n, 3 ; uniform
  %other = select i1 %known, i32 %n, i32 %m ; uniform
  ret void""")


def test_a_call_that_is_not_inlined_varies():
    check("""
  %r = call i32 @elsewhere(i32 %n) ; varying
  ret void""")


def test_a_shuffle_varies():
    check("""
  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31) ; varying
  ret void""")


def test_result_of_a_barrier_is_uniform_whatever_was_voted():
    check("""
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %vote = icmp ult i32 %t, %n ; varying
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %vote) ; uniform
  %more = add i32 %count, 1 ; uniform
  ret void""")


def test_result_of_a_barrier_is_uniform_where_work_items_may_be_apart():
    """Those that are there pass it together."""
    check("""
entry: ; together
  %some = load volatile i1, ptr %p
  br i1 %some, label %wait, label %join
wait: ; divergent
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true) ; uniform
  %more = add i32 %count, 1 ; uniform
  br label %join
join: ; together
  %x = phi i32 [ 1, %entry ], [ %more, %wait ] ; varying
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %x, ptr %q
  ret void""")


# -- memory ------------------------------------------------------------------------------------------------------------


def test_a_load_is_uniform_where_its_address_is():
    check("""
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %one = load i32, ptr %p ; uniform
  %place = getelementptr i32, ptr %p, i32 %t ; varying
  %each = load i32, ptr %place ; varying
  %shared = load i32, ptr addrspace(3) @tile ; uniform
  %far = getelementptr i32, ptr %p, i32 %one ; uniform
  %followed = load i32, ptr %far ; uniform
  ret void""")


def test_volatile_and_atomic_accesses_vary():
    check("""
  %v = load volatile i32, ptr %p ; varying
  %a = load atomic i32, ptr %p monotonic, align 4 ; varying
  %old = atomicrmw add ptr %p, i32 1 monotonic ; varying
  %pair = cmpxchg ptr %p, i32 0, i32 1 monotonic monotonic ; varying
  %was = extractvalue { i32, i1 } %pair, 0 ; varying
  ret void""")


def test_private_memory_varies_even_if_what_was_stored_does_not():
    check("""
  %mine = alloca [4 x i32] ; varying
  store i32 %n, ptr %mine
  %got = load i32, ptr %mine ; varying
  ret void""")


def test_a_load_where_work_items_are_apart_varies():
    """One may load before a write that another does on its way, one after it."""
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %t, 3
  br i1 %is, label %some, label %all
some: ; divergent
  %one = load i32, ptr %p ; varying
  %sum = add i32 %n, %m ; uniform
  store i32 %one, ptr %q
  br label %all
all: ; together
  %two = load i32, ptr %p ; uniform
  ret void""")


# -- branches ----------------------------------------------------------------------------------------------------------


def test_a_uniform_branch_keeps_work_items_together():
    facts = check("""
entry: ; together
  %is = icmp eq i32 %n, 3 ; uniform
  br i1 %is, label %yes, label %no
yes: ; together
  %a = load i32, ptr %p ; uniform
  br label %join
no: ; together
  br label %join
join: ; together
  %x = phi i32 [ %a, %yes ], [ 1, %no ] ; uniform
  ret void""")
    assert not facts.divergent_blocks
    assert not facts.varying


def test_a_divergent_branch_parts_work_items_until_its_ways_meet():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %t, 3
  br i1 %is, label %yes, label %no
yes: ; divergent
  br label %join
no: ; divergent
  br label %join
join: ; together
  %x = phi i32 [ %n, %yes ], [ %m, %no ] ; varying
  %same = phi i32 [ %n, %yes ], [ %n, %no ] ; uniform
  ret void""")


def test_a_divergent_switch_with_fall_through():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %t, label %join [ i32 0, label %zero i32 1, label %one ]
zero: ; divergent
  br label %one
one: ; divergent
  %x = phi i32 [ 0, %entry ], [ %n, %zero ] ; varying
  br label %join
join: ; together
  %y = phi i32 [ 5, %entry ], [ 5, %one ] ; uniform
  ret void""")


def test_what_is_nested_in_divergent_code_is_divergent():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %t, 3
  %known = icmp eq i32 %n, 3
  br i1 %is, label %outer, label %end
outer: ; divergent
  br i1 %known, label %inner, label %back
inner: ; divergent
  br label %back
back: ; divergent
  br label %end
end: ; together
  store i32 %n, ptr %q
  ret void""")


def test_a_divergent_branch_nested_in_uniform_code():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp eq i32 %t, 3
  %known = icmp eq i32 %n, 3
  br i1 %known, label %outer, label %end
outer: ; together
  br i1 %is, label %inner, label %back
inner: ; divergent
  br label %back
back: ; together
  %x = phi i32 [ 0, %outer ], [ 1, %inner ] ; varying
  br label %end
end: ; together
  %y = phi i32 [ 0, %entry ], [ 1, %back ] ; uniform
  ret void""")


# -- loops -------------------------------------------------------------------------------------------------------------


def test_a_loop_with_a_uniform_trip_count():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; together
  %i = phi i32 [ 0, %entry ], [ %next, %loop ] ; uniform
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ] ; varying
  %more = add i32 %sum, %t ; varying
  %next = add i32 %i, 1 ; uniform
  %on = icmp ult i32 %next, %n ; uniform
  br i1 %on, label %loop, label %end
end: ; together
  %last = phi i32 [ %next, %loop ] ; uniform
  ret void""")


def test_temporal_divergence():
    """All work-items count alike, but each stops where it likes: behind the loop the count differs."""
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; divergent
  %i = phi i32 [ 0, %entry ], [ %next, %loop ] ; varying
  %next = add i32 %i, 1 ; varying
  %got = load i32, ptr %p ; varying
  %fixed = add i32 %n, %m ; uniform
  %on = icmp ult i32 %next, %t ; varying
  br i1 %on, label %loop, label %end
end: ; together
  %last = add i32 %i, 7 ; varying
  ret void""")


def test_a_divergent_break_out_of_a_uniform_loop():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; divergent
  %i = phi i32 [ 0, %entry ], [ %next, %latch ] ; varying
  %found = icmp eq i32 %i, %t ; varying
  br i1 %found, label %end, label %latch
latch: ; divergent
  %next = add i32 %i, 1 ; varying
  %on = icmp ult i32 %next, %n ; varying
  br i1 %on, label %loop, label %end
end: ; together
  %how = phi i32 [ 0, %loop ], [ 1, %latch ] ; varying
  store i32 %how, ptr %p
  ret void""")


def test_a_divergent_continue_stays_within_its_round():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br label %loop
loop: ; together
  %i = phi i32 [ 0, %entry ], [ %next, %latch ] ; uniform
  br i1 %odd, label %latch, label %work
work: ; divergent
  store i32 %i, ptr %p
  br label %latch
latch: ; together
  %next = add i32 %i, 1 ; uniform
  %on = icmp ult i32 %next, %n ; uniform
  br i1 %on, label %loop, label %end
end: ; together
  store i32 %n, ptr %q
  ret void""")


def test_a_divergent_inner_loop_in_a_uniform_outer_one():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer: ; together
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ] ; uniform
  br label %inner
inner: ; divergent
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ] ; varying
  %j.next = add i32 %j, 1 ; varying
  %again = icmp ult i32 %j.next, %t ; varying
  br i1 %again, label %inner, label %latch
latch: ; together
  %i.next = add i32 %i, 1 ; uniform
  %on = icmp ult i32 %i.next, %n ; uniform
  br i1 %on, label %outer, label %end
end: ; together
  ret void""")


# -- exit edges --------------------------------------------------------------------------------------------------------


def test_early_return_before_a_barrier():
    """Those that stay are together again at once."""
    facts = check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp uge i32 %t, %n
  br i1 %out, label %end, label %rest
rest: ; together
  %got = load i32, ptr %p ; uniform
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end: ; divergent
  ret void""")
    entry = next(iter(facts.divergent_blocks)).parent.entry
    assert [b.name for b in facts.exit_edges.leaving(entry)] == ["end"]
    assert [b.name for b in facts.exit_edges.staying(entry)] == ["rest"]


def test_what_leavers_still_do_is_divergent_up_to_the_end():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp uge i32 %t, %n
  br i1 %out, label %farewell, label %rest
rest: ; together
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %farewell
farewell: ; divergent
  %how = phi i32 [ 0, %entry ], [ 1, %rest ] ; varying
  %got = load i32, ptr %p ; varying
  store i32 %how, ptr %q
  ret void""")


def test_early_return_with_no_barrier_ahead_leads_straight_to_the_end():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp uge i32 %t, %n
  br i1 %out, label %end, label %rest
rest: ; together
  %got = load i32, ptr %p ; uniform
  store i32 %got, ptr %q
  br label %end
end: ; divergent
  ret void""")


def test_without_a_barrier_ahead_a_detour_is_no_exit():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out = icmp uge i32 %t, %n
  br i1 %out, label %detour, label %rest
detour: ; divergent
  store i32 0, ptr %p
  ret void
rest: ; divergent
  %got = load i32, ptr %p ; varying
  store i32 %got, ptr %q
  ret void""")


def test_leaving_a_loop_with_barriers_in_different_rounds():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; together
  %i = phi i32 [ 0, %entry ], [ %next, %stay ] ; uniform
  %out = icmp eq i32 %t, %i ; varying
  br i1 %out, label %gone, label %stay
stay: ; together
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1 ; uniform
  %on = icmp ult i32 %next, %n ; uniform
  br i1 %on, label %loop, label %end
gone: ; divergent
  %round = phi i32 [ %i, %loop ]
  store i32 %round, ptr %p
  ret void
end: ; together
  ret void""")


def test_a_divergent_break_to_a_barrier_is_no_exit():
    """Whether it is legal is not for this analysis: the work-items do part."""
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop: ; divergent
  %i = phi i32 [ 0, %entry ], [ %next, %loop ] ; varying
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %t ; varying
  br i1 %on, label %loop, label %after
after: ; together
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void""")


def test_a_barrier_that_some_go_past_to_the_end_puts_the_rest_out_of_step():
    """Those with an odd %t count on while the others wait at the barrier of their first round, and then return."""
    facts = check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br label %loop
loop: ; divergent
  %i = phi i32 [ 0, %entry ], [ %next, %latch ] ; varying
  br i1 %odd, label %latch, label %wait
wait: ; divergent
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch: ; divergent
  %next = add i32 %i, 1 ; varying
  %on = icmp ult i32 %next, %n ; varying
  br i1 %on, label %loop, label %behind
behind: ; divergent
  br i1 %odd, label %end, label %more
more: ; divergent
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %p
  br label %end
end: ; divergent
  ret void""")
    assert {b.name for b in facts.out_of_step} == {"loop", "wait", "latch", "behind", "more", "end"}


def test_where_all_meet_another_barrier_they_stay_in_step():
    facts = check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %wait, label %after
wait: ; divergent
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %after
after: ; together
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %p
  ret void""")
    assert not facts.out_of_step


def test_a_trap_is_an_exit():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bad = icmp uge i32 %t, %n
  br i1 %bad, label %stop, label %rest
stop: ; divergent
  call void @llvm.trap()
  unreachable
rest: ; together
  %got = load i32, ptr %p ; uniform
  store i32 %got, ptr %q
  br label %end
end: ; together
  ret void""")


def test_an_endless_loop_without_end_or_barrier():
    check("""
entry: ; together
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bad = icmp uge i32 %t, %n
  br i1 %bad, label %forever, label %rest
forever: ; divergent
  br label %forever
rest: ; together
  store i32 1, ptr %q
  ret void""")


# -- as text -----------------------------------------------------------------------------------------------------------


def test_an_endless_loop_whose_end_is_written_first():
    """Its end is where work-items leave it, wherever it stands in the text."""
    check("""
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %x to i1
  br label %head
end:                                       ; together
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1                    ; uniform
  %last = icmp eq i32 %next, %n
  br i1 %last, label %out, label %head
head:                                      ; together
  %i = phi i32 [ 0, %0 ], [ %next, %end ]  ; uniform
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %odd, label %arm, label %end
arm:                                       ; divergent
  br label %end
out:                                       ; together
  store i32 %n, ptr %p, align 4
  ret void
""")


def test_loads_vary_after_a_wait_until_the_next_barrier():
    check("""
entry:
  %before = load i32, ptr %q, align 4                ; uniform
  br label %wait
wait:
  %seen = load atomic i32, ptr %p monotonic, align 4 ; varying
  %yet = icmp eq i32 %seen, 0
  br i1 %yet, label %wait, label %go
go:                                                  ; together
  %mine = load i32, ptr %q, align 4                  ; varying
  %fixed = load i32, ptr addrspace(4) @table         ; uniform
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %after = load i32, ptr %q, align 4                 ; uniform
  ret void
""")


@pytest.mark.parametrize(
    "order",
    [
        "fence seq_cst",
        "call void @llvm.nvvm.membar.gl()",
        "store volatile i32 1, ptr %p, align 4",
        "%old = atomicrmw add ptr %p, i32 1 monotonic, align 4\n  store i32 %old, ptr %p",
        "%got = call i32 @elsewhere(i32 1)",
    ],
)
def test_what_orders_loads_behind_stores_of_others(order: str):
    check(f"""
  {order}
  %mine = load i32, ptr %q, align 4 ; varying
  ret void
""")


def test_atomic_operations_without_a_use_order_nothing():
    check("""
  %old = atomicrmw add ptr %p, i32 1 monotonic, align 4
  %mine = load i32, ptr %q, align 4 ; uniform
  ret void
""")


def test_operations_of_the_warp_order_nothing_between_warps():
    check("""
  %got = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)
  %all = load i32, ptr %q, align 4 ; uniform
  ret void
""")


def test_blocks_that_take_one_way():
    function = kernel("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %known = icmp eq i32 %n, 0
  br i1 %known, label %a, label %b
a:
  br i1 %odd, label %c, label %b
b:
  br label %c
c:
  store i32 %t, ptr %p
  ret void""")
    facts = uniformity(function)
    assert {b.name: facts.takes_one_way(b) for b in function.blocks} == {
        "entry": True,
        "a": False,
        "b": False,
        "c": True,
    }


def test_table_shows_facts_beside_the_ir():
    function = kernel("""
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  br i1 %odd, label %some, label %end
some:
  %got = load i32, ptr %p
  store i32 %got, ptr %q
  br label %end
end:
  store i32 1, ptr %q
  ret void""")
    lines = uniformity(function).table(function).splitlines()
    assert [line.split()[:2] for line in lines if line.endswith(":")] == [
        ["together", "entry:"],
        ["divergent", "some:"],
        ["together", "end:"],
    ]
    assert [line.split()[0] for line in lines if " load " in line] == ["varying"]


@pytest.mark.parametrize("body", ["  ret void", "  unreachable"])
def test_a_kernel_of_one_instruction(body: str):
    assert not uniformity(kernel(body)).divergent_blocks
