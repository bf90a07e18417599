# SPDX-License-Identifier: Apache-2.0
"""Races as the reference device finds them: by happens-before, byte by byte, whatever order it runs work-items in."""

import tracemalloc
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
from lanewise.device.reference.run.clocks import at, joined, time_of
from lanewise.device.reference.run.happens_before import HappensBefore
from lanewise.device.reference.run.work_item import WorkItem
from lanewise.program.checked.faults import KernelFault

SOURCE = """
#include <cooperative_groups.h>
#define I int t = threadIdx.x, b = blockIdx.x, n = gridDim.x * blockDim.x;

__global__ void handed_over(int *a) { I  // from one block to another
    if (b == 0) {
        a[t] = t;
        __syncthreads();
        if (t == 0) {
            FENCE;
            atomicExch(a + 100, 1);
        }
    } else {
        if (t == 0) while (atomicAdd(a + 100, 0) == 0) {}
        __syncthreads();
        a[32 + t] = a[31 - t];
    }
}
__global__ void handed_over_by_one(int *a) { I
    if (t == 0 && b == 0) {
        a[5] = 1;
        FENCE;
        atomicAdd(a + 100, 1);
    }
    if (t == 0 && b == 1 && atomicAdd(a + 100, 0)) {
        READER;
        a[6] = a[5];
    }
}
__global__ void counted(int *a) { I
    ADD(a, 1);
}
__global__ void flag(volatile int *a) { I
    if (b == 0 && t == 0) {
        a[1] = 5;
        FENCE;
        a[0] = 1;
    }
    if (b == 1 && t == 0)
        while (a[0] == 0) {}
}
__global__ void whole_grid(int *a) { I
    a[b * blockDim.x + t] = t;
    SYNC;
    a[n + b * blockDim.x + t] = a[n - 1 - b * blockDim.x - t];
}
__global__ void twice(int *a) { I
    for (int k = 0; k < 2; ++k) {
        a[b * blockDim.x + t] = k;
        SYNC;
        a[n] = a[n - 1 - b * blockDim.x - t];
        LAST;
    }
}
__global__ void bytes(int *a) { I
    ((char *)a)[t + OFFSET] = t;
    if (t == 0) a[n / 4 + 1] = 7;
}
__global__ void equal(int *a) { I
    a[0] = 3;
}
__global__ void equal_and_wide(int *a) { I
    *(__int128 *)a = 5;
}
__global__ void equal_and_read(int *a) { I
    if (t == 1) a[1] = a[0];
    if (t == 0) a[0] = 0;  // as it is
}
__global__ void some_lanes(int *a) { I
    __shared__ int s[32];
    s[t] = t;
    __syncwarp(MASK);
    if (t < 16) a[t] = s[15 - t];
}
__global__ void copied(int *a) { I
    ((int4 *)a)[t] = ((int4 *)a)[t + SHIFT];
}
"""


class Case(NamedTuple):
    kernel: str
    words: str
    """Values of words that are in capitals in the source."""
    lines: set[int]
    """Lines of both accesses; none if nothing is to be told."""
    grid: int = 1


def line(text: str) -> int:
    return next(n for n, each in enumerate(SOURCE.splitlines(), 1) if text in each)


FENCED = "FENCE=__threadfence()"
CASES = (
    Case("handed_over", FENCED, set(), grid=2),
    Case("handed_over", "", {line("a[t] = t;"), line("a[31 - t]")}, grid=2),
    Case("handed_over_by_one", f"{FENCED} READER=__threadfence()", set(), grid=2),
    Case("handed_over_by_one", FENCED, {line("a[5] = 1"), line("a[6] = a[5]")}, grid=2),
    Case(
        "handed_over_by_one",
        "FENCE=__threadfence_block() READER=__threadfence()",
        {line("a[5] = 1"), line("a[6] = a[5]")},
        grid=2,
    ),
    Case("counted", "ADD=atomicAdd", set(), grid=2),
    Case("counted", "ADD=atomicAdd_block", set(), grid=1),
    Case("counted", "ADD=atomicAdd_block", {line("ADD(a, 1)")}, grid=2),
    Case("flag", FENCED, set(), grid=2),
    Case("flag", "", {line("a[0] = 1"), line("while (a[0] == 0)")}, grid=2),
    Case("whole_grid", "SYNC=cooperative_groups::this_grid().sync()", set(), grid=2),
    Case("whole_grid", "SYNC=__syncthreads()", {line("= a[n - 1 - b * blockDim.x - t];"), line("+ t] = t;")}, 2),
    Case("bytes", "OFFSET=0", set()),
    Case("bytes", "OFFSET=6", {line("[t + OFFSET]"), line("a[n / 4 + 1]")}),
    Case("equal", "", set(), grid=2),
    Case("equal_and_wide", "", {line("__int128")}),
    Case("equal_and_read", "", {line("a[1] = a[0]"), line("a[0] = 0")}),
    Case("some_lanes", "MASK=0xffffffff", set()),
    Case("some_lanes", "MASK=(t<16?0xffff:0xffff0000)", set()),
    Case("some_lanes", "MASK=(1u<<t)", {line("s[t] = t;"), line("s[15 - t]")}),
    Case("copied", "SHIFT=0", set()),
    Case("copied", "SHIFT=1", {line("[t + SHIFT]")}),
)


def compiled(kernel: str, words: str) -> lw.Kernel:
    defaults = dict.fromkeys(("FENCE", "READER", "OFFSET", "SHIFT", "SYNC", "LAST"), "0")
    given = dict(word.split("=", 1) for word in words.split())
    names = {**defaults, "MASK": "~0u", "ADD": "atomicAdd", **given}
    text = "".join(f"#define {name} {value}\n" for name, value in names.items())
    return lw.compile(f'{text}#line 1 "judged.cu"\n{SOURCE}', checked="races")[kernel]


