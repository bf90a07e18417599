// Device code in two files, of which each refers to the other's.
#include "check.h"
#include "separate.h"

__constant__ int factor;
__device__ int twice(int x) { return 2 * x; }
static __global__ void local(int *p) { *p = scaled(*p) + offset; }
static __device__ int own = 7, list[2] = {10, 20};
static __global__ void read_own(int *p) { *p = own++ + list[*p & 1]; }

int main() {
  int *d, host = 5, three = 3;
  OK(cudaMalloc(&d, sizeof(int)));
  OK(cudaMemcpy(d, &host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpyToSymbol(factor, &three, sizeof three));
  local<<<1, 1>>>(d);
  OK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 2 * 5 * 3 + 100);
  CHECK(from_other_file(d) == 2 * host);
  OK(cudaMemcpyToSymbol(offset, &three, sizeof three));
  local<<<1, 1>>>(d);
  OK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 260 * 2 * 3 + 3);
  add<1><<<1, 1>>>(d);
  add<2><<<1, 1>>>(d);
  add_in_other_file(d);
  OK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 260 * 2 * 3 + 3 + 1 + 2 + 1);
  host = 1;
  OK(cudaMemcpy(d, &host, sizeof host, cudaMemcpyHostToDevice));
  read_own<<<1, 1>>>(d);
  OK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 7 + 20);
  OK(cudaMemcpyFromSymbol(&host, own, sizeof host));
  CHECK(host == 8);
  OK(cudaMemcpyToSymbol(own, &three, sizeof three));
  OK(cudaMemcpyToSymbol(list, &three, sizeof three, sizeof three));
  read_own<<<1, 1>>>(d);
  OK(cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host == 3 + 3); // list[1], since 27 is odd
  CHECK(own_of_other_file() == 70);
  printf("ok\n");
}
