// SPDX-License-Identifier: Apache-2.0
// Queues whose first work waits for that of others: each is in the list of one queue that it waits for. When work ends,
// only those queues are woken that can go on, out of perhaps a thousand.
#include "queue.h"

#include <limits.h>

// Wakes all threads that sleep on the queue, under the lock.
static void stir(struct lw_queue *queue) {
  atomic_fetch_add(&queue->wanted, 1);
  futex_wake(&queue->wanted, INT_MAX);
}

static void unblock(struct lw_queue *queue) {
  struct lw_queue *other = queue->blocked_on;
  if (other == NULL)
    return;
  struct lw_queue **place = &other->blocked;
  while (*place != queue)
    place = &(*place)->next_blocked;
  *place = queue->next_blocked;
  queue->blocked_on = queue->next_blocked = NULL;
}

// Puts a queue, which nobody works on, into the list of one that its first work waits for. False if the work is ready.
static bool block(struct lw_queue *queue) {
  const struct work *work = queue->first;
  for (uint32_t i = 0; i < work->num_after; ++i)
    if (!is_reached(&work->after[i])) {
      struct lw_queue *other = work->after[i].queue; // as long as the work is there
      if (queue->blocked_on == other)
        return true;
      unblock(queue);
      queue->blocked_on = other;
      queue->next_blocked = other->blocked;
      other->blocked = queue;
      return true;
    }
  unblock(queue);
  return false;
}

// Work of the queue has ended: wakes who waits for that, under the lock.
static void wake_blocked(struct lw_queue *queue) {
  if (queue->awaited > 0)
    stir(queue);
  for (struct lw_queue *each = queue->blocked, *next; each != NULL; each = next) {
    next = each->next_blocked;
    if (!block(each))
      stir(each);
  }
}

// Spins, then sleeps, until the queue is stirred or roused. The caller has the lock, and has it afterwards.
static void await_stir(struct lw_queue *queue) {
  unsigned wanted = atomic_load(&queue->wanted);
  unlock_order();
  if (atomic_load(&order.single) || !spin(&queue->wanted, wanted, now_ns() + BRIEFLY_NS))
    futex_wait(&queue->wanted, wanted, 0);
  lock_order();
}
