// SPDX-License-Identifier: Apache-2.0
// Graphs that are captured from streams.
#include "kernels.h"

static cudaStream_t stream, other;
static int *data;

static void prepare() {
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  OK(cudaMallocManaged(&data, 64));
  memset(data, 0, 64);
}

static void count_call(void *number) { ++*(int *)number; }

TEST(captured_work_is_done_by_each_launch) {
  prepare();
  static int calls;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  size_t count;
  int *device;
  OK(cudaMalloc(&device, 64));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(device, 0, 64, stream));
  OK(launch(KERNEL(add), 1, 4, stream, device, 5));
  OK(cudaMemcpyAsync(data, device, 64, cudaMemcpyDeviceToDevice, stream));
  OK(cudaLaunchHostFunc(stream, count_call, &calls));
  OK(cudaStreamEndCapture(stream, &graph));
  EQUAL(data[0], 0);
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  EQUAL(count, 4);
  OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphUpload(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  EQUAL(data[3], 5);
  EQUAL(calls, 2);
  OK(cudaGraphExecDestroy(executable));
  GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
}

TEST(events_join_streams_to_a_capture) {
  prepare();
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCaptureStatus status;
  size_t edges, count;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(launch(KERNEL(add), 1, 1, stream, data, 1));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(other, fork));
  OK(cudaStreamIsCapturing(other, &status));
  EQUAL(status, cudaStreamCaptureStatusActive);
  OK(launch(KERNEL(add), 1, 1, other, data + 1, 2));
  OK(launch(KERNEL(add), 1, 1, stream, data + 2, 3));
  OK(cudaEventRecord(join, other));
  GIVES(cudaErrorCapturedEvent, cudaEventSynchronize(join));
  OK(cudaStreamWaitEvent(stream, join));
  OK(launch(KERNEL(add), 1, 1, stream, data + 3, 4));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamIsCapturing(other, &status));
  EQUAL(status, cudaStreamCaptureStatusNone);
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  EQUAL(edges, 4);
  OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EQUAL(count, 1);
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphLaunch(executable, nullptr));
  OK(cudaDeviceSynchronize());
  EQUAL(data[0] * 1000 + data[1] * 100 + data[2] * 10 + data[3], 1234);
}

TEST(captures_that_end_wrongly) {
  prepare();
  cudaGraph_t graph;
  cudaEvent_t event;
  OK(cudaEventCreate(&event));
  GIVES(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorIllegalState, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(other, event));
  OK(launch(KERNEL(add), 1, 1, other, data, 1));
  GIVES(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
  GIVES(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
  CHECK(!graph);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  GIVES(cudaErrorStreamCaptureInvalidated, launch(KERNEL(add), 1, 1, stream, data, 1));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  OK(launch(KERNEL(add), 1, 1, stream, data, 1));
}

TEST(all_kinds_of_memory_that_a_capture_forbids_to_allocate) {
  prepare();
  cudaGraph_t graph;
  void *memory;
  cudaPitchedPtr box;
  cudaError_t (*calls[])(void **, void **, cudaPitchedPtr *) = {
      [](void **made, void **, cudaPitchedPtr *) { return cudaMallocManaged(made, 4, cudaMemAttachGlobal); },
      [](void **made, void **, cudaPitchedPtr *) { return cudaMallocHost(made, 4); },
      [](void **made, void **, cudaPitchedPtr *) { return cudaHostAlloc(made, 4, cudaHostAllocDefault); },
      [](void **, void **, cudaPitchedPtr *made) { return cudaMalloc3D(made, cudaExtent{4, 4, 4}); },
      [](void **, void **freed, cudaPitchedPtr *) { return cudaFreeHost(*freed); },
  };
  void *pinned;
  OK(cudaMallocHost(&pinned, 4));
  for (auto call : calls) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorStreamCaptureUnsupported, call(&memory, &pinned, &box));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  }
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  for (auto call : calls)
    OK(call(&memory, &pinned, &box));
  OK(cudaStreamEndCapture(stream, &graph));
}

TEST(calls_that_a_capture_forbids) {
  prepare();
  cudaGraph_t graph;
  void *memory;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&memory, 4));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  GIVES(cudaErrorStreamCaptureImplicit, launch(KERNEL(add), 1, 1, nullptr, data, 1));
  GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EQUAL(mode, cudaStreamCaptureModeGlobal);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaMalloc(&memory, 4));
  OK(cudaStreamEndCapture(stream, &graph));
}

TEST(a_capture_can_be_asked_and_changed) {
  prepare();
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaGraph_t graph, ended;
  const cudaGraphNode_t *nodes;
  size_t count;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(launch(KERNEL(add), 1, 1, stream, data, 1));
  OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &count));
  EQUAL(status, cudaStreamCaptureStatusActive);
  EQUAL(count, 1);
  cudaGraphNode_t empty;
  OK(cudaGraphAddEmptyNode(&empty, graph, nodes, count));
  OK(cudaStreamUpdateCaptureDependencies(stream, &empty, 1, cudaStreamSetCaptureDependencies));
  OK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
  CHECK(count == 1 && nodes[0] == empty);
  OK(cudaStreamEndCapture(stream, &ended));
  CHECK(ended == graph);
}

TEST(a_captured_graph_updates_its_executable) {
  prepare();
  cudaGraph_t graph;
  cudaGraphExec_t executable = nullptr;
  for (int i = 1; i <= 3; ++i) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(launch(KERNEL(add), 1, 1, stream, data, i));
    OK(cudaStreamEndCapture(stream, &graph));
    if (!executable) {
      OK(cudaGraphInstantiate(&executable, graph, 0));
    } else {
      cudaGraphExecUpdateResultInfo info;
      OK(cudaGraphExecUpdate(executable, graph, &info));
      EQUAL(info.result, cudaGraphExecUpdateSuccess);
    }
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphLaunch(executable, stream));
  }
  OK(cudaStreamSynchronize(stream));
  EQUAL(data[0], 6);
  cudaGraphNode_t node;
  cudaGraphExecUpdateResult result;
  OK(cudaGraphCreate(&graph, 0));
  GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, graph, &node, &result));
  EQUAL(result, cudaGraphExecUpdateErrorTopologyChanged);
}

TEST(memory_of_a_captured_stream_is_the_graphs) {
  prepare();
  int *memory;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMallocAsync(&memory, 64, stream));
  OK(cudaMemsetAsync(memory, 0, 64, stream));
  OK(launch(KERNEL(add), 1, 1, stream, memory, 9));
  OK(cudaMemcpyAsync(data, memory, 4, cudaMemcpyDefault, stream));
  OK(cudaFreeAsync(memory, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  EQUAL(data[0], 9);
  uint64_t used;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EQUAL(used, 64);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EQUAL(used, 0);
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  EQUAL(used, 64);
  GIVES(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  used = 0;
  OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  OK(cudaDeviceGraphMemTrim(0));
}
