# SPDX-License-Identifier: Apache-2.0
"""Structs and vectors by value and in arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
struct Inner { short s; double d; };
struct Outer { char c; Inner inner[2]; float4 v; bool b; };
struct Particle { float x, y; unsigned char tag; };
union Number { int i; float f; };

__global__ void unpack(double *out, Outer o, char gap, Particle p) {
    out[0] = o.c; out[1] = o.inner[0].s; out[2] = o.inner[0].d; out[3] = o.inner[1].s; out[4] = o.inner[1].d;
    out[5] = o.v.x; out[6] = o.v.w; out[7] = o.b; out[8] = p.x; out[9] = p.y; out[10] = p.tag;
}
__global__ void vectors(double *out, float4 f, double2 d, uchar4 u, int3 i) {
    out[0] = f.x + 10 * f.y + 100 * f.z + 1000 * f.w; out[1] = d.x - d.y; out[2] = u.w; out[3] = i.z;
}
__global__ void writes_its_copy(int *out, int2 pair) { pair.x += threadIdx.x; out[threadIdx.x] = pair.x + pair.y; }
__global__ void move_all(Particle *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { p[i].x += p[i].y; p[i].tag = i; }
}
__global__ void sum4(float4 *v) { v[threadIdx.x].w = v[threadIdx.x].x + v[threadIdx.x].y + v[threadIdx.x].z; }
__global__ void of_union(float *out, Number n) { *out = n.f; }
"""
PARTICLE = np.dtype([("x", "f4"), ("y", "f4"), ("tag", "u1")], align=True)
OUTER = (-1, ((2, 3.5), (4, 5.5)), (6, 7, 8, 9), True)


def test_the_dtypes_of_parameters():
    text = """
    struct Row { float a[3]; int b[2][4]; };
    struct Table { Row rows[2]; float4 v; };
    __global__ void k(Row *rows, Table table, void *any, const void *same, float **places, float4 *v, int n) {}
    """
    row = np.dtype([("a", "f4", 3), ("b", "i4", (2, 4))])
    four = np.dtype([(name, "f4") for name in "xyzw"])
    kernel = lw.compile(text)["k"]
    rows, table, anything, same, places, v, n = (p.dtype for p in kernel.params)
    assert isinstance(rows, np.dtype)
    assert (rows, places, v, n) == (row, np.uint64, four, np.int32)
    assert isinstance(table, np.dtype)
    assert table["rows"] == np.dtype((row, 2))
    assert table["v"] == four
    assert anything is None
    assert same is None
    kernel[1, 1](np.zeros(5, rows), np.zeros((), table), np.zeros(3, np.int8), None, None, np.zeros(2, v), 0)


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


def unpacked(module: lw.Module, outer: Any, particle: Any) -> list[float]:
    out = np.zeros(11)
    module["unpack"][1, 1](out, outer, 0, particle)
    return out.tolist()


def test_nested_structs_as_tuples(module: lw.Module):
    assert unpacked(module, OUTER, (10, 11, 12)) == [-1, 2, 3.5, 4, 5.5, 6, 9, 1, 10, 11, 12]


def test_structured_scalars_and_bytes(module: lw.Module):
    particle = np.array([(10, 11, 12)], PARTICLE)
    expected = [-1, 2, 3.5, 4, 5.5, 6, 9, 1, 10, 11, 12]
    for given in (particle[0], particle, particle.tobytes()):
        assert unpacked(module, OUTER, given) == expected


@pytest.mark.parametrize(
    ("outer", "said"),
    [
        ((1, 2, 3), r"'o': expected 4 values \(c, inner, v, b\), not tuple"),
        ((1, ((2, 3),), (6, 7, 8, 9), True), r"'o'\.inner: expected 2 values, not tuple"),
        ((1, ((2, 3), (4, 5.5, 6)), (6, 7, 8, 9), True), r"'o'\.inner\[1\]: expected 2 values \(s, d\), not tuple"),
        ((1, ((2.5, 3), (4, 5)), (6, 7, 8, 9), True), r"'o'\.inner\[0\]\.s: expected an integer for int16, not float"),
        ((300, ((2, 3), (4, 5)), (6, 7, 8, 9), True), r"'o'\.c: 300 does not fit int8"),
        ((1, ((2, 3), (4, "x")), (6, 7, 8, 9), True), r"'o'\.inner\[1\]\.d: expected a number"),
        ((1, ((2, 3), (4, 5)), (6, 7, 8, 9), 2), r"'o'\.b: expected a bool"),
        (5, r"'o': expected Outer as a tuple or a structured scalar of dtype .*, not int 5"),
        (None, r"'o': expected Outer"),
        (b"short", r"'o': expected Outer"),
    ],
)
def test_members_are_checked_like_arguments(module: lw.Module, outer: Any, said: str):
    with pytest.raises(lw.LaunchError, match=said):
        unpacked(module, outer, (1, 2, 3))


def test_a_scalar_of_another_struct_is_refused(module: lw.Module):
    other = np.array([(1, 2, 3)], [("x", "f8"), ("y", "f8"), ("tag", "u1")])[0]
    with pytest.raises(lw.LaunchError, match="argument 'p': expected Particle"):
        unpacked(module, OUTER, other)


