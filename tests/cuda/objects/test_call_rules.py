# SPDX-License-Identifier: Apache-2.0
"""Calls between functions of the host and of the device, and overloads by side (gpucc, section 2.2, Table 1).

| caller | host function | device function | kernel                |
| ------ | ------------- | --------------- | --------------------- |
| host   | yes           | no              | by a launch alone     |
| device | last resort   | yes             | no                    |
| kernel | last resort   | yes             | no                    |

The last resort is gone: clang today refuses such a call, and so does nvcc. What rows say of nvcc is what
version 13.0 does.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cuda.objects.rows import refusal, results

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler


class Runs(NamedTuple):
    """A program that runs: its functions, and what it gives on the host and on the device."""

    source: str
    gives: str
    unlike: str = ""
    """A difference of nvcc or the paper."""


class Fails(NamedTuple):
    """A program that doesn't compile: the error, which names the function, and its line."""

    source: str
    error: str
    line: int = 2
    unlike: str = ""


def host(value: str) -> str:
    return f"int host() {{ return {value}; }}\n"


def kernel(value: str) -> str:
    return f"__global__ void kernel(int *p) {{ *p = {value}; }}\n"


ON_HOST = "int f() { return 1; }\n"
ON_DEVICE = "__device__ int f() { return 2; }\n"
ON_BOTH = "__host__ __device__ int g() { return f(); }\n"
TO_HOST = "candidate function not viable: call to __host__ function from"

CALLS = {
    "the host calls a host function": Runs(ON_HOST + host("f()") + kernel("3"), "1 3"),
    "the host calls a host device function": Runs(
        "__host__ __device__ int f() { return 4; }" + host("f()") + kernel("f()"), "4 4"
    ),
    "the host launches a kernel": Runs(
        "__global__ void other(int *p) { *p = 5; }\n" + kernel("3") + "int host() { int *p, n; cudaMalloc(&p, 4);"
        " other<<<1, 1>>>(p); cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); return n; }",
        "5 3",
    ),
    "device code calls a device function": Runs(ON_DEVICE + "__device__ int g() { return f(); }" + kernel("g()")
        + host("1"), "1 2"),
    "device code calls a constexpr function": Runs(
        "constexpr int f(int n) { return n + 1; }" + host("f(1)") + kernel("f(*p)"), "2 1",
        unlike="nvcc asks for --expt-relaxed-constexpr",
    ),
    "device code calls a constexpr function of the library": Runs(
        host("std::max(1, 2)") + kernel("std::max(*p, 3)"), "2 3",
        unlike="nvcc asks for --expt-relaxed-constexpr; in the paper this was the last resort's use",
    ),
    "a function of both sides calls one of its own side": Runs(
        ON_HOST.replace("f", "a") + ON_DEVICE.replace("f", "b") + "__host__ __device__ int g() {\n"
        "#ifdef __CUDA_ARCH__\nreturn b();\n#else\nreturn a();\n#endif\n}\n" + host("g()") + kernel("g()"), "1 2",
    ),
    "an inline function of both sides calls a host function and device code doesn't call it": Runs(
        ON_HOST + "inline " + ON_BOTH + host("g()") + kernel("3"), "1 3", unlike="nvcc warns"
    ),
    "a template of both sides calls a host function and device code has no instance": Runs(
        ON_HOST + "template <int N> __host__ __device__ int g() { return f() + N; }\n" + host("g<1>()") + kernel("3"),
        "2 3", unlike="nvcc warns",
    ),
    "an inline function of both sides calls a device function and the host doesn't call it": Runs(
        ON_DEVICE + "inline " + ON_BOTH + host("1") + kernel("g()"), "1 2", unlike="nvcc refuses it"
    ),
    "a lambda is of the side that it is written on": Runs(host("[] { return 1; }()") + kernel("[] { return 2; }()"),
        "1 2"),
    "a lambda of the host that calls nothing of it is passed to a kernel": Runs(
        "template <class F> __global__ void apply(int *p, F f) { *p = f(); }\n" + kernel("3")
        + "int host() { int *p, n; cudaMalloc(&p, 4); apply<<<1, 1>>>(p, [] { return 7; });"
        " cudaMemcpy(&n, p, 4, cudaMemcpyDefault); return n; }", "7 3",
        unlike="nvcc asks for __device__ and --extended-lambda",
    ),
}  # fmt: skip

