# SPDX-License-Identifier: Apache-2.0
"""Kernels by the names that programs write, and template instances on request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda import KernelIR

KERNELS = """
struct Point { float x, y; };
typedef float real;
enum Mode { fast, slow };
template <class T, int N = 4> __global__ void scale(T *p) { p[N] *= 2; }
template <Mode m, bool b> __global__ void choose() {}
namespace outer { namespace inner { __global__ void nested(const Point *p, float (&a)[3], int (*f)(int)) {} } }
namespace { __global__ void hidden(int *p) {} }
static __global__ void local(unsigned char *p, const volatile double **q) {}
__global__ void overloaded(int *p) {}
__global__ void overloaded(float *p, dim3 d) {}
extern "C" __global__ void plain(int *p) {}
namespace outer { template <class T> __global__ void templated(T a, const T *b) {} }
template __global__ void scale<float, 4>(float *);
template __global__ void scale<unsigned int, 2>(unsigned int *);
template __global__ void choose<slow, true>();
template __global__ void outer::templated(Point, const Point *);
"""


@pytest.fixture(scope="module")
def module(compiled: Callable) -> KernelIR:
    return compiled(KERNELS)


def test_every_kernel_has_its_qualified_name_and_signature(module: KernelIR) -> None:
    assert {kernel.symbol: kernel.signature for kernel in module.kernels} == {
        "_ZN5outer5inner6nestedEPK5PointRA3_fPFiiE": ("outer::inner::nested(const Point*, float(&)[3], int (*)(int))"),
        "_ZN12_GLOBAL__N_16hiddenEPi": "hidden(int*)",
        "_ZL5localPhPPVKd": "local(unsigned char*, const double volatile**)",
        "_Z10overloadedPi": "overloaded(int*)",
        "_Z10overloadedPf4dim3": "overloaded(float*, dim3)",
        "plain": "plain(int*)",
        "_Z5scaleIfLi4EEvPT_": "scale<float, 4>(float*)",
        "_Z5scaleIjLi2EEvPT_": "scale<unsigned int, 2>(unsigned int*)",
        "_Z6chooseIL4Mode1ELb1EEvv": "choose<(Mode)1, true>()",
        "_ZN5outer9templatedI5PointEEvT_PKS2_": "outer::templated<Point>(Point, const Point*)",
    }


@pytest.mark.parametrize(
    ("written", "symbols"),
    [
        ("plain", ["plain"]),
        ("_Z10overloadedPi", ["_Z10overloadedPi"]),
        ("overloaded", ["_Z10overloadedPi", "_Z10overloadedPf4dim3"]),
        ("overloaded( float * , dim3 )", ["_Z10overloadedPf4dim3"]),
        ("outer::inner::nested", ["_ZN5outer5inner6nestedEPK5PointRA3_fPFiiE"]),
        ("inner::nested", ["_ZN5outer5inner6nestedEPK5PointRA3_fPFiiE"]),
        ("nested", ["_ZN5outer5inner6nestedEPK5PointRA3_fPFiiE"]),
        ("scale<float,4>", ["_Z5scaleIfLi4EEvPT_"]),
        ("scale< unsigned int , 2 >", ["_Z5scaleIjLi2EEvPT_"]),
        ("scale", ["_Z5scaleIfLi4EEvPT_", "_Z5scaleIjLi2EEvPT_"]),
        ("templated", ["_ZN5outer9templatedI5PointEEvT_PKS2_"]),
        ("hidden", ["_ZN12_GLOBAL__N_16hiddenEPi"]),
        ("scale<double, 4>", []),
        ("ested", []),
        ("unsignedint", []),
        ("", []),
    ],
)
def test_candidates_of_a_written_name(module: KernelIR, written: str, symbols: list[str]) -> None:
    assert [kernel.symbol for kernel in module.candidates(written)] == symbols


def test_requested_instances_in_the_programs_own_terms_leave_nothing_else(compiled: Callable, module: KernelIR) -> None:
    written = ("scale<real, 2 * 4>", "scale<double>", "choose<fast, (1 < 2)>", "outer::templated<long>", "plain")
    result = compiled(KERNELS, names=written)
    assert result.instances == {
        "scale<real, 2 * 4>": "_Z5scaleIfLi8EEvPT_",
        "scale<double>": "_Z5scaleIdLi4EEvPT_",
        "choose<fast, (1 < 2)>": "_Z6chooseIL4Mode0ELb1EEvv",
        "outer::templated<long>": "_ZN5outer9templatedIlEEvT_PKS1_",
        "plain": "plain",
    }
    assert len(result.kernels) == len(module.kernels) + 4
    assert "__lanewise_instance" not in result.text


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("scale<nothing>", "kernel name 'scale<nothing>':1:7: error: use of undeclared identifier 'nothing'"),
        ("absent<int>", "kernel name 'absent<int>':1:1: error: use of undeclared identifier 'absent'"),
        ("scale<Point>", "kernel name 'scale<Point>':1:1: note: in instantiation"),
        ("helper<int>", "'helper<int>' is not a kernel"),
        ("variable", "'variable' is not the name of a kernel"),
        ("overloaded", "'overloaded' fits several templates or overloads"),
        ("open<int>", "'open<int>' fits several templates or overloads, or leaves out an argument of its template"),
        ("scale<int>; int x", "'scale<int>; int x' is not the name of a kernel"),
        ("", "'' is not the name of a kernel"),
    ],
)
def test_a_wrong_request_is_explained_in_its_own_words(compiled: Callable, written: str, message: str) -> None:
    text = KERNELS + "template <class T> __device__ T helper(T x) { return x; }\nint variable;\n"
    text += "template <class T, int n> __global__ void open(T *p) { p[0] = n; }\n"
    with pytest.raises(CompileError) as caught:
        compiled(text, names=(written,))
    assert message in str(caught.value)
    assert "__lanewise" not in str(caught.value)


def test_kernels_without_debug_information_are_known_by_symbol(compiled: Callable) -> None:
    result = compiled("__attribute__((nodebug)) __global__ void quiet(int *p) {}")
    assert [kernel.symbol for kernel in result.candidates("_Z5quietPi")] == ["_Z5quietPi"]
