# SPDX-License-Identifier: Apache-2.0
"""Pointers that kernels read from memory: to arguments, to allocations, null, and to what nobody knows."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
struct Row { float *data; long long n; };
struct Link { Link *next; int value; };
__global__ void rows(float **row, int n) { row[threadIdx.x][n] = threadIdx.x; }
__global__ void member(Row row, float *out) { out[threadIdx.x] = row.data[row.n + threadIdx.x]; }
__global__ void named(int **at, int *pool, int n, int *other) {
    int *p = at[threadIdx.x];
    for (int i = 0; i < n; ++i) *p++ = other[i];
}
__global__ void backwards(Row *row, float *out) {
    float sum = 0;
    for (float *p = row->data + row->n; p != row->data;) sum += *--p;
    out[threadIdx.x] = sum;
}
__global__ void links(Link *first, int *out) {
    int sum = 0;
    for (Link *at = first; at; at = at->next) sum += at->value;
    out[threadIdx.x] = sum;
}
__global__ void last(Link *first, int *out) {
    Link *at = first;
    while (at->value != 7) at = at->next;
    out[threadIdx.x] = at->value;
}
__global__ void shared_one(int *out) {
    __shared__ int t[32];
    __shared__ int *at[2];
    at[threadIdx.x % 2] = t;
    __syncthreads();
    at[threadIdx.x % 2][threadIdx.x] = 3;
    __syncthreads();
    out[threadIdx.x] = t[threadIdx.x];
}
__global__ void twice(short **at) { *(int *)(at[0] + 1) = 5; }
"""


@pytest.fixture(scope="module", params=["lanes", "loop", "threads"])
def module(request: pytest.FixtureRequest) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="memory", mapping=request.param)


LINK = np.dtype({"names": ["next", "value"], "formats": ["<u8", "<i4"], "offsets": [0, 8], "itemsize": 16})
ROW = np.dtype([("data", "<u8"), ("n", "<i8")])


def table(*buffers: lw.Buffer | None) -> np.ndarray:
    return np.array([0 if each is None else each.address for each in buffers], np.uint64)


def text(error: pytest.ExceptionInfo[lw.CheckError]) -> str:
    """The one fault, without its place."""
    _, first, *_ = str(error.value).splitlines()
    return first.split(": error: ")[1]


@pytest.mark.parametrize(
    ("n", "told"),
    [(0, ""), (9, ""), (10, "byte 40 of an allocation,"), (-1, "byte -4 of an allocation: 4 bytes before its start,")],
)
def test_rows_by_an_array_of_pointers(module: lw.Module, n: int, told: str) -> None:
    buffers = [lw.zeros(10, np.float32) for _ in range(32)]
    if not told:
        module["rows"][1, 32](table(*buffers), n)
        assert [float(each.array[n]) for each in buffers] == list(range(32))
        return
    with pytest.raises(lw.CheckError) as raised:
        module["rows"][1, 32](table(*buffers), n)
    assert text(raised).startswith(f"write out of bounds: {told}")
    assert raised.value.faults[0].times == 32
    assert not any(each.array.any() for each in buffers)


def test_one_null_among_them(module: lw.Module) -> None:
    buffers = [lw.zeros(4, np.float32) for _ in range(7)]
    with pytest.raises(lw.CheckError) as raised:
        module["rows"][1, 8](table(*buffers[:5], None, *buffers[5:]), 2)
    (fault,) = raised.value.faults
    assert (fault.thread, fault.times, fault.object) == ((5, 0, 0), 1, "null pointer")
    assert text(raised).startswith("write through a null pointer, in block")
    assert [float(each.array[2]) for each in buffers] == [0, 1, 2, 3, 4, 6, 7]


def test_an_address_in_an_argument_has_its_name(module: lw.Module) -> None:
    pool, other = np.zeros(40, np.int32), np.arange(40, dtype=np.int32) + 1
    at = np.array([pool.ctypes.data + 40 * n for n in range(4)], np.uint64)
    module["named"][1, 4](at, pool, 10, other)
    assert pool.tolist() == 4 * list(range(1, 11))
    with pytest.raises(lw.CheckError) as raised:
        module["named"][1, 4](at, pool, 12, other)
    assert text(raised).startswith("write out of bounds: element 40 of argument 'pool', int32[40]: just past its end")
    assert raised.value.faults[0].times == 2


def test_memory_that_nobody_has_told_of_is_left_alone(module: lw.Module) -> None:
    hidden = np.zeros(8, np.float32)
    module["rows"][1, 1](np.array([hidden.ctypes.data], np.uint64), 5)
    assert hidden.tolist() == [0] * 5 + [0] + [0] * 2
    module["rows"][1, 2](np.array([hidden.ctypes.data, hidden.ctypes.data + 4], np.uint64), 5)
    assert hidden.tolist() == [0] * 6 + [1, 0]


@pytest.mark.parametrize("n", [8, 12])
def test_a_member_of_a_structure(module: lw.Module, n: int) -> None:
    data, out = lw.zeros(16, np.float32), np.zeros(8, np.float32)
    if n == 8:
        module["member"][1, 8]((data.address, n), out)
        return
    with pytest.raises(lw.CheckError, match="read out of bounds: byte 64 of an allocation") as raised:
        module["member"][1, 8]((data.address, n), out)
    assert raised.value.faults[0].times == 4


def test_a_pointer_just_past_the_end_may_go_back(module: lw.Module) -> None:
    data, out = lw.to_device(np.arange(10, dtype=np.float32)), np.zeros(4, np.float32)
    module["backwards"][1, 4](np.array([(data.address, 10)], ROW), out)
    assert out.tolist() == [45] * 4


def test_links(module: lw.Module) -> None:
    links = np.array([(0, 1), (0, 2), (0, 4)], LINK)
    links["next"][:2] = [links.ctypes.data + 16, links.ctypes.data + 32]
    out = np.zeros(4, np.int32)
    module["links"][1, 4](links, out)
    assert out.tolist() == [7] * 4
    with pytest.raises(lw.CheckError, match="read through a null pointer"):
        module["last"].launch(1, 1, (links, out[:1]), timeout=0.5)


def test_pointers_to_shared_memory_are_right(module: lw.Module) -> None:
    out = np.zeros(32, np.int32)
    module["shared_one"][1, 32](out)
    assert out.tolist() == [3] * 32


def test_alignment(module: lw.Module) -> None:
    data = lw.zeros(8, np.int16)
    with pytest.raises(
        lw.CheckError, match="misaligned write of 4 bytes: byte 2 of an allocation is at no multiple of 4"
    ):
        module["twice"][1, 1](table(data))


@pytest.mark.parametrize("device", ["reference", "simt"])
def test_other_devices_know_arguments_and_null(device: str) -> None:
    module = lw.compile(SOURCE, language="cuda", checked="memory")
    with pytest.raises(lw.CheckError, match="write through a null pointer"):
        module["rows"].launch(1, 1, (np.zeros(1, np.uint64), 2), device=device)
