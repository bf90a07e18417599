// SPDX-License-Identifier: Apache-2.0
// Executable graphs: made of a clone, launched, updated.
#include "api.h"
#include "conditions.h"
#include "gpu.h"
#include "graph_memory.h"
#include "graph_work.h"

namespace lw_cudart {

static Handles<Executable> executables;

#define REQUIRE_EXECUTABLE(name, handle)                                                                               \
  Executable *name = executables.find(handle);                                                                         \
  REQUIRE(name, cudaErrorInvalidValue, "executable graph %p does not exist (any more)", (void *)handle)

static bool is_instantiated(const Graph *graph) {
  bool found = false;
  executables.each([&](Executable *executable) { found |= executable->origin == graph->id; });
  return found;
}

LW_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *handle, cudaGraph_t graph_handle,
                                                 unsigned long long flags) {
  return CALL({
    REQUIRE_POINTER(handle);
    REQUIRE_GRAPH(graph, graph_handle);
    REQUIRE(flags <= 15, cudaErrorInvalidValue, "flags of 0x%llx are unknown", flags);
    REQUIRE(!(flags & cudaGraphInstantiateFlagDeviceLaunch), cudaErrorNotSupported,
            "graphs can't be launched from the device");
    REQUIRE(!has_memory_nodes(graph) || !is_instantiated(graph), cudaErrorInvalidValue,
            "a graph that allocates or frees memory can be instantiated only once at a time");
    REQUIRE_SUCCESS(check_bodies(graph));
    Executable *executable = executables.create();
    REQUIRE(executable, cudaErrorMemoryAllocation, "there are too many executable graphs");
    executable->flags = flags;
    executable->origin = graph->id;
    cudaError_t error = clone_graph(graph, &executable->graph);
    if (error == cudaSuccess)
      error = build_graph(executable);
    if (error != cudaSuccess) {
      if (executable->graph)
        destroy_graph(executable->graph);
      executables.destroy(executable);
      return error;
    }
    if (flags & cudaGraphInstantiateFlagUpload)
      map_graph_memory(executable->graph);
    *handle = reinterpret_cast<cudaGraphExec_t>(executable);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

LW_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *parameters) {
  if (!parameters)
    return record(cudaErrorInvalidValue);
  cudaError_t error = cudaGraphInstantiateWithFlags(executable, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return error;
}

LW_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags) {
  return CALL({
    REQUIRE_POINTER(flags);
    REQUIRE_EXECUTABLE(executable, handle);
    *flags = executable->flags;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return CALL({
    REQUIRE_EXECUTABLE(executable, handle);
    REQUIRE_STREAM(stream, stream_handle);
    if (stream->capture) {
      REQUIRE_NO_MEMORY_NODES(executable->graph, "be a part of another");
      return capture_child(stream, executable->graph);
    }
    Held held(executable->lock);
    if (!has_memory_nodes(executable->graph))
      return launch_graph(executable, stream);
    bool frees_first = executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    REQUIRE_SUCCESS(check_graph_memory(executable->graph, frees_first));
    REQUIRE_SUCCESS(launch_graph(executable, stream));
    return follow_launch(executable->graph, stream);
  });
}

LW_API cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  return CALL({
    REQUIRE_EXECUTABLE(executable, handle);
    REQUIRE_STREAM(stream, stream_handle);
    (void)stream;
    Held held(executable->lock);
    map_graph_memory(executable->graph);
    return build_graph(executable);
  });
}

static void destroy_executable(Executable *executable) {
  forget_built(executable);
  executable->calls.release();
  destroy_graph(executable->graph);
  executables.destroy(executable);
}

void destroy_executables() { executables.each(destroy_executable); }

LW_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  return PLAIN_CALL({
    REQUIRE_EXECUTABLE(executable, handle);
    destroy_executable(executable);
    return cudaSuccess;
  });
}

static Node *inner_node(Graph *graph, const Node *origin) {
  for (Node *node : graph->nodes)
    if (node->origin == origin)
      return node;
  return nullptr;
}

// Changes the executable's clone of a node.
template <class Set>
static cudaError_t change(cudaGraphExec_t handle, cudaGraphNode_t node_handle, cudaGraphNodeType type, Set set) {
  REQUIRE_EXECUTABLE(executable, handle);
  REQUIRE_NODE(origin, node_handle);
  Node *node = inner_node(executable->graph, origin);
  REQUIRE(node, cudaErrorInvalidValue, "the node is not of the graph that was instantiated");
  REQUIRE(node->type == type, cudaErrorInvalidValue, "the node is of type %d, not %d", node->type, type);
  Held held(executable->lock);
  REQUIRE_SUCCESS(set(node));
  forget_built(executable);
  return cudaSuccess;
}

#define CHANGE_CALL(type, ...)                                                                                         \
  CALL({                                                                                                               \
    return change(handle, node_handle, cudaGraphNodeType##type,                                                        \
                  [&](Node *node) -> cudaError_t { return __VA_ARGS__; });                                             \
  })

LW_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                    const cudaKernelNodeParams *parameters) {
  return CHANGE_CALL(Kernel, set_kernel(node, parameters));
}

LW_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                    const cudaMemcpy3DParms *parameters) {
  return CHANGE_CALL(Memcpy, set_copy(node, parameters));
}

