# SPDX-License-Identifier: Apache-2.0
"""Where undefined and poison values come from, how they spread, and where they end."""

from typing import Any

import numpy as np
import pytest

from lanewise.errors import LaunchError

from .conftest import Evaluate, Make


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("%r = add nsw i32 2147483647, %a", "the result of an add that overflows i32"),
        ("%x = shl i32 1, 32\n%y = add i32 %x, %a\n%r = and i32 %y, 0", "a shl by 32 or more"),
        ("%p = alloca i32\n%r = load i32, ptr %p", "a variable that has no value yet|'p', which has no value yet"),
        ("%r = add i32 undef, %a", "an undefined value"),
        ("%r = xor i32 poison, poison", "a poison value"),
        ("%v = insertelement <2 x i32> zeroinitializer, i32 1, i32 %a\n"
         "%r = extractelement <2 x i32> %v, i32 7", "an element that the vector doesn't have"),
        ("%c = icmp eq i32 undef, %a\n%r = select i1 %c, i32 1, i32 2", "an undefined value"),
        ("%f = uitofp i32 %a to float\n%g = fdiv float %f, 0.0\n%r = fptosi float %g to i32", "can't hold"),
        ("%w = zext nneg i32 -1 to i64\n%r = trunc i64 %w to i32", "zext nneg of a negative"),
    ],
)  # fmt: skip
def test_a_store_of_a_value_that_is_not_determined_is_refused(evaluate: Evaluate, lines: str, why: str) -> None:
    with pytest.raises(LaunchError, match=f"a store of a value that depends on .*({why})"):
        evaluate("i32", lines, ("i32", 1))


@pytest.mark.parametrize(
    "lines",
    [
        "%x = and i32 undef, 0\n%r = add i32 %x, 7",  # no bit of it is undefined
        "%x = freeze i32 poison\n%y = and i32 %x, 0\n%r = or i32 %y, 7",
        "%r = select i1 true, i32 7, i32 poison",
        "%v = shufflevector <2 x i32> <i32 7, i32 poison>, <2 x i32> poison, <2 x i32> <i32 0, i32 poison>\n"
        "%r = extractelement <2 x i32> %v, i32 0",
    ],
)
def test_what_does_not_depend_on_it_is_fine(evaluate: Evaluate, lines: str) -> None:
    assert evaluate("i32", lines) == 7


def test_a_branch_on_an_undefined_value_is_refused(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int chosen;
    out[0] = 1;
    if (chosen > 3)
        out[0] = 2;
}
""")
    with pytest.raises(
        LaunchError, match=r"^<source>:4: kernel k, .* a branch that depends on variable 'chosen', which has no value"
    ):
        kernels("k", np.zeros(1, np.int32))


def test_a_switch_on_an_undefined_value_is_refused(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int chosen;
    switch (chosen) {
        case 1: out[0] = 2; break;
        case 2: out[0] = 3; break;
    }
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:3: .* a switch that depends on variable 'chosen'"):
        kernels("k", np.zeros(1, np.int32))


def test_an_undefined_address_is_refused(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    int i;
    out[i] = 1;
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:3: .* a store at an address that depends on variable 'i'"):
        kernels("k", np.zeros(1, np.int32))


def test_an_unused_undefined_value_may_be_passed_around(cuda: Make) -> None:
    kernels = cuda("""
__device__ int first(int a, int b) { return a; }
__global__ void k(int *out) {
    int unset;
    out[0] = first(5, unset);
}
""")
    out = np.zeros(1, np.int32)
    kernels("k", out)
    assert out[0] == 5


def test_bit_fields_are_set_one_by_one(cuda: Make) -> None:
    kernels = cuda("""
struct Fields { unsigned a : 3, b : 7, c : 22; };
__global__ void k(unsigned *out) {
    Fields f;
    f.a = 5;
    f.c = 1000000;
    f.b = 99;
    out[0] = f.a; out[1] = f.b; out[2] = f.c;
}
__global__ void unset(unsigned *out) {
    Fields f;
    f.a = 5;
    f.c = 2;
    out[0] = f.a; out[1] = f.b;
}
""")
    out = np.zeros(3, np.uint32)
    kernels("k", out)
    assert out.tolist() == [5, 99, 1000000]
    with pytest.raises(LaunchError, match=r"^<source>:13: .* a store of a value that depends on memory that was"):
        kernels("unset", out)


def test_copies_keep_what_is_known_and_what_is_not(cuda: Make) -> None:
    source = """
struct Padded { char c; double d; int i; };
__global__ void k(double *out, int which) {
    Padded a;
    a.c = 1; a.d = 2;
    Padded b = a;
    out[0] = b.c; out[1] = b.d;
    if (which) out[2] = b.i;
}
"""
    kernels = cuda(source)
    out = np.zeros(3)
    kernels("k", out, 0)
    assert out.tolist() == [1, 2, 0]
    with pytest.raises(LaunchError, match=r"^<source>:7: "):
        kernels("k", out, 1)


def test_shared_memory_is_undefined_in_every_group(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out) {
    __shared__ int s[4];
    if (blockIdx.x == 0)
        s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x];
}
""")
    with pytest.raises(LaunchError, match=r"^<source>:5: kernel k, block \(1, 0, 0\), thread \(0, 0, 0\): a store of"):
        kernels("k", np.zeros(4, np.int32), grid=(2, 1, 1), block=4)


def test_a_failed_assumption_is_refused(cuda: Make) -> None:
    kernels = cuda("""
__global__ void k(int *out, int n) {
    __builtin_assume(n > 3);
    out[0] = n;
}
""")
    out = np.zeros(1, np.int32)
    kernels("k", out, 4)
    with pytest.raises(LaunchError, match=r"^<source>:2: .* an assumption"):
        kernels("k", out, 3)


def test_division_by_zero_is_refused(cuda: Make) -> None:
    kernels = cuda("__global__ void k(int *out, int n) { out[0] = out[0] / n; }")
    with pytest.raises(LaunchError, match=r"^<source>:1: .* a division by zero \(sdiv i32\)"):
        kernels("k", np.ones(1, np.int32), 0)


def test_the_end_of_a_function_without_a_return_is_refused(cuda: Make) -> None:
    kernels = cuda("""
__device__ int half(int n) { if (n % 2 == 0) return n / 2; }
__global__ void k(int *out, int n) { out[0] = half(n); }
""")
    out = np.zeros(1, np.int32)
    kernels("k", out, 8)
    assert out[0] == 4
    with pytest.raises(LaunchError, match="a function that must return a value"):
        kernels("k", out, 7)


def test_vectors_may_hold_undefined_elements(evaluate: Evaluate) -> None:
    found: Any = evaluate(
        "<4 x i32>",
        "%r = shufflevector <2 x i32> %a, <2 x i32> poison, <4 x i32> <i32 1, i32 0, i32 poison, i32 poison>",
        ("<2 x i32>", np.array([3, 4], np.int32).tobytes()),
    )
    assert found == [4, 3, 0, 0]
