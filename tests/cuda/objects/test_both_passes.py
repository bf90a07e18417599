# SPDX-License-Identifier: Apache-2.0
"""Code of one side that the other side's pass of clang has to read over (gpucc, section 2.2): macros and builtins of
the processor, thread-local variables, exceptions, inline assembly, and what else a GPU doesn't have."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cuda.objects.rows import refusal, results

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler

HEAD = """
#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <functional>
#include <future>
#include <immintrin.h>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>
#include <x86intrin.h>
"""
KERNEL = "__global__ void kernel(int *p) { *p = 2; }\n"
HOST = "int host() { return 1; }\n"


class Row(NamedTuple):
    """A program, and what it gives on the host and on the device."""

    source: str
    gives: str


def of_host(body: str, before: str = "") -> str:
    return f"{before}\nint host() {{ {body} }}\n{KERNEL}"


def of_device(body: str, before: str = "") -> str:
    return f"{before}\n{HOST}__global__ void kernel(int *p) {{ {body} }}\n"


ROWS = {
    "macros of the processor are defined in both passes": Row(
        "#if !defined(__SSE2__) || !defined(__x86_64__) || !defined(__linux__) || !defined(__ELF__)\n#error missing\n"
        "#endif\n" + of_host("return 1;"), "1 2",
    ),
    "macros of the GPU are defined in both passes": Row(
        "#if !defined(__PTX__) || !defined(__NVPTX__)\n#error missing\n#endif\n" + of_host("return 1;"), "1 2",
    ),
    "__CUDA_ARCH__ is defined in the device's pass alone": Row(
        "#ifdef __CUDA_ARCH__\nenum { N = 7 };\n#else\nenum { N = 5 };\n#endif\nint host() { return N; }\n"
        "#if __CUDA_ARCH__ >= 500\n#define RECENT 1\n#else\n#define RECENT 0\n#endif\n"
        "__global__ void kernel(int *p) { *p = N + RECENT; }\n", "5 8",
    ),
    "intrinsics of SSE2": Row(
        of_host("__m128i a = _mm_set1_epi32(3); return _mm_cvtsi128_si32(_mm_add_epi32(a, a));"), "6 2"
    ),
    "intrinsics of AVX2 in a function for it": Row(
        '__attribute__((target("avx2"))) int with_avx2() { __m256i a = _mm256_set1_epi32(3);'
        " return _mm256_extract_epi32(_mm256_add_epi32(a, a), 5); }\n"
        + of_host('return __builtin_cpu_supports("avx2") ? with_avx2() : 6;'), "6 2",
    ),
    "builtins of the processor": Row(of_host("return __builtin_ia32_rdtsc() > 0 && __rdtsc() > 0;"), "1 2"),
    "builtins of the GPU": Row(of_device("*p = __ldg(p) + __nvvm_read_ptx_sreg_tid_x() + __popc(7);"), "1 3"),
    "thread-local variables": Row(
        of_host(
            "std::thread([] { n = 5; }).join(); static thread_local int m = 2; return n + m + other + S::s.size();",
            "thread_local int n = 1;\n__thread int other = 10;\n"
            'struct S { static thread_local std::string s; };\nthread_local std::string S::s = "ab";',
        ), "15 2",
    ),
    "exceptions": Row(
        of_host('try { throw std::runtime_error("x"); } catch (const std::exception &e) { return e.what()[0]; }'
                " return 0;"), "120 2",
    ),
    "an exception between a launch's configuration and its kernel": Row(
        KERNEL + 'int thrower() { throw std::string("abc"); }\nint host() { try { kernel<<<thrower(), 1>>>(nullptr); }'
        " catch (std::string &s) { return s.size(); } return 0; }\n", "3 2",
    ),
    "a function of both sides that throws on the host alone": Row(
        "__host__ __device__ int g(int n) {\n#ifndef __CUDA_ARCH__\n  if (n < 0) throw n;\n#endif\n  return n; }\n"
        "int host() { try { return g(-4); } catch (int n) { return n; } }\n"
        "__global__ void kernel(int *p) { *p = g(5); }\n", "-4 5",
    ),
    "an inline function of both sides that throws and device code doesn't call": Row(
        of_host("return g(4);", "inline __host__ __device__ int g(int n) { if (n < 0) throw n; return n; }"), "4 2"
    ),
    "inline assembly of the processor": Row(
        of_host('int r; asm("movl $7, %0" : "=r"(r)); asm volatile("" ::: "ymm0", "rax", "cc"); return r;'), "7 2"
    ),
    "inline assembly with the processor's constraints": Row(
        of_host('unsigned a = 0, b, c, d; asm volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d)); return a > 0;'),
        "1 2",
    ),
    "inline assembly outside of functions": Row(
        of_host("return answer;", r'asm(".globl answer\nanswer: .long 42\n"); extern "C" int answer;'), "42 2"
    ),
    "classes with run-time types": Row(
        of_host("B b; A *a = &b; return a->n() + (dynamic_cast<B *>(a) != nullptr) + (typeid(*a) == typeid(B));",
                "struct A { virtual ~A() {} virtual int n() { return 1; } };\n"
                "struct B : A { int n() override { return 2; } };"), "4 2",
    ),
    "virtual functions of both sides": Row(
        "struct A { __host__ __device__ virtual int n() const { return 1; } };\n"
        "struct B : A { __host__ __device__ int n() const override { return 2; } };\n"
        "int host() { B b; A *a = &b; return a->n(); }\n"
        "__global__ void kernel(int *p) { A a; B b; A *q = *p ? &a : &b; *p = q->n() + 1; }\n", "2 3",
    ),
    "threads and atomic variables": Row(
        of_host("std::atomic<int> n{0}; std::vector<std::thread> t; for (int i = 0; i < 4; i++)"
                " t.emplace_back([&] { n++; }); for (auto &x : t) x.join(); __sync_fetch_and_add(&m, 2);"
                " return n + m;", "int m;"), "6 2",
    ),
    "the library's rest": Row(
        of_host('auto f = std::async([] { return 3; }); std::once_flag o; std::call_once(o, [] {});'
                ' std::map<std::string, std::unique_ptr<int>> m; return std::regex_match("aab", std::regex("a+b")) +'
                " f.get() + m.size();"), "4 2",
    ),
    "types that a GPU doesn't have": Row(
        of_host("__float128 a = 1; long double b = sizeof b; _Float16 c = 1; return a + b + c;"), "18 2"
    ),
    "integers of 128 bits": Row(
        "int host() { __int128 a = 1; return a << 100 >> 99; }\n"
        "__global__ void kernel(int *p) { __int128 a = 1; *p = a << 100 >> 98; }\n", "2 4",
    ),
    "variable arguments, jumps, arrays of variable length": Row(
        of_host("jmp_buf b; if (setjmp(b)) { int n = sum(2, 1, 2), a[n]; a[2] = n; return a[2]; } longjmp(b, 1);",
                "int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int);"
                " va_end(l); return s; }"), "3 2",
    ),
    "attributes of g++": Row(
        of_host("{ int x __attribute__((cleanup(c))) = 4; } return n + m + other();",
                "int n, m; void c(int *p) { n = *p; }\n__attribute__((constructor)) void first() { m = 10; }\n"
                'extern "C" int real_one() { return 20; }\nextern "C" int other() __attribute__((alias("real_one")));'),
        "34 2",
    ),
    "pragmas of g++": Row(
        '#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"\n'
        '#pragma GCC optimize("O2")\n' + of_host("return 1;") + "#pragma GCC diagnostic pop\n", "1 2",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> dict[str, str]:
    """The results of the rows, by their names."""
    rows = {name: row.source for name, row in ROWS.items()}
    return results(tmp_path_factory.mktemp("rows"), HEAD, rows)


@pytest.mark.parametrize("name", ROWS)
def test_code_of_one_side(given: dict[str, str], name: str):
    assert given[name] == ROWS[name].gives


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (of_device("if (*p) throw 1;"), "row.cu:3:42: error: cannot use 'throw' in __global__ function"),
        (of_device("*p = g();", "__device__ int g() { try { return 1; } catch (...) { return 2; } }"),
         "row.cu:1:22: error: cannot use 'try' in __device__ function"),
        (of_device("*p = g(1);", "inline __host__ __device__ int g(int n) { if (n) throw n; return n; }"),
         "row.cu:1:50: error: cannot use 'throw' in __host__ __device__ function"),
        (of_device("thread_local int own = 1; *p = ++own;"),
         "row.cu:3:1: error: thread-local storage is not supported in device code: variable 'own'"),
        (of_device("*p = n;", "thread_local int n;"),
         "row.cu:3:39: error: reference to __host__ variable 'n' in __global__ function"),
        (of_device("__shared__ int a; *p = __builtin_ia32_rdtsc();"),
         "error: reference to __host__ function '__builtin_ia32_rdtsc' in __global__ function"),
        (of_host("return __nvvm_read_ptx_sreg_tid_x();"),
         "error: reference to __device__ function '__nvvm_read_ptx_sreg_tid_x' in __host__ function"),
        (of_device("*p = __popc(missing);"), "error: use of undeclared identifier 'missing'"),
    ],
    ids=["throw", "try", "throw on both sides", "thread_local", "variable of another side", "builtin of the processor",
         "builtin of the GPU", "undeclared"],
)  # fmt: skip
def test_what_device_code_can_not_do_is_one_error(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str], source: str, error: str
):
    told = refusal(tmp_path, capfd, source)
    assert error in told
    assert told.count("error: ") == 1


WARNINGS = """
int on_host(int x) { if (x) return 1; }
__device__ int on_device(int x) { if (x) return 1; }
__host__ __device__ int on_both(int x) { if (x) return 1; }
__global__ void k(int *p) { *p = on_device(*p) + on_both(*p); }
int main() { return on_host(1) - on_both(1); }
"""


def compiled(folder: Path, capfd: pytest.CaptureFixture[str], source: str, *options: str) -> tuple[int, str]:
    """Exit status of a compilation, and what it says."""
    (folder / "a.cu").write_text(source)
    capfd.readouterr()
    return main([*options, "-c", str(folder / "a.cu"), "-o", str(folder / "a.o")]), capfd.readouterr().err


def test_a_warning_is_told_once(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]):
    status, told = compiled(tmp_path, capfd, WARNINGS)
    assert status == 0
    assert sorted(line.partition(": warning: ")[0] for line in told.splitlines()) == [
        f"{tmp_path}/a.cu:{place}" for place in ("2:39", "3:52", "4:59")
    ]
    assert compiled(tmp_path, capfd, WARNINGS, "-w") == (0, "")


@pytest.mark.parametrize("words", ["-Werror all-warnings", "--Werror=all-warnings", "-Werror", "-Xcompiler -Werror"])
def test_warnings_can_be_errors(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str], words: str):
    status, told = compiled(tmp_path, capfd, WARNINGS, *words.split())
    assert status == 1
    assert told.count(": error: ") == 3
    assert compiled(tmp_path, capfd, "__global__ void k(int *p) { *p = 1; }\nint main() {}\n", *words.split()) == (
        0,
        "",
    )


def test_other_kinds_of_warnings_as_errors(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]):
    status, told = compiled(tmp_path, capfd, WARNINGS, "-Werror", "cross-execution-space-call,reorder")
    assert (status, told.count(": warning: ")) == (0, 3)
    old = "[[deprecated]] int f();\nint main() { return f(); }\n"
    assert compiled(tmp_path, capfd, old, "-Werror", "deprecated-declarations")[0] == 1
    status, told = compiled(tmp_path, capfd, WARNINGS, "-Werror=return-type")
    assert (status, told.count(": error: ")) == (1, 3)


def test_a_kernel_that_the_two_passes_name_differently(tmp_path: Path, compiler: HostCompiler):
    """The behaviour is undefined with nvcc; here the launch says which kernel there is not."""
    source = "#ifdef __CUDA_ARCH__\nenum { N = 1 };\n#else\nenum { N = 2 };\n#endif\n" + (
        "template <int M> __global__ void k() {}\nint main() { k<N><<<1, 1>>>(); return cudaGetLastError(); }\n"
    )
    (tmp_path / "a.cu").write_text(source)
    assert main([str(tmp_path / "a.cu"), "-o", str(tmp_path / "a")]) == 0
    done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 98  # cudaErrorInvalidDeviceFunction
    assert "the program has no kernel _Z1kILi2EEvv" in done.stderr


def test_a_lambda_in_a_kernel_may_use_the_kernels_variables(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]
):
    """The host's pass takes it for code of both sides."""
    kernel = "__global__ void k(int *p) { auto f = [&] { return threadIdx.x; }; *p = f(); }\nint main() {}\n"
    assert compiled(tmp_path, capfd, kernel, "-Werror", "all-warnings") == (0, "")
    status, told = compiled(tmp_path, capfd, "int main() { return threadIdx.x; }\n")
    assert (status, told.count("error: threadIdx can be used in device code only")) == (1, 1)
