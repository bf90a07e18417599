# SPDX-License-Identifier: Apache-2.0
"""Loops that may wait for another work-item are no lanes; loops that only use atomic operations are."""

import pytest

import lanewise as lw
from lanewise.analysis import spinning
from lanewise.analysis.flow import FlowLoop
from lanewise.pipelines.cpu import compile_for_cpu

WAITS = {
    "on_a_value": "while (atomicAdd(p, 0) == 0);",
    "on_a_branch": "bool done = 0; while (!done) { if (atomicAdd(p, 1) == 0 && p[1]) done = 1; atomicSub(p, 1); }",
    "on_a_branch_before": "for (;;) { if (atomicCAS(p, 0, 1)) { p[3] = 1; continue; } if (p[1] == t) break; }",
}
COUNTS = {
    "a_branch_in_the_body": "for (int i = 0; i < n; ++i) if (atomicAdd(p, 1) & 1) p[t + 9] += i;",
    "a_branch_after_the_exit": "for (int i = 0; p[t + 9] >= i; ++i) { if (atomicAdd(p, 1) & 1) p[t + 9] -= i; }",
}


def first_remark(body: str) -> str:
    source = f"__global__ void k(int *p, int n) {{ int t = threadIdx.x; {body} }}"
    return lw.compile(source, language="cuda", mapping="auto")["k"].remarks(64)[0]


@pytest.mark.parametrize("name", WAITS)
def test_a_loop_that_may_wait_is_no_lanes(name: str):
    assert "a loop over threads, because of a loop that waits for an atomic or volatile read" in first_remark(
        WAITS[name]
    )


@pytest.mark.parametrize("name", COUNTS)
def test_a_loop_that_counts_is_lanes(name: str):
    assert " lanes" in first_remark(COUNTS[name])


def test_loops_without_shared_reads_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes the square of a loop's blocks: minutes in kernels that have thousands of them."""

    searched: list[FlowLoop] = []
    search = spinning._branches_before
    monkeypatch.setattr(spinning, "_branches_before", lambda *given: searched.append(given[1]) or search(*given))
    plain, waits = "for (int i = 0; i < n; ++i) if (p[i] & t) p[t + 9] += i;", WAITS["on_a_branch"]
    for body, is_searched in ((plain, False), (waits, True)):
        source = f'extern "C" __global__ void k(int *p, int n) {{ int t = threadIdx.x; {body} }}'
        compile_for_cpu(lw.compile(source, language="cuda").ir(), "k", (64, 1, 1))  # no cache has it
        assert bool(searched) is is_searched
