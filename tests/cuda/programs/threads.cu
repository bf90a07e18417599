// Host threads that launch at once, and the child of a fork.
#include "check.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void add(int *p, int n) { atomicAdd(p, n); }

void work(int number, int *result) {
  int *d;
  cudaStream_t s;
  OK(cudaMalloc(&d, 4));
  OK(cudaMemset(d, 0, 4));
  OK(cudaDeviceSynchronize());
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (int i = 0; i < 200; ++i)
    add<<<4, 32, 0, s>>>(d, number);
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpy(result, d, 4, cudaMemcpyDeviceToHost));
  OK(cudaStreamDestroy(s));
  OK(cudaFree(d));
}

int main() {
  int results[8];
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(work, i, &results[i]);
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 8; ++i)
    CHECK(results[i] == i * 200 * 4 * 32);
  pid_t child = fork();
  if (child == 0) {
    int result;
    work(3, &result);
    _exit(result == 3 * 200 * 4 * 32 ? 0 : 1);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  printf("ok\n");
}
