// Graphs: captured over two streams, and built node by node.
#include "check.h"

__global__ void add(int *p, int n) { *p += n; }
__global__ void multiply(int *p, int n) { *p *= n; }
int calls;
void count(void *) { ++calls; }

int main() {
  int *d, host;
  OK(cudaMalloc(&d, 2 * sizeof(int)));
  cudaStream_t s, t;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreate(&t));
  cudaEvent_t fork, join;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));

  cudaGraph_t graph;
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(d, 0, 2 * sizeof(int), s));
  add<<<1, 1, 0, s>>>(d, 3);
  OK(cudaEventRecord(fork, s));
  OK(cudaStreamWaitEvent(t, fork));
  add<<<1, 1, 0, t>>>(d + 1, 50);
  OK(cudaEventRecord(join, t));
  multiply<<<1, 1, 0, s>>>(d, 5);
  OK(cudaStreamWaitEvent(s, join));
  OK(cudaLaunchHostFunc(s, count, nullptr));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(t, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  OK(cudaStreamEndCapture(s, &graph));
  OK(cudaStreamIsCapturing(t, &status));
  CHECK(status == cudaStreamCaptureStatusNone && calls == 0);
  cudaGraphExec_t executable;
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; ++i)
    OK(cudaGraphLaunch(executable, s));
  OK(cudaStreamSynchronize(s));
  int both[2];
  OK(cudaMemcpy(both, d, sizeof both, cudaMemcpyDeviceToHost));
  CHECK(both[0] == 15 && both[1] == 50 && calls == 3);
  OK(cudaGraphExecDestroy(executable));

  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); // a wait ends it
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
  CHECK(graph == nullptr);

  for (int frees = 0; frees < 2; ++frees) { // so does an allocation or a release, unless the capture is relaxed
    int *own, *more;
    OK(cudaMalloc(&own, sizeof(int)));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaFree(nullptr));
    EXPECT(cudaErrorStreamCaptureUnsupported, frees ? cudaFree(own) : cudaMalloc(&more, sizeof(int)));
    EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaFree(own));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphDestroy(graph));
  }

  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, s));
  OK(cudaStreamWaitEvent(t, fork));
  add<<<1, 1, 0, t>>>(d, 1);
  EXPECT(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
  EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(s, &graph));

  for (int joined = 0; joined < 2; ++joined) { // a stream that is destroyed has left the capture, its work has not
    cudaStream_t gone;
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(gone, fork));
    add<<<1, 1, 0, gone>>>(d, 1);
    OK(cudaEventRecord(join, gone));
    if (joined)
      OK(cudaStreamWaitEvent(s, join));
    OK(cudaStreamDestroy(gone));
    EXPECT(joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &graph));
    if (joined)
      OK(cudaGraphDestroy(graph));
  }
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamDestroy(s));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));

  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t set, first, second, copy, call;
  cudaMemsetParams zeros = {d, 0, 0, 4, 1, 1};
  OK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zeros));
  int three = 3, five = 5;
  void *add_arguments[] = {&d, &three}, *multiply_arguments[] = {&d, &five};
  cudaKernelNodeParams kernel = {(void *)add, dim3(1), dim3(1), 0, add_arguments, nullptr};
  OK(cudaGraphAddKernelNode(&first, graph, &set, 1, &kernel));
  kernel.func = (void *)multiply;
  kernel.kernelParams = multiply_arguments;
  OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, &host, d, sizeof host, cudaMemcpyDeviceToHost));
  cudaHostNodeParams function = {count, nullptr};
  OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &function));
  size_t nodes;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 5);
  OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  three = 100; // arguments were copied
  OK(cudaGraphLaunch(executable, s));
  OK(cudaStreamSynchronize(s));
  CHECK(host == 15 && calls == 4);
  // An update from another graph leaves the nodes those of the first.
  cudaGraph_t another;
  cudaGraphExecUpdateResultInfo updated;
  OK(cudaGraphClone(&another, graph));
  OK(cudaGraphExecUpdate(executable, another, &updated));
  OK(cudaGraphDestroy(another));
  kernel.func = (void *)add;
  kernel.kernelParams = add_arguments;
  OK(cudaGraphExecKernelNodeSetParams(executable, first, &kernel));
  OK(cudaGraphLaunch(executable, s));
  OK(cudaStreamSynchronize(s));
  CHECK(host == 500);
  printf("ok\n");
}
