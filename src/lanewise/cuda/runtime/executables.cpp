// SPDX-License-Identifier: Apache-2.0
// Executable graphs: built from a clone, launched, updated.
#include "api.h"
#include "conditions.h"
#include "gpu.h"
#include "graph_memory.h"
#include "graphs.h"

namespace lw_cudart {

static Handles<Executable> executables;

#define REQUIRE_EXECUTABLE(name, handle)                                                                               \
  Executable *name = executables.find(handle);                                                                         \
  REQUIRE(name, cudaErrorInvalidValue, "executable graph %p does not exist (any more)", (void *)handle)

enum { UNSEEN = 0, OPEN = 1, DONE = 2 }; // of Node.mark

static int32_t run_graph_call(void *data) {
  const cudaHostNodeParams *call = static_cast<const cudaHostNodeParams *>(data);
  call->fn(call->userData);
  return 0;
}

static void reset_marks(Graph *graph) {
  for (Node *node : graph->nodes) {
    node->mark = UNSEEN;
    node->ends.clear();
    if (node->child)
      reset_marks(node->child);
    for (Graph *body : node->bodies)
      reset_marks(body);
  }
}

// Nodes that the host runtime has: `node->ends` are the numbers of those that stand for a node's end. A node without
// work of its own, as an empty one, ends with those before it.
struct Builder {
  Executable *executable;
  lw_graph *graph;

  cudaError_t add(Node *node, List<uint64_t> &after, uint64_t *number) {
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
      return error_of(lw_graph_add_launch(graph, &node->launch.request, after.items, after.count, number));
    case cudaGraphNodeTypeMemcpy:
      return error_of(lw_graph_add_copy(graph, node->copy.target, node->copy.target_pitch, node->copy.source,
                                        node->copy.source_pitch, node->copy.box, after.items, after.count, number));
    case cudaGraphNodeTypeMemset:
      return error_of(lw_graph_add_fill(graph, node->fill.target, node->fill.pitch, node->fill.value,
                                        node->fill.value_bytes, node->fill.box, after.items, after.count, number));
    case cudaGraphNodeTypeConditional:
      return add_choice(node, after, number);
    default:
      return add_call(node, after, number);
    }
  }

  cudaError_t add_choice(Node *node, List<uint64_t> &after, uint64_t *number) {
    List<lw_graph *> bodies = {};
    cudaError_t error = cudaSuccess;
    for (Graph *body : node->bodies) {
      lw_graph *built = nullptr;
      if (error == cudaSuccess)
        error = error_of(lw_graph_create(&built));
      if (error == cudaSuccess && !bodies.add(built)) {
        lw_graph_destroy(built);
        error = fail(cudaErrorMemoryAllocation, "no memory for the graph");
      }
      if (error == cudaSuccess)
        error = Builder{executable, built}.walk_all(body, {});
    }
    if (error == cudaSuccess)
      error = error_of(lw_graph_add_choice(graph, static_cast<uint32_t *>(node->condition->value),
                                           node->condition_type, bodies.items, static_cast<uint32_t>(bodies.count),
                                           after.items, after.count, number));
    for (lw_graph *body : bodies)
      lw_graph_destroy(body); // the node keeps it
    bodies.release();
    return error;
  }

  cudaError_t add_call(Node *node, List<uint64_t> &after, uint64_t *number) {
    cudaHostNodeParams *call = static_cast<cudaHostNodeParams *>(malloc(sizeof(cudaHostNodeParams)));
    REQUIRE(call && executable->calls.add(call), cudaErrorMemoryAllocation, "no memory for the graph");
    *call = node->call;
    return error_of(lw_graph_add_call(graph, run_graph_call, call, after.items, after.count, number));
  }

  cudaError_t walk(Node *node, const List<uint64_t> &entry) {
    if (node->mark == DONE)
      return cudaSuccess;
    REQUIRE(node->mark != OPEN, cudaErrorInvalidValue, "the graph has a cycle");
    node->mark = OPEN;
    List<uint64_t> after = {};
    after.add_all(entry);
    cudaError_t error = cudaSuccess;
    for (Node *earlier : node->after) {
      if (error == cudaSuccess)
        error = walk(earlier, entry);
      for (uint64_t end : earlier->ends)
        if (!after.has(end))
          after.add(end);
    }
    if (error == cudaSuccess)
      error = end(node, after);
    after.release();
    node->mark = DONE;
    return error;
  }

  cudaError_t end(Node *node, List<uint64_t> &after) {
    bool works = node->type == cudaGraphNodeTypeKernel || node->type == cudaGraphNodeTypeMemcpy ||
                 node->type == cudaGraphNodeTypeMemset || node->type == cudaGraphNodeTypeHost ||
                 node->type == cudaGraphNodeTypeConditional;
    if (node->type == cudaGraphNodeTypeGraph) {
      REQUIRE_SUCCESS(walk_all(node->child, after));
      for (Node *inner : node->child->nodes)
        node->ends.add_all(inner->ends);
      if (!node->ends.count)
        node->ends.add_all(after);
      return cudaSuccess;
    }
    if (!works || node->disabled) {
      node->ends.add_all(after);
      return cudaSuccess;
    }
    uint64_t number;
    REQUIRE_SUCCESS(add(node, after, &number));
    REQUIRE(node->ends.add(number), cudaErrorMemoryAllocation, "no memory for the graph");
    return cudaSuccess;
  }

