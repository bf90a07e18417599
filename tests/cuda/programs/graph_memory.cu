// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc graph_memory.cu -o graph_memory && ./graph_memory
// Memory that graphs allocate and free, and the rules of CUDA's programming guide for it ("Graph Memory Nodes").
#include "check.h"

enum { COUNT = 4096, BYTES = COUNT * sizeof(int) };

__global__ void fill(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(int *to, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += from[i];
}

static cudaStream_t stream;

static uint64_t asked(cudaGraphMemAttributeType attribute) {
  uint64_t value;
  OK(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

static int first_of(const int *memory) {
  int value;
  OK(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static cudaMemAllocNodeParams wanted() {
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = BYTES;
  return parameters;
}

static cudaGraphNode_t add_fill(cudaGraph_t graph, cudaGraphNode_t after, int *memory, int value) {
  cudaGraphNode_t node;
  void *arguments[] = {&memory, &value};
  cudaKernelNodeParams kernel = {(void *)fill, dim3(COUNT / 64), dim3(64), 0, arguments, nullptr};
  OK(cudaGraphAddKernelNode(&node, graph, &after, 1, &kernel));
  return node;
}

// Allocated and freed in the graph: the rules for graphs with such nodes.
static void within() {
  cudaGraph_t graph, other, clone;
  cudaGraphNode_t allocation, kernel, copy, release, twice;
  cudaGraphExec_t executable, second;
  cudaMemAllocNodeParams parameters = wanted();
  int *out;
  OK(cudaMalloc(&out, BYTES));
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphCreate(&other, 0));
  OK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  int *memory = (int *)parameters.dptr;
  kernel = add_fill(graph, allocation, memory, 7);
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, out, memory, BYTES, cudaMemcpyDeviceToDevice));
  OK(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, memory));

  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&twice, graph, &copy, 1, memory));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&twice, other, nullptr, 0, memory));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&twice, other, nullptr, 0, out));
  EXPECT(cudaErrorInvalidValue, cudaGraphClone(&clone, graph));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&twice, other, nullptr, 0, graph));
  EXPECT(cudaErrorInvalidValue, cudaGraphDestroyNode(kernel));
  EXPECT(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &allocation, &kernel, 1));
  OK(cudaGraphClone(&clone, other));
  cudaMemAllocNodeParams got = {};
  OK(cudaGraphMemAllocNodeGetParams(allocation, &got));
  CHECK(got.dptr == memory && got.bytesize == BYTES && got.poolProps.allocType == cudaMemAllocationTypePinned);
  parameters.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  EXPECT(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&twice, other, nullptr, 0, &parameters));

  OK(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphInstantiate(&second, graph, 0));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == 0);
  for (int i = 0; i < 3; ++i)
    OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(first_of(out + COUNT - 1) == 7);
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == BYTES && asked(cudaGraphMemAttrReservedMemCurrent) == BYTES);
  EXPECT(cudaErrorInvalidValue, cudaFree(memory));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));

  OK(cudaDeviceGraphMemTrim(0));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == 0 && asked(cudaGraphMemAttrReservedMemCurrent) == 0);
  CHECK(asked(cudaGraphMemAttrUsedMemHigh) == BYTES && asked(cudaGraphMemAttrReservedMemHigh) == BYTES);
  uint64_t zero = 0;
  OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(asked(cudaGraphMemAttrUsedMemHigh) == 0 && asked(cudaGraphMemAttrReservedMemHigh) == BYTES);
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
  OK(cudaMemset(out, 0, BYTES));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(first_of(out) == 7);

  OK(cudaGraphExecDestroy(executable));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == 0 && asked(cudaGraphMemAttrReservedMemCurrent) == BYTES);
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(other));
  OK(cudaFree(out));
}

// Left to the program, which frees it by each of the ways there are.
static void left() {
  cudaGraph_t graph, freeing;
  cudaGraphNode_t allocation, release;
  cudaGraphExec_t executable, frees;
  cudaMemAllocNodeParams parameters = wanted();
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &parameters));
  int *memory = (int *)parameters.dptr;
  add_fill(graph, allocation, memory, 5);
  OK(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT(cudaErrorInvalidValue, cudaFree(memory)); // not yet

  OK(cudaGraphLaunch(executable, stream));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
  add<<<COUNT / 64, 64, 0, stream>>>(memory, memory);
  OK(cudaStreamSynchronize(stream));
  OK(cudaDeviceGraphMemTrim(0));
  CHECK(first_of(memory) == 10 && asked(cudaGraphMemAttrUsedMemCurrent) == BYTES);
  OK(cudaFree(memory));
  EXPECT(cudaErrorInvalidValue, cudaFree(memory));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == 0);

  OK(cudaGraphLaunch(executable, stream));
  OK(cudaFreeAsync(memory, stream));
  OK(cudaGraphLaunch(executable, stream));

  OK(cudaGraphCreate(&freeing, 0));
  OK(cudaGraphAddMemFreeNode(&release, freeing, nullptr, 0, memory));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&release, freeing, nullptr, 0, memory));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&release, graph, &allocation, 1, memory));
  OK(cudaGraphInstantiate(&frees, freeing, 0));
  OK(cudaGraphLaunch(frees, stream));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(frees, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaGraphLaunch(frees, stream));

  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));

  // It outlives its graph.
  size_t before, after, total;
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphExecDestroy(frees));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(freeing));
  CHECK(first_of(memory) == 5);
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaFreeAsync(memory, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemGetInfo(&after, &total));
  CHECK(after == before + BYTES);
  EXPECT(cudaErrorInvalidValue, cudaFree(memory));
}

static void captured() {
  cudaGraph_t graph, changed;
  cudaGraphExec_t executable;
  int *memory, *pooled, *out;
  OK(cudaMalloc(&out, BYTES));
  OK(cudaMemset(out, 0, BYTES));
  OK(cudaMallocAsync(&pooled, 64, stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(pooled, stream));
  OK(cudaMallocAsync(&memory, BYTES, stream));
  fill<<<COUNT / 64, 64, 0, stream>>>(memory, 3);
  add<<<COUNT / 64, 64, 0, stream>>>(out, memory);
  OK(cudaFreeAsync(memory, stream));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  size_t count;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  CHECK(count == 4);
  OK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUpload));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == BYTES);
  for (int i = 0; i < 2; ++i)
    OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(first_of(out + 100) == 6);

  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphExecUpdate(executable, graph, &info));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
  OK(cudaMallocAsync(&memory, BYTES, stream));
  fill<<<COUNT / 64, 64, 0, stream>>>(memory, 3);
  add<<<COUNT / 64, 64, 0, stream>>>(out, memory);
  OK(cudaFreeAsync(memory, stream));
  OK(cudaStreamEndCapture(stream, &changed));
  EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, changed, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorParametersChanged);
  OK(cudaGraphDestroy(changed));
  OK(cudaGraphDestroy(graph));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == BYTES);
  OK(cudaGraphExecDestroy(executable));
  CHECK(asked(cudaGraphMemAttrUsedMemCurrent) == 0);
  OK(cudaFreeAsync(pooled, stream));
}

int main() {
  OK(cudaStreamCreate(&stream));
  within();
  left();
  captured();
  puts("ok");
}
