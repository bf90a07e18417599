// SPDX-License-Identifier: Apache-2.0
// Choices: nodes of a graph that run other graphs, as a number in memory says (CUDA's conditional nodes).
#include "host.h"

#include <stdlib.h>
#include <string.h>

static void free_choice(struct choice_work *choice) {
  for (uint32_t i = 0; i < choice->num_bodies; ++i)
    graph_release(choice->bodies[i]);
  free(choice->bodies);
}

static int32_t make_choice(const uint32_t *value, uint32_t kind, lw_graph *const *bodies, uint32_t num_bodies,
                           struct work **made) {
  struct work *work = work_make(WORK_CHOICE, 0);
  struct lw_graph **kept = malloc(num_bodies * sizeof *kept);
  if (work == NULL || kept == NULL) {
    free(kept);
    if (work != NULL)
      work_free(work);
    return explain(LW_NO_MEMORY, "no memory for a node");
  }
  for (uint32_t i = 0; i < num_bodies; ++i) {
    kept[i] = bodies[i];
    atomic_fetch_add(&kept[i]->users, 1);
  }
  work->choice = (struct choice_work){value, kind, num_bodies, kept};
  *made = work;
  return LW_SUCCESS;
}

int32_t lw_graph_add_choice(lw_graph *graph, const uint32_t *value, uint32_t kind, lw_graph *const *bodies,
                            uint32_t num_bodies, const uint64_t *after, uint64_t num_after, uint64_t *node) {
  bool fits = kind == LW_IF ? num_bodies == 1 || num_bodies == 2
              : kind == LW_WHILE ? num_bodies == 1
                                 : kind == LW_SWITCH && num_bodies > 0;
  if (!fits)
    return explain(LW_INVALID, "a choice of kind %u can't have %u bodies", kind, num_bodies);
  struct work *work;
  int32_t result = make_choice(value, kind, bodies, num_bodies, &work);
  return result == LW_SUCCESS ? graph_add(graph, work, after, num_after, node) : result;
}

// Null if none is to run.
static struct lw_graph *chosen_body(const struct choice_work *choice) {
  uint32_t value = *(const volatile uint32_t *)choice->value; // a kernel of the last body may have changed it
  uint32_t number = choice->kind == LW_SWITCH ? value : value == 0;
  return number < choice->num_bodies ? choice->bodies[number] : NULL;
}

static int32_t run_choice(struct lw_queue *queue, const struct choice_work *choice, struct failure *failure) {
  int32_t result = LW_SUCCESS;
  unsigned forks = order.forks;
  struct lw_graph *body;
  do {
    body = chosen_body(choice);
    if (body != NULL)
      result = run_graph(queue, body, failure);
  } while (body != NULL && choice->kind == LW_WHILE && result == LW_SUCCESS && order.forks == forks);
  return result;
}
