// SPDX-License-Identifier: Apache-2.0
// The work of a graph's nodes: as a graph of the host runtime, or node by node in a queue.
#include "graph_work.h"
#include "api.h"
#include "conditions.h"
#include "functions.h"

namespace lw_cudart {

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
void forget_built(Executable *executable) {
  if (executable->built)
    lw_graph_destroy(executable->built);
  executable->built = nullptr;
  if (executable->calls.count)
    lw_synchronize();
  for (cudaHostNodeParams *call : executable->calls)
    free(call);
  executable->calls.clear();
}

cudaError_t build_graph(Executable *executable) {
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

cudaError_t launch_graph(Executable *executable, Stream *stream) {
  if (profiling() || has_events(executable->graph)) {
    reset_marks(executable->graph);
    return submit_graph(stream, executable->graph);
  }
  REQUIRE_SUCCESS(build_graph(executable));
  return error_of(lw_graph_launch(executable->built, stream->queue));
}

} // namespace lw_cudart
