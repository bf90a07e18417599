// SPDX-License-Identifier: Apache-2.0
// Graphs: work that is recorded once and done many times, each node after those that it waits for.
#include "host.h"

#include <stdlib.h>
#include <string.h>

int32_t lw_graph_create(lw_graph **graph) {
  *graph = calloc(1, sizeof **graph);
  if (*graph == NULL)
    return explain(LW_NO_MEMORY, "no memory for a graph");
  atomic_store(&(*graph)->users, 1);
  return LW_SUCCESS;
}

static void graph_release(struct lw_graph *graph) {
  if (atomic_fetch_sub(&graph->users, 1) != 1)
    return;
  for (uint64_t i = 0; i < graph->count; ++i)
    work_free(graph->nodes[i]);
  free(graph->nodes);
  free(graph);
}

void lw_graph_destroy(lw_graph *graph) { graph_release(graph); }

uint64_t lw_graph_size(const lw_graph *graph) { return graph->count; }

// Adds a node after others; it takes over `work`, also if it fails.
static int32_t graph_add(struct lw_graph *graph, struct work *work, const uint64_t *after, uint64_t num_after,
                         uint64_t *node) {
  int32_t result = LW_SUCCESS;
  for (uint64_t i = 0; i < num_after; ++i)
    if (after[i] >= graph->count)
      result = explain(LW_INVALID, "a node can't come after node %llu, which isn't there yet",
                       (unsigned long long)after[i]);
  if (result == LW_SUCCESS && graph->count == graph->capacity) {
    uint64_t capacity = graph->capacity > 0 ? 2 * graph->capacity : 16;
    struct work **nodes = realloc(graph->nodes, capacity * sizeof *nodes);
    if (nodes == NULL) {
      result = explain(LW_NO_MEMORY, "no memory for a node");
    } else {
      graph->nodes = nodes;
      graph->capacity = capacity;
    }
  }
  if (result == LW_SUCCESS && num_after > 0) {
    work->nodes_after = malloc(num_after * sizeof *after);
    if (work->nodes_after == NULL)
      result = explain(LW_NO_MEMORY, "no memory for a node");
  }
  if (result != LW_SUCCESS) {
    work_free(work);
    return result;
  }
  if (num_after > 0)
    memcpy(work->nodes_after, after, num_after * sizeof *after);
  work->num_nodes_after = (uint32_t)num_after;
  if (node != NULL)
    *node = graph->count;
  graph->nodes[graph->count++] = work;
  return LW_SUCCESS;
}

int32_t lw_graph_add_launch(lw_graph *graph, const lw_kernel_launch *launch, const uint64_t *after, uint64_t num_after,
                            uint64_t *node) {
  struct work *work;
  int32_t result = make_launch(launch, &work);
  return result == LW_SUCCESS ? graph_add(graph, work, after, num_after, node) : result;
}

int32_t lw_graph_add_copy(lw_graph *graph, void *target, lw_pitch target_pitch, const void *source,
                          lw_pitch source_pitch, lw_box box, const uint64_t *after, uint64_t num_after,
                          uint64_t *node) {
  struct work *work;
  int32_t result = make_copy(target, target_pitch, source, source_pitch, box, &work);
  return result == LW_SUCCESS ? graph_add(graph, work, after, num_after, node) : result;
}

int32_t lw_graph_add_fill(lw_graph *graph, void *target, lw_pitch pitch, uint32_t value, uint32_t value_bytes,
                          lw_box box, const uint64_t *after, uint64_t num_after, uint64_t *node) {
  struct work *work;
  int32_t result = make_fill(target, pitch, value, value_bytes, box, &work);
  return result == LW_SUCCESS ? graph_add(graph, work, after, num_after, node) : result;
}

int32_t lw_graph_add_call(lw_graph *graph, lw_host_function function, void *data, const uint64_t *after,
                          uint64_t num_after, uint64_t *node) {
  struct work *work;
  int32_t result = make_call(function, NULL, data, &work);
  return result == LW_SUCCESS ? graph_add(graph, work, after, num_after, node) : result;
}

// Nodes were added after those that they wait for, so that their own order is one that is allowed. After one that fails
// the others are dropped; none follows one that has forked, in the child.
static int32_t run_graph(struct lw_queue *queue, struct lw_graph *graph, struct failure *failure) {
  int32_t result = LW_SUCCESS;
  unsigned forks = order.forks;
  for (uint64_t i = 0; i < graph->count && order.forks == forks; ++i) {
    if (result == LW_SUCCESS)
      result = run_work(queue, graph->nodes[i], failure);
    else
      drop_work(graph->nodes[i]);
  }
  return result;
}

static void drop_graph(struct lw_graph *graph) {
  for (uint64_t i = 0; i < graph->count; ++i)
    drop_work(graph->nodes[i]);
}

static int32_t make_choice(const uint32_t *value, uint32_t kind, lw_graph *const *bodies, uint32_t num_bodies,
                           struct work **made);

// A node again, for another graph; null where memory is short.
static struct work *copy_node(const struct work *node) {
  struct work *choice;
  if (node->kind == WORK_CHOICE)
    return make_choice(node->choice.value, node->choice.kind, node->choice.bodies, node->choice.num_bodies, &choice) ==
                   LW_SUCCESS
               ? choice
               : NULL;
  size_t extra = node->kind == WORK_LAUNCH ? node->launch.kernel->args_bytes : 0;
  struct work *copy = work_make(node->kind, extra);
  if (copy == NULL)
    return NULL;
  switch (node->kind) {
  case WORK_LAUNCH:
    copy->launch = node->launch;
    copy->launch.args = memcpy(copy + 1, node->launch.args, extra);
    break;
  case WORK_COPY:
    copy->copy = node->copy;
    break;
  case WORK_FILL:
    copy->fill = node->fill;
    break;
  case WORK_CALL:
    copy->call = node->call;
    break;
  case WORK_MARK:
    copy->mark = node->mark;
    atomic_fetch_add(&copy->mark->users, 1);
    break;
  case WORK_GRAPH:
    copy->graph = node->graph;
    atomic_fetch_add(&copy->graph->users, 1);
    break;
  default:
    break;
  }
  return copy;
}

int32_t lw_graph_copy(const lw_graph *graph, lw_graph **copy) {
  int32_t result = lw_graph_create(copy);
  for (uint64_t i = 0; result == LW_SUCCESS && i < graph->count; ++i) {
    const struct work *node = graph->nodes[i];
    struct work *made = copy_node(node);
    result = made == NULL ? LW_NO_MEMORY : graph_add(*copy, made, node->nodes_after, node->num_nodes_after, NULL);
  }
  if (result != LW_SUCCESS && *copy != NULL) {
    graph_release(*copy);
    *copy = NULL;
  }
  return result;
}
