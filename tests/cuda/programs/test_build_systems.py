# SPDX-License-Identifier: Apache-2.0
"""CMake's ways to name architectures, and its package of the CUDA toolkit; folders where other build systems look."""

import platform
from pathlib import Path

import pytest
from tests.cuda.programs.build_tools import run, run_cmake, toolkit

from lanewise.cuda.objects.host_compiler import HostCompiler

FILES = {
    "main.cu": """
#include <cstdio>
int on_host();
__global__ void k(int *p) {
#ifdef __CUDA_ARCH__
  *p = __CUDA_ARCH__;
#endif
}
int main() {
  int *p, n = 0;
  cudaMalloc(&p, sizeof n);
  k<<<1, 1>>>(p);
  cudaMemcpy(&n, p, sizeof n, cudaMemcpyDeviceToHost);
  printf("%d %d\\n", n, on_host());
}
""",
    "host.cpp": """
#include <cuda_runtime.h>
int on_host() { int n = 0; return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1; }
""",
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.18)
project(test LANGUAGES CXX CUDA)
find_package(CUDAToolkit 12 REQUIRED)
add_executable(program main.cu host.cpp)
target_link_libraries(program PRIVATE CUDA::cudart)
install(TARGETS program)
""",
}


@pytest.fixture
def project(tmp_path: Path, compiler: HostCompiler) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


@pytest.mark.parametrize(("architectures", "taken"), [(None, 800), ("native", 800), ("all", 800), ("90-virtual", 900)])
def test_architectures_of_cmake(project: Path, architectures: str | None, taken: int):
    words = [] if architectures is None else [f"-DCMAKE_CUDA_ARCHITECTURES={architectures}"]
    told = run_cmake(project, project / "build", *words)
    assert f"{toolkit()}/include" in told  # of CUDAToolkit
    assert run(project / "build" / "program", folder=project) == f"{taken} 1\n"
    if architectures is None:
        assert "CMAKE_CUDA_ARCHITECTURES:STRING=80" in (project / "build" / "CMakeCache.txt").read_text()
        run("cmake", "--install", project / "build", "--prefix", project / "installed", folder=project)
        installed = project / "installed" / "bin" / "program"
        assert run(installed, folder=project, LD_LIBRARY_PATH=f"{toolkit()}/lib64") == "800 1\n"


def test_folders_of_a_toolkit(compiler: HostCompiler):
    home = toolkit()
    for folder in (home, home / "targets" / f"{platform.machine()}-linux"):
        assert (folder / "include" / "cuda_runtime.h").is_file()
        assert (folder / "lib" / "libcudart_static.a").is_file()
    assert (home / "lib64" / "libcudart.so").is_file()
