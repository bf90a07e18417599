# SPDX-License-Identifier: Apache-2.0
"""Accesses out of bounds, each kind of object, told on each device with place, array and thread."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import lanewise as lw

SOURCE = r"""
struct P { float a[4]; int n; };
__constant__ float weights[5];
__device__ int table[3][4];
template <typename T> __device__ T at(const T *p, int i) { return p[i]; }
__global__ void by_value(float *out, P p) {
    int i = threadIdx.x;
    out[i] = p.a[i];
}
__global__ void dynamic(float *out) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i + 1] = i;
    __syncthreads();
    out[i] = s[i];
}
__global__ void constant_place(float *out) {
    float a[4];
    a[4] = 1;
    a[0] = 2;
    out[0] = a[0];
}
__global__ void local_array(float *out, int k) {
    float a[4];
    for (int i = 0; i <= k; ++i) a[i] = i;
    out[0] = a[k - 1];
}
__global__ void constant_memory(float *out) { out[threadIdx.x] = weights[threadIdx.x]; }
__global__ void dimension(int *out, int i) { out[0] = table[i][4 - i]; }
__global__ void heap(int *out, int n) {
    int *p = (int *)malloc(n * sizeof(int));
    p[n] = 1;
    p[0] = 5;
    out[0] = p[0];
    free(p);
}
__global__ void atomic(int *out, int n) { atomicAdd(&out[n + threadIdx.x], 1); }
__global__ void misaligned(float4 *out, const float *in) { out[0] = *(const float4 *)(in + 1); }
__global__ void chosen(float *a, float *b, int n) {
    float *p = n > 3 ? a : b;
    p[n] = 1;
}
__global__ void walk(float *a, int n) {
    float s = 0;
    for (float *p = a; p <= a + n; ++p) s += *p;
    a[0] = s;
}
__global__ void helper(float *out, const float *in) { out[threadIdx.x] = at(in, threadIdx.x - 1); }
__global__ void null(float *out) { out[threadIdx.x] = 1; }
__global__ void member(P *p, int i) { p[i].n = 1; }
__global__ void below(float *p, unsigned i) { p[i - 1] = 1; }
__global__ void walk_shared(float *out) {
    __shared__ float t[64];
    for (float *p = t + threadIdx.x; p < t + 64; p += blockDim.x) *p = 2;
    __syncthreads();
    float sum = 0;
    for (float *end = t + 64; end > t;) sum += *--end;
    out[threadIdx.x] = sum;
}
__global__ void from_the_end(float *out) {
    float a[2][4];
    for (int i = 0; i < 8; ++i) a[i / 4][i % 4] = i;
    float *end = &a[2][0];
    out[threadIdx.x] = end[-1 - (int)threadIdx.x];
}
struct Open { int n; int data[1]; };
__global__ void open(int *out) { ((Open *)out)->data[threadIdx.x] = 3; }
__global__ void misaligned_choice(float *out, const float *in, int c) {
    const float *p = in;
    if (c) p = in + 1;
    float4 v = ((const float4 *)p)[0];
    out[0] = v.x;
}
__global__ void tile(float *out) {
    __shared__ float t[4][8];
    int i = threadIdx.x;
    t[i / 8][i % 8 + 1] = i;
    __syncthreads();
    out[i] = t[i / 8][i % 8];
}
"""
P = np.dtype([("a", np.float32, 4), ("n", np.int32)])


def floats(n: int) -> np.ndarray:
    return np.ones(n, np.float32)


class Case(NamedTuple):
    kernel: str
    threads: int
    arguments: tuple[Any, ...]
    marked: str
    """The line of the source that is told, from the caret on."""
    message: str
    thread: int
    count: int = 1
    shared: int = 0


CASES = (
    Case("by_value", 8, (floats(8), np.zeros((), P)), "p.a[i]",
         "read out of bounds: index 4 of an array of 4 elements in argument 'p' of 20 bytes", 4, 4),
    Case("dynamic", 8, (floats(8),), "s[i + 1]",
         "write out of bounds: element 8 of shared array 's'[8]: just past its end", 7, 1, 32),
    Case("constant_place", 1, (floats(1),), "a[4] = 1", "write out of bounds: index 4 of local array 'a'[4]", 0),
    Case("local_array", 2, (floats(1), 4), "a[i] = i", "write out of bounds: index 4 of local array 'a'[4]", 0, 2),
    Case("constant_memory", 8, (floats(8),), "weights[threadIdx.x]; }",
         "read out of bounds: index 5 of variable 'weights'[5]", 5, 3),
    Case("dimension", 1, (np.zeros(1, np.int32), 0), "table[i]",
         "read out of bounds: index 4 in dimension 2 of variable 'table'[3][4]", 0),
    Case("heap", 1, (np.zeros(1, np.int32), 4), "p[n] = 1",
         "write out of bounds: byte 16 of memory of malloc()", 0),
    Case("atomic", 2, (np.zeros(4, np.int32), 3), "out[n +",
         "atomic operation out of bounds: element 4 of argument 'out', int32[4]: just past its end", 1),
    Case("misaligned", 1, (np.zeros((1, 4), np.float32), lw.zeros(5, np.float32)), "*(const",
         "misaligned read of 16 bytes: byte 4 of argument 'in', float32[5] is at no multiple of 16", 0),
    Case("misaligned_choice", 1, (floats(4), lw.zeros(8, np.float32), 1), "((const float4",
         "misaligned read of 4 bytes: byte 4 of argument 'in', float32[8] is at no multiple of 16", 0),
    Case("chosen", 1, (floats(4), floats(3), 3), "p[n] = 1",
         "write out of bounds: element 3 of argument 'b', float32[3]: just past its end", 0),
    Case("walk", 1, (floats(4), 4), "*p;",
         "read out of bounds: element 4 of argument 'a', float32[4]: just past its end", 0),
    Case("helper", 4, (floats(4), floats(4)), "p[i]; }",
         "read out of bounds: element -1 of argument 'in', float32[4]: 4 bytes before its start", 0),
    Case("null", 4, (None,), "out[threadIdx.x] = 1",
         "write through a null pointer: argument 'out' is None", 0, 4),
    Case("member", 1, (np.zeros(3, P), 4), "n = 1",
         "write out of bounds: element 4, byte 16 of it, of argument 'p', struct of 20 bytes[3]: 36 bytes past its end",
         0),
    Case("below", 1, (floats(3), 0), "p[i - 1]",
         "write out of bounds: element 4294967295 of argument 'p', float32[3]: an unsigned index has gone below 0", 0),
    Case("tile", 32, (floats(32),), "t[i / 8][i % 8 + 1]",
         "write out of bounds: index 8 in dimension 2 of shared array 't'[4][8]", 7, 4),
)  # fmt: skip


@pytest.fixture(scope="module", params=["lanes", "loop", "threads"])
def module(request: pytest.FixtureRequest) -> lw.Module:
    parts = ["memory", "values", "races", "barriers"]  # what isn't written since it is dropped, others tell
    return lw.compile(SOURCE, language="cuda", checked=parts, mapping=request.param)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_a_fault_is_told_once_with_its_place(module: lw.Module, case: Case) -> None:
    told = launch(module, case, "cpu")
    check(case, told)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_the_reference_tells_the_same(case: Case) -> None:
    checked = lw.compile(SOURCE, language="cuda", checked="memory")
    check(case, launch(checked, case, "reference"))


def launch(module: lw.Module, case: Case, device: str) -> lw.CheckError:
    with pytest.raises(lw.CheckError) as raised:
        module[case.kernel].launch(1, case.threads, case.arguments, case.shared, device=device)
    return raised.value


def check(case: Case, error: lw.CheckError) -> None:
    (fault,) = error.faults
    lines = SOURCE.splitlines()
    assert lines[fault.line - 1][fault.column - 1 :].startswith(case.marked)
    more = f", and {case.count - 1} more times" if case.count > 2 else ", and once more" if case.count == 2 else ""
    head, what, line, caret = str(error).splitlines()
    assert head == f"kernel {case.kernel}: 1 place at fault"
    place = f"<source>:{fault.line}:{fault.column}"
    assert what == f"{place}: error: {case.message}, in block (0, 0, 0), thread ({case.thread}, 0, 0){more}"
    assert line[caret.index("^") :].startswith(case.marked)
    assert (fault.times, fault.thread) == (case.count, (case.thread, 0, 0))


def test_a_bad_load_gives_zero_and_a_bad_store_is_dropped(module: lw.Module) -> None:
    out, values = floats(8), np.full(6, 7, np.float32)
    with pytest.raises(lw.CheckError):
        module["helper"].launch(1, 8, (out[:7], values))
    assert out.tolist() == [0, 7, 7, 7, 7, 7, 7, 1]


def test_right_launches_say_nothing(module: lw.Module) -> None:
    out = floats(32)
    module["local_array"].launch(1, 2, (out, 3))
    module["walk"].launch(1, 1, (out, 31))
    module["chosen"].launch(1, 1, (out, out, 31))
    module["member"].launch(1, 1, (np.zeros(3, P), 2))
    module["walk_shared"].launch(1, 32, (out,))
    assert (out == 128).all()
    module["from_the_end"].launch(1, 8, (out,))
    assert out[:8].tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    words = np.zeros(8, np.int32)
    module["open"].launch(1, 7, (words,))
    assert words.tolist() == [0, 3, 3, 3, 3, 3, 3, 3]


def test_the_members_of_a_vector_are_one_place() -> None:
    """The fault is the first thread's, with the least offset of the members that were written there."""
    source = "__global__ void set(float4 *p) {\n    p[threadIdx.x] = make_float4(1, 2, 3, 4);\n}"
    module = lw.compile(source, language="cuda", checked="memory")
    with pytest.raises(lw.CheckError) as raised:
        module["set"][1, 32](np.zeros((30, 4), np.float32))
    places = [(fault.line, fault.column) for fault in raised.value.faults]
    assert len(places) == len(set(places))
    assert all(fault.thread == (30, 0, 0) for fault in raised.value.faults)
    assert [fault.offset for fault in raised.value.faults] == [480, 484]
    assert sum(fault.times for fault in raised.value.faults) == 8
