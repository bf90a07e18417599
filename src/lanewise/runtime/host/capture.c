// SPDX-License-Identifier: Apache-2.0
// Captures: work of queues that goes into a graph instead of being done. All of it under the lock of order.c.
#include "host.h"

#include <stdlib.h>
#include <string.h>

static struct capture *capture_keep(struct capture *capture) {
  ++capture->users;
  return capture;
}

static void capture_release(struct capture *capture) {
  if (--capture->users > 0)
    return;
  if (capture->graph != NULL)
    graph_release(capture->graph);
  free(capture);
}

static void leave_capture(struct lw_queue *queue) {
  capture_release(queue->capture);
  queue->capture = NULL;
  free(queue->captured_after);
  queue->captured_after = NULL;
  queue->num_captured_after = 0;
}

// Ends the capture for all queues that take part.
static void disband(struct capture *capture) {
  capture->over = true;
  for (struct lw_queue *each = order.queues; each != NULL; each = each->following)
    if (each->capture == capture)
      leave_capture(each);
}

// What a queue that is destroyed does: without the one where it began, a capture could not end.
static void quit_capture(struct lw_queue *queue) {
  struct capture *capture = capture_keep(queue->capture);
  if (capture->origin == queue)
    disband(capture);
  else
    leave_capture(queue);
  capture_release(capture);
}

// Adds work of a captured queue, which it takes over.
static int32_t capture_add(struct lw_queue *queue, struct work *work) {
  uint64_t node;
  uint64_t *after = malloc(sizeof *after);
  int32_t result = after == NULL ? explain(LW_NO_MEMORY, "no memory for a node")
                                 : graph_add(queue->capture->graph, work, queue->captured_after,
                                             queue->num_captured_after, &node);
  if (after == NULL)
    work_free(work);
  if (result != LW_SUCCESS) {
    free(after);
    return result;
  }
  free(queue->captured_after);
  *after = node;
  queue->captured_after = after;
  queue->num_captured_after = 1;
  return LW_SUCCESS;
}

// Lets the queue's further work come after `nodes` of `capture`. A queue that took no part in it does from now on.
static int32_t capture_follow(struct lw_queue *queue, struct capture *capture, const uint64_t *nodes, uint64_t count) {
  if (capture->over)
    return explain(LW_INVALID, "the event was recorded in a capture that has ended");
  if (queue->capture != NULL && queue->capture != capture)
    return explain(LW_INVALID, "the queue and the event are in two captures");
  uint64_t *after = malloc((queue->num_captured_after + count + 1) * sizeof *after);
  if (after == NULL)
    return explain(LW_NO_MEMORY, "no memory for the order of nodes");
  uint64_t total = queue->num_captured_after;
  if (total > 0)
    memcpy(after, queue->captured_after, total * sizeof *after);
  for (uint64_t i = 0; i < count; ++i) {
    bool known = false;
    for (uint64_t j = 0; j < total; ++j)
      known |= after[j] == nodes[i];
    if (!known)
      after[total++] = nodes[i];
  }
  free(queue->captured_after);
  queue->captured_after = after;
  queue->num_captured_after = total;
  if (queue->capture == NULL)
    queue->capture = capture_keep(capture);
  return LW_SUCCESS;
}

int32_t lw_capture_begin(lw_queue *queue) {
  int32_t refused = refuse_on_gpu("captures");
  if (refused != LW_SUCCESS)
    return refused;
  struct capture *capture = calloc(1, sizeof *capture);
  if (capture == NULL || lw_graph_create(&capture->graph) != LW_SUCCESS) {
    free(capture);
    return explain(LW_NO_MEMORY, "no memory for a capture");
  }
  capture->users = 1;
  capture->origin = queue;
  lock_order();
  bool is_free = queue->capture == NULL && queue != order.origin;
  if (is_free)
    queue->capture = capture;
  else
    capture_release(capture);
  unlock_order();
  return is_free ? LW_SUCCESS : explain(LW_INVALID, "the queue is captured already, or is the default queue");
}

// Whether the last nodes of all queues that take part come before the origin's.
static bool all_joined(const struct capture *capture) {
  const struct lw_graph *graph = capture->graph;
  bool *joined = calloc(graph->count + 1, sizeof *joined);
  if (joined == NULL)
    return false;
  for (uint64_t i = 0; i < capture->origin->num_captured_after; ++i)
    joined[capture->origin->captured_after[i]] = true;
  for (uint64_t node = graph->count; node-- > 0;)
    for (uint32_t i = 0; joined[node] && i < graph->nodes[node]->num_nodes_after; ++i)
      joined[graph->nodes[node]->nodes_after[i]] = true;
  bool all = true;
  for (const struct lw_queue *queue = order.queues; queue != NULL; queue = queue->following)
    for (uint64_t i = 0; queue->capture == capture && i < queue->num_captured_after; ++i)
      all &= joined[queue->captured_after[i]];
  free(joined);
  return all;
}

int32_t lw_capture_end(lw_queue *queue, lw_graph **graph) {
  *graph = NULL;
  lock_order();
  struct capture *capture = queue->capture;
  if (capture == NULL || capture->origin != queue) {
    unlock_order();
    return explain(LW_INVALID, "no capture began in this queue");
  }
  bool joined = all_joined(capture);
  capture_keep(capture);
  disband(capture);
  if (joined) {
    *graph = capture->graph;
    capture->graph = NULL;
  }
  capture_release(capture);
  unlock_order();
  return joined ? LW_SUCCESS
                : explain(LW_INVALID, "a queue takes part in the capture that the first one has not waited for");
}

int32_t lw_is_captured(const lw_queue *queue) {
  lock_order();
  bool captured = queue->capture != NULL;
  unlock_order();
  return captured;
}
