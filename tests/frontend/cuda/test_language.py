# SPDX-License-Identifier: Apache-2.0
"""What of CUDA C++ compiles, and what the module then holds."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda.compile import HEADERS


def symbols(ir: str, prefix: str = "@") -> dict[str, str]:
    """The module's global variables by name, each with its line."""
    return {match[1]: match[0] for match in re.finditer(rf"^{prefix}([\w$.]+) = .*$", ir, re.MULTILINE)}


def test_a_small_kernel_is_readable_ir_with_parameter_names_and_types(compiled: Callable) -> None:
    result = compiled(
        "__global__ void saxpy(float *y, const float *x, float a, int n) { y[threadIdx.x] = a * x[0] + n; }"
    )
    ir = result.text
    assert 'target triple = "nvptx64-nvidia-cuda"' in ir
    assert re.search(
        r"define [^\n]*ptx_kernel void @_Z5saxpyPfPKffi\(ptr [^\n]*%y, ptr [^\n]*%x, float [^\n]*%a, i32", ir
    )
    for index, name in enumerate(("y", "x", "a", "n"), 1):
        assert re.search(rf'!DILocalVariable\(name: "{name}", arg: {index}, .*type: !\d+', ir)
    assert "emissionKind: FullDebug" in ir
    assert "DIImportedEntity" not in ir
    assert symbols(ir) == {}, "the headers have left a variable in the module"
    assert result.warnings == ()
    assert len(ir) < 12_000, "debug information of the headers has leaked into the module"


def test_memory_spaces_of_variables(compiled: Callable) -> None:
    ir = compiled("""
        __constant__ float table[16];
        __device__ int counter = 3;
        __managed__ int both;
        static __device__ int hidden;
        extern __shared__ float dynamic[];
        __global__ void k(float *p) {
          __shared__ float tile[32][33];
          __shared__ int *pointer;
          tile[threadIdx.x][0] = p[0]; pointer = &hidden;
          __syncthreads();
          p[0] = tile[0][0] + table[1] + counter + dynamic[2] + both + *pointer;
        }
    """).text
    variables = symbols(ir)
    assert "addrspace(4)" in variables["table"]
    assert "addrspace(1)" in variables["counter"]
    assert "global i32 3" in variables["counter"]
    assert "external" in variables["dynamic"]
    assert "addrspace(3)" in variables["dynamic"]
    assert "addrspace(3) global [32 x [33 x float]]" in variables["_ZZ1kPfE4tile"]
    assert re.search(r'!DIGlobalVariable\(name: "table"', ir), "its type must be known to read it from Python"


def test_launch_bounds_and_parameters_by_value(compiled: Callable) -> None:
    ir = compiled("""
        struct Pair { int a; float4 b; };
        __global__ void __launch_bounds__(128, 2)
        k(Pair p, const __grid_constant__ Pair q, dim3 d, float2 *__restrict__ r) {
          r[0] = make_float2(p.a + q.a, d.x);
        }
    """).text
    assert re.search(r"byval\(%struct.Pair\) align 16 %p", ir)
    assert "noalias" in ir
    assert "nvvm.maxntid" in ir
    assert '"nvvm.minctasm"="2"' in ir


def test_limits_on_registers_also_of_a_template(compiled: Callable) -> None:
    ir = compiled("""
        template <int N> __global__ void __maxnreg__(N * 8) k(float *r) { r[threadIdx.x] = N; }
        template __global__ void k<4>(float *);
        __global__ void __launch_bounds__(256) __maxnreg__(40) other(float *r) { r[threadIdx.x] = 1; }
    """).text
    assert re.findall(r'@(\w+)\(.*"nvvm.maxnreg"="(\d+)"', ir) == [("_Z1kILi4EEvPf", "32"), ("_Z5otherPf", "40")]
    assert "annotation" not in ir


def test_a_limit_of_no_registers(compiled: Callable) -> None:
    with pytest.raises(CompileError, match=r"kernel k.*: __maxnreg__\(0\): the number of registers is to be positive"):
        compiled("__global__ void __maxnreg__(0) k(float *r) { *r = 1; }")


def test_classes_lambdas_templates_and_recursion(compiled: Callable) -> None:
    compiled("""
        template <class T, int N> struct Stack {
          T data[N]; int size = 0;
          __device__ void push(T x) { data[size++] = x; }
          __device__ T pop() { return data[--size]; }
        };
        struct Shape { __device__ virtual float area() const = 0; };
        struct Square : Shape {
          float side;
          __device__ Square(float s) : side(s) {}
          __device__ float area() const override { return side * side; }
        };
        __host__ __device__ inline int twice(int x) { return 2 * x; }
        __device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
        template <class F> __device__ void each(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
        template <class... Ts> __device__ int sum(Ts... xs) { return (xs + ... + 0); }
        enum class Mode { add, subtract };
        __global__ void k(float *p, int n, Mode m) {
          Stack<float, 8> s;
          each(n, [&](int i) { s.push(p[i]); });
          auto square = Square(s.pop());
          const Shape &shape = square;
          if constexpr (sizeof(float) == 4) p[0] = shape.area() + twice(3) + factorial(n) + sum(1, 2, 3);
          auto [x, y] = make_float2(1, 2);
          switch (m) { case Mode::add: p[1] = x + y; break; case Mode::subtract: p[1] = x - y; }
          goto end;
        end:
          p[2] = n;
        }
    """)


