#include "separate.h"

__device__ int offset = 100;
__device__ int scaled(int x) { return twice(x) * factor; }
static __global__ void local(int *p) { *p = twice(*p); }

int from_other_file(int *p) {
  local<<<1, 1>>>(p);
  int host;
  cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost);
  return host;
}
void add_in_other_file(int *p) { add<1><<<1, 1>>>(p); }
