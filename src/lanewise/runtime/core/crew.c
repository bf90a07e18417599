// SPDX-License-Identifier: Apache-2.0
// Cooperative launches: all work-groups are there at once, each on a stack of its own, and wait for one another.
//
// Between two synchronisations the work-groups are handed out by the same counter as those of a plain launch, so
// any thread may go on with any of them. One that gave its thread away while it could run, or had it taken away
// because it spins, stays with that thread, in a queue: what a signal handler has interrupted goes on only there.
#include "core.h"

#include <stdio.h>
#include <sys/mman.h>

enum { CREW_GUARD_BYTES = 64 << 10, PAGE = 4096 };
enum { WAITING_BITS = 32 };
static const uint64_t ONE_ENDED = (uint64_t)1 << WAITING_BITS;

static size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// Each work-group has: guard | stack | runner | margin | arena | margin. False where memory is short or the bound is
// passed.
static bool crew_map(struct slot *slot) {
  size_t runner = round_up(sizeof(struct runner), ARENA_MARGIN) + ARENA_MARGIN;
  size_t used = LW_CREW_STACK_BYTES + round_up(runner + slot->arena_bytes + ARENA_MARGIN, PAGE);
  size_t each = CREW_GUARD_BYTES + used;
  if (slot->arena_bytes > LW_CREW_BYTES || slot->total > LW_CREW_BYTES / (LW_CREW_STACK_BYTES + slot->arena_bytes))
    return false;
  size_t bytes = each * slot->total;
  char *memory =
      mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (uint64_t group = 0; group < slot->total; ++group) {
    char *low = memory + group * each + CREW_GUARD_BYTES;
    if (mprotect(low, used, PROT_READ | PROT_WRITE) != 0) {
      munmap(memory, bytes);
      return false;
    }
  }
  slot->crew.bytes = bytes;
  slot->crew.bytes_each = each;
  atomic_store(&slot->crew.reached, 0);
  atomic_store(&slot->crew.has_more, false);
  slot->turns = (struct queue){0};
  // Last: a child of a fork gives back what it finds.
  atomic_store_explicit(&slot->crew.memory, memory, memory_order_release);
  return true;
}

// Where the runner of a work-group is, or will be: its `slot` is null until it is made.
static struct runner *place_in(char *memory, const struct slot *slot, uint64_t group) {
  return (struct runner *)(memory + group * slot->crew.bytes_each + CREW_GUARD_BYTES + LW_CREW_STACK_BYTES);
}

static struct runner *crew_place(const struct slot *slot, uint64_t group) {
  return place_in(atomic_load_explicit(&slot->crew.memory, memory_order_relaxed), slot, group);
}

// What a child of a fork finds here it gives back, too: of memory that is being given back, it finds nothing.
static void crew_unmap(struct slot *slot) {
  char *memory = atomic_load_explicit(&slot->crew.memory, memory_order_relaxed);
  atomic_store_explicit(&slot->crew.memory, NULL, memory_order_seq_cst);
  if (memory == NULL)
    return;
  for (uint64_t group = 0; group < slot->total && atomic_load(&slot->crew.has_more); ++group)
    runner_unmap(place_in(memory, slot, group));
  forget_frames(memory, memory + slot->crew.bytes);
  munmap(memory, slot->crew.bytes);
}

static void run_one_group(struct runner *runner) {
  runner->function(&runner->launch, runner->arena, runner->group[0], runner->group[1], runner->group[2]);
}

// The runner of a work-group; whoever asks first makes it.
static struct runner *crew_runner(struct slot *slot, uint64_t group) {
  struct runner *runner = crew_place(slot, group);
  char *low = (char *)runner - LW_CREW_STACK_BYTES;
  if (runner->slot == NULL) { // the memory is fresh
    const uint32_t *grid = slot->launch.grid;
    runner->stack = (struct stack){low - CREW_GUARD_BYTES, low, low + LW_CREW_STACK_BYTES};
    runner->arena = (char *)runner + round_up(sizeof *runner, ARENA_MARGIN) + ARENA_MARGIN;
    runner->group[0] = (uint32_t)(group % grid[0]);
    runner->group[1] = (uint32_t)(group / grid[0] % grid[1]);
    runner->group[2] = (uint32_t)(group / grid[0] / grid[1]);
    runner_prepare(runner, slot, run_one_group); // last: survey() sees it from now on
  }
  return runner;
}

static void queue_push(struct queue *queue, struct runner *runner) {
  runner->behind = NULL;
  *(queue->first != NULL ? &queue->last->behind : &queue->first) = runner;
  queue->last = runner;
}

static struct runner *queue_pop(struct queue *queue) {
  struct runner *runner = queue->first;
  if (runner != NULL)
    queue->first = runner->behind;
  return runner;
}

static bool crew_ended(const struct slot *slot) {
  return atomic_load(&slot->crew.reached) >> WAITING_BITS == slot->total;
}

// Counts a work-group that waits (1) or has ended (ONE_ENDED). The last one to come lets all go on.
static void crew_count(struct slot *slot, uint64_t which) {
  uint64_t reached = atomic_fetch_add(&slot->crew.reached, which) + which;
  uint64_t ended = reached >> WAITING_BITS, waiting = reached % ONE_ENDED;
  if (waiting + ended < slot->total)
    return;
  if (ended != 0 && waiting != 0) {
    if (slot_fail(slot, LW_DEADLOCK))
      snprintf(slot->status.message, sizeof slot->status.message, "%llu of %llu", (unsigned long long)ended,
               (unsigned long long)slot->total);
    return;
  }
  if (ended == 0) {
    atomic_store(&slot->crew.reached, 0);
    atomic_store(&slot->shares[0].next, 0);
  }
  atomic_fetch_add(&slot->crew.phase, 1);
  futex_wake(&slot->crew.phase, INT_MAX);
}

// The next runner that this thread can go on with; null where all wait for others.
static struct runner *crew_next(struct slot *slot, struct queue *turns) {
  if (atomic_load(&slot->shares[0].next) < slot->total) {
    uint64_t group = atomic_fetch_add(&slot->shares[0].next, 1);
    if (group < slot->total)
      return crew_runner(slot, group);
  }
  return queue_pop(turns);
}

// Works on a cooperative launch until it has ended, or the clock passes `deadline`; whether it has ended. `turns`
// is the thread's.
static bool run_crew(struct slot *slot, struct queue *turns, uint64_t deadline) {
  for (;;) {
    unsigned phase = atomic_load(&slot->crew.phase); // before the look for work
    if (atomic_load(&slot->stop)) {
      if (turns->first != NULL)
        runner_tell_place(turns->first);
      return true;
    }
    if (crew_ended(slot))
      return true;
    struct runner *runner = crew_next(slot, turns);
    if (runner != NULL) {
      runner->deadline = deadline;
      switch (runner_run(runner)) {
      case DONE:
        crew_count(slot, ONE_ENDED);
        break;
      case WAITING:
        crew_count(slot, 1);
        break;
      case AWAY:
        queue_push(turns, runner);
        break;
      case STOPPED:
      case UNUSED: // never after a run
        return true;
      }
    }
    uint64_t now = now_ns();
    if (now >= deadline)
      return false;
    if (runner != NULL || spin(&slot->crew.phase, phase, now + SPIN_NS < deadline ? now + SPIN_NS : deadline))
      continue;
    futex_wait(&slot->crew.phase, phase, deadline == UINT64_MAX ? 0 : deadline - now);
  }
}
