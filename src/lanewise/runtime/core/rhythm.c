// SPDX-License-Identifier: Apache-2.0
// Waits of workers for the next launch, by how soon the launches of a pool follow one another.
#include "core.h"

#include "rhythm.h"

#include <sched.h>

static const uint64_t LOST_NS = 50000; // between two looks at the clock: meanwhile another thread had the processor
static const uint64_t CROWDED_NS = 20000000; // for which workers don't spin for long after that

static uint64_t relaxed(atomic_ullong *number) { return atomic_load_explicit(number, memory_order_relaxed); }

static void relax(atomic_ullong *number, uint64_t value) {
  atomic_store_explicit(number, value, memory_order_relaxed);
}

// The time that workers spin from now on.
static uint64_t patience(lw_pool *pool, uint64_t now) {
  return now < relaxed(&pool->crowded_until) ? SPIN_NS : spin_for(relaxed(&pool->pause_ns), relaxed(&pool->took_ns));
}

// True if a worker that is woken for a launch is likely to be awake when the next one comes.
static bool stays_awake(lw_pool *pool, uint64_t now) { return relaxed(&pool->pause_ns) < patience(pool, now); }

// Notes that a launch begins for which workers are of use.
static void rhythm_begin(lw_pool *pool, uint64_t now) {
  uint64_t ended = relaxed(&pool->ended_ns);
  relax(&pool->pause_ns, mean_with(relaxed(&pool->pause_ns), now > ended ? now - ended : 0));
}

static void rhythm_end(lw_pool *pool, uint64_t now, uint64_t took) {
  relax(&pool->took_ns, mean_with(relaxed(&pool->took_ns), took));
  relax(&pool->ended_ns, now);
}

// Spins as `spin` does, and lets any other thread go first. If one did, workers of the pool don't spin for long, for a
// while.
static bool spin_politely(lw_pool *pool, atomic_uint *word, unsigned expected, uint64_t until) {
  for (uint64_t before = now_ns(); before < until;) {
    sched_yield();
    uint64_t now = now_ns();
    if (now - before > LOST_NS) {
      relax(&pool->crowded_until, now + CROWDED_NS);
      return atomic_load_explicit(word, memory_order_acquire) != expected;
    }
    before = now;
    if (spin(word, expected, now))
      return true;
  }
  return false;
}

// Waits for the next launch without sleep; whether there is one. `worked`: on the last one.
static bool await_launch(lw_pool *pool, unsigned generation, bool worked) {
  uint64_t start = now_ns();
  if (spin(&pool->generation, generation, start + SPIN_NS))
    return true;
  return worked && spin_politely(pool, &pool->generation, generation, start + patience(pool, start));
}
