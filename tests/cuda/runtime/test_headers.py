# SPDX-License-Identifier: Apache-2.0
"""The API's headers under plain compilers: C, C++ of each standard, and the system's where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.runtime.build import libc_arguments
from lanewise.toolchain import run_zig

C = """
#include <cuda_runtime_api.h>
#include <cuda_profiler_api.h>
#include <driver_types.h>
#include <vector_types.h>
#include <cuda.h>
#include <assert.h>
static CUresult launch_by_driver(CUfunction function, CUdeviceptr memory) {
  size_t bytes = sizeof memory;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &memory, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  CUresult result = cuInit(0);
  if (result != CUDA_SUCCESS)
    return result;
  return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, CU_STREAM_DEFAULT, 0, extra);
}
int main(void) {
  struct cudaDeviceProp properties;
  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  float4 f = make_float4(1, 2, 3, 4);
  dim3 grid = {1, 2, 3};
  void *memory;
  cudaStream_t stream = cudaStreamPerThread;
  struct cudaExtent extent = make_cudaExtent(1, 2, 3);
  assert(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  if (cudaMalloc(&memory, extent.width) != cudaSuccess)
    return (int)grid.x + (int)launch_by_driver(0, 0);
  return cudaMemcpyAsync(memory, &f, sizeof f, kind, stream);
}
"""

CPP = """
#include <cuda_runtime.h>
#include <assert.h>
#include <stdio.h>

static __host__ __device__ __forceinline__ int twice(int x) { return 2 * x; }
struct __align__(16) Pair { double a, b; };

int main() {
  float *memory;
  int blocks, threads;
  cudaEvent_t event;
  void *arguments[] = {&memory};
  assert(cudaMalloc(&memory, twice(8)) == cudaSuccess);
  cudaMallocManaged(&memory, 16);
  cudaHostAlloc((void **)&memory, 16, cudaHostAllocDefault);
  cudaMemcpyAsync(memory, memory, 16, cudaMemcpyDefault);
  cudaEventCreate(&event);
  cudaEventCreate(&event, cudaEventDisableTiming);
  cudaEventRecord(event);
  cudaLaunchKernel((const void *)&twice, dim3(1, 2), dim3(32), arguments, 0, 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, twice);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  uint3 extents = dim3(1, 2, 3);
  printf("%s %d %u %u\\n", cudaGetErrorString(cudaGetLastError()), format.x, extents.z, (unsigned)sizeof(Pair));
  return cudaDeviceSynchronize();
}
"""


@pytest.mark.parametrize("standard", ["c99", "c11", "c17", "c++11", "c++14", "c++17", "c++20"])
def test_a_plain_compiler_reads_the_headers(standard: str, tmp_path: Path):
    is_cpp = standard.startswith("c++")
    source = tmp_path / ("program.cpp" if is_cpp else "program.c")
    source.write_text(CPP if is_cpp else C)
    arguments = ["clang", *libc_arguments(), f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    run_zig([*arguments, "-isystem", str(HEADERS), str(source)], "the headers can't be read")


@pytest.mark.parametrize("standard", ["c99", "c++11", "c++14", "c++17", "c++20"])
def test_gnus_compiler_reads_the_headers(standard: str, tmp_path: Path):
    is_cpp = standard.startswith("c++")
    compiler = shutil.which("g++" if is_cpp else "gcc")
    if compiler is None:
        pytest.skip("there is no g++ on this machine")
    source = tmp_path / ("program.cpp" if is_cpp else "program.c")
    source.write_text(CPP if is_cpp else C)
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", "-fsyntax-only", "-isystem", str(HEADERS), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
