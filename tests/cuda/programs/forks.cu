// SPDX-License-Identifier: Apache-2.0
// Forks while other threads use the library: no child waits for a lock that nobody is there to give.
#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "check.h"

__device__ int counter;
__global__ void count(int *out, int by) { out[threadIdx.x] = atomicAdd(&counter, by); }

static std::atomic<bool> over;

static void work() {
  while (!over) {
    int *memory, *more, host[64];
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGetLastError();
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaMallocAsync(&more, sizeof host, 0));
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    count<<<1, 64, 0, stream>>>(memory, 1);
    OK(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
    OK(cudaEventRecord(event, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeAsync(more, 0));
    OK(cudaFree(memory));
  }
}

// The same things once, with a time limit: a child that waits for ever is ended by a signal.
static void child() {
  alarm(20);
  int *memory, *more;
  cudaStream_t stream;
  cudaGetLastError();
  OK(cudaMalloc(&memory, 64 * sizeof *memory));
  OK(cudaMallocAsync(&more, 64 * sizeof *memory, 0));
  OK(cudaStreamCreate(&stream));
  count<<<1, 64, 0, stream>>>(memory, 1);
  OK(cudaStreamSynchronize(stream));
  OK(cudaStreamDestroy(stream));
  OK(cudaFreeAsync(more, 0));
  OK(cudaFree(memory));
  _exit(0);
}

int main() {
  std::thread threads[] = {std::thread(work), std::thread(work), std::thread(work)};
  for (int i = 0; i < 150; ++i) {
    pid_t pid = fork();
    if (pid == 0)
      child();
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  over = true;
  for (std::thread &thread : threads)
    thread.join();
  puts("ok");
}
