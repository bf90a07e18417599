// SPDX-License-Identifier: Apache-2.0
// Trials: of two codes of a kernel with the same results, the clock chooses the one that later work-groups run by.
//
// At first there is one code, and its time is added up, so that the host knows whether the launches are long enough to
// compile a second one. When that is there, batches of work-groups take turns: first, second, second, first, and so on,
// over all threads and launches, so that neighbours run by both. A turn counts by the processor time of its thread.
// After enough of it the code with less time per work-group is kept.
#include "core.h"

static const uint64_t ENOUGH_NS = 6000000; // for both together
enum {
  COLD_TURNS = 4,    // at the start, which don't count: code and data come into the caches
  ENOUGH_TURNS = 3,  // of each that count
};

// A batch of work-groups, and the code that runs it.
struct turn {
  lw_group_fn function;
  uint32_t side; // 0: the first code, 1: the second
  bool counts;
  uint64_t began; // by the thread's processor time
};

static uint32_t state_of(const lw_trial *trial) { return __atomic_load_n(&trial->state, __ATOMIC_ACQUIRE); }

static void call_host(lw_trial *trial) { __atomic_store_n(&trial->asks, 1, __ATOMIC_RELEASE); }

static uint64_t add(uint64_t *sum, uint64_t more) { return __atomic_add_fetch(sum, more, __ATOMIC_RELAXED); }

// The arena that the slot's launch needs for the second code, if there is one.
static uint64_t arena_of_second(const struct slot *slot) {
  const lw_trial *trial = slot->trial;
  uint32_t state = trial != NULL ? state_of(trial) : LW_TRIAL_WATCHES;
  bool may_run = state == LW_TRIAL_TRIES || state == LW_TRIAL_SECOND;
  return may_run ? trial->arena_bytes + slot->launch.dynamic_shared : 0;
}

// The code that is to run the next batch.
static struct turn turn_begin(struct slot *slot) {
  struct turn turn = {.function = atomic_load_explicit(&slot->function, memory_order_relaxed)};
  lw_trial *trial = slot->trial;
  uint32_t state = trial != NULL ? state_of(trial) : LW_TRIAL_WATCHES;
  // A launch that began before the second code was there may have too small an arena for it.
  if ((state != LW_TRIAL_TRIES && state != LW_TRIAL_SECOND) || arena_of_second(slot) > slot->arena_bytes)
    return turn;
  turn.side = 1;
  if (state == LW_TRIAL_TRIES) {
    uint32_t number = __atomic_fetch_add(&trial->turns, 1, __ATOMIC_RELAXED);
    turn.side = (number ^ number >> 1) & 1;
    turn.counts = number >= COLD_TURNS;
    turn.began = turn.counts ? thread_ns() : 0;
  }
  if (turn.side)
    turn.function = trial->second;
  return turn;
}

// Counts a turn of `count` work-groups, and chooses after the last.
static void turn_end(struct slot *slot, const struct turn *turn, uint32_t count) {
  if (!turn->counts)
    return;
  lw_trial *trial = slot->trial;
  add(&trial->groups[turn->side], count);
  __atomic_add_fetch(&trial->counted[turn->side], 1, __ATOMIC_RELAXED);
  add(&trial->ns[turn->side], thread_ns() - turn->began);
  double ns[2], groups[2];
  for (int side = 0; side < 2; ++side) {
    ns[side] = (double)add(&trial->ns[side], 0);
    groups[side] = (double)add(&trial->groups[side], 0);
    if (__atomic_load_n(&trial->counted[side], __ATOMIC_RELAXED) < ENOUGH_TURNS)
      return;
  }
  if (ns[0] + ns[1] < (double)ENOUGH_NS)
    return;
  uint32_t tries = LW_TRIAL_TRIES;
  uint32_t faster = ns[1] * groups[0] < ns[0] * groups[1] ? LW_TRIAL_SECOND : LW_TRIAL_FIRST;
  if (__atomic_compare_exchange_n(&trial->state, &tries, faster, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    call_host(trial);
}

// Adds up what work-groups take while there is no second code.
static void watch_time(struct slot *slot, uint64_t took_ns) {
  lw_trial *trial = slot->trial;
  if (trial == NULL || state_of(trial) != LW_TRIAL_WATCHES)
    return;
  uint64_t watched = add(&trial->watched_ns, took_ns), before = watched - took_ns;
  if (watched >= trial->long_ns && (before == 0 || before < trial->long_ns))
    call_host(trial);
}

void lw_trial_begin(lw_trial *trial, lw_group_fn second, uint64_t arena_bytes) {
  trial->second = second;
  trial->arena_bytes = arena_bytes;
  __atomic_store_n(&trial->state, LW_TRIAL_TRIES, __ATOMIC_RELEASE);
}
