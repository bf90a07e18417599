# SPDX-License-Identifier: Apache-2.0
"""Private arrays whose elements are interleaved: what they hold, under every mapping, and which arrays these are."""

import re

import numpy as np
import pytest
from tests.workgroup.parts import kernel_text, session

from lanewise.analysis.private_arrays import private_arrays
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.program.module import Module
from lanewise.program.source.compilation import compile_source
from lanewise.workgroup.layout.interleaved_arrays import TILE, tile_of
from lanewise.workgroup.mapping import mapping_of

MAPPINGS = ("loop", "lanes:16x4", "lanes:8x2", "lanes:4x1")
TYPES = {
    "signed char": np.int8,
    "unsigned short": np.uint16,
    "int": np.int32,
    "float": np.float32,
    "double": np.float64,
}

CUDA = """
struct Whole { T a[20]; };
extern "C" __global__ void k(T *out, const T *in, int *flag, int n) {
    int item = threadIdx.x + blockDim.x * threadIdx.y;
    int place = item + blockIdx.x * blockDim.x * blockDim.y;
    T v[24] = {};
    T w[4][3] = {};
    for (int i = 0; i < n; i++) v[i] = in[(place + i * 7) & 255];
    if (item % 3 == 1)
        for (int i = 0; i < n - (item & 3); i++) v[(i * 5 + item) % 24] += in[i];
    for (int i = 0; i < n; i++) w[i & 3][item % 3] = v[i];
    Whole x, y;
    for (int i = 0; i < 20; i++) x.a[i] = v[i] - w[i & 3][1], y.a[i] = 1;
    if (n > 3 && item & 2) y = x;
    y.a[item % 20] += 5;
    __syncthreads();
    while (atomicAdd(flag, 0) == 0) w[n & 3][0] += 1;
    v[(item + n) % 24] += y.a[n];
    __syncthreads();
    T s = 0;
    for (T *p = v; p != v + n; p++) s = s * 3 + *p;
    const T *either = item & 1 ? v : y.a;
    for (int i = 0; i < n; i++) s += either[(i + item) % 20] - w[i % 4][i % 3];
    out[place] = s;
}
"""

OPENCL = """
kernel void k(global float *out, global const float *in, global int *flag, int n) {
    int item = get_local_id(0) + get_local_size(0) * get_local_id(1);
    int place = item + get_group_id(0) * get_local_size(0) * get_local_size(1);
    float4 v[6];
    float3 w[5];
    char2 c[3];
    for (int i = 0; i < 6; i++) v[i] = vload4(i, in + item);
    for (int i = 0; i < 5; i++) w[i] = v[i].zyx;
    for (int i = 0; i < 3; i++) c[i] = (char2)(i, item);
    for (int i = 0; i < n; i++) {
        v[i % 6].y += w[(i + item) % 5].z;
        if (item & 1) w[i % 5] = v[(i + item) % 6].xxw, c[i % 3].x += n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 s = 0;
    for (int i = 0; i < n; i++) s = s * 0.5f + v[i % 6] + w[i % 5].xyzx + c[i % 3].x + c[item % 3].y;
    out[place] = s.x + s.y * 2 + s.z * 4 + s.w * 8;
}
"""


def module_of(text: str, mapping: str, language: str = "cuda") -> Module:
    return compile_source(session(), text, language=language, mapping=mapping)


def check(text: str, dtype: type, block: tuple[int, ...], language: str = "cuda") -> None:
    """All mappings give what the reference device does, to the bit."""
    items, groups = int(np.prod(block)), 2
    values = np.random.default_rng(items).integers(-60, 60, 4096).astype(dtype)

    def result(module: Module, device: str) -> bytes:
        out = np.zeros(items * groups, dtype)
        module["k"].launch(groups, block, (out, values, np.ones(1, np.int32), 13), device=device)
        return out.tobytes()

    wanted = result(module_of(text, "loop", language), "reference")
    for mapping in MAPPINGS:
        assert result(module_of(text, mapping, language), "cpu") == wanted, mapping


@pytest.mark.parametrize("name", TYPES)
def test_elements_of_every_size(name: str):
    check(CUDA.replace("T ", f"{name} "), TYPES[name], (20, 3))


@pytest.mark.parametrize("block", [(128,), (32, 6), (8, 8), (7,)], ids=str)
def test_groups_of_one_tile_and_of_several(block: tuple[int, ...]):
    check(CUDA.replace("T ", "float "), np.float32, block)


@pytest.mark.parametrize("block", [(64,), (12, 2)], ids=str)
def test_vectors_are_accessed_by_their_elements(block: tuple[int, ...]):
    check(OPENCL, np.float32, block, "opencl")


UNIFORM_INDEX = """
extern "C" __global__ void k(float *out, const float *in, int n) {
    int item = threadIdx.x;
    float v[32];
    float sum = 0;
    for (int i = 0; i < n; i++) v[i] = in[i * 100 + item];
    for (int i = n; i-- > 0;) sum = sum * 3 + v[i];
    out[item] = sum;
}
"""


@pytest.mark.parametrize(("items", "distance"), [(64, 64), (128, 64), (48, 48), (100, 100)])
def test_the_same_element_of_all_lanes_is_a_vector(items: int, distance: int):
    text = module_of(UNIFORM_INDEX, "lanes:4x1").ir("work-group", block=items)
    assert re.search(rf"getelementptr \[{4 * distance} x i8\], ptr %\d+, i64 %\d+", text)
    assert "masked.gather" not in text
    assert "masked.scatter" not in text


