// SPDX-License-Identifier: Apache-2.0
// Graphs: captured from streams, or built node by node.
#include "runtime.h"

struct CUgraphNode_st {
  CUgraph_st *graph;
  uint64_t number;
  cudaGraphNodeType type;
};

struct CUgraph_st {
  lw_graph *graph;
  CUgraphNode_st *nodes[1]; // of a captured graph: none
};

struct CUgraphExec_st {
  lw_graph *graph;
};

CUDART cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  if (queue == lw_default_queue())
    return done(cudaErrorStreamCaptureUnsupported);
  int32_t result = lw_capture_begin(queue);
  return done(result == LW_INVALID ? cudaErrorIllegalState : from_host(result, "cudaStreamBeginCapture"));
}

CUDART cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr || status == nullptr)
    return done(queue == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
  *status = lw_is_captured(queue) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

CUDART cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (mode == nullptr)
    return done(cudaErrorInvalidValue);
  static thread_local cudaStreamCaptureMode present = cudaStreamCaptureModeGlobal;
  cudaStreamCaptureMode before = present;
  present = *mode;
  *mode = before;
  return cudaSuccess;
}

namespace {
cudaError_t new_graph(cudaGraph_t *graph, lw_graph *made) {
  *graph = static_cast<cudaGraph_t>(calloc(1, sizeof **graph));
  if (*graph == nullptr) {
    lw_graph_destroy(made);
    return cudaErrorMemoryAllocation;
  }
  (*graph)->graph = made;
  return cudaSuccess;
}
} // namespace

CUDART cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr || graph == nullptr)
    return done(queue == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
  *graph = nullptr;
  if (!lw_is_captured(queue))
    return done(cudaErrorIllegalState);
  lw_graph *made;
  if (lw_capture_end(queue, &made) != LW_SUCCESS)
    return done(objected(cudaErrorStreamCaptureUnjoined, "cudaStreamEndCapture", lw_explanation()));
  return done(new_graph(graph, made));
}

CUDART cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  RETURN_IF_STICKY();
  if (graph == nullptr || flags != 0)
    return done(cudaErrorInvalidValue);
  lw_graph *made;
  int32_t result = lw_graph_create(&made);
  return done(result == LW_SUCCESS ? new_graph(graph, made) : from_host(result, "cudaGraphCreate"));
}

CUDART cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr)
    return done(cudaErrorInvalidValue);
  lw_graph_destroy(graph->graph);
  free(graph);
  return cudaSuccess;
}

namespace {

enum { MOST_DEPENDENCIES = 1024 };

// The numbers of the nodes that a new one comes after; false for a node of another graph, or too many.
bool numbers_of(cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, uint64_t *numbers) {
  if (graph == nullptr || count > MOST_DEPENDENCIES || (count > 0 && after == nullptr))
    return false;
  for (size_t i = 0; i < count; ++i) {
    if (after[i] == nullptr || after[i]->graph != graph)
      return false;
    numbers[i] = after[i]->number;
  }
  return true;
}

cudaError_t new_node(cudaGraphNode_t *node, cudaGraph_t graph, uint64_t number, cudaGraphNodeType type) {
  if (node == nullptr)
    return cudaErrorInvalidValue;
  *node = static_cast<cudaGraphNode_t>(malloc(sizeof **node));
  if (*node == nullptr)
    return cudaErrorMemoryAllocation;
  **node = {graph, number, type};
  return cudaSuccess;
}

int32_t do_nothing(void *) { return 0; }

} // namespace

CUDART cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaKernelNodeParams *parameters) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (parameters == nullptr || parameters->extra != nullptr || !numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  const lw_kernel_image *kernel = kernel_of(parameters->func);
  if (kernel == nullptr || kernel->args_bytes > MOST_ARGUMENT_BYTES)
    return done(cudaErrorInvalidDeviceFunction);
  alignas(64) char packed[MOST_ARGUMENT_BYTES];
  pack(kernel, parameters->kernelParams, packed);
  lw_kernel_launch launch =
      launch_of(kernel, parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes, 0, packed);
  int32_t result = lw_graph_add_launch(graph->graph, &launch, numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeKernel)
                                   : from_host(result, "cudaGraphAddKernelNode"));
}

CUDART cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, void *target, const void *source, size_t bytes,
                                            cudaMemcpyKind kind) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (!numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  cudaError_t error = check_copy(target, source, bytes, bytes, kind, "cudaGraphAddMemcpyNode1D");
  if (error != cudaSuccess)
    return done(error);
  int32_t result = lw_graph_add_copy(graph->graph, target, {}, source, {}, line(bytes), numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeMemcpy)
                                   : from_host(result, "cudaGraphAddMemcpyNode1D"));
}

