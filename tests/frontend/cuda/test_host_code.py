# SPDX-License-Identifier: Apache-2.0
"""Host code beside kernels: understood, never run, and read for the kernel templates that it launches."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
  std::cerr << cudaGetErrorString(e) << std::endl; std::exit(EXIT_FAILURE); } } while (0)

__constant__ float weights[9];

template <class T> __global__ void scale(T *p, T a, int n) {
  extern __shared__ char raw[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= a + std::sqrt(p[i]) + raw[0] + weights[0];
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
  std::vector<float> host(n, 1.0f);
  std::sort(host.begin(), host.end(), [](float a, float b) { return a < b; });
  auto start = std::chrono::steady_clock::now();
  float *device; double *managed; int *pinned; void *mapped; size_t pitch;
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&device, n * sizeof(float)));
  CHECK(cudaMallocManaged(&managed, n * sizeof(double)));
  CHECK(cudaMallocHost(&pinned, 64)); CHECK(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped));
  CHECK(cudaMallocPitch(&device, &pitch, 64, 64));
  CHECK(cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weights, host.data(), sizeof(weights)));
  CHECK(cudaMemcpyFromSymbol(host.data(), weights, sizeof(weights), 0, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device, 0, 4)); CHECK(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId));
  cudaStream_t stream; cudaEvent_t begin, end; float milliseconds;
  CHECK(cudaStreamCreate(&stream)); CHECK(cudaEventCreate(&begin)); CHECK(cudaEventCreate(&end));
  CHECK(cudaMemcpyAsync(device, host.data(), 64, cudaMemcpyDefault, stream));
  CHECK(cudaEventRecord(begin)); CHECK(cudaEventRecord(end, stream)); CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end)); CHECK(cudaStreamWaitEvent(stream, end, 0));
  CHECK(cudaFuncSetAttribute(scale<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  CHECK(cudaFuncSetCacheConfig(scale<float>, cudaFuncCachePreferL1));
  dim3 block(256), grid((n + block.x - 1) / block.x);
  scale<float><<<grid, block, 1024, stream>>>(device, 2.0f, n);
  scale<<<grid, 256>>>(managed, 2.0, n);
  CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
  int least, size, blocks, count;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &size, scale<float>, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale<float>, 256, 0));
  cudaDeviceProp properties; CHECK(cudaGetDeviceCount(&count)); CHECK(cudaGetDeviceProperties(&properties, 0));
  std::cout << properties.name << ' ' << properties.multiProcessorCount << ' ' << properties.major << std::endl;
  int i = 3; void *arguments[] = {&device, &i, (void *)&n};
  CHECK(cudaLaunchKernel((void *)scale<float>, grid, block, arguments, 0, stream));
  std::string name = std::to_string(rsqrtf(2.0f)) + std::to_string(max(1, 2)) + std::to_string(std::pow(2.0, 3));
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%s %g\\n", name.c_str(), elapsed.count());
  cudaFree(device); cudaFreeHost(pinned); cudaEventDestroy(begin); cudaStreamDestroy(stream); cudaDeviceReset();
  try { throw std::string("host code may throw"); } catch (const std::string &) {}
  return 0;
}
"""


def test_a_whole_program_is_understood_and_its_launched_instances_are_in_the_module(compiled: Callable) -> None:
    result = compiled(PROGRAM)
    assert {kernel.qualified for kernel in result.kernels} == {"scale<float>", "scale<double>"}
    assert "main" not in result.text.partition("!0 = ")[0]
    assert result.dependencies == ()


def test_host_code_needs_no_standard_header_for_what_nvcc_brings_along(compiled: Callable) -> None:
    compiled("""
        __global__ void k(float *p) { p[0] = 1; }
        int main() {
          float *p; size_t bytes = 4 * sizeof(float);
          cudaMalloc(&p, bytes); k<<<1, 32>>>(p);
          float *h = (float *)malloc(bytes); memset(h, 0, bytes);
          cudaMemcpy(h, p, bytes, cudaMemcpyDeviceToHost);
          printf("%f %f %d\\n", sqrt(2.0), fabsf(h[0]), abs(-3)); srand(time(NULL)); free(h);
          if (rand() > RAND_MAX / 2) exit(EXIT_FAILURE);
          clock_t t = clock(); return t > 0;
        }
    """)


def test_a_program_may_lean_on_what_a_standard_header_happens_to_include(compiled: Callable) -> None:
    compiled("""
        #include <iostream>
        #include <vector>
        int main() { std::vector<int> v{3, 1}; std::sort(v.begin(), v.end()); return (int)std::sqrt(v[0]); }
    """)


def test_sample_helpers_and_openmp_are_declared(compiled: Callable) -> None:
    compiled("""
        #include <helper_cuda.h>
        #include <helper_timer.h>
        #include <omp.h>
        int main(int argc, char **argv) {
          checkCudaErrors(cudaSetDevice(findCudaDevice(argc, (const char **)argv)));
          StopWatchInterface *timer; sdkCreateTimer(&timer); sdkStartTimer(&timer); getLastCudaError("x");
        #pragma omp parallel for
          for (int i = 0; i < 3; ++i) omp_get_thread_num();
          return (int)sdkGetTimerValue(&timer);
        }
    """)


def test_what_nvcc_lets_older_programs_do(compiled: Callable) -> None:
    result = compiled("""
        #include <cuda_gl_interop.h>
        __global__ void limits(unsigned *p) { register unsigned i = UINT_MAX; p[0] = i + INT_MIN + CHAR_BIT; }
        __global__ void numbers(double *p) { p[0] = -INFINITY; p[1] = NAN; p[2] = M_PI * M_SQRT1_2; p[3] = HUGE_VAL; }
        __managed__ int total; __device__ __managed__ float parts[2];
        __global__ void sum(int *p) { total += p[0]; parts[1] = 0; }
        #include <limits.h>
        #include <math.h>
        static_assert(UCHAR_MAX == 255 && LLONG_MIN < 0 && ULLONG_MAX > LONG_MAX, "");
        void host(cudaGraphicsResource_t *r) { cudaGraphicsMapResources(1, r); }
    """)
    assert result.warnings == ()


def test_what_c17_took_out_of_the_library_is_there_as_with_nvcc(compiled: Callable) -> None:
    result = compiled("""
        #include <algorithm>
        #include <functional>
        #include <vector>
        template <class T> struct Apply : public std::binary_function<T, T, void> {};
        template <class T> struct Test : public std::unary_function<T, bool> {};
        void host(std::vector<int> &v) { std::random_shuffle(v.begin(), v.end()); Apply<int> a; Test<int> t; }
        __global__ void k(int *p) { *p = 1; }
    """)
    assert [k.qualified for k in result.kernels] == ["k"]


def test_narrowing_in_braces_is_a_warning_as_with_nvcc(compiled: Callable) -> None:
    (warning,) = compiled("void host() { int list[] = {0.0}; } __global__ void k() {}").warnings
    assert "cannot be narrowed" in warning