def told(case: Case) -> tuple[KernelFault, ...]:
    array = np.zeros(1024, np.int32)
    needs_grid = "this_grid" in case.words
    try:
        compiled(case.kernel, case.words).launch(case.grid, 32, (array,), device="reference", cooperative=needs_grid)
    except lw.CheckError as error:
        return error.faults
    return ()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kernel} {case.words}")
def test_races_are_told_where_nothing_orders_two_accesses(case: Case) -> None:
    faults = told(case)
    lines = {each.line for fault in faults for each in (fault, fault.other) if each is not None}
    assert (lines, {fault.kind for fault in faults} - {"race"}) == (case.lines, set())


def test_blocks_may_be_in_several_rounds_of_the_grid() -> None:
    sync = "cooperative_groups::this_grid().sync()"
    assert told(Case("twice", f"SYNC={sync} LAST={sync}", set(), 2)) == ()
    faults = told(Case("twice", f"SYNC={sync} LAST=0", set(), 2))
    assert {fault.line for fault in faults} | {fault.other.line for fault in faults if fault.other} >= {
        line("= k;"),
        line("a[n] = a["),
    }


def test_a_race_has_both_accesses_and_the_element() -> None:
    (fault,) = told(Case("equal_and_read", "", set()))
    assert fault.other is not None
    assert (fault.access, fault.thread, fault.other.access, fault.other.thread) == (
        "read", (1, 0, 0), "write", (0, 0, 0),
    )  # fmt: skip
    assert (fault.object, fault.name, fault.offset, fault.shape, fault.block) == (
        "argument",
        "a",
        0,
        (1024,),
        (0, 0, 0),
    )
    assert (fault.file, fault.line, fault.column) == ("judged.cu", line("a[1] = a[0]"), 24)


def test_launches_without_this_check_look_for_no_races_in_global_memory() -> None:
    source = "__global__ void same(int *a) { a[0] = threadIdx.x; }"
    lw.compile(source, checked="memory")["same"].launch(1, 32, (np.zeros(1, np.int32),), device="reference")
    with pytest.raises(lw.CheckError):
        lw.compile(source, checked="races")["same"].launch(1, 32, (np.zeros(1, np.int32),), device="reference")


CHOSEN = """
__device__ float table[2][4];
__global__ void chosen(int *a) {
    __shared__ int s[8];
    int *p = a[0] ? a : s + 2;
    p[0] = threadIdx.x;
}
__device__ void down(float *p, int n, float f) {
    if (n) down(p + 1, n - 1, f);
    else p[0] = f;
}
__global__ void descended(int *a) {
    down(table[1], a[0] + 1, threadIdx.x);
}
"""


def test_arrays_have_their_shape_where_code_chooses_or_calls_itself() -> None:
    module = lw.compile(CHOSEN, checked="races")
    found: dict[str, tuple[str, tuple[int, ...], int, int]] = {}
    for kernel in ("chosen", "descended"):
        with pytest.raises(lw.CheckError) as caught:
            module[kernel].launch(1, 32, (np.zeros(4, np.int32),), device="reference")
        found.update({each.name: (each.object, each.shape, each.element, each.offset) for each in caught.value.faults})
    assert found == {
        "s": ("shared array", (8,), 4, 8),
        "table": ("variable", (2, 4), 4, 20),
    }


def test_clocks_share_what_they_know_of_a_work_group() -> None:
    first, second, third = (WorkItem(n, (n, 0, 0), (n // 2, 0, 0), (2, 1, 1), (2, 1, 1)) for n in range(3))
    early, late, other = at([first, second], 3), at([first], 5), at([third], 4)
    both = joined((early, late))
    assert [time_of(item, both) for item in (first, second, third)] == [5, 3, 0]
    every = joined((other, both, early))
    assert every[first.block] is both[first.block]
    assert every[third.block] is other[third.block]
    assert time_of(first, early) == 3


def peak_of_a_counter(blocks: int) -> int:
    """Bytes for the order of blocks that count themselves one after the other, each ordered after those before."""
    grid = (blocks, 1, 1)
    tracemalloc.start()
    order = HappensBefore()
    for number in range(blocks):
        order.begin_group()
        items = [WorkItem(n, (n, 0, 0), (number, 0, 0), (32, 1, 1), grid) for n in range(32)]
        order.meet(items, is_barrier=True)
        order.fence(items[0], is_wide=True)
        order.access(items[0], None, 64, "monotonic", is_wide=True, reads=True, writes=True)
        order.meet(items, is_barrier=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_a_counter_of_blocks_takes_memory_in_proportion_to_them() -> None:
    assert peak_of_a_counter(160) < 5 * peak_of_a_counter(40)


FILLED = """
__global__ void filled(int *a) {
    __shared__ int s[256];
    for (int k = 0; k < 256; ++k) s[k] = k;
    a[0] = s[0];
}
"""


def peak_of_shared_memory(blocks: int) -> int:
    kernel = lw.compile(FILLED, checked="races")["filled"]
    array = np.zeros(1, np.int32)
    kernel.launch(1, 1, (array,), device="reference")
    tracemalloc.start()
    kernel.launch(blocks, 1, (array,), device="reference")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_records_of_shared_memory_end_with_their_block() -> None:
    assert peak_of_shared_memory(6) < 1.5 * peak_of_shared_memory(1)
