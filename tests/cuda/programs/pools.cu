// Memory in the order of a stream, pools, peers and limits.
#include "check.h"

__global__ void set(int *p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  cudaStream_t s;
  OK(cudaStreamCreate(&s));
  int *d, host[32];
  OK(cudaMallocAsync(&d, sizeof host, s));
  set<<<1, 32, 0, s>>>(d);
  OK(cudaMemcpyAsync(host, d, sizeof host, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(d, s));
  OK(cudaStreamSynchronize(s));
  CHECK(host[31] == 31);
  EXPECT(cudaErrorInvalidValue, cudaFree(d));
  cudaMemPool_t pool;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 1 << 20, found = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &found));
  CHECK(found == threshold);
  int can = 1, least = -1, greatest = 1, count;
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OK(cudaGetDeviceCount(&count));
  CHECK(can == 0 && least == 0 && greatest < 0 && count == 1);
  size_t heap;
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 25));
  OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  CHECK(heap == 1 << 25);
  cudaIpcMemHandle_t handle;
  EXPECT(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, d));
  printf("ok\n");
}
