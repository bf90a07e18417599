// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc --default-stream per-thread own_streams.cu -o own_streams && ./own_streams
// Stream 0 of one thread doesn't wait for that of another.
#include "check.h"
#include <thread>
__global__ void wait_for(volatile int *go) { while (!*go) { } }
__global__ void set(int *p, int v) { *p = v; }
int main() {
  int *go, *p, h = 0;
  OK(cudaHostAlloc(&go, 4, cudaHostAllocMapped)); *go = 0;
  OK(cudaMalloc(&p, 4));
  wait_for<<<1, 1>>>(go);
  EXPECT(cudaErrorNotReady, cudaStreamQuery(0));
  EXPECT(cudaErrorNotReady, cudaStreamQuery(cudaStreamPerThread));
  std::thread other([&] {
    set<<<1, 1>>>(p, 7);
    OK(cudaGetLastError());
    OK(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
    CHECK(h == 7);
    OK(cudaMemset(p, 0, 4));
    OK(cudaStreamSynchronize(0));
    OK(cudaStreamQuery(0));
  });
  other.join();
  EXPECT(cudaErrorNotReady, cudaStreamQuery(0));
  *go = 1;
  OK(cudaStreamSynchronize(0));
  OK(cudaDeviceSynchronize());
  puts("ok");
}
