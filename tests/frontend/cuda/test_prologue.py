# SPDX-License-Identifier: Apache-2.0
"""What a program finds defined and declared before its first line, as with nvcc."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda, prologue
from lanewise.frontend.cuda.macros import NVCC

KERNEL = "__global__ void k(int *p) { *p = 1; }\n"


def test_each_macro_of_nvccs_mode_is_defined(compiled: Callable) -> None:
    checks = "".join(f"#if {macro.name} != {macro.value}\n#error {macro.name}\n#endif\n" for macro in NVCC)
    compiled("#if !__CUDA__ || !__clang__ || defined(__CUDACC_RTC__)\n#error mode\n#endif\n" + checks + KERNEL)


def test_device_functions_of_a_program_that_asks_for_nvcc_do_not_vanish(compiled: Callable) -> None:
    """Such a program defines the qualifiers as nothing for compilers of the host."""
    text = """
        #if !defined(__NVCC__)
        #define __device__
        #define __global__
        #endif
        __device__ int f(int x) { return x + 1; }
        __global__ void k(int *p) { *p = f(*p); }
    """
    assert [kernel.qualified for kernel in compiled(text).kernels] == ["k"]


def test_a_library_that_knows_clang_but_not_nvccs_rules_is_compiled_as_clang(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "late.h").write_text("""
        template <class T> __device__ T late(T x) {
        #ifdef __NVCC__
          using ::found_when_instantiated;
        #endif
          return x + 1;
        }
    """)
    (tmp_path / "program").mkdir()
    path = tmp_path / "program" / "k.cu"
    path.write_text("")
    text = "#include <late.h>\n__global__ void k(int *p) { *p = late(*p); }"
    options = CudaOptions(include_dirs=(str(tmp_path / "library"),))
    assert [kernel.qualified for kernel in compile_cuda(Source(text, path), options).kernels] == ["k"]
    with pytest.raises(CompileError, match="found_when_instantiated"):
        compile_cuda(Source((tmp_path / "library" / "late.h").read_text() + text, path), options)


def test_host_code_finds_what_nvccs_prologue_brings(compiled: Callable) -> None:
    """The headers stdlib.h, string.h, time.h, stdio.h, cmath, cstdlib and utility, none of which is included here."""
    compiled(
        KERNEL
        + """
        void utility() { int a = 1, b = std::forward<int>(a); std::swap(a, b); std::make_pair(a, std::move(b)); }
        void algorithms() { int m = std::max(1, 2) + std::min(1, 2); float big = std::numeric_limits<float>::max(); }
        void mathematics() { int e; double m = frexp(3.0, &e), q = modf(1.5, &m); float f = std::floor(1.5f); }
        void times() { double s = clock() / CLOCKS_PER_SEC; struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); }
        void numbers() { char *end, b[9]; strtod("1", &end); long l = strtol("1", &end, 10); strncpy(b, "x", 2); }
        void system() { char *s = getenv("HOME"); qsort(s, 0, 1, nullptr); int x = abs(-1); div_t d = div(7, 2); }
        void memory() { void *p = std::malloc(4); std::free(p); time_t now = std::time(nullptr); localtime(&now); }
        void files() { fprintf(stderr, "x"); FILE *f = fopen("x", "r"); fclose(f); fflush(stdout); }
        """
    )


def test_types_of_the_system_need_no_second_attempt(compiled: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prologue, "lacks_a_name", lambda diagnostics: False)  # pyright: ignore[reportUnknownLambdaType]
    compiled(KERNEL + "void host() { uint u = 1; ushort s = 2; ulong l = 3; size_t n = 4; time_t t = time(NULL); }")


@pytest.mark.parametrize("header", ["cuda.h", "cuda_fp16.h", "cuda_bf16.h"])
def test_headers_that_bring_stdint(compiled: Callable, header: str) -> None:
    compiled(f"#include <{header}>\n__global__ void k(uint32_t *p, uint64_t n) {{ *p = n; }}")


def test_a_plain_mistake_is_reported_once_and_as_it_is(compiled: Callable) -> None:
    with pytest.raises(CompileError) as caught:
        compiled("__global__ void k(int *p) { *p = misspelt; }")
    assert caught.value.diagnostics == ("<source>:1:34: error: use of undeclared identifier 'misspelt'",)


def test_the_runtime_interface_of_cuda_11_12_and_13(compiled: Callable) -> None:
    compiled(
        KERNEL
        + """
        template <class T> __global__ void scale(T *p, T a) { p[0] *= a; }
        #include <cuda.h>
        int main() {
          cudaGraph_t graph; cudaGraphExec_t executable; cudaGraphNode_t node, after[1]; char log[64]; int *p;
          cudaGraphInstantiate(&executable, graph, &node, log, sizeof log);
          cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
          cudaGraphInstantiate(&executable, graph, 0);
          cudaGraphExecUpdateResult result; cudaGraphExecUpdate(executable, graph, &node, &result);
          void *arguments[] = {&p};
          cudaKernelNodeParams parameters = {(void *)k, dim3(1), dim3(32), 0, arguments, nullptr};
          cudaGraphAddKernelNode(&node, graph, after, 1, &parameters);
          cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, p, p, 4, cudaMemcpyDefault);
          cudaLaunchAttribute attributes[1]; attributes[0].id = cudaLaunchAttributeClusterDimension;
          attributes[0].val.clusterDim = {2, 1, 1};
          cudaLaunchConfig_t config = {}; config.attrs = attributes; config.numAttrs = 1; config.gridDim = dim3(4);
          cudaLaunchKernelEx(&config, scale<float>, (float *)p, 2.0f);
          cudaStreamAttrValue value; value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
          cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &value);
          cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
          cudaMemPrefetchAsync(p, 4, place, 0); cudaMemPrefetchAsync(p, 4, 0); cudaMemPrefetchAsync(p, 4, 0, 0);
          cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, place);
          cudaMemPool_t pool; uint64_t most = 0; cudaDeviceGetDefaultMemPool(&pool, 0);
          cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most);
          cudaError_t (*pinned)(void **, size_t) = cudaMallocHost; cudaMallocHost(&p, 4); cudaMallocHost(&p, 4, 0);
          cudaIpcMemHandle_t handle; cudaIpcGetMemHandle(&handle, p);
          const char *text; cuGetErrorString(CUDA_SUCCESS, &text); cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text);
          CUtexObject texture = 0; CUmodule module; CUfunction function; cuModuleGetFunction(&function, module, "k");
        }"""
    )
