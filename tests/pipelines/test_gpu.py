# SPDX-License-Identifier: Apache-2.0
"""Control flow in the GPU's pipeline: what a program says of inlining and unrolling is heeded, and the arms of
divergent branches get no copies of barriers or of other code."""

import re

import pytest

import lanewise as lw

FUNCTIONS = """
__device__ __noinline__ float apart(float x) { return x * x + 1; }
__device__ __forceinline__ float within(float x, int n) {
    for (int i = 0; i < n; i++)
        x = sinf(x) * cosf(x) + powf(x, 3.3f) + sinf(x * 2) * powf(x, 2.2f) + tanhf(x) + sinhf(x);
    return x;
}
__global__ void calls(float *a) { a[threadIdx.x] = apart(a[threadIdx.x]); }
__global__ void inlines(float *a, int n) {
    for (int k = 0; k < 3; k++) a[k * 400 + threadIdx.x] = within(a[k * 400 + threadIdx.x + 200], n);
}
"""
LOOPS = """
__global__ void three(float *out, const float *a, int n) {
#pragma unroll 3
    for (int i = 0; i < n; i++) out[i * 50] = a[i * 7];
}
__global__ void whole(float *out, const float *a) {
#pragma unroll
    for (int i = 0; i < 200; i++) out[i * 50] = a[i * 7];
}
__global__ void one(float *out, const float *a) {
#pragma unroll 1
    for (int i = 0; i < 4; i++) out[i * 50] = a[i * 7];
}
"""
LOOP = """
__global__ void rolled(float *out, const float *a, int n) {
    for (int i = 0; i < n; i++) out[i * 50] = a[i * 7];
}
"""
FLAG = """
__global__ void flagged(int *out, const int *a, int n) {
    __shared__ int tile[64];
    int v = a[threadIdx.x], flag = 0;
    if (v > n) {
        flag = 1;
        out[threadIdx.x * 3] = v;
    } else {
        out[threadIdx.x * 5 + 1] = v;
    }
    BETWEEN
    if (flag)
        out[threadIdx.x * 7 + 2] = v * v;
    else
        out[threadIdx.x * 9 + 3] = v - 9;
}
"""


def _body(ptx: str, name: str) -> str:
    symbol = re.search(rf"\.entry (_Z\d+{name}\w+)\(", ptx)
    assert symbol
    return ptx[symbol.start() :].split("\n}\n")[0]


def test_functions_are_inlined_as_the_program_says() -> None:
    ptx = lw.compile(FUNCTIONS, language="cuda").ptx("sm_80")
    assert len(re.findall(r"call\.uni", _body(ptx, "calls"))) == 1
    assert "call" not in _body(ptx, "inlines")


@pytest.mark.parametrize(
    ("name", "copies", "rolled"),
    [("three", 4, 2), ("whole", 200, 0), ("one", 1, 1)],  # three turns at once, and the one of what is left
)
def test_loops_are_unrolled_as_the_program_says(name: str, copies: int, rolled: int) -> None:
    body = _body(lw.compile(LOOPS, language="cuda").ptx("sm_80"), name)
    assert (body.count("ld.global"), body.count('.pragma "nounroll"')) == (copies, rolled)


@pytest.mark.parametrize(
    ("between", "once"),
    [
        ("tile[threadIdx.x] = v; __syncthreads(); v = tile[63 - threadIdx.x];", r"\bbar\.sync|\bbarrier\.sync"),
        ("v = __popc(v) + (v >> 3);", r"\bpopc\.b32"),
        ("v = __shfl_down_sync(0xffffffffu, v, 1);", r"\bshfl\.sync"),
    ],
    ids=["barrier", "arithmetic", "warp"],
)
def test_code_between_tests_of_one_value_is_not_copied_into_arms(between: str, once: str) -> None:
    """Jump threading would know the flag in each arm, and make the rest of the kernel twice (2012, 3.2.1)."""
    ptx = lw.compile(FLAG.replace("BETWEEN", between), language="cuda").ptx("sm_80")
    assert len(re.findall(once, ptx)) == 1
    assert len(re.findall(r"st\.global", ptx)) <= 4


def test_levels_are_those_of_functions_and_of_loops() -> None:
    """As docs/gpu.md has them: steps have no levels."""
    levels = ("", "-O0", "-O1", "-O2", "-O3")
    ptx = {o: lw.compile(LOOP, language="cuda", options=[o] if o else []).ptx("sm_80") for o in levels}
    assert ptx[""] == ptx["-O2"] == ptx["-O3"]
    assert ".local" in ptx["-O0"]
    assert (ptx["-O1"].count("ld.global"), ptx["-O3"].count("ld.global")) == (1, 13)  # eight turns, four, and one
