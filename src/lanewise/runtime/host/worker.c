// SPDX-License-Identifier: Apache-2.0
// Doing the work of a queue: by its own thread, or by one that waits for it.
#include "host.h"

#include <stdlib.h>

static const size_t WORKER_STACK_BYTES = 8 << 20; // host functions are the user's

// Whether the queue has work that can be done now, and nobody does it. Under the lock.
static bool has_ready_work(const struct lw_queue *queue) {
  return queue->first != NULL && !queue->running && is_ready(queue->first);
}

// The failure that the work inherits: of its queue, or of another that it comes after. Under the lock.
static const struct failure *inherited(const struct lw_queue *queue, const struct work *work) {
  if (queue->failure.result != LW_SUCCESS)
    return &queue->failure;
  for (uint32_t i = 0; i < work->num_after; ++i) {
    const struct failure *other = &work->after[i].queue->failure;
    if (other->result != LW_SUCCESS && other->number <= work->after[i].number)
      return other;
  }
  return NULL;
}

static void take_over_failure(struct failure *to, const struct failure *from, uint64_t number) {
  *to = (struct failure){from->result, from->returned, number, from->kernel, NULL};
  to->status = from->status != NULL ? malloc(sizeof *to->status) : NULL;
  if (to->status != NULL)
    *to->status = *from->status;
}

// Does the first work of the queue. The caller has set `running`, and has the lock; so it has afterwards. False in the
// child of a fork by the work itself: the queue is empty there.
static bool do_first(struct lw_queue *queue) {
  struct work *work = queue->first;
  unsigned forks = order.forks;
  const struct failure *before = inherited(queue, work);
  if (before != NULL && before != &queue->failure)
    take_over_failure(&queue->failure, before, work->number);
  unlock_order();
  struct failure failure = {.number = work->number};
  if (before != NULL)
    drop_work(work);
  else
    failure.result = run_work(queue, work, &failure);
  lock_order();
  if (order.forks != forks)
    return false;
  if (failure.result != LW_SUCCESS)
    queue->failure = failure;
  queue->first = work->following;
  if (queue->first == NULL)
    queue->last = NULL;
  queue->running = false;
  atomic_store(&queue->done, work->number);
  unlock_order();
  announce_progress();
  work_free(work);
  lock_order();
  return true;
}

static void unlink_queue(struct lw_queue *queue) {
  if (queue->following != NULL)
    queue->following->preceding = queue->preceding;
  *(queue->preceding != NULL ? &queue->preceding->following : &order.queues) = queue->following;
}

static void *queue_main(void *argument) {
  struct lw_queue *queue = argument;
  prepare_thread();
  lock_order();
  while (queue->first != NULL || !queue->destroyed) {
    if (has_ready_work(queue)) {
      queue->running = true;
      if (do_first(queue))
        continue;
      unlock_order();
      return NULL;
    }
    bool waits_for_others = queue->first != NULL && !queue->running;
    unsigned progress = atomic_load(&order.progress), wanted = atomic_load(&queue->wanted);
    unlock_order();
    if (waits_for_others) {
      await_progress(progress);
    } else if (shared.single || !spin(&queue->wanted, wanted, now_ns() + BRIEFLY_NS)) {
      // Dekker's argument: either who adds work sees this sleeper, or the futex sees that work was added.
      atomic_store(&queue->asleep, 1);
      futex_wait(&queue->wanted, wanted, 0);
      atomic_store(&queue->asleep, 0);
    }
    lock_order();
  }
  unlink_queue(queue);
  unlock_order();
  queue_release(queue);
  return NULL;
}

// Starts the queue's thread, under the lock.
static bool start_queue(struct lw_queue *queue) {
  if (queue->has_thread)
    return true;
  sigset_t ours;
  our_signals(&ours);
  queue_keep(queue);
  queue->has_thread = start_thread(queue_main, queue, &ours, WORKER_STACK_BYTES);
  if (!queue->has_thread)
    queue_release(queue);
  return queue->has_thread;
}

// Waits until the queue has done its work up to `number`, and does it where nobody else does.
static void await_queue(struct lw_queue *queue, uint64_t number) {
  if (atomic_load(&queue->done) >= number)
    return;
  if (!thread_is_ready)
    prepare_thread();
  lock_order();
  while (atomic_load(&queue->done) < number) {
    if (has_ready_work(queue)) {
      queue->running = true;
      do_first(queue);
      continue;
    }
    unsigned progress = atomic_load(&order.progress);
    unlock_order();
    await_progress(progress);
    lock_order();
  }
  if (queue->first != NULL || queue->destroyed)
    rouse(queue);
  unlock_order();
}
