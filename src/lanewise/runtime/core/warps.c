// SPDX-License-Identifier: Apache-2.0
// Warps of a work-group on stacks of their own, for kernels with barriers of some warps or with loops that wait for
// other warps of the group. They take turns on the group's thread: a warp goes on until it waits or ends, then the next
// one does that can, in a circle. In kernels whose lanes part, each thread has a stack of its own in the same way: a
// `struct warp` then stands for one thread, and meetings.c brings together the lanes of what the kernel calls a warp.
//
// A group whose warps all wait at barriers can't go on, and the launch ends with LW_BARRIER. If some wait in loops, the
// group as a whole counts as waiting (stuck.c) whenever each of them has had an idle turn and none did anything else.
#include "core.h"

#include <string.h>
#include <sys/mman.h>

enum { WARP_STACK_BYTES = 256 << 10, WARP_GUARD_BYTES = 64 << 10, WARP_LANES = 32, BARRIERS = 16, MOST_WARPS = 256 };
enum { NO_BARRIER = BARRIERS, AT_MEETING, AT_PLACE }; // also for `struct warp.barrier`

// The operation of the warp that a thread waits for.
struct meeting {
  uint32_t operation;
  uint32_t mask;
  uint32_t count;   // operands
  uint32_t passed_over; // how often others went first
  uint64_t *values; // [operand][lane]
};

struct warp {
  void *there; // where it goes on
  struct stack stack;
  lw_waiting waiting;
  uint64_t idle_before; // both as they were when the present round began
  uint64_t changes_before;
  bool ended;
  uint32_t barrier; // that it waits at, or NO_BARRIER, or AT_MEETING, AT_PLACE: an operation of its warp
  uint32_t flags;   // with which it came there
  uint32_t answer;
  uintptr_t caller; // an address in the call by which it did
  struct meeting meeting;
};

// What has come to a barrier since it was completed last.
struct barrier {
  uint32_t count;   // work-items that are to come; 0: all
  uint32_t arrived; // that have
  uint32_t votes;   // predicates that were true
  bool all;         // they all were
  bool whole;       // warps count as a whole, even where lanes have ended
  uint8_t came[MOST_WARPS]; // threads with stacks of their own, of each warp; `arrived` is their sum
};

struct warps {
  size_t bytes;
  uint32_t capacity;
  uint32_t count;
  uint32_t live;
  uint32_t lanes;   // of each: WARP_LANES, or 1 for threads
  uint32_t present; // the one whose turn it is
  bool on_warp;     // generated code is on a warp's stack
  void *home;       // where the group goes on
  char *arena;
  struct barrier barriers[BARRIERS];
  struct warp warp[];
};

// The group of warps whose code is on one of their stacks; null: the runner's is in use.
static struct warps *warps_on(const struct runner *runner) {
  struct warps *warps = runner->warps;
  return warps != NULL && warps->on_warp ? warps : NULL;
}

// The stack that generated code is on.
static const struct stack *stack_of(const struct runner *runner) {
  const struct warps *warps = warps_on(runner);
  return warps != NULL ? &warps->warp[warps->present].stack : &runner->stack;
}

// Where generated code is to count its loops that wait.
static lw_waiting *waiting_of(struct runner *runner) {
  struct warps *warps = warps_on(runner);
  return warps != NULL ? &warps->warp[warps->present].waiting : &runner->waiting;
}

// The stacks are free for the next group, whatever the last one did.
static void warps_forget(struct runner *runner) {
  struct warps *warps = runner->warps;
  if (warps == NULL)
    return;
  if (warps->live != 0)
    forget_frames(warps, (char *)warps + warps->bytes);
  warps->on_warp = false;
  warps->live = 0;
}

static void warps_unmap(struct runner *runner) {
  warps_forget(runner);
  if (runner->warps != NULL)
    munmap(runner->warps, runner->warps->bytes);
  runner->warps = NULL;
}

