# SPDX-License-Identifier: Apache-2.0
"""Accesses by lanes at constant distances: what they read and write, next to pages that nobody may touch."""

import ctypes
import mmap
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

BLOCKS = {"lanes:16x1": 64, "lanes:8x4": 96, "lanes:4x2": (4, 8), "lanes:8x2": (4, 16)}
"""The local size that each mapping is tried with; those of two numbers have several rows in a vector."""
TYPES = {"unsigned char": np.uint8, "short": np.int16, "float": np.float32, "double": np.float64}


@contextmanager
def guarded(length: int, dtype: Any, at_end: bool) -> Iterator[NDArray[Any]]:
    """An array that ends where a page begins that may not be accessed, or begins where one ends."""
    page = mmap.PAGESIZE
    size = length * np.dtype(dtype).itemsize
    pages = -(-size // page)
    memory = mmap.mmap(-1, (pages + 2) * page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    for guard in (address, address + (pages + 1) * page):
        assert libc.mprotect(ctypes.c_void_p(guard), ctypes.c_size_t(page), 0) == 0
    start = (pages + 1) * page - size if at_end else page
    yield np.frombuffer(memory, dtype, length, start)
    for guard in (address, address + (pages + 1) * page):
        assert libc.mprotect(ctypes.c_void_p(guard), ctypes.c_size_t(page), mmap.PROT_READ | mmap.PROT_WRITE) == 0


@dataclass(frozen=True)
class Case:
    """Of records of `k` elements, these fields; record `i - first`, from the last one on, by a table, or `i - first`
    times a distance that only the run knows."""

    k: int
    fields: tuple[int, ...]
    order: str = "up"

    def index(self, field: int) -> str:
        """In C, with the first field of the first record at 0."""
        record = {"up": "(i - first)", "down": "(last - 1 - i)", "table": "table[i]", "step": "((i - first) * step)"}
        return f"{record[self.order]} * {self.k} + {field - self.fields[0]}"

    def length(self, records: int) -> int:
        """Elements from the first field of the first record to the last field of the last."""
        return (records - 1) * self.k + self.fields[-1] - self.fields[0] + 1

    def places(self, field: int, launch: "Launch") -> NDArray[Any]:
        """The indices of active work-items."""
        up = np.arange(launch.n) - launch.first
        records = {"up": up, "down": launch.last - 1 - np.arange(launch.n), "table": launch.table, "step": up}
        return records[self.order][launch.on != 0] * self.k + field - self.fields[0]


CASES = [
    *(Case(k, tuple(range(k))) for k in (2, 3, 4, 6, 8)),
    *(Case(k, (field,)) for k, field in ((2, 0), (2, 1), (3, 1), (4, 3), (5, 2), (8, 7), (11, 4))),
    *(Case(k, fields) for k, fields in ((4, (0, 1, 2)), (4, (1, 3)), (8, (2, 3, 4, 6)), (16, (4, 5)), (12, (0, 9)))),
    Case(1, (0,), "down"),
    Case(3, (0, 1, 2), "down"),
    Case(4, (1,), "down"),
    Case(2, (0, 1), "table"),
    Case(4, (0, 1, 2, 3), "table"),
    Case(8, (3, 4, 5), "table"),
    Case(2, (0, 1), "step"),
    Case(4, (0, 1, 2), "step"),
]
COLUMNS = sum(len(case.fields) for case in CASES)
ITEM = "long i = ((long)blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;"


class Launch:
    """Two groups. Where some work-items are masked, there are records for those in the middle only."""

    def __init__(self, mapping: str, masked: bool, rng: np.random.Generator) -> None:
        self.block: Any = BLOCKS[mapping]
        self.n = 2 * int(np.prod(self.block))
        self.first, self.last = (3, self.n - 5) if masked else (0, self.n)
        self.records = self.last - self.first
        self.on = np.zeros(self.n, np.uint8)
        self.on[self.first : self.last] = rng.integers(0, 2, self.records) if masked else 1
        self.on[[self.first, self.last - 1]] = 1
        self.table = np.zeros(self.n, np.int32)
        self.table[self.first : self.last] = rng.permutation(self.records)
        self.table[self.on == 0] = -1 << 20


def kernel(name: str, element: str, masked: bool) -> str:
    """`loads` copies the fields of each case to columns of `own`, `stores` the columns to the fields."""
    pointer = f"const {element} *" if name == "loads" else f"{element} *"
    parameters = ", ".join(f"{pointer}a{number}" for number in range(len(CASES)))
    lines: list[str] = []
    column = 0
    for number, case in enumerate(CASES):
        fields = [f"a{number}[{case.index(field)}]" for field in case.fields]
        own = [f"own[{column + place} * n + i]" for place in range(len(fields))]
        column += len(fields)
        sources, targets = (fields, own) if name == "loads" else (own, fields)
        taken = [f"v{number}_{place}" for place in range(len(fields))]
        lines.append(f"{element} {', '.join(f'{v} = {s}' for v, s in zip(taken, sources, strict=True))};")
        lines += [f"{t} = {v};" for v, t in zip(taken, targets, strict=True)]
    head = f"{name}({element} *own, const unsigned char *on, const int *table, int step, int first, int last, int n"
    body = "\n    ".join(lines)
    return f"""extern "C" __global__ void {head}, {parameters}) {{
  {ITEM}
  {"if (on[i])" if masked else ""} {{
    {body}
  }}
}}
"""


def values(rng: np.random.Generator, length: int, dtype: Any) -> NDArray[Any]:
    return rng.integers(1, 256, length * np.dtype(dtype).itemsize, np.uint8).view(dtype)


TRIED = [*product(("float",), BLOCKS), ("unsigned char", "lanes:8x4"), ("short", "lanes:16x1"), ("double", "lanes:4x2")]


@pytest.mark.parametrize("masked", [False, True], ids=["all", "some"])
@pytest.mark.parametrize(("element", "mapping"), TRIED)
def test_fields_of_records(element: str, mapping: str, masked: bool):
    dtype = TYPES[element]
    rng = np.random.default_rng(7)
    launch = Launch(mapping, masked, rng)
    module = lw.compile(
        kernel("loads", element, masked) + kernel("stores", element, masked), language="cuda", mapping=mapping
    )
    active = launch.on != 0
    for name, at_end in product(("loads", "stores"), (True, False)):
        own = values(rng, COLUMNS * launch.n, dtype)
        columns = own.copy().reshape(COLUMNS, launch.n)
        with ExitStack() as stack:
            lengths = [case.length(launch.records) for case in CASES]
            arrays = [stack.enter_context(guarded(length, dtype, at_end)) for length in lengths]
            wanted: list[NDArray[Any]] = []
            column = 0
            for case, array in zip(CASES, arrays, strict=True):
                array[:] = values(rng, array.size, dtype)
                wanted.append(array.copy())
                for field in case.fields:
                    if name == "loads":
                        columns[column, active] = array[case.places(field, launch)]
                    else:
                        wanted[-1][case.places(field, launch)] = columns[column, active]
                    column += 1
            ids = (1, launch.first, launch.last, launch.n)
            module[name][2, launch.block](own, launch.on, launch.table, *ids, *arrays)
            assert own.tobytes() == columns.tobytes()
            for case, array, expected in zip(CASES, arrays, wanted, strict=True):
                assert array.tobytes() == expected.tobytes(), case


STRUCTS = """
struct Pair { double a, b; };
struct Triple { float x; int id; float y; };
struct Odd { short s[7]; };
struct Mixed { float2 a; float4 b; };
struct Wide { float f[12]; };
#define KERNEL(T) \
    extern "C" __global__ void move##T(unsigned char *target, const unsigned char *source, const int *to, \
                                       const int *from, int n) { \
        T *out = (T *)target; \
        const T *in = (const T *)source; \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) out[to[i]] = in[i]; \
        T kept = in[from[i]]; \
        out[2 * n + i] = kept; \
        out[n + i] = T{}; \
    }
KERNEL(Pair) KERNEL(Triple) KERNEL(Odd) KERNEL(Mixed) KERNEL(Wide)
"""
SIZES = {"Pair": 16, "Triple": 12, "Odd": 14, "Mixed": 32, "Wide": 48}


@pytest.mark.parametrize("mapping", ["lanes:16x2", "lanes:8x1"])
def test_copies_of_structs(mapping: str):
    rng = np.random.default_rng(3)
    module = lw.compile(STRUCTS, language="cuda", mapping=mapping)
    n = 128
    to, source = (rng.permutation(n).astype(np.int32) for _ in range(2))
    for name, size in SIZES.items():
        with guarded(n * size, np.uint8, True) as given, guarded(3 * n * size, np.uint8, True) as out:
            given[:] = values(rng, n * size, np.uint8)
            records = given.reshape(n, size)
            expected = np.zeros((3, n, size), np.uint8)
            expected[0, to] = records
            expected[2] = records[source]
            module[f"move{name}"][2, 64](out, given, to, source, n)
            assert (out.reshape(3, n, size) == expected).all(), name


VECTORS = """
#define KERNEL(T, N, FULL) \
    __kernel void turn##T##N(__global T *out, __global const T##N *in, __global T##N *same, __global const int *table, \
                             __local T##N *shared, int step) { \
        int i = get_global_id(0), own = get_local_id(0), last = get_local_size(0) - 1; \
        shared[last - own] = in[i]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        same[table[i]] = shared[own ^ 1]; \
        vstore##N(shared[own * step], i, out); \
    }
KERNEL(float, 2, 2) KERNEL(float, 3, 4) KERNEL(float, 4, 4) KERNEL(uchar, 8, 8) KERNEL(short, 16, 16)
KERNEL(double, 4, 4)
"""


@pytest.mark.parametrize("mapping", ["lanes:16x2", "lanes:4x4"])
def test_vectors_of_opencl(mapping: str):
    rng = np.random.default_rng(5)
    module = lw.compile(VECTORS, language="opencl", mapping=mapping)
    n, block = 96, 48
    table = rng.permutation(n).astype(np.int32)
    for name, count, full, dtype in (
        ("float", 2, 2, np.float32), ("float", 3, 4, np.float32), ("float", 4, 4, np.float32),
        ("uchar", 8, 8, np.uint8), ("short", 16, 16, np.int16), ("double", 4, 4, np.float64),
    ):  # fmt: skip
        kernel = module[f"turn{name}{count}"]
        given = values(rng, n * full, dtype)
        same = np.zeros(n * full, dtype)
        shared = given.reshape(2, block, full)[:, ::-1, :count]
        expected = np.zeros((n, full), dtype)
        expected[table, :count] = shared[:, np.arange(block) ^ 1].reshape(n, count)
        with guarded(n * count, dtype, True) as out:
            local = lw.local(block * full * given.itemsize)
            kernel[2, block](out, given, same, table, local, 1)
            assert out.tobytes() == shared.tobytes(), name
            assert same.reshape(n, full)[:, :count].tobytes() == expected[:, :count].tobytes(), name


SHAPES = """
struct Body { float x, y, z, mass; };
extern "C" __global__ void whole(Body *out, const Body *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body b = in[i];
    b.x *= b.mass; b.y *= b.mass; b.z *= b.mass;
    out[i] = b;
}
extern "C" __global__ void halves(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i] - in[2 * i + 1];
}
extern "C" __global__ void written_between(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float even = in[2 * i];
    out[i] = even;
    out[i] = even + in[2 * i + 1];
}
extern "C" __global__ void far(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[100 * i];
}
extern "C" __global__ void by_table(Body *out, const Body *in, const int *table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Body b = in[table[i]];
    b.x += b.mass;
    out[i] = b;
}
"""


@pytest.mark.parametrize(
    ("kernel", "vectors", "short", "single"),
    [("whole", 4, 0, 0), ("halves", 2, 0, 0), ("written_between", 4, 0, 0), ("far", 0, 0, 16), ("by_table", 1, 16, 0)],
)
def test_loads_are_few(kernel: str, vectors: int, short: int, single: int):
    """`vectors` of 16 lanes, `short` ones of 4 elements, and `single` elements."""
    text = lw.compile(SHAPES, language="cuda", mapping="lanes:16x1").ir("work-group", block=16, kernel=kernel)
    assert "masked" not in text
    loaded = [len(re.findall(rf"= load {kind},", text)) for kind in (r"<16 x \w+>", r"<4 x \w+>", "float")]
    assert loaded == [vectors, short, single]
