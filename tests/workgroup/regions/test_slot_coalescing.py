# SPDX-License-Identifier: Apache-2.0
"""Which kept values share a place, which must not, and that kernels compute the same with it."""

import numpy as np
import pytest

from lanewise.workgroup.regions.slot_coalescing import SavedSlot, SlotCoalescing

from ..parts import Parts, compiled, kernel_text, parts, run

HEAD = """
entry:
  TID
  %own = getelementptr i32, ptr %out, i32 %t
  %from = getelementptr i32, ptr %in, i32 %t
  %x = load i32, ptr %from
  %y0 = sub i32 %x, 77
  %y = load i32, ptr %own
  BARRIER
  %any = icmp ugt i32 %n, 0
  br i1 %any, label %loop, label %done
"""
TAIL = """
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done
"""
SUM = f"""{HEAD}
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %sum, ptr %own
  BARRIER
  %turned = xor i32 %t, 1
  %there = getelementptr i32, ptr %out, i32 %turned
  %theirs = load i32, ptr %there
  %twice = shl i32 %sum, 1
  %next = add i32 %twice, %theirs
  BARRIER
{TAIL}
done:
  %last = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %last, ptr %own
  ret void"""

SWAP = f"""{HEAD}
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %a = phi i32 [ %x, %entry ], [ %b, %loop ]
  %b = phi i32 [ %y, %entry ], [ %a, %loop ]
  BARRIER
  %mixed = mul i32 %a, 3
  %sum = add i32 %mixed, %b
  store i32 %sum, ptr %own
  BARRIER
{TAIL}
done:
  %last = phi i32 [ %x, %entry ], [ %a, %loop ]
  store i32 %last, ptr %own
  ret void"""

LOST_COPY = f"""{HEAD}
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %old = phi i32 [ %x, %entry ], [ %new, %loop ]
  store i32 %old, ptr %own
  BARRIER
  %turned = xor i32 %t, 3
  %there = getelementptr i32, ptr %out, i32 %turned
  %theirs = load i32, ptr %there
  %new = add i32 %old, %theirs
  BARRIER
{TAIL}
done:
  %first = phi i32 [ %x, %entry ], [ %old, %loop ]
  %second = phi i32 [ %y, %entry ], [ %new, %loop ]
  %both = mul i32 %first, %second
  store i32 %both, ptr %own
  ret void"""

BEHIND_ITS_TIME = f"""{HEAD}
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %a = phi i32 [ %x, %entry ], [ %a.next, %loop ]
  %b = phi i32 [ %y, %entry ], [ %a, %loop ]
  store i32 %a, ptr %own
  BARRIER
  %turned = xor i32 %t, 1
  %there = getelementptr i32, ptr %out, i32 %turned
  %theirs = load i32, ptr %there
  %a.next = add i32 %theirs, %b
  BARRIER
{TAIL}
done:
  %first = phi i32 [ %x, %entry ], [ %a.next, %loop ]
  %second = phi i32 [ %y, %entry ], [ %b, %loop ]
  %sum = add i32 %first, %second
  store i32 %sum, ptr %own
  ret void"""

KERNELS = {"sum": SUM, "swap": SWAP, "lost copy": LOST_COPY, "behind its time": BEHIND_ITS_TIME}


def coalescing(body: str) -> tuple[Parts, SlotCoalescing]:
    found = parts(kernel_text(body))
    return found, SlotCoalescing(found.graph, found.live_values)


def shared(body: str, *names: str) -> set[SavedSlot]:
    """The places of some values, "v", and entrances, ">v"."""
    found, which = coalescing(body)
    spots = [SavedSlot("entrance" if name[0] == ">" else "value", found.value(name.strip(">"))) for name in names]
    return {which.place(spot) for spot in spots}


def test_a_sum_over_barriers_has_one_place():
    assert len(shared(SUM, ">sum", "sum", "next", ">last")) == 1
    function = compiled(kernel_text(SUM))
    assert sum(kept.bytes for kept in function.kept if kept.each) == 4
    found, which = coalescing(SUM)
    assert which.keeps_value(found.value("sum"))
    end = next(region for region in found.graph if "branch of loop" in str(region))
    for phi in ("sum", "last"):
        assert which.keeps_entrance(found.value(phi), found.value("next"), end)