  // Conditions have their first values before any node runs.
  cudaError_t walk_all(Graph *walked, const List<uint64_t> &entry) {
    List<uint64_t> begin = {};
    cudaError_t error = begin.add_all(entry) ? cudaSuccess : cudaErrorMemoryAllocation;
    for (Condition *condition : walked->conditions)
      if (condition->assigned && error == cudaSuccess)
        error = add_first_value(condition, entry, begin);
    for (Node *node : walked->nodes)
      if (error == cudaSuccess)
        error = walk(node, begin);
    begin.release();
    return error;
  }

  cudaError_t add_first_value(const Condition *condition, const List<uint64_t> &entry, List<uint64_t> &begin) {
    Fill fill = first_value(condition);
    uint64_t number;
    REQUIRE_SUCCESS(error_of(lw_graph_add_fill(graph, fill.target, fill.pitch, fill.value, fill.value_bytes, fill.box,
                                               entry.items, entry.count, &number)));
    REQUIRE(begin.add(number), cudaErrorMemoryAllocation, "no memory for the graph");
    return cudaSuccess;
  }
};

// What the host runtime still runs uses what host functions are called with.
static void forget_built(Executable *executable) {
  if (executable->built)
    lw_graph_destroy(executable->built);
  executable->built = nullptr;
  if (executable->calls.count)
    lw_synchronize();
  for (cudaHostNodeParams *call : executable->calls)
    free(call);
  executable->calls.clear();
}

static cudaError_t build(Executable *executable) {
  if (executable->built)
    return cudaSuccess;
  REQUIRE_SUCCESS(error_of(lw_graph_create(&executable->built)));
  reset_marks(executable->graph);
  Builder builder = {executable, executable->built};
  cudaError_t error = builder.walk_all(executable->graph, {});
  if (error != cudaSuccess)
    forget_built(executable);
  return error;
}

static bool has_events(Graph *graph) {
  for (Node *node : graph->nodes)
    if (node->type == cudaGraphNodeTypeEventRecord || node->type == cudaGraphNodeTypeWaitEvent ||
        (node->child && has_events(node->child)))
      return true;
  return false;
}

static cudaError_t submit_graph(Stream *stream, Graph *graph);

static cudaError_t submit_choice(Stream *stream, Node *node) {
  lw_graph *graph;
  REQUIRE_SUCCESS(error_of(lw_graph_create(&graph)));
  List<uint64_t> after = {};
  uint64_t number;
  cudaError_t error = Builder{nullptr, graph}.add_choice(node, after, &number);
  if (error == cudaSuccess)
    error = error_of(lw_graph_launch(graph, stream->queue));
  lw_graph_destroy(graph);
  return error;
}

static cudaError_t submit_node(Stream *stream, Node *node) {
  if (node->mark == DONE)
    return cudaSuccess;
  node->mark = DONE;
  for (Node *earlier : node->after)
    REQUIRE_SUCCESS(submit_node(stream, earlier));
  if (node->disabled)
    return cudaSuccess;
  Event *event = node->event ? event_of(node->event) : nullptr;
  switch (node->type) {
  case cudaGraphNodeTypeKernel:
    return submit(stream, node->launch);
  case cudaGraphNodeTypeMemcpy:
    return submit(stream, node->copy);
  case cudaGraphNodeTypeMemset:
    return submit(stream, node->fill);
  case cudaGraphNodeTypeHost:
    return submit_host_function(stream, node->call);
  case cudaGraphNodeTypeGraph:
    return submit_graph(stream, node->child);
  case cudaGraphNodeTypeConditional:
    return submit_choice(stream, node);
  case cudaGraphNodeTypeEventRecord:
    REQUIRE(event, cudaErrorInvalidResourceHandle, "an event of the graph was destroyed");
    event->recorded = true;
    return error_of(lw_event_record(event->event, stream->queue));
  case cudaGraphNodeTypeWaitEvent:
    REQUIRE(event, cudaErrorInvalidResourceHandle, "an event of the graph was destroyed");
    return error_of(lw_queue_wait(stream->queue, event->event));
  default:
    return cudaSuccess;
  }
}

// Node by node: the queue records events, and kernels are timed one by one.
static cudaError_t submit_graph(Stream *stream, Graph *graph) {
  for (Condition *condition : graph->conditions)
    if (condition->assigned)
      REQUIRE_SUCCESS(submit(stream, first_value(condition)));
  for (Node *node : graph->nodes)
    REQUIRE_SUCCESS(submit_node(stream, node));
  return cudaSuccess;
}

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
      error = build(executable);
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

static cudaError_t launch(Executable *executable, Stream *stream) {
  if (profiling() || has_events(executable->graph)) {
    reset_marks(executable->graph);
    return submit_graph(stream, executable->graph);
  }
  REQUIRE_SUCCESS(build(executable));
  return error_of(lw_graph_launch(executable->built, stream->queue));
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
      return launch(executable, stream);
    bool frees_first = executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    REQUIRE_SUCCESS(check_graph_memory(executable->graph, frees_first));
    REQUIRE_SUCCESS(launch(executable, stream));
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
    return build(executable);
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
    return build(executable);
  });
}

} // namespace lw_cudart
