// What kernels print comes in order with what the host prints, at the next synchronisation.
#include <cstdio>

__global__ void say(int n) { printf("kernel %d, thread %d, %s\n", n, threadIdx.x, "text"); }

int main() {
  printf("host first\n");
  say<<<1, 2>>>(1);
  cudaDeviceSynchronize();
  printf("host second\n");
  say<<<1, 1>>>(2);
  cudaDeviceSynchronize();
  fputs("host last\n", stdout);
  return 7;
}
