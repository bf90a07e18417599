// SPDX-License-Identifier: Apache-2.0
// The host runtime's kinds of work: done, and given up.
#include "host.h"

static void graph_release(struct lw_graph *graph);
static void free_choice(struct choice_work *choice);

static void free_payload(struct work *work) {
  if (work->kind == WORK_GRAPH)
    graph_release(work->graph);
  else if (work->kind == WORK_CHOICE)
    free_choice(&work->choice);
}

static int32_t run_launch(struct lw_queue *queue, const struct launch_work *work, struct failure *failure);
static void run_copy(const struct copy_work *work);
static void run_fill(const struct fill_work *work);
static int32_t run_graph(struct lw_queue *queue, struct lw_graph *graph, struct failure *failure);
static int32_t run_choice(struct lw_queue *queue, const struct choice_work *choice, struct failure *failure);
static void drop_graph(struct lw_graph *graph);

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
  case WORK_CHOICE:
    return run_choice(queue, &work->choice, failure);
  default:
    return LW_SUCCESS;
  }
}

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