def test_cpp20_by_option_and_not_by_default(compiled: Callable) -> None:
    text = """
        template <class T> concept Number = __is_arithmetic(T);
        template <Number T> __global__ void scale(T *p, T a) { p[threadIdx.x] *= a; }
        template __global__ void scale<float>(float *, float);
        __device__ auto less(auto a, auto b) { return a < b; }
        __global__ void k(int *p) { p[0] = less(p[1], p[2]); }
    """
    assert len(compiled(text, options=("-std=c++20",)).kernels) == 2
    with pytest.raises(CompileError, match="concept"):
        compiled(text)


def test_vector_types_have_cuda_sizes_and_alignments(compiled: Callable) -> None:
    sizes = {
        "char": (1, 2, 3, 4), "uchar": (1, 2, 3, 4), "short": (2, 4, 6, 8), "ushort": (2, 4, 6, 8),
        "int": (4, 8, 12, 16), "uint": (4, 8, 12, 16), "float": (4, 8, 12, 16), "long": (8, 16, 24, 32),
        "ulong": (8, 16, 24, 32), "longlong": (8, 16, 24, 32), "ulonglong": (8, 16, 24, 32),
        "double": (8, 16, 24, 32),
    }  # fmt: skip
    lines = []
    for name, of in sizes.items():
        for width, size in enumerate(of, 1):
            alignment = of[0] if width in (1, 3) else min(16, size)
            type_name = f"{name}{width}"
            lines.append(f'static_assert(sizeof({type_name}) == {size} && alignof({type_name}) == {alignment}, "");')
            components = ", ".join("1234"[:width])
            last = "xyzw"[width - 1]
            lines.append(f"__device__ int f_{type_name}() {{ return make_{type_name}({components}).{last}; }}")
    compiled("\n".join(lines))


def test_printf_becomes_vprintf_and_assert_names_the_line(compiled: Callable) -> None:
    text = '__global__ void k(int n) {\n  printf("%d %f %s\\n", n, 1.5f, "text");\n  assert(n > 0 && "positive");\n}\n'
    ir = compiled(text).text
    assert re.search(r"call i32 @vprintf\(ptr @[\w.]+, ptr %", ir)
    assert re.search(r"call void @[^(]*__assert_fail[^(]*\(ptr [^,]*, ptr [^,]*, i32 noundef 3, ptr", ir)
    assert re.search(r"call void @__assertfail\([^)]*i64 noundef 1\)", ir)
    assert "__assertfail" not in compiled(text, defines=(("NDEBUG", None),)).text
    assert "__assertfail" in compiled("#include <cassert>\n" + text).text


def test_device_heap_and_memory_functions(compiled: Callable) -> None:
    ir = compiled("""
        struct Big { int words[50]; };
        __global__ void k(Big *p, int n) {
          p[0] = p[1]; memcpy(p, p + 2, sizeof(Big)); memset(p, 0, n); memmove(p, p + 1, 8);
          char *heap = (char *)malloc(n); heap[0] = 1; free(heap);
          int *one = new int(3); delete one;
        }
    """).text
    assert "@llvm.memcpy" in ir
    assert "call ptr @malloc" in ir


def test_device_code_uses_the_constexpr_part_of_the_standard_library(compiled: Callable) -> None:
    compiled("""
        #include <algorithm>
        #include <array>
        #include <cstdint>
        #include <limits>
        #include <type_traits>
        #include <utility>
        __global__ void k(float *p, int *q) {
          std::array<float, 4> a{1, 2, 3, 4};
          p[0] = std::max(p[1], a[2]) + std::min(q[0], 3) + std::numeric_limits<float>::max();
          p[1] = max(p[2], p[3]) + min(q[1], q[2]);
          static_assert(std::is_same_v<decltype(p[0]), float &>);
          uint32_t u = std::move(q[0]);
          q[0] = u + INT32_MAX;
        }
    """)


def test_nvidia_header_names_and_guards(compiled: Callable) -> None:
    headers = sorted(header.name for header in HEADERS.glob("*.h"))
    guards = (
        "__CUDA_RUNTIME_H__ __DRIVER_TYPES_H__ __VECTOR_TYPES_H__ __DEVICE_LAUNCH_PARAMETERS_H__ __HOST_DEFINES_H__"
    )
    compiled(
        "".join(f"#include <{header}>\n" for header in headers)
        + "".join(f"#ifndef {guard}\n#error no {guard}\n#endif\n" for guard in guards.split())
        + 'static_assert(CUDART_VERSION >= 12000 && __CUDACC_VER_MAJOR__ == 12, "");\n'
        + "__device__ double pi() { return CUDART_PI + CUDART_PI_F + CUDART_INF_F + CUDART_NAN; }\n"
    )
