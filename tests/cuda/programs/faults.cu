// Kernels that fail: the error stays until the device is reset. The argument names the failure.
#include "check.h"
#include <cassert>
#include <cstring>

__global__ void far(int *p) { p[threadIdx.x - (1ll << 38)] = 1; } // a TiB away: sanitizers map memory that is nearer
__global__ void padding(int *p) { p[threadIdx.x + 61] = 1; }
__global__ void trap() { __trap(); }
__global__ void assertion(int n) { assert(threadIdx.x < n); }
__global__ void write(int *p) { *p = 1; }
__global__ void reads(int *p) { p[0] = p[-4000]; }

int main(int, char **arguments) {
  const char *what = arguments[1];
  int *d, host = 0;
  OK(cudaMalloc(&d, 61 * sizeof(int)));
  if (strcmp(what, "far") == 0)
    far<<<2, 32>>>(d);
  else if (strcmp(what, "padding") == 0)
    padding<<<1, 1>>>(d);
  else if (strcmp(what, "trap") == 0)
    trap<<<1, 1>>>();
  else if (strcmp(what, "assert") == 0)
    assertion<<<1, 32>>>(7);
  else if (strcmp(what, "host") == 0)
    write<<<1, 1>>>(&host);
  else if (strcmp(what, "read") == 0)
    reads<<<1, 1>>>(d);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaMemset(d, 0, 4)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  OK(cudaDeviceReset());
  OK(cudaMalloc(&d, sizeof host)); // the reset has freed what there was
  OK(cudaMemset(d, 0, 4));
  write<<<1, 1>>>(d);
  OK(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
  CHECK(host == 1);
}