// Memory for `count` warps: first what is known of them, then guard | stack of each. False where it is short.
static bool warps_map(struct runner *runner, uint32_t count) {
  if (runner->warps != NULL && runner->warps->capacity >= count)
    return true;
  warps_unmap(runner);
  size_t head = sizeof(struct warps) + count * sizeof(struct warp);
  head = (head + WARP_GUARD_BYTES - 1) / WARP_GUARD_BYTES * WARP_GUARD_BYTES;
  size_t each = WARP_GUARD_BYTES + WARP_STACK_BYTES, bytes = head + count * each;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  struct warps *warps = (struct warps *)memory;
  for (uint32_t index = 0; index < count; ++index) {
    char *guard = memory + head + index * each, *low = guard + WARP_GUARD_BYTES;
    if (mprotect(guard, WARP_GUARD_BYTES, PROT_NONE) != 0) {
      munmap(memory, bytes);
      return false;
    }
    warps->warp[index].stack = (struct stack){guard, low, low + WARP_STACK_BYTES};
  }
  warps->bytes = bytes;
  warps->capacity = count;
  runner->warps = warps;
  if (runner->slot->crew.memory != NULL)
    atomic_store(&runner->slot->crew.has_more, true);
  return true;
}

static void warp_main(void) {
  struct runner *runner = current;
  struct warps *warps = runner->warps;
  runner->function(&runner->launch, warps->arena, runner->group[0], runner->group[1], runner->group[2]);
  warps->warp[warps->present].ended = true;
  warps->on_warp = false;
  lw_switch_context(&warps->warp[warps->present].there, warps->home);
  __builtin_unreachable();
}

// Leaves the present warp until its next turn.
static void warp_leave(struct runner *runner, struct warps *warps) {
  struct warp *warp = &warps->warp[warps->present];
  need_stack(ROOM_FOR_SWITCH);
  warps->on_warp = false;
  lw_switch_context(&warp->there, warps->home);
  if (runner_stops(runner))
    runner_quit(runner, STOPPED);
}

// Lets other warps of the group go on; false where the group has none with stacks of their own.
static bool warp_gives_way(struct runner *runner) {
  struct warps *warps = warps_on(runner);
  if (warps != NULL)
    warp_leave(runner, warps);
  return warps != NULL;
}

// In barriers.c.
static void barrier_complete(struct runner *runner, uint32_t number);
static _Noreturn void barrier_waits_for_ever(struct runner *runner, const struct warp *warp);

// In meetings.c.
static bool meet_at_place(struct runner *runner, uint32_t thread, bool others_idle);
static void meet_without(struct runner *runner, uint32_t thread);
static _Noreturn void meeting_waits_for_ever(struct runner *runner, const struct warp *thread);

// ---- Rounds ----------------------------------------------------------------------------------------------------

static bool can_go_on(const struct warp *warp) { return !warp->ended && warp->barrier == NO_BARRIER; }

static void warps_begin_round(struct warps *warps) {
  for (uint32_t index = 0; index < warps->count; ++index) {
    struct warp *warp = &warps->warp[index];
    warp->idle_before = warp->waiting.idle;
    warp->changes_before = warp->waiting.changes;
  }
}

static void warps_change(struct runner *runner) {
  add_to(&runner->waiting.changes);
  warps_begin_round(runner->warps);
}

// After the turn of a warp that can go on.
static void warps_look(struct runner *runner, const struct warp *after) {
  struct warps *warps = runner->warps;
  if (after->waiting.changes != after->changes_before) {
    warps_change(runner);
    return;
  }
  for (uint32_t index = 0; index < warps->count; ++index) {
    const struct warp *warp = &warps->warp[index];
    if (can_go_on(warp) && warp->waiting.idle == warp->idle_before)
      return;
  }
  bool met = false;
  for (uint32_t first = 0; warps->lanes == 1 && first < warps->count; first += WARP_LANES)
    met |= meet_at_place(runner, first, true);
  if (met)
    return;
  memcpy(runner->waiting.thread, after->waiting.thread, sizeof after->waiting.thread);
  runner->waiting.knows_thread = after->waiting.knows_thread;
  add_to(&runner->waiting.idle);
  warps_begin_round(warps);
  give_way(runner);
}

