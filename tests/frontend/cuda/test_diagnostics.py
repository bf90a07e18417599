# SPDX-License-Identifier: Apache-2.0
"""Mistakes in CUDA sources, as the user reads them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.errors import CompileError, Error
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda


def test_a_syntax_error_shows_the_line_and_the_caret(compiled: Callable) -> None:
    with pytest.raises(CompileError) as caught:
        compiled("__global__ void k(int *p) {\n  p[0] = 3\n}\n")
    assert str(caught.value).startswith(
        "<source>:2:11: error: expected ';' after expression\n    2 |   p[0] = 3\n      |           ^"
    )
    assert caught.value.diagnostics == ("<source>:2:11: error: expected ';' after expression",)


def test_a_file_is_named_as_the_user_named_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    path = Path("sub/bad.cu")
    path.write_text("")
    Path("sub/bad.h").write_text("int missing_semicolon\n")
    with pytest.raises(CompileError) as caught:
        compile_cuda(Source('#include "bad.h"\n', path), CudaOptions())
    assert "sub/bad.h:1:22: error: expected ';'" in str(caught.value)
    assert "in file included from sub/bad.cu:1:" in str(caught.value)


def test_a_missing_include_and_a_missing_file(compiled: Callable, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"<source>:1:10: fatal error: 'nope\.h' file not found"):
        compiled('#include "nope.h"\n')
    with pytest.raises(CompileError, match=r"nope\.cu: no such file"):
        compile_cuda(Source("", tmp_path / "nope.cu"), CudaOptions())


def test_many_errors_are_cut_in_the_message_but_all_listed(compiled: Callable) -> None:
    calls = "".join(f"  unknown{index}();\n" for index in range(12))
    with pytest.raises(CompileError) as caught:
        compiled(f"__global__ void k() {{\n{calls}}}\n")
    assert str(caught.value).endswith("and 7 more errors")
    assert len(caught.value.diagnostics) == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__global__ void k() { throw 3; }", "cannot use 'throw' in __global__ function"),
        (
            "void host(); __global__ void k() { host(); }",
            "call to __host__ function from __global__ function",
        ),
        ("__global__ int k() { return 1; }", "kernel function type 'int ()' must have void return type"),
        ("__global__ void k() { } int main() { k<<<1>>>(); }", "too few execution configuration arguments"),
    ],
)
def test_rules_of_cuda_are_clangs_to_tell(compiled: Callable, text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("__syncthreads();", "__syncthreads"),
        ("__syncwarp();", "__syncwarp"),
        ("int i = threadIdx.x;", "threadIdx"),
        ("int i = blockIdx.y * blockDim.z;", "blockIdx"),
        ("dim3 g = gridDim;", "gridDim"),
    ],
)
def test_host_code_that_uses_what_only_device_code_has(
    compiled: Callable, tmp_path: Path, statement: str, name: str
) -> None:
    device = f"""
        template <class T> __host__ __device__ void f() {{ {statement} }}
        __global__ void k() {{ {statement} f<int>(); auto lambda = [=] {{ {statement} }}; lambda(); }}
    """
    assert compiled(device + "int main() { f<float>(); }").warnings == ()
    with pytest.raises(CompileError) as caught:
        compiled(device + f"int main() {{\n{statement} }}", options=("-Wall",))
    assert all(f"error: {name} can be" in d or "error: blockDim can be" in d for d in caught.value.diagnostics)
    assert str(caught.value).startswith("<source>:5:")
    # What nvcc hides from the host, and what a library does, can't be judged.
    hidden = f"""
        #ifdef __CUDA_ARCH__
        void host() {{ {statement} }}
        #endif
    """
    assert compiled(device + hidden, options=("-Werror",)).warnings == ()
    (tmp_path / "library.h").write_text(hidden)
    path = tmp_path / "k.cu"
    path.write_text('#include "library.h"\n' + device)
    assert compile_cuda(Source(path.read_text(), path), CudaOptions()).warnings == ()


def test_a_launch_from_device_code(compiled: Callable) -> None:
    with pytest.raises(
        CompileError,
        match="<source>:1:31: error: kernels can't be launched from device code: dynamic parallelism is not supported",
    ) as caught:
        compiled("__global__ void k() { if (0) k<<<1, 1>>>(); }")
    assert "rdc" not in str(caught.value) + str(caught.value.diagnostics)


def test_calls_of_the_runtime_from_device_code(compiled: Callable) -> None:
    with pytest.raises(CompileError) as caught:
        compiled("""__global__ void child(int *p) { *p = 1; }
            __global__ void parent(int *p) {
              cudaStream_t s;
              cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
              child<<<1, 1, 0, s>>>(p);
              cudaMalloc(&p, 4);
            }
            """)
    why = "from device code: dynamic parallelism is not supported"
    assert list(caught.value.diagnostics) == [
        f"<source>:4:15: error: cudaStreamCreateWithFlags can't be called {why}",
        f"<source>:5:20: error: kernels can't be launched {why}",
        f"<source>:6:15: error: cudaMalloc can't be called {why}",
    ]
    assert "candidate" not in str(caught.value)
    assert "    4 |               cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);" in str(caught.value)


def test_a_call_of_the_runtime_that_is_the_hosts_alone(compiled: Callable) -> None:
    with pytest.raises(CompileError, match="no matching function for call to 'cudaMallocHost'") as caught:
        compiled("__global__ void k(void **p) { cudaMallocHost(p, 4); }")
    assert "dynamic parallelism" not in str(caught.value)
    assert "call to __host__ function from __global__ function" in str(caught.value)


@pytest.mark.parametrize("pragma", ["llvm_fatal_error", "crash"])
def test_a_crash_of_clang_is_an_error_and_leaves_nothing_behind(
    compiled: Callable, pragma: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, temporary = tmp_path / "work", tmp_path / "temporary"
    work.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(Error, match="<source>: clang crashed"):
        compiled(f"#pragma clang __debug {pragma}\n")
    assert list(work.iterdir()) == []
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("curand_kernel.h", "cuRAND"),
        ("thrust/sort.h", "the Thrust and CUB"),
        ("torch/extension.h", "PyTorch's C++ interface"),
        ("ATen/cuda/CUDAContext.h", "PyTorch's C++ interface"),
        ("cuda_fp6.h", "6 bits"),
    ],
)
def test_a_header_that_lanewise_does_not_have(header: str, part: str) -> None:
    with pytest.raises(CompileError, match=f"'{header}' file not found") as error:
        compile_cuda(Source(f"#include <{header}>\n"), CudaOptions())
    assert error.value.diagnostics[-1].startswith("note: Lanewise doesn't have ")
    assert part in error.value.diagnostics[-1]


def test_a_header_of_mpi_is_looked_for_where_the_user_says() -> None:
    with pytest.raises(CompileError, match=r"doesn't bring MPI: give the folder .* by -I"):
        compile_cuda(Source("#include <mpi.h>\n"), CudaOptions())


def test_a_header_of_the_users_own_that_is_not_there() -> None:
    with pytest.raises(CompileError) as error:
        compile_cuda(Source('#include "mine.h"\n'), CudaOptions())
    assert len(error.value.diagnostics) == 1
