# SPDX-License-Identifier: Apache-2.0
"""Programs mean the same with our headers in precompiled form, and it is used only where that is certain."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, KernelIR, Source, compile_cuda
from lanewise.ir.module import Module

PLAIN = "__global__ void k(float *p) { p[threadIdx.x] = sinf(p[blockIdx.x]) + rsqrtf(p[0]); }"

PROGRAMS = {
    "plain": (PLAIN, CudaOptions()),
    "many headers": (
        """
        #include <vector>
        #include <cuda_fp16.h>
        #include <cooperative_groups.h>
        #include "mine.h"
        namespace cg = cooperative_groups;
        __constant__ float4 weights[LENGTH_OF_IT];
        __device__ int counter;
        struct Shape { __device__ virtual float area() const { return 1; } };
        template <class T, int length> __global__ void scale(T *p, const Shape *s) {
            __shared__ T tile[length];
            auto group = cg::tiled_partition<32>(cg::this_thread_block());
            tile[threadIdx.x] = T(twice(float(p[threadIdx.x]))) + T(__shfl_xor_sync(~0u, weights[1].x, 1));
            group.sync();
            printf("%d of %f\\n", atomicAdd(&counter, 1), s->area());
            p[threadIdx.x] = tile[length - 1 - threadIdx.x];
        }
        template __global__ void scale<float, 64>(float *, const Shape *);
        int main() { std::vector<int> v(3); scale<__half, 32><<<1, 32>>>(nullptr, nullptr); return v.size(); }
        """,
        CudaOptions("sm_90", (("LENGTH_OF_IT", "16"),), ("folder",), ("-std=c++20", "-g", "-ffast-math", "-DUNUSED")),
    ),
    "rare header": ("__global__ void k(unsigned *p) { p[0] = __vadd4(p[1], p[2]); }", CudaOptions("sm_75")),
    "warning": ('#warning "take care"\n' + PLAIN, CudaOptions(options=("-Wall",))),
}

NO_MODULE = Module()

WRONG = [
    "__global__ void k(float *p) { p[0] = nothing(3); }",
    "__global__ void k(float *p) { p[0] = atomicAdd(3, 4); }",
    "#include <vector>\n__global__ void k(int *p) { int4 a = make_int4(1, 2, 3); *p = std::max(1, 2u); }",
]

PUT_OFF = {
    "a function": "inline __host__ __device__ void f() { h(); }\n__global__ void k() { f(); }",
    "a template": "template <class T> __host__ __device__ void f(T) { h(); }\n__global__ void k() { f(1); }",
    "a member of a template": """\
template <class T> struct S { __host__ __device__ void f(T) { h(); } };
__global__ void k() { S<int>().f(1); }""",
    "a lambda": """\
template <class F> __host__ __device__ void call(F f) { f(); }
__host__ __device__ inline void f() { call([] __host__ __device__ { h(); }); }
__global__ void k() { f(); }""",
    "a functor of a header's template": """\
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
struct Add { __host__ __device__ int operator()(int a, int b) const { h(); return a + b; } };
__global__ void k(int *p) {
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    p[0] = cooperative_groups::reduce(warp, p[1], Add());
}""",
}
"""Errors that clang puts off until it knows that a kernel reaches them: calls of the host's `h`."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.h").write_text("__device__ float twice(float x) { return 2 * x; }\n")
    return tmp_path / "folder"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def _forms(cache: Cache) -> list[Path]:
    assert cache.base is not None
    return sorted(cache.base.rglob("header.pch"))


def _compiled(text: str, options: CudaOptions, cache: Cache) -> KernelIR:
    """The result as text, which two compilations have in common."""
    return compile_cuda(Source(text), options, cache=cache)._replace(module=NO_MODULE)


def _error(text: str, cache: Cache) -> CompileError:
    with pytest.raises(CompileError) as caught:
        _compiled(text, CudaOptions(), cache)
    return caught.value


@pytest.fixture
def filled(cache: Cache) -> Cache:
    """A cache that has the form for no options at all."""
    for _ in range(2):
        _compiled(PLAIN, CudaOptions(), cache)
    assert len(_forms(cache)) == 1
    return cache


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_mean_the_same(program: str, cache: Cache) -> None:
    without = _compiled(*PROGRAMS[program], Cache(None))
    found = [_compiled(*PROGRAMS[program], cache) for _ in range(3)]
    assert len(_forms(cache)) == 1
    assert found == [without] * 3
    assert len(without.warnings) == (program == "warning")
    assert "header.pch" not in str(without.dependencies) + str(found[2].dependencies)