LW_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t handle, cudaGraphNode_t node_handle, void *target,
                                                      const void *source, size_t bytes, cudaMemcpyKind kind) {
  return CHANGE_CALL(Memcpy, set_row(node, target, source, bytes, kind));
}

LW_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                    const cudaMemsetParams *parameters) {
  return CHANGE_CALL(Memset, set_fill(node, parameters));
}

LW_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                  const cudaHostNodeParams *parameters) {
  return CHANGE_CALL(Host, set_call(node, parameters));
}

static cudaError_t replace_child(Node *node, cudaGraph_t handle) {
  REQUIRE_GRAPH(child, handle);
  REQUIRE_NO_MEMORY_NODES(child, "be a part of another");
  Graph *clone;
  REQUIRE_SUCCESS(clone_graph(child, &clone));
  destroy_graph(node->child);
  node->child = clone;
  return cudaSuccess;
}

LW_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                        cudaGraph_t child) {
  return CHANGE_CALL(Graph, replace_child(node, child));
}

LW_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                        cudaEvent_t event) {
  return CHANGE_CALL(EventRecord, set_event(node, event));
}

LW_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t handle, cudaGraphNode_t node_handle,
                                                      cudaEvent_t event) {
  return CHANGE_CALL(WaitEvent, set_event(node, event));
}

LW_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node_handle, unsigned int enabled) {
  return CALL({
    REQUIRE_NODE(origin, node_handle);
    REQUIRE(origin->type <= cudaGraphNodeTypeMemset, cudaErrorInvalidValue,
            "only kernels, copies and fills can be disabled");
    return change(handle, node_handle, origin->type, [&](Node *node) -> cudaError_t {
      node->disabled = !enabled;
      return cudaSuccess;
    });
  });
}

LW_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node_handle, unsigned int *enabled) {
  return CALL({
    REQUIRE_POINTER(enabled);
    REQUIRE_EXECUTABLE(executable, handle);
    REQUIRE_NODE(origin, node_handle);
    Node *node = inner_node(executable->graph, origin);
    REQUIRE(node, cudaErrorInvalidValue, "the node is not of the graph that was instantiated");
    *enabled = !node->disabled;
    return cudaSuccess;
  });
}

// The first difference that an update can't make; null in `from` if there is none but in the number of nodes.
static cudaGraphExecUpdateResult difference(Graph *to, Graph *from, Node **found) {
  *found = nullptr;
  if (to->nodes.count != from->nodes.count)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < from->nodes.count; ++i)
    from->nodes[i]->mark = static_cast<int>(i);
  for (size_t i = 0; i < to->nodes.count; ++i)
    to->nodes[i]->mark = static_cast<int>(i);
  for (size_t i = 0; i < from->nodes.count; ++i) {
    Node *old = to->nodes[i], *changed = *found = from->nodes[i];
    if (old->type != changed->type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old->after.count != changed->after.count)
      return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < old->after.count; ++k)
      if (old->after[k]->mark != changed->after[k]->mark)
        return cudaGraphExecUpdateErrorTopologyChanged;
    if (old->condition != changed->condition || old->condition_type != changed->condition_type ||
        old->bodies.count != changed->bodies.count)
      return cudaGraphExecUpdateErrorParametersChanged;
    if (old->memory != changed->memory || old->freed != changed->freed)
      return cudaGraphExecUpdateErrorParametersChanged;
  }
  *found = nullptr;
  return cudaGraphExecUpdateSuccess;
}

LW_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                       cudaGraphExecUpdateResultInfo *info) {
  return CALL({
    REQUIRE_POINTER(info);
    REQUIRE_EXECUTABLE(executable, handle);
    REQUIRE_GRAPH(graph, graph_handle);
    Held held(executable->lock);
    Node *found;
    info->result = difference(executable->graph, graph, &found);
    info->errorNode = reinterpret_cast<cudaGraphNode_t>(found);
    info->errorFromNode = nullptr;
    REQUIRE(info->result == cudaGraphExecUpdateSuccess, cudaErrorGraphExecUpdateFailure,
            "the graph's nodes or edges are others (%d)", info->result);
    for (size_t i = 0; i < graph->nodes.count; ++i) {
      REQUIRE_SUCCESS(set_as(executable->graph->nodes[i], graph->nodes[i]));
    }
    forget_built(executable);
    return build_graph(executable);
  });
}

} // namespace lw_cudart
