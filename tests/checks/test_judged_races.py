# SPDX-License-Identifier: Apache-2.0
"""Races as the reference device finds them: by happens-before, byte by byte, whatever order it runs work-items in."""

from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw
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