def test_errors_are_the_same(filled: Cache) -> None:
    for text in WRONG:
        without, with_form = _error(text, Cache(None)), _error(text, filled)
        assert str(with_form) == str(without)
        assert with_form.diagnostics == without.diagnostics


@pytest.mark.parametrize("program", PUT_OFF)
def test_errors_that_clang_puts_off_are_the_same(program: str, filled: Cache) -> None:
    text = f"void h();\n{PUT_OFF[program]}\n"
    without, with_form = _error(text, Cache(None)), _error(text, filled)
    assert "error: reference to __host__ function 'h' in __host__ __device__ function" in str(without)
    assert str(with_form) == str(without)
    assert with_form.diagnostics == without.diagnostics


@pytest.mark.parametrize("program", PUT_OFF)
def test_what_no_kernel_reaches_may_call_the_host(program: str, filled: Cache) -> None:
    text = f"void h();\n{PUT_OFF[program].replace('__global__ void k', 'inline __host__ __device__ void k')}\n{PLAIN}"
    without = _compiled(text, CudaOptions(), Cache(None))
    assert without.warnings == ()
    assert _compiled(text, CudaOptions(), filled) == without


def test_the_form_is_built_at_the_second_use(cache: Cache) -> None:
    _compiled(PLAIN, CudaOptions(), cache)
    assert _forms(cache) == []
    _compiled(WRONG[0].replace("nothing", "float"), CudaOptions(), cache)
    assert len(_forms(cache)) == 1


@pytest.mark.parametrize(
    "options",
    [CudaOptions("sm_70"), CudaOptions(options=("-std=c++20",)), CudaOptions(options=("-ffast-math",))],
)
def test_other_options_have_another_form(options: CudaOptions, filled: Cache) -> None:
    text = "__global__ void k(int *p) { p[0] = __CUDA_ARCH__ + __cplusplus; }"
    assert _compiled(text, options, filled) == _compiled(text, options, Cache(None))
    assert len(_forms(filled)) == 1
    assert _compiled(text, options, filled) == _compiled(text, options, Cache(None))
    assert len(_forms(filled)) == 2


@pytest.mark.parametrize(
    "options",
    [
        CudaOptions(defines=(("sinf", "cosf"),)),
        CudaOptions(options=("-Drsqrtf(x)=(2*x)",)),
        CudaOptions(include_dirs=("folder",)),
        CudaOptions(options=("-Ifolder",)),
        CudaOptions(options=("-include", "folder/mine.h")),
    ],
)
def test_what_changes_the_headers_keeps_the_form_out(options: CudaOptions, filled: Cache, folder: Path) -> None:
    """Macros of names that they have, and files in the place of theirs."""
    (folder / "cuda_runtime.h").write_text('#error "mine"\n')
    (folder / "mine.h").write_text("#define rsqrtf(x) 8\n")

    def outcome(cache: Cache) -> str:
        try:
            return _compiled(PLAIN, options, cache).text
        except CompileError as error:
            return str(error)

    without = outcome(Cache(None))
    assert [outcome(filled) for _ in range(3)] == [without] * 3
    assert without != _compiled(PLAIN, CudaOptions(), filled).text


def test_a_header_of_ours_in_the_current_folder(filled: Cache, tmp_path: Path) -> None:
    (tmp_path / "cuda_runtime.h").write_text('#error "mine"\n')
    assert "mine" in str(_error(PLAIN, filled))


def test_a_form_that_clang_does_not_take(filled: Cache) -> None:
    (form,) = _forms(filled)
    expected = _compiled(PLAIN, CudaOptions(), Cache(None))
    entry = form.parent
    files = {path.name: path.read_bytes() for path in entry.iterdir() if path.name != "INDEX"}
    filled.clear()
    filled.put(entry.name, files | {"header.pch": b"CPCH" + bytes(5000)})
    assert _compiled(PLAIN, CudaOptions(), filled) == expected


def test_a_cache_that_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    none = Cache(tmp_path / "file")
    assert _compiled(PLAIN, CudaOptions(), none) == _compiled(PLAIN, CudaOptions(), none)


def test_threads_build_the_form_at_once(cache: Cache) -> None:
    _compiled(PLAIN, CudaOptions(), cache)
    found: list[KernelIR] = []
    threads = [threading.Thread(target=lambda: found.append(_compiled(PLAIN, CudaOptions(), cache))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [_compiled(PLAIN, CudaOptions(), Cache(None))] * 3
    assert len(_forms(cache)) == 1
