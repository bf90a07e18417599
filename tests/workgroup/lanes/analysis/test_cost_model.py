# SPDX-License-Identifier: Apache-2.0
"""How many chunks are chosen, for code of some kinds."""

import re

import pytest

import lanewise as lw
from lanewise.ir.module import IN_VECTORS
from lanewise.llvm import Machine
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import CpuTarget
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.processor import Processor

SOURCE = """
__global__ void update(float *a, const float *by, int pitch, int pivot) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * pitch + x] -= by[y] * a[pivot * pitch + x];
}
__global__ void from_another(float *a, const float *b, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * pitch + x] = 2 * b[y * pitch + x];
}
__global__ void of_known_rows(float *a, const float *by) {
    int x = threadIdx.x, y = threadIdx.y;
    a[y * 32 + x] -= by[y];
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("update", " 8 chunks along y"),
        ("from_another", " [24] chunks along y"),
        ("of_known_rows", " [24] chunks along y"),
    ],
)
def test_rows_that_are_loaded_and_stored_take_eight_chunks(name: str, expected: str):
    """The others as many as the processor has registers for."""
    (remark,) = lw.compile(SOURCE, language="cuda")[name].remarks((16, 16))
    assert re.search(expected, remark)


SORTED = """
kernel void exchange(global float *data, uint by) {
    uint t = get_global_id(0), low = t & 255;
    global float *at = data + ((t - low) * by + low);
    float x[16];
    for (int k = 0; k < 16; k++) x[k] = at[k * 256];
    for (int k = 0; k < 8; k++) {
        at[k * 256] = fmin(x[k], x[k + 8]);
        at[k * 256 + 2048] = fmax(x[k], x[k + 8]);
    }
}
"""


def test_rows_in_more_registers_than_there_are_take_one_chunk():
    (remark,) = lw.compile(SORTED, language="opencl")["exchange"].remarks(256)
    assert re.search(r"lanes\b(?!, \d+ chunks)", remark)


PLACES = """
__global__ void tile(float *out, const float *in, int n) {
    __shared__ float s[64];
    int x = threadIdx.x;
    s[x] = in[x];
    __syncthreads();
    if (x > 0 && x < n) out[x] = s[x] / s[x - 1] + sqrtf(s[x]);
}
__global__ void bounds(float *out, const float *in, int n) {
    int x = threadIdx.x;
    if (x > 0 && x < n) out[x] = in[x] / in[x - 1] + sqrtf(in[x]);
}
__global__ void loops(float *out, const float *in, int n) {
    __shared__ float s[64];
    int x = threadIdx.x;
    s[x] = in[x];
    __syncthreads();
    for (int i = 0; i < x; ++i) out[x] += s[i];
}
__global__ void together(float *out, const float *in, int n) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (n > 3) out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


SLOW_MASKS = CpuTarget(Machine("x86_64-linux-gnu", "haswell", "+avx2"), Processor(8, False, 8, False, False))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("tile", " 16 lanes"), ("bounds", " 8 lanes"), ("loops", " 8 lanes"), ("together", " 8 lanes")],
)
def test_code_that_branches_by_places_in_a_tile_shares_masks(name: str, expected: str):
    module = lw.compile(PLACES, language="cuda")
    symbol = f"_Z{len(name)}{name}PfPKfi"
    function = compile_for_cpu(module.ir(), symbol, (64, 1, 1), mapping=mapping_of("auto"), target=SLOW_MASKS)
    last = [remark for remark in function.facts.remarks if " lanes" in remark][-1]
    assert expected in last


@pytest.mark.parametrize(("mapping", "is_in_vectors"), [("auto", True), ("loop", False)])
def test_a_module_without_loops_over_work_items_says_so(mapping: str, is_in_vectors: bool):
    module = lw.compile(SOURCE, language="cuda", mapping=mapping)
    assert (IN_VECTORS in module.ir("work-group", "of_known_rows", (32, 8))) == is_in_vectors


ROWS = """
kernel void forwards(global float *x, global const float *a, global const float *b, int n) {
    int row = get_global_id(0);
    for (int i = 1; i < n; i++) x[row * n + i] = x[row * n + i - 1] * %s / a[row * n + i];
}
kernel void backwards(global float *x, global const float *a, global const float *b, int n) {
    int row = get_global_id(0);
    for (int i = 0; i < n - 2; i++) x[row * n + n - i - 2] -= x[row * n + n - i - 3] * %s / a[row * n + n - i - 3];
}
"""


@pytest.mark.parametrize("name", ["forwards", "backwards"])
@pytest.mark.parametrize(
    ("rows", "factor", "lanes"),
    [(16, "0.5f", 8), (16, "b[row * n + i]", 4), (8, "b[row * n + i]", 4), (64, "b[row * n + i]", 16)],
)
def test_lanes_that_walk_along_rows_of_several_arrays_are_as_few_as_fit_the_first_cache(
    name: str, rows: int, factor: str, lanes: int
):
    module = lw.compile(ROWS % (factor, factor), language="opencl")
    target = CpuTarget(Machine.host(), Processor(lanes=16, rows=rows))
    made = compile_for_cpu(module.ir(), name, (256, 1, 1), target=target)
    assert made.facts.remarks[0].startswith(f"region 0: {lanes} lanes; ")


GATHERS = """
kernel void search(global int *places, global const float *keys, global const float *table, int size) {
    int from = 0;
    for (int step = size / 2; step > 0; step /= 2) from += table[from + step] < keys[get_global_id(0)] ? step : 0;
    places[get_global_id(0)] = from;
}
kernel void counts(global int *out, global const int *in, int n) {
    int own[8] = {0};
    for (int k = 0; k < n; k++) own[in[k * n + get_global_id(0)] & 7]++;
    for (int k = 0; k < 8; k++) out[k * n + get_global_id(0)] = own[k];
}
kernel void sums(global float *out, global const int *order, global const float *x, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += x[order[k * n + get_global_id(0)]];
    out[get_global_id(0)] = sum;
}
"""


@pytest.mark.parametrize(("name", "chunks"), [("search", 4), ("counts", 4), ("sums", 1)])
def test_gathers_that_wait_for_each_other_have_other_chunks_meanwhile(name: str, chunks: int):
    (remark, *_) = lw.compile(GATHERS, language="opencl", mapping="lanes:16")[name].remarks(256)
    assert (f" {chunks} chunks" in remark, "one chunk, since its loops gather" in remark) == (chunks > 1, chunks == 1)


EDGES = """
kernel void uniform_loop(global float *out, global const float *in, int row, int size) {
    while (row >= size) row -= size;
    out[get_global_id(0)] = in[row * size + get_global_id(0)];
}
kernel void loop(global float *out, global const float *in, int size) {
    float sum = 0;
    for (int k = 0; k < size; k++) sum += in[k * size + get_global_id(0)];
    out[get_global_id(0)] = sum;
}
kernel void left_apart(global float *out, global const float *in, int size) {
    float x = in[get_global_id(0)];
    while (x > size) x *= 0.5f;
    out[get_global_id(0)] = x;
}
"""


@pytest.mark.parametrize(("name", "chunks"), [("uniform_loop", 4), ("loop", 8), ("left_apart", 4)])
def test_more_than_four_chunks_are_for_loops_that_all_leave_together_and_that_compute(name: str, chunks: int):
    (remark, *_) = lw.compile(EDGES, language="opencl")[name].remarks(512)
    assert f" {chunks} chunks along x" in remark
