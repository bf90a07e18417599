// SPDX-License-Identifier: Apache-2.0
// The order among queues: the one lock under which work is added and ends, and waiting for it.
#include "queue.h"

#include <sched.h>
#include <stdlib.h>

static const uint64_t BRIEFLY_NS = 20000; // that a thread spins before it sleeps

static unsigned processors(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : (unsigned)count;
}

static struct {
  pthread_mutex_t lock;
  struct lw_queue *queues; // all, newest first
  struct lw_queue *origin; // the default queue, null before its first use
  atomic_uint progress;    // changes when work ends; a futex
  atomic_uint waiters;     // threads that sleep on it
  atomic_bool single;      // one processor: nobody spins
  unsigned forks;          // that led to this process: what a thread began before one is not to be ended after it
} order = {.lock = PTHREAD_MUTEX_INITIALIZER};

// True in a thread while it runs a host function.
static _Thread_local bool in_function __attribute__((tls_model("initial-exec")));

static void lock_order(void) { pthread_mutex_lock(&order.lock); }
static void unlock_order(void) { pthread_mutex_unlock(&order.lock); }

static void queue_keep(struct lw_queue *queue) { atomic_fetch_add(&queue->users, 1); }

static void queue_release(struct lw_queue *queue) {
  if (queue == NULL || atomic_fetch_sub(&queue->users, 1) != 1)
    return;
  fault_release(queue->failure.fault);
  free(queue->failure.status);
  free(queue->captured_after);
  free(queue);
}

static bool is_reached(const struct place *place) {
  return place->queue == NULL || atomic_load(&place->queue->done) >= place->number;
}

static void announce_progress(void) {
  atomic_fetch_add(&order.progress, 1);
  if (atomic_load(&order.waiters) > 0)
    futex_wake(&order.progress, INT_MAX);
}

// Spins, then sleeps, until some work has ended since `seen` was the count, or for some `timeout` ns (0: without bound).
static void await_progress(unsigned seen, uint64_t timeout) {
  if (!atomic_load(&order.single) && spin(&order.progress, seen, now_ns() + BRIEFLY_NS))
    return;
  atomic_fetch_add(&order.waiters, 1);
  futex_wait(&order.progress, seen, timeout);
  atomic_fetch_sub(&order.waiters, 1);
}

// Wakes the queue's thread, under the lock or not.
static void rouse(struct lw_queue *queue) {
  atomic_fetch_add(&queue->wanted, 1);
  if (atomic_load(&queue->asleep))
    futex_wake(&queue->wanted, 1);
}
