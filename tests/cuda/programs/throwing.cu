// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc throwing.cu -o throwing && ./throwing
// An exception that a host function throws ends the program, whichever thread runs the function.
#include "check.h"

static void throws(void *) { throw 1; }

int main() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  try {
    OK(cudaLaunchHostFunc(stream, throws, nullptr));
    OK(cudaStreamSynchronize(stream));
  } catch (int) {
    puts("caught");
  }
  puts("went on");
}
