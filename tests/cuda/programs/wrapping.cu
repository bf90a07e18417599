// SPDX-License-Identifier: Apache-2.0
// Host code whose integers wrap round.
#include "check.h"

__global__ void square(int *array, int count) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count)
    array[i] *= array[i];
}

int main() {
  enum { COUNT = 100000 };
  static int array[COUNT];
  int *device;
  for (int i = 0; i < COUNT; ++i)
    array[i] = i;
  OK(cudaMalloc(&device, sizeof array));
  OK(cudaMemcpy(device, array, sizeof array, cudaMemcpyHostToDevice));
  square<<<(COUNT + 255) / 256, 256>>>(device, COUNT);
  OK(cudaMemcpy(array, device, sizeof array, cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; ++i)
    CHECK(array[i] == i * i); // beyond 46,340, what is left of it
  puts("ok");
}
