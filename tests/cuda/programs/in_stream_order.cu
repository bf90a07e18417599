// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc in_stream_order.cu -o in_stream_order && ./in_stream_order
// Memory that a busy stream will give back is there for later allocations; copies of pageable memory don't pile up.
#include "check.h"
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

void sleep_briefly(void *) { usleep(30000); }

int main() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaLaunchHostFunc(stream, sleep_briefly, nullptr));
  size_t free_bytes, total;
  OK(cudaMemGetInfo(&free_bytes, &total));
  for (int i = 0; i < 4; i++) {
    char *memory;
    OK(cudaMallocAsync(&memory, free_bytes / 5 * 3, stream));
    OK(cudaMemsetAsync(memory, i, 4096, stream));
    OK(cudaFreeAsync(memory, stream));
  }
  OK(cudaStreamSynchronize(stream));

  size_t bytes = 16 << 20;
  std::vector<char> source(bytes, 1), back(bytes);
  char *memory;
  OK(cudaMalloc(&memory, bytes));
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  OK(cudaLaunchHostFunc(stream, sleep_briefly, nullptr));
  for (int i = 0; i < 24; i++) {
    memset(source.data(), i, bytes);
    OK(cudaMemcpyAsync(memory, source.data(), bytes, cudaMemcpyHostToDevice, stream));
  }
  memset(source.data(), 99, bytes);
  OK(cudaMemcpy(back.data(), memory, bytes, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 23 && back[bytes - 1] == 23);
  getrusage(RUSAGE_SELF, &after);
  CHECK(after.ru_maxrss - before.ru_maxrss < 160 << 10);
  puts("ok");
}
