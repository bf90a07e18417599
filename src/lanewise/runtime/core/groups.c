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

// Runs `count` work-groups from linear index `first` on, x fastest or y, by `function`, unless the launch stops.
static void run_batch(struct runner *runner, lw_group_fn function, uint64_t first, uint32_t count) {
  const lw_launch *launch = &runner->launch;
  struct slot *slot = runner->slot;
  runner->function = function;
  bool along_y = launch->flags & LW_ALONG_Y;
  uint32_t in_line = launch->grid[along_y], lines = launch->grid[!along_y];
  uint32_t place = (uint32_t)(first % in_line);
  uint32_t line = (uint32_t)(first / in_line % lines);
  uint32_t z = (uint32_t)(first / in_line / lines);
  for (; count > 0; --count) {
    if (atomic_load_explicit(&slot->stop, memory_order_relaxed))
      return;
    uint32_t x = along_y ? line : place, y = along_y ? place : line;
    set_group(runner, x, y, z);
    function(launch, runner->arena, x, y, z);
    if (++place == in_line) {
      place = 0;
      if (++line == lines) {
        line = 0;
        ++z;
      }
    }
  }
}

// Launches that are likely to take less give each thread a range of work-groups to begin with, the same each time. What
// a thread has read or written is then in its processor's own caches when the launch is repeated.
static const uint64_t SHARED_OUT_NS = 2000000;

// Makes the shares of a launch that up to `threads` threads work on.
static void share_out(struct slot *slot, uint32_t threads) {
  uint32_t count = threads < MAX_SHARES ? threads : MAX_SHARES;
  if (slot->expected_ns >= SHARED_OUT_NS || slot->total < 2 * (uint64_t)threads || slot->crew.memory != NULL)
    count = 1;
  slot->share_count = count;
  for (uint32_t index = 0; index < count; ++index) {
    slot->shares[index].end = slot->total * (index + 1) / count;
    atomic_store_explicit(&slot->shares[index].next, slot->total * index / count, memory_order_relaxed);
  }
}

static bool has_unclaimed(const struct slot *slot) {
  for (uint32_t index = 0; index < slot->share_count; ++index)
    if (atomic_load_explicit(&slot->shares[index].next, memory_order_relaxed) < slot->shares[index].end)
      return true;
  return false;
}

// Claims the next work-groups of a share; false where all are claimed. The counter may pass the end, by a chunk per
// thread. `fraction`: of what is left, one in so many at most.
static bool claim_of(struct share *share, uint64_t fraction, struct claim *claim) {
  uint64_t taken = atomic_load_explicit(&share->next, memory_order_relaxed);
  if (taken >= share->end)
    return false;
  uint64_t fair = (share->end - taken) / fraction;
  uint64_t chunk = claim->chunk < fair ? claim->chunk : fair > 0 ? fair : 1;
  claim->next = atomic_fetch_add_explicit(&share->next, chunk, memory_order_relaxed);
  claim->end = claim->next + chunk < share->end ? claim->next + chunk : share->end;
  return claim->next < share->end;
}

// Claims the next work-groups: of the thread's own share, then of the first that has any. The launching thread, whose
// share is the first, so runs the earliest that nobody has claimed, and work-groups may wait for earlier ones. False
// where all are claimed.
static bool claim_more(struct slot *slot, uint32_t threads, struct claim *claim) {
  if (slot->share_count == 1)
    return claim_of(&slot->shares[0], 2 * (uint64_t)threads, claim);
  uint64_t sharers = threads / slot->share_count + 1;
  if (claim_of(&slot->shares[claim->share], 2 * sharers, claim))
    return true;
  for (uint32_t index = 0; index < slot->share_count; ++index)
    if (claim_of(&slot->shares[index], 2 * (uint64_t)threads, claim))
      return true;
  return false;
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

// Gives the runner a fresh start on the launch of the slot; it has a stack and an arena. `thread`: that runs it, of
// `threads` threads.
static void begin_groups(struct runner *runner, struct slot *slot, uint32_t threads, uint32_t thread,
                         uint64_t deadline) {
  runner_prepare(runner, slot, run_groups);
  add_to(&runner->waiting.changes); // somebody new works on the launch
  runner->claim = (struct claim){.chunk = 1, .share = thread % slot->share_count};
  runner->threads = threads;
  runner->deadline = deadline;
}
