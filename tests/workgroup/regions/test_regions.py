# SPDX-License-Identifier: Apache-2.0
"""Regions as text: the blocks of each, and where it leads."""

from ..parts import kernel_text, parts


def regions(body: str, width: int = 1) -> list[str]:
    return parts(kernel_text(body), width).regions


def test_one_region_without_barriers():
    assert regions("""
b:
  br label %c
c:
  ret void""") == ["region 0: b c -> the end"]


def test_a_region_ends_at_a_barrier():
    assert regions("""
b:
  BARRIER
  ret void""") == ["region 0: b -> b.after after a barrier", "region 1: b.after -> the end"]


def test_divergent_code_stays_within_a_region():
    assert regions("""
b:
  TID
  %odd = trunc i32 %t to i1
  br i1 %odd, label %some, label %all
some:
  store i32 1, ptr %out
  br label %all
all:
  BARRIER
  ret void""") == ["region 0: b some all -> all.after after a barrier", "region 1: all.after -> the end"]


def test_the_group_takes_a_uniform_branch_to_different_barriers():
    assert regions("""
b:
  %is = icmp eq i32 %n, 0
  br i1 %is, label %yes, label %end
yes:
  BARRIER
  br label %end
end:
  ret void""") == [
        "region 0: b -> branch of b",
        "region 1: yes -> yes.after after a barrier",
        "region 2: end -> the end",
        "region 3: yes.after -> end",
    ]


def test_a_loop_with_a_barrier():
    assert regions("""
b:
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  BARRIER
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  ret void""") == [
        "region 0: b -> loop",
        "region 1: loop -> loop.after after a barrier",
        "region 2: loop.after -> branch of loop.after",
        "region 3: end -> the end",
    ]


def test_a_block_that_several_barriers_reach_stands_in_several_regions():
    assert regions("""
b:
  %is = load volatile i1, ptr %in
  br i1 %is, label %yes, label %no
yes:
  BARRIER
  br label %both
no:
  BARRIER
  br label %both
both:
  store i32 1, ptr %out
  BARRIER
  ret void""") == [
        "region 0: b no yes -> no.after after a barrier, yes.after after a barrier",
        "region 1: no.after both -> both.after after a barrier",
        "region 2: yes.after both -> both.after after a barrier",
        "region 3: both.after -> the end",
    ]


def test_after_an_early_return_regions_are_partial():
    assert regions("""
b:
  TID
  %out.of = icmp uge i32 %t, %n
  br i1 %out.of, label %end, label %rest
rest:
  BARRIER
  br label %end
end:
  ret void""") == [
        "region 0: b rest end -> rest.after after a barrier, the end",
        "region 1: rest.after end -> the end, partial",
    ]


def test_who_leaves_runs_out_past_cuts():
    """`end` is also where the loop's uniform exit leads, a start; those that leave early don't wait there."""
    assert regions("""
b:
  TID
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %stay ]
  %leaves = icmp eq i32 %i, %t
  br i1 %leaves, label %end, label %stay
stay:
  BARRIER
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  store i32 1, ptr %out
  ret void""") == [
        "region 0: b -> loop",
        "region 1: loop stay end -> stay.after after a barrier, the end, partial",
        "region 2: stay.after -> branch of stay.after, partial",
        "region 3: end -> the end, partial",
    ]


def test_the_exit_intrinsic_ends_a_work_item():
    assert regions("""
b:
  TID
  %out.of = icmp uge i32 %t, %n
  br i1 %out.of, label %leave, label %rest
leave:
  call void @llvm.nvvm.exit()
  unreachable
rest:
  BARRIER
  ret void""") == [
        "region 0: b rest leave -> rest.after after a barrier, the end",
        "region 1: rest.after -> the end, partial",
    ]


def test_a_trap_leads_nowhere():
    assert regions("""
b:
  %bad = icmp eq i32 %n, 0
  br i1 %bad, label %stop, label %rest
stop:
  store i32 1, ptr %out
  unreachable
rest:
  BARRIER
  ret void""")[0] in (
        "region 0: b rest stop -> rest.after after a barrier",
        "region 0: b -> branch of b",
    )


def test_a_horizontal_loop_is_a_region_a_round():
    body = """
b:
  TID
  br label %loop
loop:
  %i = phi i32 [ 0, %b ], [ %next, %loop ]
  store i32 %t, ptr %out
  %next = add i32 %i, 1
  %on = icmp ult i32 %next, %n
  br i1 %on, label %loop, label %end
end:
  ret void"""
    assert regions(body, width=1) == ["region 0: b loop end -> the end"]
    assert regions(body, width=64) == [
        "region 0: b -> loop",
        "region 1: loop -> branch of loop",
        "region 2: end -> the end",
    ]