REFUSED_CALLS = {
    "the host calls a device function": Fails(
        ON_DEVICE + host("f()"), "no matching function for call to 'f'"
    ),
    "the host takes the address of a device function": Fails(
        ON_DEVICE + "int host() { int (*p)() = f; return p(); }",
        "reference to __device__ function 'f' in __host__ function", unlike="nvcc takes it"
    ),
    "the host calls a kernel": Fails(
        kernel("1") + "int host() { kernel(nullptr); return 1; }", "call to global function 'kernel' not configured"
    ),
    "a device function calls a host function": Fails(
        ON_HOST + "__device__ int g() { return f(); }" + kernel("g()"), f"{TO_HOST} __device__ function",
        unlike="the paper: the last resort",
    ),
    "a device function that nothing calls calls a host function": Fails(
        ON_HOST + "inline __device__ int g() { return f(); }" + kernel("1"), f"{TO_HOST} __device__ function",
        unlike="the paper: the last resort; nvcc takes it, since the function is inline",
    ),
    "a kernel calls a host function": Fails(
        ON_HOST + kernel("f()"), f"{TO_HOST} __global__ function", unlike="the paper: the last resort"
    ),
    "a device function calls an instance of a host template": Fails(
        "template <class T> T f(T x) { return x; }\n" + kernel("f(1)"), f"{TO_HOST} __global__ function",
        unlike="the paper: the last resort",
    ),
    "a kernel calls a function of the C library": Fails(
        "#include <cstdlib>\n" + kernel('getenv("A") != nullptr'), "no matching function for call to 'getenv'"
    ),
    "a kernel calls a kernel": Fails(
        "__global__ void other(int *p) {}\n" + kernel("(other(p), 1)"), "call to global function 'other' not configured"
    ),
    "device code launches a kernel": Fails(
        kernel("1") + "__device__ void g(int *p) { kernel<<<1, 1>>>(p); }",
        "kernels can't be launched from device code",
        unlike="nvcc takes it with -rdc=true",
    ),
    "a function of both sides calls a host function and device code calls it": Fails(
        ON_HOST + ON_BOTH + host("g()") + kernel("g()"), "reference to __host__ function 'f' in __host__ __device__",
        unlike="nvcc warns, and what the kernel does is undefined",
    ),
    "a function of both sides calls a host function and device code doesn't call it": Fails(
        ON_HOST + ON_BOTH + host("g()") + kernel("3"), "reference to __host__ function 'f' in __host__ __device__",
        unlike="nvcc warns; clang takes it if the function is inline, static or a template",
    ),
    "an inline function of both sides calls a host function and device code calls it": Fails(
        ON_HOST + "inline " + ON_BOTH + kernel("g()"), "reference to __host__ function 'f' in __host__ __device__",
        unlike="nvcc warns",
    ),
    "a call behind two others": Fails(
        ON_HOST + "inline " + ON_BOTH + "inline __host__ __device__ int h() { return g(); }\n" + kernel("h()"),
        "note: called by 'kernel'", line=4, unlike="nvcc warns",
    ),
    "a call that never happens": Fails(
        ON_HOST + "inline __host__ __device__ int g(bool b) { return b ? f() : 2; }\n" + kernel("g(false)"),
        "reference to __host__ function 'f' in __host__ __device__", unlike="nvcc warns",
    ),
    "a function of both sides calls a device function and the host calls it": Fails(
        ON_DEVICE + ON_BOTH + host("g()") + kernel("g()"),
        "reference to __device__ function 'f' in __host__ __device__",
    ),
    "a lambda that calls a host function is passed to a kernel": Fails(
        ON_HOST + "template <class F> __global__ void apply(int *p, F f) { *p = f(); }\n"
        "void h() { apply<<<1, 1>>>((int *)nullptr, [] { return f(); }); }",
        "reference to __host__ function 'f'", line=3,
    ),
    "an implicit constructor that needs the host": Fails(
        "struct A { int n; A() : n(1) {} };\nstruct B : A {};\n" + kernel("B().n"),
        "the implicit default constructor) not viable: call to __host__ function", line=3,
    ),
}  # fmt: skip

