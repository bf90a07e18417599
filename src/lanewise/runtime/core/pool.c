// SPDX-License-Identifier: Apache-2.0
// The threads of a pool: how they start, find work, spin, sleep, and are replaced after a fork.
#include "core.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t POKE_AGAIN_NS = 2000000;
enum { WAKEN = 2 }; // threads that one thread wakes: the others are woken by those, as a tree

static void wake_some(lw_pool *pool, uint64_t wanted) {
  if (wanted > 0 && atomic_load(&pool->sleepers) > 0)
    futex_wake(&pool->generation, wanted < WAKEN ? (int)wanted : WAKEN);
}

// The threads that work on a launch at most.
static uint32_t threads_of(lw_pool *pool, const struct slot *slot) {
  uint32_t threads = atomic_load_explicit(&pool->threads, memory_order_relaxed);
  return threads < slot->most_threads ? threads : slot->most_threads;
}

// The workers that a launch has a use for.
static uint64_t most_helpers(const struct slot *slot) {
  uint64_t others = slot->total - 1;
  return others < slot->most_threads - 1 ? others : slot->most_threads - 1;
}

// Runs work-groups of a plain launch. Where memory is short this thread doesn't help, and the answer is false; the
// launching thread has its arena.
static bool work(struct worker *worker, struct slot *slot) {
  if (!scratch_reserve(&worker->arena, slot->arena_bytes))
    return false;
  worker->runner.arena = worker->arena.data;
  begin_groups(&worker->runner, slot, threads_of(worker->pool, slot), worker->index, UINT64_MAX);
  runner_run(&worker->runner);
  return true;
}

// Works on the slot's launch, if it has work; whether it had.
static bool help(struct worker *worker, struct slot *slot, bool slept) {
  if (!atomic_load_explicit(&slot->open, memory_order_relaxed))
    return false;
  atomic_store(&worker->helping, (uintptr_t)slot);
  unsigned before = atomic_fetch_add(&slot->helpers, 1);
  bool had_work = atomic_load(&slot->open) && before < slot->most_threads - 1 && !atomic_load(&slot->stop) &&
                  has_unclaimed(slot);
  if (had_work) {
    if (slept)
      wake_some(worker->pool, WAKEN);
    had_work = slot->crew.memory != NULL ? run_crew(slot, &(struct queue){0}, UINT64_MAX) : work(worker, slot);
  }
  atomic_store(&worker->helping, 0);
  if (atomic_fetch_sub(&slot->helpers, 1) == 1 && atomic_load(&slot->awaited))
    futex_wake(&slot->helpers, 1);
  return had_work;
}

static void *worker_main(void *argument) {
  struct worker *worker = argument;
  lw_pool *pool = worker->pool;
  prepare_thread();
  atomic_store(&worker->id, thread_id);
  bool slept = false, worked = false; // since it last waited
  for (;;) {
    // In this order: who sees the generation that lw_pool_set_threads made, sees its number of threads.
    unsigned generation = atomic_load(&pool->generation);
    unsigned threads = atomic_load(&pool->threads);
    if (worker->index >= threads) {
      futex_wait(&pool->threads, threads, 0);
      continue;
    }
    bool had_work = false;
    for (int i = 0; i < MAX_LAUNCHES; ++i)
      had_work |= help(worker, &pool->slots[i], slept);
    slept = false;
    if (had_work) {
      worked = true;
      continue;
    }
    if (await_launch(pool, generation, worked)) {
      worked = false;
      continue;
    }
    // Dekker's argument: either the opener of a slot sees this sleeper, or the futex sees the new generation.
    atomic_fetch_add(&pool->sleepers, 1);
    futex_wait(&pool->generation, generation, 0);
    atomic_fetch_sub(&pool->sleepers, 1);
    slept = true;
    worked = false;
  }
  return NULL;
}

static struct worker *worker_create(lw_pool *pool, uint32_t index) {
  struct worker *worker = calloc(1, sizeof *worker);
  if (worker == NULL)
    return NULL;
  *worker = (struct worker){.pool = pool, .index = index, .runner.stack = stack_map()};
  if (worker->runner.stack.top == NULL) {
    free(worker);
    return NULL;
  }
  return worker;
}

// Starts the threads that are missing, or as many as the system allows. They take no signals but our own.
static void start_workers(lw_pool *pool) {
  sigset_t ours;
  our_signals(&ours);
  pthread_mutex_lock(&pool->starting);
  for (uint32_t index = atomic_load(&pool->started) + 1; index < atomic_load(&pool->threads); ++index) {
    struct worker *worker = worker_create(pool, index);
    if (worker == NULL)
      break;
    atomic_store(&pool->workers[index], worker);
    if (!start_thread(worker_main, worker, &ours, SMALL_STACK_BYTES)) {
      atomic_store(&pool->workers[index], NULL);
      stack_unmap(&worker->runner.stack);
      free(worker);
      break;
    }
    atomic_store(&pool->started, index);
  }
  pthread_mutex_unlock(&pool->starting);
}

