// SPDX-License-Identifier: Apache-2.0
// Pieces of work: made, done, and given up.
#include "host.h"

#include <stdlib.h>
#include <string.h>

static void mark_release(struct mark *mark) {
  if (atomic_fetch_sub(&mark->users, 1) == 1) {
    queue_release(mark->place.queue);
    free(mark);
  }
}

static void graph_release(struct lw_graph *graph);

// Work of a kind with `extra` bytes after it; null where memory is short.
static struct work *work_make(enum kind kind, size_t extra) {
  struct work *work = malloc(sizeof *work + extra);
  if (work == NULL) {
    explain(LW_NO_MEMORY, "no memory for a piece of work");
    return NULL;
  }
  *work = (struct work){.kind = kind};
  return work;
}

static void work_free(struct work *work) {
  for (uint32_t i = 0; i < work->num_after; ++i)
    queue_release(work->after[i].queue);
  free(work->after);
  free(work->nodes_after);
  if (work->kind == WORK_MARK)
    mark_release(work->mark);
  else if (work->kind == WORK_GRAPH)
    graph_release(work->graph);
  free(work);
}

// Lets the work start only after `place`. False where memory is short. Takes over nothing.
static bool work_after(struct work *work, struct lw_queue *queue, uint64_t number) {
  struct place *after = realloc(work->after, (work->num_after + 1) * sizeof *after);
  if (after == NULL) {
    explain(LW_NO_MEMORY, "no memory for the order of queues");
    return false;
  }
  queue_keep(queue);
  work->after = after;
  work->after[work->num_after++] = (struct place){queue, number};
  return true;
}

static bool is_ready(const struct work *work) {
  for (uint32_t i = 0; i < work->num_after; ++i)
    if (!is_reached(&work->after[i]))
      return false;
  return true;
}

static int32_t run_launch(struct lw_queue *queue, const struct launch_work *work, struct failure *failure);
static void run_copy(const struct copy_work *work);
static void run_fill(const struct fill_work *work);
static int32_t run_graph(struct lw_queue *queue, struct lw_graph *graph, struct failure *failure);
static void drop_graph(struct lw_graph *graph);

// Does the work, for `queue`; what became of it, with the details in `failure`.
static int32_t run_work(struct lw_queue *queue, struct work *work, struct failure *failure) {
  switch (work->kind) {
  case WORK_LAUNCH:
    return run_launch(queue, &work->launch, failure);
  case WORK_COPY:
    run_copy(&work->copy);
    return LW_SUCCESS;
  case WORK_FILL:
    run_fill(&work->fill);
    return LW_SUCCESS;
  case WORK_CALL:
    in_function = true;
    failure->returned = work->call.function(work->call.data);
    in_function = false;
    return failure->returned == 0 ? LW_SUCCESS : LW_WORK_FAILED;
  case WORK_MARK:
    atomic_store(&work->mark->reached_ns, now_ns());
    return LW_SUCCESS;
  case WORK_GRAPH:
    return run_graph(queue, work->graph, failure);
  }
  return LW_SUCCESS;
}

// What becomes of work whose queue has failed: events are reached all the same, so that nobody waits for ever.
static void drop_work(struct work *work) {
  if (work->kind == WORK_MARK) {
    atomic_store(&work->mark->reached_ns, now_ns());
  } else if (work->kind == WORK_GRAPH) {
    drop_graph(work->graph);
  } else if (work->kind == WORK_CALL && work->call.dropped != NULL) {
    in_function = true;
    work->call.dropped(work->call.data);
    in_function = false;
  }
}
