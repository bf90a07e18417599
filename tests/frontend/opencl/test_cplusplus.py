# SPDX-License-Identifier: Apache-2.0
"""C++ for OpenCL: what it has beyond OpenCL C, and the code before kernels that it can't have."""

import re

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <typename T> struct Pair {
    T a, b;
    T sum() const { return a + b; }
    Pair operator+(const Pair &other) const { return {a + other.a, b + other.b}; }
};
template <typename T> T twice(T x) { return x + x; }
namespace numbers { constexpr int three() { return 3; } }
class Counter {
    int n = 0;
public:
    Counter &operator++() { ++n; return *this; }
    int get() const { return n; }
};
int kind(int) { return 1; }
int kind(float) { return 2; }

kernel void k(global int *out, global const int *in, int n, local int *tile) {
    size_t i = get_global_id(0);
    Pair<int> pair{in[i], 1};
    auto add = [&](int x) { return x + n; };
    Counter counter;
    ++counter;
    int4 v = (int4)(1, 2, 3, 4);
    tile[get_local_id(0)] = add(twice((pair + pair).sum())) + numbers::three() + counter.get() + v.zy.x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[get_local_size(0) - 1 - get_local_id(0)] + static_cast<int>(sqrt(4.0f)) + 10 * kind(1.0f) + kind(1);
}
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("standard", ["CLC++", "clc++1.0", "CLC++2021"])
def test_templates_classes_lambdas_overloads(standard: str, device: str) -> None:
    kernel = lw.compile(SOURCE, language="opencl", options=f"-cl-std={standard}")["k"]
    given, out = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    kernel.ndrange(8, 4, device=device)(out, given, 100, lw.local(16))
    wanted = 4 * (given + 1) + 100 + 3 + 1 + 3
    assert out.tolist() == (wanted.reshape(2, 4)[:, ::-1].ravel() + 23).tolist()


def test_features_of_opencl_c_are_there() -> None:
    source = """
        global atomic_int count;
        kernel void k(global int *out) {
            atomic_fetch_add_explicit(&count, 1, memory_order_relaxed, memory_scope_device);
            if (get_global_id(0) == 0) printf("%d\\n", __OPENCL_CPP_VERSION__);
            out[get_global_id(0)] = work_group_reduce_add(1) + __OPENCL_VERSION__;
        }
    """
    for standard, version in (("CLC++", 300 - 100), ("CLC++2021", 300)):
        out = np.zeros(8, np.int32)
        lw.compile(source, language="opencl", options=f"-cl-std={standard}")["k"].ndrange(8, 4)(out)
        assert out.tolist() == [4 + version] * 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct A { int x; A(int y) : x(y) {} };\nglobal A first(3);", "variable 'first' is initialised by code"),
        (
            "struct A { int x; A(int y) : x(y) {} };\nint f(int n) { static A a(n); return a.x; }",
            "a static variable of a",
        ),
        ("struct A { virtual int f() { return 1; } };", "virtual functions are not supported in C++ for OpenCL"),
    ],
)
def test_code_that_kernels_cannot_have(text: str, message: str) -> None:
    kernel = "\nkernel void k(global int *p) { p[0] = 1; }"
    with pytest.raises(lw.CompileError, match=re.escape(message)):
        lw.compile(text + kernel, language="opencl", options="-cl-std=CLC++2021")
    if "virtual" not in text:
        constant = text.replace("A(int y)", "constexpr A(int y)").replace("static A a(n)", "A a(n)")
        assert lw.compile(constant + kernel, language="opencl", options="-cl-std=CLC++2021").kernels == ("k",)


def test_the_last_option_about_the_language_counts() -> None:
    source = "kernel void k(global int *p) { int class = 1; p[0] = class; }"
    assert lw.compile(source, language="opencl", options="-cl-std=CLC++ -cl-std=CL3.0").kernels == ("k",)
    with pytest.raises(lw.CompileError):
        lw.compile(source, language="opencl", options="-cl-std=CL3.0 -cl-std=CLC++")
