// SPDX-License-Identifier: Apache-2.0
// Searches text until the file that the first argument names is there. The second is the block size; 0: one that the
// compiler knows. With a third, the launches are a graph's.
#include <cstdlib>
#include <unistd.h>

#include "check.h"

enum { SIZE = 1 << 14, LONGEST = 24, KNOWN_BLOCK = 64 };

__global__ void longest(int *found, const unsigned char *text, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int back = 1; back < n; back++) {
    int length = 0;
    while (length < n && text[i + n + length] == text[i + n - back + length])
      length++;
    if (length > found[i])
      found[i] = length;
    if (length == n)
      break;
  }
}

static unsigned char text[SIZE + 2 * LONGEST];
static int found[SIZE], expected[SIZE];

static void find_expected(void) {
  for (int i = 0; i < SIZE; ++i)
    for (int back = 1; back < LONGEST; ++back) {
      int length = 0;
      while (length < LONGEST && text[i + LONGEST + length] == text[i + LONGEST - back + length])
        ++length;
      expected[i] = length > expected[i] ? length : expected[i];
    }
}

int main(int count, char **words) {
  int block = atoi(words[2]), *on_device;
  unsigned char *text_on_device;
  unsigned random = 1;
  for (unsigned char &each : text)
    each = (random = random * 1664525u + 1013904223u) >> 24 & 1;
  find_expected();
  OK(cudaMalloc(&on_device, sizeof found));
  OK(cudaMalloc(&text_on_device, sizeof text));
  OK(cudaMemcpy(text_on_device, text, sizeof text, cudaMemcpyHostToDevice));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  longest<<<SIZE / KNOWN_BLOCK, KNOWN_BLOCK, 0, stream>>>(on_device, text_on_device, LONGEST);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 0; access(words[1], F_OK) != 0 && round < 60000; ++round) {
    OK(cudaMemset(on_device, 0, sizeof found));
    if (count > 3) {
      OK(cudaGraphLaunch(executable, stream));
      OK(cudaStreamSynchronize(stream));
    } else if (block == 0) {
      longest<<<SIZE / KNOWN_BLOCK, KNOWN_BLOCK>>>(on_device, text_on_device, LONGEST);
    } else {
      longest<<<SIZE / block, block>>>(on_device, text_on_device, LONGEST);
    }
    OK(cudaMemcpy(found, on_device, sizeof found, cudaMemcpyDeviceToHost));
    for (int i = 0; i < SIZE; ++i)
      CHECK(found[i] == expected[i]);
  }
  CHECK(access(words[1], F_OK) == 0);
  puts("ok");
}
