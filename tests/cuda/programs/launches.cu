// Forms of launches, configurations that are refused, functions that are asked for.
#include "check.h"
#include <cooperative_groups.h>

template <class T, int N> __global__ void fill(T *p, T value) {
  if (threadIdx.x < N)
    p[threadIdx.x] = value;
}
struct Big {
  double numbers[40];
  char tail;
};
__global__ void takes_struct(Big big, char *out) { *out = char(big.numbers[39]) + big.tail; }
__global__ void dynamic(int *out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(64) bounded(int *p) { *p = blockDim.x; }
__global__ void whole_grid(int *p) {
  if (threadIdx.x == 0)
    atomicAdd(p, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    p[1] = *p;
}

__global__ void many(int *out, int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10, int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20, int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30, int a31, int a32, int a33, int a34,
                     int a35, int a36, int a37, int a38, int a39, int a40, int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50, int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60, int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69) {
  *out = a0 + a34 + a69;
}

static int *thrown() { throw 1; }

int main() {
  int *d, host[64];
  char *c, letter;
  OK(cudaMalloc(&d, sizeof host));
  OK(cudaMalloc(&c, 1));
  fill<int, 7><<<1, 32>>>(d, 9);
  OK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[6] == 9);
  Big big = {};
  big.numbers[39] = 60;
  big.tail = 5;
  takes_struct<<<1, 1>>>(big, c);
  OK(cudaMemcpy(&letter, c, 1, cudaMemcpyDeviceToHost));
  CHECK(letter == 65);
  dynamic<<<1, 64, 64 * sizeof(int)>>>(d);
  OK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 63 && host[63] == 0);
  many<<<1, 1>>>(d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
                 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69);
  OK(cudaMemcpy(host, d, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 0 + 34 + 69);
  void *arguments[] = {&d};
  OK(cudaLaunchKernel((void *)dynamic, dim3(1), dim3(32), arguments, 32 * sizeof(int), 0));
  OK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 31);
  OK(cudaMemset(d, 0, 8));
  OK(cudaLaunchCooperativeKernel(whole_grid, dim3(5), dim3(32), arguments));
  OK(cudaMemcpy(host, d, 8, cudaMemcpyDeviceToHost));
  CHECK(host[1] == 5);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 16;
  OK(cudaLaunchKernelEx(&config, bounded, d));
  OK(cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 16);

  bounded<<<1, 65>>>(d);
  EXPECT(cudaErrorLaunchOutOfResources, cudaGetLastError());
  bounded<<<0, 1>>>(d);
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  bounded<<<dim3(1, 70000), 1>>>(d);
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  dynamic<<<1, 1, 300000>>>(d);
  EXPECT(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT(cudaErrorInvalidDeviceFunction, cudaLaunchKernel((void *)main, dim3(1), dim3(1), arguments, 0, 0));
  OK(cudaDeviceSynchronize());

  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, bounded));
  CHECK(attributes.maxThreadsPerBlock == 64);
  int blocks, grid, block;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 256, 0));
  CHECK(blocks == 8);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  CHECK(block == 64 && grid > 0);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.warpSize == 32 && properties.major >= 7 && properties.deviceOverlap == 1);
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(value == properties.multiProcessorCount);
  EXPECT(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1));
  // An argument that throws leaves its launch behind, and no other.
  for (int i = 0; i < 100; ++i)
    try {
      bounded<<<1, 1>>>(thrown());
      CHECK(false);
    } catch (int) {
    }
  bounded<<<1, 17>>>(d);
  OK(cudaMemcpy(host, d, 4, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 17);
  printf("ok\n");
}
