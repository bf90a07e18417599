// SPDX-License-Identifier: Apache-2.0
// Graphs as programs see them: nodes with parameters and dependencies, which can be asked for and changed. An
// executable graph is a clone, from which a graph of the host runtime is built.
#ifndef LANEWISE_CUDART_GRAPHS_H
#define LANEWISE_CUDART_GRAPHS_H

#include "events.h"

namespace lw_cudart {

struct Condition;
struct GraphMemory;

struct Node {
  uint32_t state; // of the handle
  cudaGraphNodeType type;
  Graph *graph;
  List<Node *> after;
  Node *origin; // that it was cloned from
  bool disabled;
  int mark; // while a graph is walked
  List<uint64_t> ends;

  // By type.
  Launch launch;
  void *packed;         // the kernel's arguments
  void **argument_list; // and where each of them is
  Copy copy;
  cudaMemcpy3DParms copy_parameters;
  Fill fill;
  cudaHostNodeParams call;
  Graph *child;
  cudaEvent_t event;
  GraphMemory *memory;
  cudaMemPoolProps pool_properties;
  void *freed;
  Condition *condition;
  cudaGraphConditionalNodeType condition_type;
  List<Graph *> bodies; // of which the condition chooses
};

struct Graph {
  uint32_t state; // of the handle
  unsigned long long id;
  List<Node *> nodes;
  Graph *parent; // null, or the graph of the conditional node that this is a body of
  List<Condition *> conditions;
};

struct Executable {
  uint32_t state; // of the handle
  Graph *graph;
  unsigned long long origin; // the id of the graph that it was made of
  lw_graph *built; // null: to be built
  List<cudaHostNodeParams *> calls;
  unsigned long long flags;
  Lock lock;
};

Graph *graph_of(cudaGraph_t graph);
Node *node_of(cudaGraphNode_t node);
#define REQUIRE_GRAPH(name, handle)                                                                                    \
  Graph *name = graph_of(handle);                                                                                      \
  REQUIRE(name, cudaErrorInvalidValue, "graph %p does not exist (any more)", (void *)handle)
#define REQUIRE_NODE(name, handle)                                                                                     \
  Node *name = node_of(handle);                                                                                        \
  REQUIRE(name, cudaErrorInvalidValue, "node %p does not exist (any more)", (void *)handle)

cudaError_t create_graph(Graph **graph);
cudaError_t clone_graph(Graph *graph, Graph **clone);
void destroy_graph(Graph *graph);

// Adds a node of a type without parameters.
cudaError_t add_node(Graph *graph, cudaGraphNodeType type, const cudaGraphNode_t *after, size_t count, Node **node);
void drop_node(Node *node); // the last one that was added
// Makes a graph of its own a body of a conditional node.
cudaError_t add_body(Node *node, Graph *body);

// Fails if one of them is not of the graph, or if data of edges asks for more than order.
cudaError_t require_nodes(const Graph *graph, const cudaGraphNode_t *nodes, size_t count);
cudaError_t require_plain_edges(const cudaGraphEdgeData *edges, size_t count);

// Fill in the parameters of a node.
cudaError_t set_launch(Node *node, const Launch &launch, const void *packed);
cudaError_t set_kernel(Node *node, const cudaKernelNodeParams *parameters);
cudaError_t set_copy(Node *node, const cudaMemcpy3DParms *parameters);
cudaError_t set_row(Node *node, void *target, const void *source, size_t bytes, cudaMemcpyKind kind);
cudaError_t set_fill(Node *node, const cudaMemsetParams *parameters);
cudaError_t set_call(Node *node, const cudaHostNodeParams *parameters);
cudaError_t set_event(Node *node, cudaEvent_t event);
cudaError_t set_allocation(Node *node, const cudaMemPoolProps &properties, size_t bytes, void **memory);
// Takes the parameters of another node of the same type.
cudaError_t set_as(Node *node, const Node *other);

// Work of a stream that is captured becomes a node.
cudaError_t capture_launch(Stream *stream, const Launch &launch);
cudaError_t capture_copy(Stream *stream, const Copy &copy);
cudaError_t capture_fill(Stream *stream, const Fill &fill);
cudaError_t capture_call(Stream *stream, const cudaHostNodeParams &call);
cudaError_t capture_record(Stream *stream, cudaEvent_t event);
cudaError_t capture_wait(Stream *stream, cudaEvent_t event);
cudaError_t capture_child(Stream *stream, Graph *graph);
cudaError_t capture_allocation(Stream *stream, size_t bytes, void **memory);
cudaError_t capture_free(Stream *stream, void *memory);

// Events within a capture stand for nodes.
cudaError_t record_in_capture(Event *event, Stream *stream);
cudaError_t wait_in_capture(Stream *stream, Event *event);

// True while a stream is captured into the graph or a body in it.
bool takes_capture(Graph *graph);
// True if a stream is captured anywhere.
bool is_capturing();

// For cudaDeviceReset.
void abandon_captures();
void destroy_executables();
void destroy_graphs();

} // namespace lw_cudart

#endif