@pytest.mark.parametrize("f", [(1, 2, 3, 4), [1, 2, 3, 4], np.array([1, 2, 3, 4], np.float32), np.arange(1, 5)])
def test_vectors_as_tuples_lists_and_arrays(module: lw.Module, f: Any):
    out = np.zeros(4)
    module["vectors"][1, 1](out, f, (0.5, 0.25), (1, 2, 3, 255), [7, 8, -9])
    assert out.tolist() == [4321, 0.25, 255, -9]


@pytest.mark.parametrize("f", [(1, 2, 3), [1, 2, 3, 4, 5], np.zeros((4, 4)), 1.0, "1234"])
def test_vectors_of_another_length_are_refused(module: lw.Module, f: Any):
    with pytest.raises(lw.LaunchError, match="argument 'f'"):
        module["vectors"][1, 1](np.zeros(4), f, (0, 0), (0, 0, 0, 0), (0, 0, 0))


def test_each_work_item_writes_to_a_copy_of_its_own(module: lw.Module):
    out = np.zeros(64, np.int32)
    module["writes_its_copy"][1, 64](out, (100, 1000))
    assert (out == 1100 + np.arange(64)).all()


def test_arrays_of_structs(module: lw.Module):
    particles = np.zeros(100, PARTICLE)
    particles["x"], particles["y"] = np.arange(100), 0.5
    module["move_all"][2, 64](particles, 100)
    assert (particles["x"] == np.arange(100) + 0.5).all()
    assert (particles["tag"] == np.arange(100)).all()


def test_an_array_of_another_layout_is_refused(module: lw.Module):
    packed = np.zeros(100, [("x", "f4"), ("y", "f4"), ("tag", "u1")])
    with pytest.raises(lw.LaunchError, match=r"argument 'p': Particle \* needs an array of dtype .*, not "):
        module["move_all"][2, 64](packed, 100)


def test_an_array_of_vectors_may_be_one_of_their_numbers(module: lw.Module):
    numbers = np.arange(32, dtype=np.float32).reshape(8, 4)
    module["sum4"][1, 8](numbers)
    assert (numbers[:, 3] == numbers[:, :3].sum(axis=1)).all()
    with pytest.raises(lw.LaunchError, match=r"needs an array of whole structs of 16 bytes, not 24 bytes of"):
        module["sum4"][1, 1](np.zeros(6, np.float32))


def test_a_union_takes_bytes(module: lw.Module):
    out = np.zeros(1, np.float32)
    module["of_union"][1, 1](out, np.float32(2.5).tobytes())
    assert out[0] == 2.5


def test_a_struct_that_points_to_its_like(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("""
        struct Node { int value; Node *next; };
        __global__ void sum(const Node *node, int *out) {
            for (*out = 0; node; node = node->next) *out += node->value;
        }
    """)
    nodes = np.zeros(3, np.dtype([("value", "i4"), ("next", "u8")], align=True))
    nodes["value"] = 1, 20, 300
    there, out = lw.empty(3, nodes.dtype), np.zeros(1, np.int32)
    nodes["next"][:2] = [there[1:].address, there[2:].address]
    there.copy_from_host(nodes)
    module["sum"][1, 1](there, out)
    assert out[0] == 321


def test_members_of_a_base_come_first(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("""
        struct Base { int a; }; struct Derived : Base { int b; };
        __global__ void k(int *out, Derived d) { out[0] = d.a; out[1] = d.b; }""")
    out = np.zeros(2, np.int32)
    module["k"][1, 1](out, ((5,), 6))
    assert out.tolist() == [5, 6]


COMPLEX = """
#include <cuComplex.h>
#include <cuda/std/complex>
__global__ void turn(cuFloatComplex *values, cuFloatComplex by) {
    values[threadIdx.x] = cuCmulf(values[threadIdx.x], by);
}
__global__ void square(cuda::std::complex<double> *values) { values[threadIdx.x] *= values[threadIdx.x]; }
__global__ void real(float *values) { values[threadIdx.x] = 0; }
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_complex_numbers(compile_cuda: Callable[[str], lw.Module], device: str):
    module = compile_cuda(COMPLEX)
    for by in (1j, np.complex64(1j), np.complex128(1j), (0, 1)):
        single = np.array([1, 2 + 3j], np.complex64)
        module["turn"].launch(1, 2, (single, by), device=device)
        assert single.tolist() == [1j, -3 + 2j]
    double = np.array([1j, 1 + 2j])
    module["square"].launch(1, 2, (double,), device=device)
    assert double.tolist() == [-1, -3 + 4j]


def test_complex_numbers_of_another_precision(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda(COMPLEX)
    with pytest.raises(lw.LaunchError, match=r"needs an array of dtype .*'<f4'.*, not complex128"):
        module["turn"][1, 2](np.zeros(2, complex), 1j)
    with pytest.raises(lw.LaunchError, match="float \\* needs an array of dtype float32, not complex64"):
        module["real"][1, 2](np.zeros(2, np.complex64))
