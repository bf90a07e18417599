// SPDX-License-Identifier: Apache-2.0
// Graphs, their nodes and edges.
#include "api.h"
#include "conditions.h"
#include "graph_memory.h"
#include "graphs.h"

namespace lw_cudart {

static Handles<Graph> graphs;
static Handles<Node, (size_t)1 << 22> nodes;
static unsigned long long last_graph;

Graph *graph_of(cudaGraph_t graph) { return graphs.find(graph); }
Node *node_of(cudaGraphNode_t node) { return nodes.find(node); }

cudaError_t create_graph(Graph **graph) {
  REQUIRE_SUCCESS(refuse_on_gpu("graphs"));
  *graph = graphs.create();
  REQUIRE(*graph, cudaErrorMemoryAllocation, "there are too many graphs");
  (*graph)->id = __atomic_add_fetch(&last_graph, 1, __ATOMIC_RELAXED);
  return cudaSuccess;
}

static void forget_arguments(Node *node) {
  free(node->packed);
  free(node->argument_list);
  node->packed = nullptr;
  node->argument_list = nullptr;
}

static void destroy_node(Node *node) {
  forget_arguments(node);
  if (node->child && node->child->state)
    destroy_graph(node->child);
  if (node->memory)
    give_up_graph_memory(node->memory, node->graph);
  for (Graph *body : node->bodies)
    if (body->state)
      destroy_graph(body);
  if (node->condition)
    give_up_condition(node->condition);
  node->bodies.release();
  node->after.release();
  node->ends.release();
  nodes.destroy(node);
}

void destroy_graph(Graph *graph) {
  for (Node *node : graph->nodes)
    destroy_node(node);
  graph->nodes.release();
  for (Condition *condition : graph->conditions)
    give_up_condition(condition);
  graph->conditions.release();
  graphs.destroy(graph);
}

void destroy_graphs() { graphs.each(destroy_graph); }

cudaError_t require_nodes(const Graph *graph, const cudaGraphNode_t *given, size_t count) {
  REQUIRE(given || !count, cudaErrorInvalidValue, "the array of nodes is null");
  for (size_t i = 0; i < count; ++i) {
    Node *node = node_of(given[i]);
    REQUIRE(node && node->graph == graph, cudaErrorInvalidValue, "node %zu is not of this graph", i);
  }
  return cudaSuccess;
}

cudaError_t add_node(Graph *graph, cudaGraphNodeType type, const cudaGraphNode_t *after, size_t count, Node **made) {
  REQUIRE_SUCCESS(require_nodes(graph, after, count));
  Node *node = nodes.create();
  REQUIRE(node, cudaErrorMemoryAllocation, "there are too many nodes");
  node->type = type;
  node->graph = graph;
  for (size_t i = 0; i < count; ++i)
    if (!node->after.has(node_of(after[i])))
      node->after.add(node_of(after[i]));
  if (!graph->nodes.add(node)) {
    destroy_node(node);
    return fail(cudaErrorMemoryAllocation, "no memory for the node");
  }
  *made = node;
  return cudaSuccess;
}

void drop_node(Node *node) {
  node->graph->nodes.remove(node);
  destroy_node(node);
}

cudaError_t set_launch(Node *node, const Launch &launch, const void *packed) {
  const lw_kernel_image *kernel = launch.request.kernel;
  size_t bytes = (kernel->args_bytes + 63u) / 64 * 64;
  void *copy = aligned_alloc(64, bytes ? bytes : 64);
  void **list = static_cast<void **>(calloc(kernel->num_parameters + 1u, sizeof(void *)));
  if (!copy || !list) {
    free(copy);
    free(list);
    return fail(cudaErrorMemoryAllocation, "no memory for arguments");
  }
  memcpy(copy, packed, kernel->args_bytes);
  for (uint32_t i = 0; i < kernel->num_parameters; ++i)
    list[i] = static_cast<char *>(copy) + kernel->parameters[i].offset;
  forget_arguments(node);
  node->launch = launch;
  node->launch.request.args = node->packed = copy;
  node->argument_list = list;
  return cudaSuccess;
}

cudaError_t set_event(Node *node, cudaEvent_t event) {
  REQUIRE(event_of(event), cudaErrorInvalidResourceHandle, "event %p does not exist (any more)", (void *)event);
  node->event = event;
  return cudaSuccess;
}

cudaError_t set_allocation(Node *node, const cudaMemPoolProps &properties, size_t bytes, void **address) {
  REQUIRE_SUCCESS(create_graph_memory(node->graph, bytes, &node->memory));
  node->pool_properties = properties;
  *address = node->memory->address;
  return cudaSuccess;
}

static cudaError_t set_choice(Node *node, const Node *other) {
  if (!node->condition)
    share_condition(other->condition);
  node->condition = other->condition; // an update has made sure that one of the node's is the same
  node->condition_type = other->condition_type;
  for (Graph *body : node->bodies)
    destroy_graph(body);
  node->bodies.clear();
  for (size_t i = 0; i < other->bodies.count; ++i) {
    Graph *body;
    REQUIRE_SUCCESS(clone_graph(other->bodies.items[i], &body));
    REQUIRE_SUCCESS(add_body(node, body));
  }
  return cudaSuccess;
}

cudaError_t set_as(Node *node, const Node *other) {
  if (other->type == cudaGraphNodeTypeKernel)
    return set_launch(node, other->launch, other->packed);
  node->copy = other->copy;
  node->copy_parameters = other->copy_parameters;
  node->fill = other->fill;
  node->call = other->call;
  node->event = other->event;
  node->freed = other->freed;
  if (other->memory && !node->memory) { // an update has made sure that one of the node's is the same
    share_graph_memory(other->memory);
    node->memory = other->memory;
    node->pool_properties = other->pool_properties;
  }
  if (other->condition)
    REQUIRE_SUCCESS(set_choice(node, other));
  if (!other->child)
    return cudaSuccess;
  if (node->child)
    destroy_graph(node->child);
  node->child = nullptr;
  return clone_graph(other->child, &node->child);
}

static Node *clone_of(Graph *clone, const Node *origin) {
  for (Node *node : clone->nodes)
    if (node->origin == origin)
      return node;
  return nullptr;
}

cudaError_t clone_graph(Graph *graph, Graph **made) {
  Graph *clone;
  REQUIRE_SUCCESS(create_graph(&clone));
  cudaError_t error = share_conditions(clone, graph);
  for (size_t i = 0; i < graph->nodes.count && error == cudaSuccess; ++i) {
    Node *node, *origin = graph->nodes[i];
    origin->mark = static_cast<int>(i);
    error = add_node(clone, origin->type, nullptr, 0, &node);
    if (error == cudaSuccess) {
      node->origin = origin;
      error = set_as(node, origin);
    }
  }
  for (size_t i = 0; i < graph->nodes.count && error == cudaSuccess; ++i)
    for (Node *earlier : graph->nodes[i]->after)
      clone->nodes[i]->after.add(clone->nodes[static_cast<size_t>(earlier->mark)]);
  if (error != cudaSuccess) {
    destroy_graph(clone);
    return error;
  }
  *made = clone;
  return cudaSuccess;
}

LW_API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(graph);
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    Graph *made;
    REQUIRE_SUCCESS(create_graph(&made));
    *graph = reinterpret_cast<cudaGraph_t>(made);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t handle) {
  return CALL({
    REQUIRE_POINTER(clone);
    REQUIRE_GRAPH(graph, handle);
    REQUIRE_NO_MEMORY_NODES(graph, "be cloned");
    Graph *made;
    REQUIRE_SUCCESS(clone_graph(graph, &made));
    *clone = reinterpret_cast<cudaGraph_t>(made);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  return PLAIN_CALL({
    REQUIRE_GRAPH(graph, handle);
    REQUIRE(!takes_capture(graph), cudaErrorInvalidValue, "a stream is captured into the graph");
    REQUIRE(!graph->parent, cudaErrorInvalidValue, "the graph belongs to a conditional node");
    destroy_graph(graph);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t handle, cudaGraph_t clone_handle) {
  return CALL({
    REQUIRE_POINTER(found);
    REQUIRE_NODE(node, handle);
    REQUIRE_GRAPH(clone, clone_handle);
    *found = reinterpret_cast<cudaGraphNode_t>(clone_of(clone, node));
    REQUIRE(*found, cudaErrorInvalidValue, "the graph is no clone of the node's");
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
  return CALL({
    REQUIRE_NODE(node, handle);
    REQUIRE_NO_MEMORY_NODES(node->graph, "lose nodes");
    for (Node *other : node->graph->nodes)
      other->after.remove(node);
    drop_node(node);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType *type) {
  return CALL({
    REQUIRE_POINTER(type);
    REQUIRE_NODE(node, handle);
    *type = node->type;
    return cudaSuccess;
  });
}

static cudaError_t give(List<Node *> &found, cudaGraphNode_t *array, size_t *count) {
  return answer(found, reinterpret_cast<Node **>(array), count);
}

LW_API cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *array, size_t *count) {
  return CALL({
    REQUIRE_POINTER(count);
    REQUIRE_GRAPH(graph, handle);
    return give(graph->nodes, array, count);
  });
}

// Answers with the nodes that `wanted` accepts.
template <class Wanted>
static cudaError_t give_some(Graph *graph, cudaGraphNode_t *array, size_t *count, Wanted wanted) {
  List<Node *> found = {};
  for (Node *node : graph->nodes)
    if (wanted(node))
      found.add(node);
  cudaError_t error = give(found, array, count);
  found.release();
  return error;
}

LW_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *array, size_t *count) {
  return CALL({
    REQUIRE_POINTER(count);
    REQUIRE_GRAPH(graph, handle);
    return give_some(graph, array, count, [](Node *node) { return node->after.count == 0; });
  });
}

LW_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t *array, size_t *count) {
  return CALL({
    REQUIRE_POINTER(count);
    REQUIRE_NODE(node, handle);
    return give(node->after, array, count);
  });
}

LW_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t *array, size_t *count) {
  return CALL({
    REQUIRE_POINTER(count);
    REQUIRE_NODE(node, handle);
    return give_some(node->graph, array, count, [=](Node *other) { return other->after.has(node); });
  });
}

LW_API cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count) {
  return CALL({
    REQUIRE_POINTER(count);
    REQUIRE_GRAPH(graph, handle);
    REQUIRE(!from == !to, cudaErrorInvalidValue, "one of the arrays is null");
    size_t found = 0;
    for (Node *node : graph->nodes)
      for (Node *earlier : node->after) {
        if (from && found < *count) {
          from[found] = reinterpret_cast<cudaGraphNode_t>(earlier);
          to[found] = reinterpret_cast<cudaGraphNode_t>(node);
        }
        ++found;
      }
    if (!from || *count > found)
      *count = found;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                            size_t count) {
  return CALL({
    REQUIRE_GRAPH(graph, handle);
    REQUIRE_SUCCESS(require_nodes(graph, from, count));
    REQUIRE_SUCCESS(require_nodes(graph, to, count));
    for (size_t i = 0; i < count; ++i) {
      REQUIRE(from[i] != to[i], cudaErrorInvalidValue, "a node can't come after itself");
      REQUIRE(!node_of(to[i])->after.has(node_of(from[i])), cudaErrorInvalidValue, "edge %zu is there already", i);
      node_of(to[i])->after.add(node_of(from[i]));
    }
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t count) {
  return CALL({
    REQUIRE_GRAPH(graph, handle);
    REQUIRE_SUCCESS(require_nodes(graph, from, count));
    REQUIRE_SUCCESS(require_nodes(graph, to, count));
    if (count)
      REQUIRE_NO_MEMORY_NODES(graph, "lose edges");
    for (size_t i = 0; i < count; ++i) {
      REQUIRE(node_of(to[i])->after.has(node_of(from[i])), cudaErrorInvalidValue, "there is no edge %zu", i);
      node_of(to[i])->after.remove(node_of(from[i]));
    }
    return cudaSuccess;
  });
}

static const char *node_label(const Node *node) {
  static const char *const labels[] = {"kernel",         "memcpy",       "memset", "host", "graph",    "empty",
                                       "wait for event", "record event", "",       "",     "allocate", "free",
                                       "",               "condition"};
  if (node->type == cudaGraphNodeTypeKernel)
    return node->launch.request.kernel->name;
  return node->type <= cudaGraphNodeTypeConditional ? labels[node->type] : "";
}

LW_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned int) {
  return CALL({
    REQUIRE_POINTER(path);
    REQUIRE_GRAPH(graph, handle);
    FILE *file = fopen(path, "w");
    REQUIRE(file, cudaErrorOperatingSystem, "%s can't be written", path);
    fprintf(file, "digraph {\n");
    for (size_t i = 0; i < graph->nodes.count; ++i) {
      graph->nodes[i]->mark = static_cast<int>(i);
      fprintf(file, "  n%zu [label=\"%s\"];\n", i, node_label(graph->nodes[i]));
    }
    for (Node *node : graph->nodes)
      for (Node *earlier : node->after)
        fprintf(file, "  n%d -> n%d;\n", earlier->mark, node->mark);
    fprintf(file, "}\n");
    fclose(file);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
