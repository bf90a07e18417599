// SPDX-License-Identifier: Apache-2.0
// Doing the work of a queue of the host runtime: by its own thread, or by one that waits for it.
#include "host.h"

#include <stdlib.h>

static const size_t WORKER_STACK_BYTES = 8 << 20; // host functions are the user's

// Does the first work of the queue. The caller has set `running`, and has the lock; so it has afterwards. False in the
// child of a fork by the work itself: the queue is empty there.
static bool do_first(struct lw_queue *queue) {
  struct work *work = queue->first;
  unsigned forks = order.forks;
  bool failed = inherit_failure(queue);
  unlock_order();
  struct failure failure = {.number = work->number};
  if (failed)
    drop_work(work);
  else
    failure.result = run_work(queue, work, &failure);
  lock_order();
  if (order.forks != forks)
    return false;
  if (failure.result != LW_SUCCESS)
    queue->failure = failure;
  end_first(queue);
  return true;
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
    if (queue->first != NULL && !queue->running && block(queue)) {
      await_stir(queue);
      continue;
    }
    unsigned wanted = atomic_load(&queue->wanted);
    unlock_order();
    if (atomic_load(&order.single) || !spin(&queue->wanted, wanted, now_ns() + BRIEFLY_NS)) {
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
    if (queue->first != NULL && !queue->running)
      block(queue);
    ++queue->awaited;
    await_stir(queue);
    --queue->awaited;
  }
  if (queue->first != NULL || queue->destroyed)
    rouse(queue);
  unlock_order();
}
