// SPDX-License-Identifier: Apache-2.0
// Pieces of work, of whatever kind, and marks: made, ordered, given up.
#include "queue.h"

#include <stdlib.h>

// Releases what work of a kind holds. A unit defines it for the kinds that it has.
static void free_payload(struct work *work);

static void mark_release(struct mark *mark) {
  if (atomic_fetch_sub(&mark->users, 1) == 1) {
    fault_release(mark->fault);
    queue_release(mark->place.queue);
    free(mark);
  }
}

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
  else
    free_payload(work);
  free(work);
}

// A mark of the end of the queue's present work, for its caller and for `work`, which is to be added next. False where
// memory is short.
static bool mark_make(struct lw_queue *queue, struct mark **mark, struct work **work) {
  *mark = calloc(1, sizeof **mark);
  *work = *mark != NULL ? work_make(WORK_MARK, 0) : NULL;
  if (*work == NULL) {
    free(*mark);
    return false;
  }
  queue_keep(queue);
  (*mark)->place.queue = queue;
  atomic_store(&(*mark)->users, 2);
  (*work)->mark = *mark;
  return true;
}

// Lets the work start only after `number` of `queue`, and fail with it unless `order_only`. False where memory is short.
static bool work_after(struct work *work, struct lw_queue *queue, uint64_t number, bool order_only) {
  struct place *after = realloc(work->after, (work->num_after + 1) * sizeof *after);
  if (after == NULL) {
    explain(LW_NO_MEMORY, "no memory for the order of queues");
    return false;
  }
  queue_keep(queue);
  work->after = after;
  work->after[work->num_after++] = (struct place){queue, number, order_only};
  return true;
}

static bool is_ready(const struct work *work) {
  for (uint32_t i = 0; i < work->num_after; ++i)
    if (!is_reached(&work->after[i]))
      return false;
  return true;
}
