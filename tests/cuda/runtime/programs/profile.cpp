// SPDX-License-Identifier: Apache-2.0
// The summary of LANEWISE_PROFILE=1.
#include "kernels.h"

// environment: LANEWISE_PROFILE=1
// stderr: lanewise: GPU activities
// stderr:          3
// stderr:   scale
// stderr: [CUDA memcpy HtoD] (
// stderr: [CUDA memset]
// stderr: lanewise: API calls
// stderr:   cudaLaunchKernel
TEST(kernels_copies_and_calls_are_counted) {
  static float host[1024];
  float *data;
  OK(cudaMalloc(&data, sizeof host));
  OK(cudaMemset(data, 0, sizeof host));
  OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  for (int i = 0; i < 3; ++i)
    OK(launch(KERNEL(scale), 4, 256, nullptr, data, 2.0f, 1024));
  OK(cudaDeviceSynchronize());
}

// environment: LANEWISE_PROFILE=1
// stderr:   add
TEST(kernels_of_graphs_are_counted) {
  int *data;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaMalloc(&data, 64));
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(launch(KERNEL(add), 1, 1, stream, data, 1));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
}
