# SPDX-License-Identifier: Apache-2.0
"""Kernels by name: namespaces, overloads, templates."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
template <typename T, int N = 2> __global__ void scale(T *p) { p[threadIdx.x] *= N; }
template <typename T> struct Wrap { T value; };
template <typename T> __global__ void wrapped(Wrap<T> *p) { p->value += 1; }
namespace a { namespace b { __global__ void inner(int *out) { *out = 1; } } }
namespace a { __global__ void dup(int *out) { *out = 2; } }
namespace c { __global__ void dup(int *out) { *out = 3; } }
namespace { __global__ void hidden(int *out) { *out = 6; } }
__global__ void over(int *out) { *out = 4; }
__global__ void over(float *out) { *out = 5; }
extern "C" __global__ void plain(int *out) { *out = 7; }
int main() { double *p = nullptr; scale<double, 7><<<1, 1>>>(p); }
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("inner", 1),
        ("b::inner", 1),
        ("a::b::inner", 1),
        ("_ZN1a1b5innerEPi", 1),
        ("a::dup", 2),
        ("c::dup", 3),
        (" c::dup ", 3),
        ("over(int*)", 4),
        ("over(int *)", 4),
        ("hidden", 6),
        ("plain", 7),
    ],
)
def test_a_name_finds_its_kernel(module: lw.Module, name: str, result: int):
    out = np.zeros(1, np.int32)
    module[name][1, 1](out)
    assert out[0] == result


def test_overloads_have_types_of_their_own(module: lw.Module):
    out = np.zeros(1, np.float32)
    module["over(float*)"][1, 1](out)
    assert out[0] == 5


@pytest.mark.parametrize(
    ("name", "listed"), [("dup", ["a::dup(int*)", "c::dup(int*)"]), ("over", ["over(int*)", "over(float*)"])]
)
def test_an_ambiguous_name_lists_what_to_write(module: lw.Module, name: str, listed: list[str]):
    with pytest.raises(lw.CompileError, match=f"kernel name '{name}' is ambiguous in <source>; write one of") as error:
        module[name]
    for one in listed:
        assert one in str(error.value)
        assert module[one] is module[one]


def test_a_template_without_its_arguments(module: lw.Module):
    with pytest.raises(lw.CompileError, match=r"of a template, an instance is named .* as in wrapped<int>"):
        module["wrapped"]


@pytest.mark.parametrize("name", ["nope", "", "dup::a"])
def test_an_unknown_name_lists_what_there_is(module: lw.Module, name: str):
    with pytest.raises(lw.CompileError, match=f"<source> has no kernel '{name}'; its kernels: .*a::b::inner, a::dup"):
        module[name]


def test_main_is_no_kernel(module: lw.Module):
    with pytest.raises(lw.CompileError, match=r"main\(\) is host code, of which .*; kernels: .*a::b::inner, a::dup"):
        module["main"]


@pytest.mark.parametrize("name", [3, None, ("a",)])
def test_a_name_is_a_string(module: lw.Module, name: Any):
    with pytest.raises(lw.Error, match="a kernel's name is a string"):
        module[name]


@pytest.mark.parametrize(
    ("name", "dtype", "factor"),
    [
        ("scale<double, 7>", np.float64, 7),  # the source's own launch makes it
        ("scale<float, 4>", np.float32, 4),
        ("scale<float,4>", np.float32, 4),
        ("scale<short>", np.int16, 2),
        ("::scale<unsigned  int, 1 + 2>", np.uint32, 3),
    ],
)
def test_template_instances(module: lw.Module, name: str, dtype: Any, factor: int):
    p = np.ones(4, dtype)
    module[name][1, 4](p)
    assert (p == factor).all()
    assert module[name] is module[name]


def test_a_parameter_whose_type_is_an_instance_too(module: lw.Module):
    p = np.zeros(1, [("value", "i4")])
    module["wrapped<int>"][1, 1](p)
    assert p["value"][0] == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("scale<foo>", "use of undeclared identifier 'foo'"),
        ("scale<", "expected expression"),
        ("nothing<int>", "use of undeclared identifier 'nothing'"),
        ("plain<int>", "'plain' does not name a template"),
        ("scale<float, 4>; int x", "is not the name of a kernel"),
        ("Wrap<int>", "error:"),
    ],
)
def test_what_is_no_instance(module: lw.Module, name: str, said: str):
    before = module.kernels
    with pytest.raises(lw.CompileError, match=said):
        module[name]
    assert module.kernels == before


def test_kernels_are_in_the_order_of_the_source(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("__global__ void second() {} __global__ void first() {} __device__ void no_kernel() {}")
    assert module.kernels == ("second", "first")
    assert [kernel.name for kernel in module] == ["second", "first"]
    assert len(module) == 2
    assert repr(module) == "<module <source>: second, first>"


def test_what_a_kernel_says_of_itself(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("""__global__ void k(const float *x, int n, float4 v, bool) {
        __shared__ double a[10]; __shared__ char b[3]; a[n] = b[n] = v.x * x[0]; }""")
    kernel = module["k"]
    assert repr(kernel) == "<kernel k(const float *, int, float4, bool)>"
    assert [p.name for p in kernel.params] == ["x", "n", "v", "arg3"]
    assert [p.const for p in kernel.params[:1]] == [True]
    assert kernel.shared_bytes == 83


def test_a_file_without_kernels(compile_cuda: Callable[[str], lw.Module]):
    module = compile_cuda("int x;")
    assert module.kernels == ()
    with pytest.raises(lw.CompileError, match="has no kernel 'k'; its kernels: none"):
        module["k"]
