# SPDX-License-Identifier: Apache-2.0
"""Which kernels exchange values within a warp without a barrier, and which only look like it."""

import pytest

import lanewise as lw
from lanewise.analysis import exchanges
from lanewise.ir.function import Block
from lanewise.pipelines.cpu import compile_for_cpu

SOURCE = """
#define KERNEL extern "C" __global__ void

// -- no exchange ----------------------------------------------------------------------------------------------------
KERNEL own_element(float *o) { __shared__ float s[256]; int t = threadIdx.x; s[t] = o[t]; o[t] = 2 * s[t]; }
KERNEL own_row(float *o, int k) {
    __shared__ float s[16][17]; int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = o[16 * y + x]; s[y][x] *= 2; o[16 * y + x] = s[y][x];
}
KERNEL tile(float *o, int n) {
    __shared__ float s[256]; int t = threadIdx.x; float sum = 0;
    for (int k = 0; k < n; k++) { s[t] = o[t + k]; __syncthreads(); sum += s[(t + 1) % 256]; __syncthreads(); }
    o[t] = sum;
}
KERNEL filled_together(float *o) {
    __shared__ float s[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) { s[i] = o[i]; s[i] += 1; }
}
KERNEL tree(float *o) {
    __shared__ float s[256]; int t = threadIdx.x;
    for (int n = blockDim.x / 2; n > 0; n /= 2) { if (t < n) s[t] += s[t + n]; __syncthreads(); }
    o[t] = s[t];
}
KERNEL below_a_constant(float *o) { __shared__ float s[256]; int t = threadIdx.x; if (t < 16) s[t] += s[t + 16]; }
KERNEL wave_front(int *o, int m) {
    __shared__ int s[17][17]; int x = threadIdx.x + 1, y = m - threadIdx.x;
    if (threadIdx.x < 16) s[y][x] = max(s[y - 1][x - 1], max(s[y][x - 1], s[y - 1][x]));
}
KERNEL two_arrays(float *o) { __shared__ float s[256], r[256]; int t = threadIdx.x; s[t] = o[t]; o[t] = r[255 - t]; }
KERNEL even_and_odd(float *o) { __shared__ float s[512]; int t = threadIdx.x; s[2 * t] = o[t]; o[t] = s[511 - 2 * t]; }
KERNEL two_ways(float *o) {
    __shared__ float s[256]; int t = threadIdx.x;
    if (o[t] > 0) s[t] = 1; else o[t] = s[255 - t];
}
KERNEL counted(int *o) { __shared__ int s[16]; atomicAdd(&s[o[threadIdx.x]], 1); atomicMax(&s[o[threadIdx.x]], 1); }
KERNEL ping_pong(float *o, int n) {
    __shared__ float s[2][256]; int t = threadIdx.x;
    for (int k = 0; k < n; k++) { s[k & 1][t] += 1; __syncthreads(); }
}
KERNEL in_global_memory(float *o) { int t = threadIdx.x; o[t] = 1; o[t + 256] = o[255 - t]; }

// -- exchange -------------------------------------------------------------------------------------------------------
KERNEL x_reversed(float *o) { __shared__ float s[256]; int t = threadIdx.x; s[t] = o[t]; o[t] = s[t ^ 31]; }
KERNEL x_first_reads_all(float *o) {
    __shared__ float s[256]; int t = threadIdx.x; s[t] = o[t];
    if (t == 0) { float sum = 0; for (int i = 0; i < 32; i++) sum += s[i]; *o = sum; }
}
KERNEL x_read_before_written(float *o) { __shared__ float s[257]; int t = threadIdx.x; float v = s[t + 1]; s[t] = v; }
KERNEL x_written_twice(float *o) { __shared__ float s[257]; int t = threadIdx.x; s[t] = 0; s[t + 1] = t; }
KERNEL x_in_a_loop(float *o, int n) {
    __shared__ float s[256]; int t = threadIdx.x;
    for (int k = n; k < 5; k++) s[t] += s[t ^ k];
}
KERNEL x_counted_and_read(int *o) { __shared__ int s[16]; atomicAdd(&s[o[threadIdx.x]], 1); o[threadIdx.x] = s[3]; }
KERNEL x_below_too_much(float *o) { __shared__ float s[256]; int t = threadIdx.x; if (t < 17) s[t] += s[t + 16]; }
KERNEL x_tree_one_off(float *o) {
    __shared__ float s[256]; int t = threadIdx.x;
    for (int n = blockDim.x / 2; n > 0; n /= 2) { if (t <= n) s[t] += s[t + n]; __syncthreads(); }
    o[t] = s[t];
}
KERNEL x_shared_element(float *o) { __shared__ float s[256]; int t = threadIdx.x; s[t / 2] += o[t]; }
KERNEL x_dynamic(float *o) {
    extern __shared__ float a[]; extern __shared__ int b[]; int t = threadIdx.x;
    a[t] = 1; o[t] = b[t ^ 1];
}
KERNEL x_either(float *o, int n) {
    __shared__ float s[256], r[256]; int t = threadIdx.x; float *p = n ? s : r;
    s[t] = o[t]; o[t] = p[t ^ 1];
}
KERNEL x_after_a_join(float *o) {
    __shared__ float s[256]; int t = threadIdx.x;
    if (t < 16) s[t] = o[t];
    if (t >= 8) o[t] = s[t - 8];
}
"""
TWO_DIMENSIONAL = {"own_row": (16, 16, 1)}


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def _names(begin: bool) -> list[str]:
    words = (line.split("(")[0].removeprefix("KERNEL ") for line in SOURCE.splitlines() if line.startswith("KERNEL "))
    return [name for name in words if name.startswith("x_") is begin]


@pytest.mark.parametrize("kernel", _names(False))
def test_no_exchange(module: lw.Module, kernel: str):
    remarks = module[kernel].remarks(TWO_DIMENSIONAL.get(kernel, (256, 1, 1)))
    assert not [r for r in remarks if "exchange" in r]


@pytest.mark.parametrize("kernel", _names(True))
def test_exchange(module: lw.Module, kernel: str):
    remarks = module[kernel].remarks(256)
    assert [r for r in remarks if "whole warps in step, since threads exchange values in shared memory" in r]


def test_blocks_after_others_are_found_for_those_with_accesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, for each block, would take the square of a region's blocks."""
    searched: list[Block] = []
    search = exchanges._Following._search
    monkeypatch.setattr(exchanges._Following, "_search", lambda *given: searched.append(given[1]) or search(*given))
    branches = " ".join(f"if (o[{i}] > t) o[t + {i}] = {i};" for i in range(1, 20))
    accesses = "if (t < 16) s[t] = o[t];", "if (t >= 8) o[t] = s[t - 8];"
    body = f"int t = threadIdx.x; {accesses[0]} {branches} {accesses[1]}"
    source = f"KERNEL k(int *o) {{ __shared__ int s[64]; {body} }}"
    text = lw.compile(source, language="cuda", defines={"KERNEL": 'extern "C" __global__ void'}).ir()
    compile_for_cpu(text, "k", (64, 1, 1))  # no cache has it
    assert 0 < len(set(searched)) < 10
