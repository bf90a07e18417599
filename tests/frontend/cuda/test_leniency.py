# SPDX-License-Identifier: Apache-2.0
"""Programs that nvcc takes: a host declaration before a definition for both sides, initialised arrays of variable
length, names that GNU's headers bring along, and `.cpp` files that are CUDA C++."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.errors import CompileError


def test_a_host_declaration_before_a_definition_for_both_sides(compiled: Callable) -> None:
    result = compiled("""
        int twice(int x); /* ä */ float *first(float *p, int n);
        struct Box { int side; int area(int); };
        __host__ __device__ int twice(int x) { return 2 * x; }
        __host__ __device__ float *first(float *p, int n) { return p + n; }
        __host__ __device__ int Box::area(int s) { return s * s; }
        __global__ void k(int *p, float *q) { Box b; *p = twice(*p) + b.area(3); *first(q, 1) = 1; }
        int main() { return twice(1); }
    """)
    assert [kernel.qualified for kernel in result.kernels] == ["k"]


def test_an_array_of_variable_length_with_an_initialiser(compiled: Callable) -> None:
    compiled("""
        __global__ void k(int *p) { *p = 1; }
        int main(int argc, char **argv) {
          int a[argc] = {}; float b[argc + 1][2] = {{0, 1}, {2}}, c[3] = {1}; const char *names[argc]{"x}", "]"};
          char text[argc] = "a;b"; a[0] = 1; /* ü */ double d[argc]
            = {
              1.0
            };
          return a[0] + (int)b[0][0] + (int)c[0] + (int)d[0] + *names[0] + text[0];
        }
    """)


def test_errors_that_are_none_of_these_stay_where_they_are(compiled: Callable) -> None:
    with pytest.raises(CompileError) as caught:
        compiled("int main(int n, char **) {\n  int a[n] = {};\n  return missing;\n}")
    errors = [diagnostic for diagnostic in caught.value.diagnostics if "error: " in diagnostic]
    assert errors == ["<source>:3:10: error: use of undeclared identifier 'missing'"]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("iomanip", "std::stringstream s; s << std::setw(3) << 1;"),
        ("stdexcept", 'std::string s = "x"; throw std::runtime_error(s + "y");'),
        (
            "bits/stdc++.h",
            "using namespace std; map<int, string> m; stringstream s; cout << 1; thread t;",
        ),
    ],
)
def test_what_gnus_headers_bring_along(compiled: Callable, header: str, body: str) -> None:
    compiled(f"#include <{header}>\n__global__ void k(int *p) {{ *p = 1; }}\nvoid host() {{ {body} }}")


def test_integers_in_mathematical_functions_of_a_lambda(compiled: Callable) -> None:
    """A lambda of host code counts as code of both sides, so that device functions are candidates."""
    compiled("""
        #include <cmath>
        __global__ void k(double *p, int *q) {
          p[0] = std::ldexp(3, 2) + frexp(3, q) + scalbn(3, 2) + ilogb(3) + lround(3) + fma(1, 2.f, 3.0);
          p[1] = std::isnan(3) + std::signbit(3);
        }
        int main() {
          auto f = [](int m, int e) {
            return std::ldexp(m, e) + std::frexp(m, &e) + std::scalbn(m, 2) + std::ilogb(m) + std::lround(m)
              + std::fma(m, 2.f, 3.0) + std::isnan(m) + std::signbit(m) + std::llrint(m) + std::remquo(m, 2, &e);
          };
          return f(1, 2);
        }
    """)


def test_a_cpp_file_is_cuda_if_the_language_says_so(tmp_path: Path) -> None:
    path = tmp_path / "kernels.cpp"
    path.write_text("__global__ void k(int *p) { *p = 1; }")
    assert lw.compile(path, language="cuda").kernels == ("k",)
    with pytest.raises(lw.Error, match="tells no language"):
        lw.compile(path)


@pytest.mark.parametrize("standard", ["c++11", "c++14", "c++20"])
def test_each_standard_of_nvcc(compiled: Callable, standard: str) -> None:
    compiled("__global__ void k(int *p) { *p = max(1, 2); }", options=(f"-std={standard}",))
