// Variables of the device: by name, by address, with initial values and pointers in them.
#include "check.h"

struct Pair {
  int a;
  float b;
};
__device__ int counter = 5;
__constant__ Pair pairs[3] = {{1, 1.5f}, {2, 2.5f}, {3, 3.5f}};
__device__ int *points_to_counter = &counter;
namespace inside {
__device__ double weights[100];
}
static __device__ int hidden;

__global__ void use(double *out) {
  ++*points_to_counter;
  hidden = 77;
  out[0] = pairs[1].a + pairs[1].b + inside::weights[99];
}

int main() {
  double *out, result;
  OK(cudaMalloc(&out, sizeof *out));
  Pair changed = {20, 0.25f};
  OK(cudaMemcpyToSymbol(pairs, &changed, sizeof changed, sizeof changed));
  double last = 1000;
  OK(cudaMemcpyToSymbol(inside::weights, &last, sizeof last, 99 * sizeof last));
  use<<<1, 1>>>(out);
  OK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(result == 1020.25);
  int count, secret;
  OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  OK(cudaMemcpyFromSymbol(&secret, hidden, sizeof secret));
  CHECK(count == 6 && secret == 77);
  void *address;
  size_t size;
  OK(cudaGetSymbolAddress(&address, counter));
  OK(cudaGetSymbolSize(&size, inside::weights));
  CHECK(size == 800);
  OK(cudaMemset(address, 0, sizeof(int)));
  OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK(count == 0);
  int local = 0;
  EXPECT(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(local, &count, sizeof count));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyToSymbol(counter, &count, sizeof count, 1));
  printf("ok\n");
}
