// SPDX-License-Identifier: Apache-2.0
// Nodes of any type, described by one struct (cudaGraphNodeParams), among them conditional ones.
#include "api.h"
#include "conditions.h"
#include "graph_memory.h"
#include "graphs.h"

namespace lw_cudart {

static bool fits(const cudaConditionalNodeParams &wanted) {
  return wanted.type == cudaGraphCondTypeIf      ? wanted.size == 1 || wanted.size == 2
         : wanted.type == cudaGraphCondTypeWhile ? wanted.size == 1
                                                 : wanted.type == cudaGraphCondTypeSwitch && wanted.size > 0;
}

cudaError_t add_body(Node *node, Graph *body) {
  body->parent = node->graph;
  if (node->bodies.add(body))
    return cudaSuccess;
  destroy_graph(body);
  return fail(cudaErrorMemoryAllocation, "no memory for the node");
}

static cudaError_t set_conditional(Node *node, cudaConditionalNodeParams &parameters) {
  Condition *condition = condition_of(node->graph, parameters.handle);
  REQUIRE(condition, cudaErrorInvalidValue, "the handle was not made for this graph or one around it");
  REQUIRE(fits(parameters), cudaErrorInvalidValue, "a conditional node of type %d can't have %u graphs",
          parameters.type, parameters.size);
  share_condition(condition);
  node->condition = condition;
  node->condition_type = parameters.type;
  for (unsigned int i = 0; i < parameters.size; ++i) {
    Graph *body;
    REQUIRE_SUCCESS(create_graph(&body));
    REQUIRE_SUCCESS(add_body(node, body));
  }
  parameters.phGraph_out = reinterpret_cast<cudaGraph_t *>(node->bodies.items);
  return cudaSuccess;
}

static const cudaKernelNodeParams kernel_of(const cudaKernelNodeParamsV2 &p) {
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}
static const cudaMemsetParams fill_of(const cudaMemsetParamsV2 &p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}
static const cudaHostNodeParams call_of(const cudaHostNodeParamsV2 &p) { return {p.fn, p.userData}; }

static cudaError_t refuse_type(cudaGraphNodeType type) {
  return fail(cudaErrorNotSupported, "nodes of type %d are not supported", type);
}

static cudaError_t add_allocation(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                  cudaMemAllocNodeParamsV2 &p) {
  cudaMemAllocNodeParams parameters = {p.poolProps, p.accessDescs, p.accessDescCount, p.bytesize, nullptr};
  cudaError_t error = cudaGraphAddMemAllocNode(node, graph, after, count, &parameters);
  p.dptr = parameters.dptr;
  return error;
}

static cudaError_t add_conditional(cudaGraphNode_t *made, cudaGraph_t handle, const cudaGraphNode_t *after,
                                   size_t count, cudaConditionalNodeParams &parameters) {
  return call("cudaGraphAddNode", [&]() -> cudaError_t {
    REQUIRE(made, cudaErrorInvalidValue, "node is null");
    REQUIRE_GRAPH(graph, handle);
    Node *node;
    REQUIRE_SUCCESS(add_node(graph, cudaGraphNodeTypeConditional, after, count, &node));
    cudaError_t error = set_conditional(node, parameters);
    if (error != cudaSuccess) {
      drop_node(node);
      return error;
    }
    *made = reinterpret_cast<cudaGraphNode_t>(node);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    size_t count, cudaGraphNodeParams *parameters) {
  if (!parameters)
    return CALL({ return fail(cudaErrorInvalidValue, "parameters is null"); });
  cudaGraphNodeParams &p = *parameters;
  switch (p.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams kernel = kernel_of(p.kernel);
    return cudaGraphAddKernelNode(node, graph, after, count, &kernel);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, after, count, &p.memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParams fill = fill_of(p.memset);
    return cudaGraphAddMemsetNode(node, graph, after, count, &fill);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams call = call_of(p.host);
    return cudaGraphAddHostNode(node, graph, after, count, &call);
  }
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, after, count, p.graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(node, graph, after, count);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, after, count, p.eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(node, graph, after, count, p.eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return add_allocation(node, graph, after, count, p.alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, after, count, p.free.dptr);
  case cudaGraphNodeTypeConditional:
    return add_conditional(node, graph, after, count, p.conditional);
  default:
    return CALL({ return refuse_type(p.type); });
  }
}

LW_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters) {
  if (!parameters)
    return CALL({ return fail(cudaErrorInvalidValue, "parameters is null"); });
  const cudaGraphNodeParams &p = *parameters;
  switch (p.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams kernel = kernel_of(p.kernel);
    return cudaGraphKernelNodeSetParams(node, &kernel);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphMemcpyNodeSetParams(node, &p.memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParams fill = fill_of(p.memset);
    return cudaGraphMemsetNodeSetParams(node, &fill);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams call = call_of(p.host);
    return cudaGraphHostNodeSetParams(node, &call);
  }
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphEventWaitNodeSetEvent(node, p.eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphEventRecordNodeSetEvent(node, p.eventRecord.event);
  default:
    return CALL({ return refuse_type(p.type); });
  }
}

LW_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                              cudaGraphNodeParams *parameters) {
  if (!parameters)
    return CALL({ return fail(cudaErrorInvalidValue, "parameters is null"); });
  const cudaGraphNodeParams &p = *parameters;
  switch (p.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams kernel = kernel_of(p.kernel);
    return cudaGraphExecKernelNodeSetParams(executable, node, &kernel);
  }
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphExecMemcpyNodeSetParams(executable, node, &p.memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParams fill = fill_of(p.memset);
    return cudaGraphExecMemsetNodeSetParams(executable, node, &fill);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams call = call_of(p.host);
    return cudaGraphExecHostNodeSetParams(executable, node, &call);
  }
  case cudaGraphNodeTypeGraph:
    return cudaGraphExecChildGraphNodeSetParams(executable, node, p.graph.graph);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphExecEventWaitNodeSetEvent(executable, node, p.eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphExecEventRecordNodeSetEvent(executable, node, p.eventRecord.event);
  default:
    return CALL({ return refuse_type(p.type); });
  }
}

// Data of edges is for launches that begin before others end: none are like that here.
cudaError_t require_plain_edges(const cudaGraphEdgeData *edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i)
    REQUIRE(!edges[i].from_port && !edges[i].to_port && !edges[i].type, cudaErrorNotSupported,
            "edge %zu is not of the default type", i);
  return cudaSuccess;
}
#define CHECK_EDGES(edges, count) REQUIRE_SUCCESS(CALL({ return require_plain_edges(edges, count); }))

static void give_plain_edges(cudaGraphEdgeData *edges, const size_t *count) {
  if (edges && count)
    memset(edges, 0, *count * sizeof *edges);
}

LW_API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       const cudaGraphEdgeData *edges, size_t count, cudaGraphNodeParams *parameters) {
  CHECK_EDGES(edges, count);
  return cudaGraphAddNode(node, graph, after, count, parameters);
}

LW_API cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                               size_t count) {
  CHECK_EDGES(edges, count);
  return cudaGraphAddDependencies(graph, from, to, count);
}

LW_API cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                  size_t count) {
  CHECK_EDGES(edges, count);
  return cudaGraphRemoveDependencies(graph, from, to, count);
}

LW_API cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                        cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = cudaGraphGetEdges(graph, from, to, count);
  if (error == cudaSuccess)
    give_plain_edges(edges, count);
  return error;
}

LW_API cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *after,
                                                   cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = cudaGraphNodeGetDependencies(node, after, count);
  if (error == cudaSuccess)
    give_plain_edges(edges, count);
  return error;
}

LW_API cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *before,
                                                     cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = cudaGraphNodeGetDependentNodes(node, before, count);
  if (error == cudaSuccess)
    give_plain_edges(edges, count);
  return error;
}

LW_API cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                               unsigned long long *id, cudaGraph_t *graph,
                                               const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges,
                                               size_t *count) {
  if (edges)
    *edges = nullptr; // all are of the default type
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
}

LW_API cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                          const cudaGraphEdgeData *edges, size_t count,
                                                          unsigned int flags) {
  CHECK_EDGES(edges, count);
  return cudaStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

} // namespace lw_cudart
