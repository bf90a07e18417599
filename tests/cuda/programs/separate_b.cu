#include "separate.h"

__device__ int offset = 100;
__device__ int scaled(int x) { return twice(x) * factor; }
static __global__ void local(int *p) { *p = twice(*p); }
static __device__ int own = 70;
static __global__ void read_own(int *p) { *p = own; }

int from_other_file(int *p) {
  local<<<1, 1>>>(p);
  int host;
  cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost);
  return host;
}
int own_of_other_file() {
  int *p, host;
  cudaMalloc(&p, sizeof host);
  read_own<<<1, 1>>>(p);
  cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(p);
  int own_now;
  cudaMemcpyFromSymbol(&own_now, own, sizeof own_now);
  return own_now == host ? host : -1;
}
void add_in_other_file(int *p) { add<1><<<1, 1>>>(p); }
