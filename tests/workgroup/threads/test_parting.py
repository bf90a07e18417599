# SPDX-License-Identifier: Apache-2.0
"""Kernels whose lanes may meet at different instructions, and the like that can't: each condition and each proof."""

import pytest

import lanewise as lw

HEAD = """
constexpr unsigned FULL = 0xffffffff;
extern "C" __global__ void k(int *p, int n, unsigned m) {
    int t = threadIdx.x, lane = t & 31, id = blockIdx.x * blockDim.x + t, v = p[id];
"""

PART = {
    "arms": "if (lane < 16) __syncwarp(); else { p[id] = 1; __syncwarp(); }",
    "a barrier behind the branch": "if (lane < 16) { __syncwarp(); p[id] = 1; } __syncwarp();",
    "another turn": "for (int i = 0; i < n; i++) { if ((i ^ v) & 1) __syncwarp(); p[id] += i; }",
    "masks from the launch": "if (lane < 16) __syncwarp(m); else { p[id] = 1; __syncwarp(m); }",
    "a part of a half": "if (lane < 8) __syncwarp(0xffff); else { p[id] = 1; __syncwarp(0xffff); }",
    "active before the branch": (
        "unsigned a = __activemask(); if (v > n) __syncwarp(a); else { p[id] = 1; __syncwarp(a); }"
    ),
    "a vote of the others": (
        "unsigned a = __ballot_sync(FULL, v > n);"
        "if (v > n) { p[id] = 2; __syncwarp(~a); } else { p[id] = 1; __syncwarp(); }"
    ),
    "a number that may be negative": "if ((t - 40) / 32 == 0) { __syncwarp(); p[id] = 1; } __syncwarp();",
    "shuffles": "if (v) p[id] = __shfl_sync(FULL, v, 3); else p[id] = __shfl_sync(FULL, v + n, 4);",
}
STAY = {
    "all come to it": "__syncwarp(); p[id] = 1; __syncwarp();",
    "1 nobody else is left": "if (id >= n) return; __syncwarp(); p[id] = 1; __syncwarp();",
    "2 one arm alone": "if (v > n) { __syncwarp(); p[id] = 1; }",
    "2 other operations": "if (v > n) __syncwarp(); else p[id] = __shfl_sync(FULL, v, 3);",
    "2 behind a barrier of the block": "if (v > n) { __syncwarp(); p[id] = 1; } __syncthreads(); __syncwarp();",
    "3 other masks": "if (lane & 1) __syncwarp(0xaaaaaaaa); else { p[id] = 1; __syncwarp(0x55555555); }",
    "whole warps": "if (t < 32) { __syncwarp(); p[id] = 1; } __syncwarp();",
    "the number of the warp": "for (int w = id / 32; w < n; w += 4) { __syncwarp(); p[w] = 1; } __syncwarp();",
    "one lane decides": (
        "for (;;) { int i = 0; if (lane == 0) i = atomicAdd(p, 1); i = __shfl_sync(FULL, i, 0); if (i >= n) break;"
        "__syncwarp(); p[i + lane] = 1; } __syncwarp();"
    ),
    "halves of their own": "if (lane < 16) __syncwarp(0xffff); else { p[id] = 1; __syncwarp(0xffff0000); }",
    "tiles": (
        "unsigned tile = 0xffu << (lane & 24); if (lane & 8) __syncwarp(tile); else { p[id] = 1; __syncwarp(tile); }"
    ),
    "active": "if (v > n) { unsigned a = __activemask(); __syncwarp(a); p[id] = 1; __syncwarp(a); } __syncwarp();",
    "a vote": "unsigned a = __ballot_sync(FULL, v > n); if (v > n) { __syncwarp(a); p[id] = 1; } __syncwarp();",
    "fewer and fewer": (
        "unsigned a = FULL; for (int i = 0;; i++) { bool more = p[id] > i; a = __ballot_sync(a, more);"
        "if (!more) break; p[id] += __shfl_sync(a, v, __ffs(a) - 1); __syncwarp(a); } __syncwarp();"
    ),
    "alike values": (
        "unsigned a = __match_any_sync(FULL, v); if (v == 3) { p[id] = 1; __syncwarp(a); }"
        "else { p[id] = 2; __syncwarp(a); }"
    ),
}


def remarks(body: str, block: int | tuple[int, int] = 64) -> str:
    return "".join(lw.compile(f"{HEAD}{body}\n}}", language="cuda")["k"].remarks(block))


@pytest.mark.parametrize("body", PART.values(), ids=PART)
def test_lanes_may_meet_at_different_instructions(body: str):
    assert "on a stack of its own" in remarks(body)


@pytest.mark.parametrize("body", STAY.values(), ids=STAY)
def test_lanes_that_stay_together_stay_in_vectors(body: str):
    assert "on a stack of its own" not in remarks(body)


def test_rows_of_threads_are_warps_if_they_are_as_long():
    body = "if (threadIdx.y) { __syncwarp(); p[id] = 1; } __syncwarp();"
    assert "on a stack of its own" not in remarks(body, (32, 2))
    assert "on a stack of its own" in remarks(body, (16, 4))


def test_the_number_of_a_thread_in_its_block_tells_warps():
    body = "int r = threadIdx.y * blockDim.x + t; if (r < 32) { __syncwarp(); p[id] = 1; } __syncwarp();"
    assert "on a stack of its own" not in remarks(body, (8, 8))
