// SPDX-License-Identifier: Apache-2.0
// Queues: made, linked in the list of all, and given work.
#include "queue.h"

#include <stdlib.h>

// A queue for work that the host does itself, in order with all blocking queues: the default stream of one thread.
enum { QUEUE_ORIGIN = 1 << 16 };

// In the child of a fork: no thread is left, and nothing of what was to be done is.
static void forget_queues(void) {
  pthread_mutex_init(&order.lock, NULL);
  atomic_store(&order.waiters, 0);
  in_function = false;
  ++order.forks;
  for (struct lw_queue *queue = order.queues; queue != NULL; queue = queue->following) {
    queue->first = queue->last = NULL;
    queue->running = queue->has_thread = false;
    queue->failure = (struct failure){0};
    atomic_store(&queue->asleep, 0);
    queue->awaited = 0;
    queue->blocked_on = queue->blocked = queue->next_blocked = NULL;
    atomic_store(&queue->done, queue->added);
  }
}

// Null where memory is short.
static struct lw_queue *queue_make(uint32_t flags) {
  struct lw_queue *queue = calloc(1, sizeof *queue);
  if (queue == NULL)
    return NULL;
  atomic_store(&queue->users, 1);
  queue->flags = flags;
  lock_order();
  atomic_store(&order.single, processors() == 1);
  queue->following = order.queues;
  if (order.queues != NULL)
    order.queues->preceding = queue;
  order.queues = queue;
  unlock_order();
  return queue;
}

static void unlink_queue(struct lw_queue *queue) {
  unblock(queue);
  if (queue->following != NULL)
    queue->following->preceding = queue->preceding;
  *(queue->preceding != NULL ? &queue->preceding->following : &order.queues) = queue->following;
}

static bool is_origin(const struct lw_queue *queue) { return queue == order.origin || queue->flags & QUEUE_ORIGIN; }

// Lets the work come after the present work of those queues that are in order with this one.
static bool order_work(struct lw_queue *queue, struct work *work) {
  if (queue->flags & LW_NON_BLOCKING)
    return true;
  bool is_default = is_origin(queue);
  for (struct lw_queue *other = order.queues; other != NULL; other = other->following) {
    bool ordered = other != queue && !(other->flags & LW_NON_BLOCKING) && is_default != is_origin(other);
    bool pending = atomic_load(&other->done) < other->added || other->failure.result != LW_SUCCESS;
    if (ordered && pending && !work_after(work, other, other->added, false))
      return false;
  }
  return true;
}

// Adds work at the end of the queue, in order with the others; it takes the work over. Under the lock. False where memory
// is short, and then the work is the caller's.
static bool append_work(struct lw_queue *queue, struct work *work) {
  if (!order_work(queue, work))
    return false;
  work->number = ++queue->added;
  if (work->kind == WORK_MARK)
    work->mark->place.number = work->number;
  *(queue->last != NULL ? &queue->last->following : &queue->first) = work;
  queue->last = work;
  return true;
}
