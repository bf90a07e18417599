// SPDX-License-Identifier: Apache-2.0
// Launches on pools whose workers' waits can be looked at, for tests.
#define _GNU_SOURCE
#include <sched.h>

static int yields; // of threads that wait for a launch
static int counted_yield(void) {
  __atomic_add_fetch(&yields, 1, __ATOMIC_RELAXED);
  return sched_yield();
}
#define sched_yield counted_yield

#include "../../src/lanewise/runtime/core/core.c"

static atomic_uint together;

static void nothing(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz) {
  (void)launch, (void)arena, (void)gx, (void)gy, (void)gz;
}

// Two work-groups on two threads wait for each other.
static void wait_for_two(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz) {
  nothing(launch, arena, gx, gy, gz);
  atomic_fetch_add(&together, 1);
  while (atomic_load(&together) < 2)
    continue;
}

static void launch(lw_pool *pool, lw_group_fn function, uint32_t groups, uint32_t most_threads) {
  lw_request request = {.function = function, .grid = {groups, 1, 1}, .block = {1, 1, 1}};
  request.flags = most_threads << LW_MOST_THREADS;
  int64_t id = lw_start(pool, &request, "");
  if (id == 0)
    return;
  while (!lw_resume(pool, id, UINT64_MAX))
    continue;
  lw_release(pool, id);
}

// The mean pause of a new pool of two threads after many launches that at most so many threads work on, ns.
LW_EXPORT uint64_t pause_after(uint64_t most_threads) {
  lw_pool *pool = lw_pool_create(2);
  for (int i = 0; i < 40; ++i)
    launch(pool, nothing, 1 << 16, (uint32_t)most_threads);
  return atomic_load(&pool->pause_ns);
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){0, ms * 1000000}, NULL); }

static void await_sleep(lw_pool *pool) {
  while (atomic_load(&pool->sleepers) == 0)
    sleep_ms(1);
  sleep_ms(1);
}

// The times that a worker yields which has worked, slept, and is woken for nothing while launches follow one another.
LW_EXPORT uint64_t yields_after_sleep(void) {
  lw_pool *pool = lw_pool_create(2);
  launch(pool, wait_for_two, 2, 2);
  await_sleep(pool);
  atomic_store(&pool->crowded_until, 0);
  atomic_store(&pool->pause_ns, 140000);
  atomic_store(&pool->took_ns, 100000);
  __atomic_store_n(&yields, 0, __ATOMIC_RELAXED);
  atomic_fetch_add(&pool->generation, 1);
  futex_wake(&pool->generation, 1);
  sleep_ms(20);
  await_sleep(pool);
  return (uint64_t)__atomic_load_n(&yields, __ATOMIC_RELAXED);
}
