// SPDX-License-Identifier: Apache-2.0
// One thread steps through the work-groups of a launch.
#include "core.h"

enum {
  BATCH = 64,          // work-groups between two looks at the clock: 25 ns
  LARGEST_CHUNK = 1024 // work-groups claimed at once
};

// A chunk that took less is too small: threads that stream through memory are a tenth faster when each goes on for a
// while where it is.
static const uint64_t CHUNK_NS = 200000;

static void set_group(struct runner *runner, uint32_t x, uint32_t y, uint32_t z) {
  runner->group[0] = x;
  runner->group[1] = y;
  runner->group[2] = z;
  runner->position.known = 0;
}

// Runs `count` work-groups from linear index `first` on, x fastest, by `function`, unless the launch stops.
static void run_batch(struct runner *runner, lw_group_fn function, uint64_t first, uint32_t count) {
  const lw_launch *launch = &runner->launch;
  struct slot *slot = runner->slot;
  runner->function = function;
  uint32_t x = (uint32_t)(first % launch->grid[0]);
  uint64_t row = first / launch->grid[0];
  uint32_t y = (uint32_t)(row % launch->grid[1]);
  uint32_t z = (uint32_t)(row / launch->grid[1]);
  for (; count > 0; --count) {
    if (atomic_load_explicit(&slot->stop, memory_order_relaxed))
      return;
    set_group(runner, x, y, z);
    function(launch, runner->arena, x, y, z);
    if (++x == launch->grid[0]) {
      x = 0;
      if (++y == launch->grid[1]) {
        y = 0;
        ++z;
      }
    }
  }
}

// Claims the next work-groups; false where all are claimed. The counter may pass `total`, by a chunk a thread.
static bool claim_more(struct slot *slot, uint32_t threads, struct claim *claim) {
  uint64_t taken = atomic_load_explicit(&slot->next, memory_order_relaxed);
  if (taken >= slot->total)
    return false;
  uint64_t fair = (slot->total - taken) / (2 * (uint64_t)threads);
  uint64_t chunk = claim->chunk < fair ? claim->chunk : fair > 0 ? fair : 1;
  claim->next = atomic_fetch_add_explicit(&slot->next, chunk, memory_order_relaxed);
  claim->end = claim->next + chunk < slot->total ? claim->next + chunk : slot->total;
  return claim->next < slot->total;
}

// The body of a runner: runs work-groups until none is left to claim or the launch stops, and goes away when the
// clock passes the deadline.
static void run_groups(struct runner *runner) {
  struct slot *slot = runner->slot;
  struct claim *claim = &runner->claim;
  uint64_t chunk_start = now_ns();
  while (claim->next < claim->end || claim_more(slot, runner->threads, claim)) {
    uint64_t left = claim->end - claim->next;
    uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
    struct turn turn = turn_begin(slot);
    run_batch(runner, turn.function, claim->next, count);
    claim->next += count;
    if (runner_stops(runner))
      return;
    turn_end(slot, &turn, count);
    uint64_t now = now_ns();
    if (claim->next == claim->end) {
      watch_time(slot, now - chunk_start);
      if (now - chunk_start < CHUNK_NS && claim->chunk < LARGEST_CHUNK)
        claim->chunk *= 2;
      chunk_start = now;
    }
    if (now >= runner->deadline)
      runner_leave(runner, AWAY);
  }
}

// Gives the runner a fresh start on the launch of the slot; it has a stack and an arena.
static void begin_groups(struct runner *runner, struct slot *slot, uint32_t threads, uint64_t deadline) {
  runner_prepare(runner, slot, run_groups);
  add_to(&runner->waiting.changes); // somebody new works on the launch
  runner->claim = (struct claim){.chunk = 1};
  runner->threads = threads;
  runner->deadline = deadline;
}