def test_code_for_any_local_size_leaves_them_in_one_piece():
    text = kernel_text(OWN.replace("USE", ""))
    assert "[32 x i8]" in write_module(compile_for_cpu(text, "k", None).module)
    assert "[32 x i8]" not in write_module(compile_for_cpu(text, "k", (64, 1, 1)).module)


def test_tiles_hold_whole_rows_of_lanes():
    assert tile_of((256, 1, 1)) == tile_of((96, 2, 1)) == tile_of((8, 8, 4)) == tile_of((1, 64, 2)) == TILE
    assert tile_of((48, 4, 1)) == 192
    assert tile_of((32, 3, 1)) == 96
    assert tile_of((20, 16, 1)) == 320


def test_what_is_kept_is_said_with_its_size():
    text = kernel_text(OWN.replace("[8 x i32], align 4", "[5 x i32], align 16").replace("USE", ""))
    for mapping, bytes_ in (("lanes:4x1", 20), ("loop", 32)):
        function = compile_for_cpu(text, "k", (64, 1, 1), mapping=mapping_of(mapping))
        assert [(k.use, k.type, k.bytes) for k in function.kept] == [("private", "[5 x i32]", bytes_)]
        assert function.facts.arena_bytes == 64 * bytes_


OWN = """
  %v = alloca [8 x i32], align 4
  %w = alloca [8 x i32], align 4
  TID
  %i = and i32 %n, 3
  %p = getelementptr i32, ptr %v, i32 %i
  store i32 %t, ptr %p
  %j = and i32 %m, 3
  %q = getelementptr i32, ptr %v, i32 %j
  %x = load i32, ptr %q
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %x, ptr %to
  USE
  ret void"""

MORE = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.end.p0(ptr)
declare void @external(ptr)
"""


def apart(use: str) -> dict[str, int]:
    """The variables of OWN that are apart, with the sizes of their elements, where this is done besides."""
    module = read_module(kernel_text(OWN.replace("USE", use), more=MORE))
    found = private_arrays(module.function("k"), module.types)
    return {str(variable.name): size for variable, size in found.elements.items()}


@pytest.mark.parametrize(
    "use",
    [
        "store <4 x float> zeroinitializer, ptr %p, align 4",
        "%y = load volatile i32, ptr %p",
        "call void @llvm.memset.p0.i64(ptr align 4 %v, i8 1, i64 32, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %v, ptr %in, i64 8, i1 false)",
        "call void @llvm.memmove.p0.p0.i64(ptr %out, ptr align 8 %v, i64 8, i1 false)",
        "call void @llvm.lifetime.end.p0(ptr %v)",
        "%c = icmp eq ptr %p, %q",
        "%s = select i1 true, ptr %p, ptr %v\n  store i32 1, ptr %s",
        "%f = freeze ptr %p\n  %a = addrspacecast ptr %f to ptr addrspace(5)\n  store i32 1, ptr addrspace(5) %a",
    ],
)
def test_what_leaves_an_array_apart(use: str):
    assert apart(use) == {"v": 4}


@pytest.mark.parametrize(
    "use",
    [
        # 2a: other sizes, an alignment that allows offsets within an element, atomic, the address itself
        "store i64 1, ptr %v",
        "store i16 1, ptr %v",
        "store <2 x i16> zeroinitializer, ptr %v, align 4",
        "store [1 x i32] [i32 1], ptr %v",
        "store i32 1, ptr %v, align 2",
        "store atomic i32 1, ptr %v monotonic, align 4",
        "%y = atomicrmw add ptr %v, i32 1 monotonic",
        "store ptr %p, ptr %out",
        # 2b: parts of elements, of unknown number, at unknown places, of unknown value, volatile, within the array
        "call void @llvm.memset.p0.i64(ptr align 4 %v, i8 1, i64 6, i1 false)",
        "%l = zext i32 %n to i64\n  call void @llvm.memset.p0.i64(ptr align 4 %v, i8 1, i64 %l, i1 false)",
        "call void @llvm.memset.p0.i64(ptr align 2 %v, i8 1, i64 8, i1 false)",
        "call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %v, i64 8, i1 false)",
        "%b = trunc i32 %n to i8\n  call void @llvm.memset.p0.i64(ptr align 4 %v, i8 %b, i64 8, i1 false)",
        "call void @llvm.memset.p0.i64(ptr align 4 %v, i8 1, i64 8, i1 true)",
        "call void @llvm.memmove.p0.p0.i64(ptr align 4 %v, ptr align 4 %p, i64 8, i1 false)",
        # 2: what shows the address, or may
        "%y = ptrtoint ptr %p to i64",
        "%c = icmp eq ptr %p, %in",
        "call void @external(ptr %v)",
        "%y = getelementptr i32, ptr %v, <2 x i32> <i32 0, i32 1>",
        # 3: together with what is not apart, or not private, or has other elements
        "%s = select i1 true, ptr %p, ptr %in\n  store i32 1, ptr %s",
        "store i16 1, ptr %w\n  %s = select i1 true, ptr %p, ptr %w",
        "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %v, ptr align 4 %w, i64 8, i1 false)\n  store i16 1, ptr %w",
    ],
)
def test_what_keeps_an_array_in_one_piece(use: str):
    assert "v" not in apart(use)


def test_variables_that_come_together_are_apart_together():
    both = "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %v, ptr align 4 %w, i64 8, i1 false)\n  store i32 1, ptr %w"
    assert apart(both) == {"v": 4, "w": 4}
    assert apart(both + "\n  call void @external(ptr %w)") == {}


def test_an_array_that_is_not_aligned_to_its_elements_stays_in_one_piece():
    module = read_module(kernel_text(OWN.replace("[8 x i32], align 4", "[32 x i8], align 2").replace("USE", "")))
    assert private_arrays(module.function("k"), module.types).elements == {}