// The bits of the lanes, of the warp whose thread `thread` is, that have not ended. Only for threads.
static uint32_t live_lanes(const struct warps *warps, uint32_t thread) {
  uint32_t first = thread / WARP_LANES * WARP_LANES, bits = 0;
  for (uint32_t lane = 0; lane < WARP_LANES && first + lane < warps->count; ++lane)
    bits |= (uint32_t)!warps->warp[first + lane].ended << lane;
  return bits;
}

// ---- Groups ----------------------------------------------------------------------------------------------------

// The first warp from `index` on, in a circle, that can go on; null where there is none.
static struct warp *next_warp(struct warps *warps, uint32_t index) {
  for (uint32_t tried = 0; tried < warps->count; ++tried) {
    struct warp *warp = &warps->warp[(index + tried) % warps->count];
    if (can_go_on(warp))
      return warp;
  }
  return NULL;
}

// In meeting_checks.c.
static void meetings_fail(struct runner *runner);

static _Noreturn void warps_deadlock(struct runner *runner) {
  meetings_fail(runner);
  struct warps *warps = runner->warps;
  const struct warp *first = warps->warp;
  while (first->ended)
    ++first;
  if (first->barrier == AT_MEETING)
    meeting_waits_for_ever(runner, first);
  barrier_waits_for_ever(runner, first);
}

static void run_warps(struct runner *runner, char *arena, uint32_t count, uint32_t lanes) {
  if (!warps_map(runner, count)) {
    runner_hold(runner);
    slot_fail(runner->slot, LW_OUT_OF_MEMORY);
    runner_quit(runner, STOPPED);
  }
  struct warps *warps = runner->warps;
  warps->count = warps->live = count;
  warps->lanes = lanes;
  warps->arena = arena;
  for (uint32_t number = 0; number < BARRIERS; ++number)
    warps->barriers[number] = (struct barrier){.all = true};
  for (uint32_t index = 0; index < count; ++index) {
    struct warp *warp = &warps->warp[index];
    *warp = (struct warp){.stack = warp->stack, .barrier = NO_BARRIER};
    warp->there = context_start(warp->stack.top, warp_main, runner->launch.flags & LW_FLUSH_DENORMALS);
  }
  warps->present = count - 1;
  while (warps->live != 0) {
    struct warp *warp = next_warp(warps, warps->present + 1);
    if (warp == NULL)
      warps_deadlock(runner);
    warps->present = (uint32_t)(warp - warps->warp);
    warps->on_warp = true;
    lw_switch_context(&warps->home, warp->there);
    if (warp->ended) {
      --warps->live;
      warps_change(runner);
      for (uint32_t number = 0; number < BARRIERS; ++number)
        if (warps->barriers[number].count == 0 || lanes == 1)
          barrier_complete(runner, number);
      if (lanes == 1)
        meet_without(runner, warps->present);
    } else if (warp->barrier == NO_BARRIER) {
      warps_look(runner, warp);
    }
    if (lanes == 1)
      meet_at_place(runner, warps->present, false);
  }
}

static int32_t own_stack(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t count,
                         uint32_t lanes) {
  struct runner *runner = launch->internal;
  const struct warps *warps = warps_on(runner);
  if (warps != NULL)
    return (int32_t)warps->present;
  runner->group[0] = gx;
  runner->group[1] = gy;
  runner->group[2] = gz;
  run_warps(runner, arena, count, lanes);
  return -1;
}

static int32_t service_own_warp(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz,
                                uint32_t count) {
  return own_stack(launch, arena, gx, gy, gz, count, WARP_LANES);
}

static int32_t service_own_thread(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz,
                                  uint32_t count) {
  return own_stack(launch, arena, gx, gy, gz, count, 1);
}
