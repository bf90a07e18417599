// SPDX-License-Identifier: Apache-2.0
// The first work of a queue: whether it can be done, what it inherits, and its end.
#include "queue.h"

#include <stdlib.h>

// Whether the queue has work that can be done now, and nobody does it. Under the lock.
static bool has_ready_work(const struct lw_queue *queue) {
  return queue->first != NULL && !queue->running && is_ready(queue->first);
}

// The failure that the work inherits: of its queue, or of another that it comes after. Under the lock.
static const struct failure *inherited(const struct lw_queue *queue, const struct work *work) {
  if (queue->failure.result != LW_SUCCESS)
    return &queue->failure;
  for (uint32_t i = 0; i < work->num_after; ++i) {
    if (work->after[i].order_only)
      continue;
    const struct failure *other = &work->after[i].queue->failure;
    if (other->result != LW_SUCCESS && other->number <= work->after[i].number)
      return other;
  }
  return NULL;
}

// Under the lock.
static void clear_failure(struct lw_queue *queue) {
  fault_release(queue->failure.fault);
  free(queue->failure.status);
  queue->failure = (struct failure){0};
}

static void take_over_failure(struct failure *to, const struct failure *from, uint64_t number) {
  *to = (struct failure){from->result, from->returned, number, fault_keep(from->fault), from->kernel, NULL};
  to->status = from->status != NULL ? malloc(sizeof *to->status) : NULL;
  if (to->status != NULL)
    *to->status = *from->status;
}

// Takes the first work, which has been done, out of the queue. The caller has the lock, and has it afterwards.
static void end_first(struct lw_queue *queue) {
  struct work *work = queue->first;
  queue->first = work->following;
  if (queue->first == NULL)
    queue->last = NULL;
  queue->running = false;
  atomic_store(&queue->done, work->number);
  wake_blocked(queue);
  unlock_order();
  announce_progress();
  work_free(work);
  lock_order();
}

// Lets the queue fail with what its first work inherits, if anything; whether it has failed. Under the lock.
static bool inherit_failure(struct lw_queue *queue) {
  const struct failure *before = inherited(queue, queue->first);
  if (before != NULL && before != &queue->failure)
    take_over_failure(&queue->failure, before, queue->first->number);
  return before != NULL;
}