// A launch that takes less is over sooner if no worker that spins joins it.
static const uint64_t JOIN_NS = 5000;
// The same of workers that sleep: to wake one and to wait for it takes as long. If launches follow each other so soon
// that workers spin in between, they are woken for less: that is once for many.
static const uint64_t WAKE_NS = 50000;

// Lets workers join the launch in `slot`; wakes those that sleep, unless it will be over before they are awake.
static void pool_open(lw_pool *pool, struct slot *slot, uint32_t threads) {
  if (atomic_load_explicit(&pool->started, memory_order_relaxed) + 1 < threads)
    start_workers(pool);
  atomic_store(&slot->open, 1);
  atomic_fetch_add(&pool->generation, 1);
  if (slot->wakes)
    wake_some(pool, most_helpers(slot));
}

// Lets no further worker join, and waits for those that have, until `deadline`; whether all have left. Those whose
// launch has stopped are poked until they do.
static bool pool_close(lw_pool *pool, struct slot *slot, uint64_t deadline) {
  atomic_store(&slot->open, 0);
  unsigned helpers = atomic_load(&slot->helpers);
  if (helpers == 0)
    return true;
  uint64_t spin_end = now_ns() + SPIN_NS;
  while ((helpers = atomic_load(&slot->helpers)) != 0) {
    uint64_t now = now_ns();
    if (now >= deadline)
      return false;
    uint64_t wait = deadline - now;
    if (atomic_load(&slot->stop)) {
      poke_helpers(pool, slot);
      wait = wait < POKE_AGAIN_NS ? wait : POKE_AGAIN_NS;
    }
    if (spin(&slot->helpers, helpers, spin_end < deadline ? spin_end : deadline))
      continue;
    atomic_store(&slot->awaited, 1);
    helpers = atomic_load(&slot->helpers);
    if (helpers != 0)
      futex_wait(&slot->helpers, helpers, wait);
    atomic_store(&slot->awaited, 0);
  }
  return true;
}

// In the child of a fork only the forking thread exists, and it is in no launch.
static void forget_threads(void) {
  atomic_store(&watch, WATCH_MISSING);
  thread_is_ready = false; // it has a new id
  for (lw_pool *pool = atomic_load(&all_pools); pool != NULL; pool = pool->following) {
    atomic_store(&pool->started, 0);
    atomic_store(&pool->sleepers, 0);
    memset(pool->workers, 0, sizeof pool->workers);
    pthread_mutex_init(&pool->starting, NULL);
    for (int i = 0; i < MAX_LAUNCHES; ++i) {
      struct slot *slot = &pool->slots[i];
      // A thread that doesn't exist any more was at work here: what it has allocated may be half changed.
      if (atomic_load(&slot->owner) != 0) {
        slot->args = slot->arena = (struct scratch){0};
        slot->output = (struct output){0};
        crew_unmap(slot);
      }
      pthread_mutex_init(&slot->output.lock, NULL);
      atomic_store(&slot->open, 0);
      atomic_store(&slot->helpers, 0);
      atomic_store(&slot->deadline, 0);
      atomic_store(&slot->owner, 0);
    }
  }
}

lw_pool *lw_pool_create(uint32_t threads) {
  void *memory = NULL;
  if (posix_memalign(&memory, CACHE_LINE, sizeof(lw_pool)) != 0)
    return NULL;
  lw_pool *pool = memset(memory, 0, sizeof(lw_pool));
  pthread_mutex_init(&pool->starting, NULL);
  for (int i = 0; i < MAX_LAUNCHES; ++i)
    pthread_mutex_init(&pool->slots[i].output.lock, NULL);
  atomic_store(&pool->pause_ns, PAUSE_MOST_NS);
  lw_pool_set_threads(pool, threads);
  lw_pool *first = atomic_load(&all_pools);
  do
    pool->following = first;
  while (!atomic_compare_exchange_weak(&all_pools, &first, pool));
  if (first == NULL)
    __register_atfork(NULL, NULL, forget_threads, NULL);
  return pool;
}

void lw_pool_set_threads(lw_pool *pool, uint32_t threads) {
  atomic_store(&pool->threads, threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : threads);
  atomic_fetch_add(&pool->generation, 1);
  futex_wake(&pool->threads, INT_MAX);
  futex_wake(&pool->generation, INT_MAX); // so that none beyond the number takes a wake-up of the others
}