def test_values_that_change_places_keep_apart():
    assert len(shared(SWAP, ">a", ">b")) == 2
    assert len(shared(SWAP, "a", "b")) == 2


def test_a_value_that_is_needed_behind_the_next_keeps_its_own():
    assert len(shared(LOST_COPY, "old", "new")) == 2
    assert len(shared(LOST_COPY, ">old", "old")) == len(shared(LOST_COPY, ">second", "new")) == 1


def test_the_last_but_one():
    assert len(shared(BEHIND_ITS_TIME, "a", "b")) == 2
    assert len(shared(BEHIND_ITS_TIME, ">a", ">b")) == 2


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("times", [0, 1, 2, 5])
def test_results(name: str, times: int):
    random = np.random.default_rng(times)
    given, out = (random.integers(0, 1 << 32, 64, np.uint32) for _ in range(2))
    run(kernel_text(KERNELS[name]), 1, 64, out, given, times, 0, mappings=("auto", "loop", "lanes:4x1", "lanes:8x4"))


def test_with_work_items_that_leave():
    body = SUM.replace(
        "  BARRIER\n  %any", "  %gone = icmp ugt i32 %t, 40\n  br i1 %gone, label %leaves, label %entry2\n"
        "leaves:\n  ret void\nentry2:\n  BARRIER\n  %any", 1,
    ).replace("%entry ]", "%entry2 ]")  # fmt: skip
    assert len(shared(body, ">sum", "sum", "next", ">last")) == 1
    out = np.zeros(64, np.uint32)
    run(kernel_text(body), 1, 64, out, np.arange(64, dtype=np.uint32), 4, 0)


def test_an_old_value_that_only_the_end_needs_keeps_its_own():
    body = f"""{HEAD}
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %a = phi i32 [ %x, %entry ], [ %w, %loop ]
  store i32 %a, ptr %own
  BARRIER
  BARRIER
  %turned = xor i32 %t, 1
  %there = getelementptr i32, ptr %in, i32 %turned
  %w = load i32, ptr %there
{TAIL}
done:
  store i32 %x, ptr %own
  ret void"""
    assert len(shared(body, ">a", "x")) == 2
    run(kernel_text(body), 1, 64, np.zeros(64, np.uint32), np.arange(64, dtype=np.uint32), 3, 0)


OVERWRITTEN = """
extern "C" __global__ void k(volatile unsigned *out, const volatile unsigned *given, const unsigned *in, int n, int m) {
    unsigned t = threadIdx.x, p = given[t], v = 0, other = 0;
    int k = 0;
    __syncthreads();
    if (!(in[0] > m)) goto q;
begin:
    out[t] = p;
    if (!(in[1] > m)) {
        __syncthreads();
        if (k < n) goto q;
        return;
    }
again:
    __syncthreads();
    if (!(k < n)) return;
q:
    __syncthreads();
    v = given[t + 100], other = given[t + 200];
    if (!(in[3] > m)) {
        __syncthreads();
        other = given[t + 201];
    }
    ++k;
    if (in[4] > m) {
        p = v;
        goto begin;
    }
    out[t] = 7;
    if (in[5] > m) {
        out[t] = p = other;
        goto begin;
    }
    out[t] = 9;
    goto again;
}
"""


@pytest.mark.parametrize("which", [(1, 1, 1, 1, 1, 1), (1, 1, 1, 0, 1, 0), (1, 1, 1, 1, 0, 1), (0, 1, 1, 0, 0, 1)])
def test_a_place_that_another_value_is_written_to_is_written_again(which: tuple[int, ...]):
    """At the end of the region behind `++k`, `p` gets `v`, whose place that region has given to `other` meanwhile."""
    given = np.arange(1000, 1400, dtype=np.uint32)
    arguments = (given, np.array(which, np.uint32), 3, 0)
    run(
        OVERWRITTEN, 1, 64, np.zeros(64, np.uint32), *arguments, language="cuda", mappings=("auto", "loop", "lanes:4x1")
    )