CUDART cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemcpy3DParms *given) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (given == nullptr || !numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  const cudaPitchedPtr &to = given->dstPtr, &from = given->srcPtr;
  lw_pitch to_pitch = {to.pitch, to.pitch * to.ysize}, from_pitch = {from.pitch, from.pitch * from.ysize};
  lw_box box = {given->extent.width, given->extent.height, given->extent.depth};
  cudaError_t error = check_copy(to.ptr, from.ptr, span_of(box, to_pitch), span_of(box, from_pitch), given->kind,
                                 "cudaGraphAddMemcpyNode");
  if (error != cudaSuccess)
    return done(error);
  int32_t result =
      lw_graph_add_copy(graph->graph, to.ptr, to_pitch, from.ptr, from_pitch, box, numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeMemcpy)
                                   : from_host(result, "cudaGraphAddMemcpyNode"));
}

CUDART cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                          size_t count, const cudaMemsetParams *given) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (given == nullptr || !numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  lw_box box = {given->width * given->elementSize, given->height, 1};
  int32_t result = lw_graph_add_fill(graph->graph, given->dst, {given->pitch, 0}, given->value, given->elementSize,
                                     box, numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeMemset)
                                   : from_host(result, "cudaGraphAddMemsetNode"));
}

CUDART cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                        size_t count, const cudaHostNodeParams *given) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (given == nullptr || given->fn == nullptr || !numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  Callback *callback = static_cast<Callback *>(malloc(sizeof *callback)); // as long as the process
  if (callback == nullptr)
    return done(cudaErrorMemoryAllocation);
  *callback = {nullptr, nullptr, given->fn, given->userData};
  int32_t result = lw_graph_add_call(graph->graph, call_back_again, callback, numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeHost)
                                   : from_host(result, "cudaGraphAddHostNode"));
}

CUDART cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                         size_t count) {
  RETURN_IF_STICKY();
  uint64_t numbers[MOST_DEPENDENCIES], number;
  if (!numbers_of(graph, after, count, numbers))
    return done(cudaErrorInvalidValue);
  int32_t result = lw_graph_add_call(graph->graph, do_nothing, nullptr, numbers, count, &number);
  return done(result == LW_SUCCESS ? new_node(node, graph, number, cudaGraphNodeTypeEmpty)
                                   : from_host(result, "cudaGraphAddEmptyNode"));
}

CUDART cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  if (node == nullptr || type == nullptr)
    return done(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

CUDART cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  if (graph == nullptr || count == nullptr)
    return done(cudaErrorInvalidValue);
  if (nodes != nullptr)
    return done(objected(cudaErrorNotSupported, "cudaGraphGetNodes", "only the number of nodes is told"));
  *count = lw_graph_size(graph->graph);
  return cudaSuccess;
}

CUDART cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
  RETURN_IF_STICKY();
  if (executable == nullptr || graph == nullptr)
    return done(cudaErrorInvalidValue);
  lw_graph *copy;
  int32_t result = lw_graph_copy(graph->graph, &copy);
  if (result != LW_SUCCESS)
    return done(from_host(result, "cudaGraphInstantiate"));
  *executable = static_cast<cudaGraphExec_t>(malloc(sizeof **executable));
  if (*executable == nullptr) {
    lw_graph_destroy(copy);
    return done(cudaErrorMemoryAllocation);
  }
  (*executable)->graph = copy;
  return cudaSuccess;
}

CUDART cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                 unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

CUDART cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(executable == nullptr          ? cudaErrorInvalidValue
              : queue_of(stream) == nullptr ? cudaErrorInvalidResourceHandle
                                            : cudaSuccess);
}

CUDART cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  if (executable == nullptr || queue == nullptr)
    return done(executable == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  return done(from_host(lw_graph_launch(executable->graph, queue), "cudaGraphLaunch"));
}

CUDART cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr)
    return done(cudaErrorInvalidValue);
  lw_graph_destroy(executable->graph);
  free(executable);
  return cudaSuccess;
}

// The executable becomes one of the graph: its nodes may differ in any way.
CUDART cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info) {
  RETURN_IF_STICKY();
  if (executable == nullptr || graph == nullptr)
    return done(cudaErrorInvalidValue);
  lw_graph *copy;
  int32_t result = lw_graph_copy(graph->graph, &copy);
  if (result != LW_SUCCESS)
    return done(from_host(result, "cudaGraphExecUpdate"));
  lw_graph_destroy(executable->graph);
  executable->graph = copy;
  if (info != nullptr)
    *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  return cudaSuccess;
}