NO_OVERLOADS_BY_SIDE = "nvcc has no overloads by side: to it this defines a function twice"
OVERLOADS = {
    "each side has its own": Runs(ON_HOST + ON_DEVICE + host("f()") + kernel("f()"), "1 2", NO_OVERLOADS_BY_SIDE),
    "a function of both sides takes that of the side it is compiled for": Runs(
        ON_HOST + ON_DEVICE + ON_BOTH + host("g()") + kernel("g()"), "1 2", NO_OVERLOADS_BY_SIDE
    ),
    "the side counts more than the conversion of an argument": Runs(
        "int f(int) { return 1; }\n__device__ int f(long) { return 2; }\n"
        "__host__ __device__ int g() { return f(0); }\n" + host("g() + f(0)") + kernel("g() + f(0)"), "2 4",
        unlike="nvcc chooses by the conversion alone, and refuses the call",
    ),
    "a function is better than a template of both sides": Runs(
        "template <class T> __host__ __device__ int f(T) { return 1; }\n__device__ int f(int) { return 2; }\n"
        + host("f(0)") + kernel("f(0)"), "1 2",
        unlike="nvcc chooses the function on the host, too, and refuses the call",
    ),
    "members": Runs(
        "struct S { int n() { return 1; }\n__device__ int n() { return 2; } };\n" + host("S().n()") + kernel("S().n()"),
        "1 2", NO_OVERLOADS_BY_SIDE,
    ),
    "constructors": Runs(
        "struct S { int n; S() : n(1) {}\n__device__ S() : n(2) {} };\n" + host("S().n") + kernel("S().n"), "1 2",
        NO_OVERLOADS_BY_SIDE,
    ),
    "operators": Runs(
        "struct S { int n; };\nint operator+(S, S) { return 1; }\n__device__ int operator+(S, S) { return 2; }\n"
        + host("S{1} + S{2}") + kernel("S{1} + S{2}"), "1 2", NO_OVERLOADS_BY_SIDE,
    ),
    "the address of a function is that of the own side": Runs(
        ON_HOST + ON_DEVICE + "int host() { int (*p)() = f; return p(); }\n"
        "__global__ void kernel(int *q) { int (*p)() = f; *q = p(); }", "1 2", NO_OVERLOADS_BY_SIDE,
    ),
    "kernels": Runs(
        "__global__ void other(int *p) { *p = 1; }\n__global__ void other(float *p) { *p = 2; }\n" + kernel("3")
        + "int host() { float *p, n; cudaMalloc(&p, 4); other<<<1, 1>>>(p); cudaMemcpy(&n, p, 4, cudaMemcpyDefault);"
        " return n; }", "2 3",
    ),
}  # fmt: skip

REFUSED_OVERLOADS = {
    "a device function beside one of both sides": Fails(
        "__host__ __device__ int f() { return 1; }\n" + ON_DEVICE,
        "__device__ function 'f' cannot overload __host__ __device__ function 'f'",
    ),
    "a function of both sides beside a host function": Fails(
        ON_HOST + "__host__ __device__ int f() { return 2; }",
        "__host__ __device__ function 'f' cannot overload __host__ function 'f'",
    ),
}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> dict[str, str]:
    """The results of the rows that run, by their names."""
    rows = {name: row.source for name, row in (CALLS | OVERLOADS).items()}
    return results(tmp_path_factory.mktemp("rows"), "#include <algorithm>", rows)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_is_allowed(given: dict[str, str], name: str):
    assert given[name] == CALLS[name].gives


@pytest.mark.parametrize("name", OVERLOADS)
def test_overloads_by_side(given: dict[str, str], name: str):
    assert given[name] == OVERLOADS[name].gives


def test_a_host_declaration_before_a_definition_for_both_sides(tmp_path: Path, compiler: HostCompiler):
    """Clang refuses it and nvcc doesn't: the text is mended."""
    source = "int f(int);\n__host__ __device__ int f(int x) { return x; }\n" + host("f(1)") + kernel("f(2)")
    assert results(tmp_path, "", {"row": source}) == {"row": "1 2"}


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in REFUSED_CALLS.items()])
def test_a_call_that_is_refused(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str], row: Fails):
    told = refusal(tmp_path, capfd, row.source)
    assert row.error in told
    assert f"row.cu:{row.line}:" in told
    assert told.count("error: ") == 1


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in REFUSED_OVERLOADS.items()])
def test_overloads_that_are_refused(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str], row: Fails
):
    told = refusal(tmp_path, capfd, row.source)
    assert f"row.cu:2:{row.source.splitlines()[1].index('f()') + 1}: error: {row.error}" in told
    assert told.count("error: ") == 1


def test_device_code_launches_a_kernel_with_relocatable_code(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]
):
    told = refusal(tmp_path, capfd, REFUSED_CALLS["device code launches a kernel"].source, ["-rdc=true"])
    assert told.count("error: ") == 1
    assert "kernels can't be launched from device code" in told


def test_a_lambda_of_host_code_launches_a_kernel_with_relocatable_code(tmp_path: Path, compiler: HostCompiler):
    source = tmp_path / "row.cu"
    source.write_text(
        "__global__ void k(int *p) {}\nint main() {\n  auto f = [](int *p) { k<<<1, 1>>>(p); };\n  f(0);\n}\n"
    )
    assert main(["-rdc=true", "-c", str(source), "-o", str(tmp_path / "row.o")]) == 0
