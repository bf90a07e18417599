// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "conditions.h"
#include "memory.h"

namespace lw_cudart {

Condition *condition_of(Graph *graph, cudaGraphConditionalHandle handle) {
  for (; graph; graph = graph->parent)
    for (Condition *condition : graph->conditions)
      if (reinterpret_cast<cudaGraphConditionalHandle>(condition->value) == handle)
        return condition;
  return nullptr;
}

void share_condition(Condition *condition) { __atomic_add_fetch(&condition->users, 1, __ATOMIC_RELAXED); }

void give_up_condition(Condition *condition) {
  if (__atomic_sub_fetch(&condition->users, 1, __ATOMIC_ACQ_REL))
    return;
  lw_synchronize(); // graphs that run read it
  lw_memory_free(condition->value, LW_DEVICE_MEMORY);
  free(condition);
}

static cudaError_t add_condition(Graph *graph, Condition *condition) {
  REQUIRE(graph->conditions.add(condition), cudaErrorMemoryAllocation, "no memory for the handle");
  share_condition(condition);
  return cudaSuccess;
}

cudaError_t share_conditions(Graph *graph, const Graph *origin) {
  for (size_t i = 0; i < origin->conditions.count; ++i)
    REQUIRE_SUCCESS(add_condition(graph, origin->conditions.items[i]));
  return cudaSuccess;
}

Fill first_value(const Condition *condition) {
  return {condition->value, {sizeof(int), sizeof(int)}, condition->first, sizeof(int), {sizeof(int), 1, 1}};
}

static cudaError_t check_body(Graph *body) {
  for (Node *node : body->nodes) {
    bool allowed = node->type == cudaGraphNodeTypeKernel || node->type == cudaGraphNodeTypeMemcpy ||
                   node->type == cudaGraphNodeTypeMemset || node->type == cudaGraphNodeTypeEmpty ||
                   node->type == cudaGraphNodeTypeGraph || node->type == cudaGraphNodeTypeConditional;
    REQUIRE(allowed, cudaErrorNotSupported,
            "the body of a conditional node has a node of type %d: it may have kernels, copies, fills, empty nodes, "
            "graphs and conditional nodes",
            node->type);
    if (node->child)
      REQUIRE_SUCCESS(check_body(node->child));
    for (Graph *inner : node->bodies)
      REQUIRE_SUCCESS(check_body(inner));
  }
  return cudaSuccess;
}

cudaError_t check_bodies(Graph *graph) {
  for (Node *node : graph->nodes) {
    if (node->child)
      REQUIRE_SUCCESS(check_bodies(node->child));
    for (Graph *body : node->bodies)
      REQUIRE_SUCCESS(check_body(body));
  }
  return cudaSuccess;
}

LW_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph_handle,
                                                    unsigned int first, unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(handle);
    REQUIRE_GRAPH(graph, graph_handle);
    REQUIRE(flags <= cudaGraphCondAssignDefault, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    Condition *condition = static_cast<Condition *>(calloc(1, sizeof(Condition)));
    REQUIRE(condition, cudaErrorMemoryAllocation, "no memory for the handle");
    condition->first = first;
    condition->assigned = flags & cudaGraphCondAssignDefault;
    cudaError_t error = allocate(&condition->value, sizeof(int), LW_DEVICE_MEMORY, 0);
    if (error == cudaSuccess) {
      *static_cast<unsigned int *>(condition->value) = 0;
      error = add_condition(graph, condition);
      if (error != cudaSuccess)
        lw_memory_free(condition->value, LW_DEVICE_MEMORY);
    }
    if (error != cudaSuccess) {
      free(condition);
      return error;
    }
    *handle = reinterpret_cast<cudaGraphConditionalHandle>(condition->value);
    return cudaSuccess;
  });
}

} // namespace lw_cudart
