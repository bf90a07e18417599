// SPDX-License-Identifier: Apache-2.0
// A library with the runtime linked in. Several of them in one process have one device (test_one_device.py).
#include <cuda_runtime.h>

__device__ int added = ADDED;
__global__ void set(int *p, int value) { *p = value + added; }
__global__ void add(int *p) { *p += added; }

static bool good = true;
static void check(cudaError_t error) { good = good && error == cudaSuccess; }

extern "C" {

int *make(int value) {
  int *p = nullptr;
  check(cudaMalloc(&p, sizeof *p));
  set<<<1, 1>>>(p, value);
  check(cudaGetLastError());
  return p;
}

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return stream;
}

// Adds to memory in a stream, both of any library's.
int add_in(cudaStream_t stream, int *p) {
  int value = -1;
  add<<<1, 1, 0, stream>>>(p);
  check(cudaMemcpyAsync(&value, p, sizeof value, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  return good ? value : -2;
}

int give_back(int *p) { return cudaFree(p); }

long free_bytes() {
  size_t free_bytes, total;
  check(cudaMemGetInfo(&free_bytes, &total));
  return (long)free_bytes;
}
}
