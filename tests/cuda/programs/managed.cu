// Managed variables: host code and kernels use the same memory.
#include "check.h"

struct Pair {
  int a;
  double b;
};
__managed__ int total = 3;
static __managed__ Pair pairs[2] = {{1, 0.5}, {2, 1.5}};
__device__ __managed__ int untouched;
__device__ int *points_to_total = &total;

__global__ void use() {
  atomicAdd(&total, pairs[1].a);
  if (threadIdx.x == 0)
    pairs[0].b = *points_to_total;
}
__global__ void add(int *p) { ++*p; }

int main() {
  CHECK(total == 3 && pairs[1].b == 1.5 && untouched == 0);
  total = 10;
  pairs[1].a = 5;
  use<<<1, 4>>>();
  OK(cudaDeviceSynchronize());
  CHECK(total == 30 && pairs[0].b >= 15);
  add<<<1, 1>>>(&total);
  OK(cudaDeviceSynchronize());
  CHECK(total == 31);
  int *address, host = 0;
  OK(cudaGetSymbolAddress((void **)&address, total));
  CHECK(address == &total);
  OK(cudaMemcpyFromSymbol(&host, total, sizeof host));
  CHECK(host == 31);
  OK(cudaMemcpy(&untouched, &total, sizeof host, cudaMemcpyDefault));
  CHECK(untouched == 31);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, &total));
  CHECK(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == &total);
  OK(cudaMemPrefetchAsync(&total, sizeof total, 0));
  EXPECT(cudaErrorInvalidValue, cudaFree(&total));
  printf("ok\n");
}
