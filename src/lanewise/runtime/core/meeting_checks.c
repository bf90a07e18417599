// SPDX-License-Identifier: Apache-2.0
// Barriers that threads don't come to together, and operations of the warp whose masks name lanes that never come, found
// as checked kernels run.
//
// Each thread tells before it waits at a barrier, before an operation with a mask, and when it ends. A barrier is complete
// when each thread of the group waits at one or has ended. It is divergent if they wait at several, or if a thread that
// has ended has gone past this one: it has come further than those that wait, by its count of the code behind the barrier
// that all paths lead to. A thread that has returned before is no fault, as since Volta, unless asked for. An operation
// with a mask is complete when each lane of the mask has come to one of the same kind with the same mask, or has ended.
#include "core.h"

#include <string.h>
#include <sys/mman.h>

enum { CHECKED_THREADS = 1024, MOST_PLACES = 8, MOST_PENDING = 8 };

// Threads that wait at one barrier.
struct arrivals {
  uint32_t site;
  uint32_t slot;
  uint32_t threads;
  uint32_t first; // thread, in linear order
  uint32_t count; // of the code behind it
  bool strict;
};

// An operation of the warp that some lanes have come to.
struct pending {
  uint32_t operation; // of which kind; 0: none is pending
  uint32_t mask;
  uint32_t arrived;
  uint32_t site;
  uint32_t slot;
  uint32_t count;
  uint32_t first; // lane
};

struct checked_meetings {
  const struct slot *slot;
  unsigned serial; // of the launch
  uint32_t group[3];
  uint32_t waiting; // threads
  uint32_t ended_threads;
  uint32_t ended[CHECKED_THREADS / WARP_LANES]; // lanes of each warp
  uint32_t places;
  struct lw_checked_place *report;
  struct arrivals arrivals[MOST_PLACES];
  struct pending pending[CHECKED_THREADS / WARP_LANES][MOST_PENDING];
  uint16_t counts[LW_MEETING_SLOTS][CHECKED_THREADS]; // of threads that have ended
};

static void meetings_unmap(struct runner *runner) {
  if (runner->meetings != NULL)
    munmap(runner->meetings, sizeof *runner->meetings);
  runner->meetings = NULL;
}

// Gives back the memory that a runner keeps from launch to launch.
static void runner_unmap(struct runner *runner) {
  warps_unmap(runner);
  races_unmap(runner);
  meetings_unmap(runner);
}

// What is known of the work-group that runs.
static struct checked_meetings *meetings_of(struct runner *runner) {
  struct checked_meetings *known = runner->meetings;
  if (known == NULL) {
    void *memory = mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      runner_lacks_memory(runner, "what checks note of barriers");
    known = runner->meetings = memory;
    atomic_store(&runner->slot->crew.has_more, true);
  }
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  if (known->slot != runner->slot || known->serial != serial ||
      memcmp(known->group, runner->group, sizeof known->group) != 0) {
    memset(known, 0, offsetof(struct checked_meetings, counts));
    known->slot = runner->slot;
    known->serial = serial;
    memcpy(known->group, runner->group, sizeof known->group);
  }
  return known;
}

static void tell_meeting(const struct runner *runner, const struct checked_meetings *known, uint32_t site, uint32_t thread,
                         uint32_t what, uint64_t number) {
  const uint32_t *block = runner->launch.block, *group = runner->group;
  service_check_fault(&runner->launch, group[0], group[1], group[2], thread % block[0], thread / block[0] % block[1],
                      thread / block[0] / block[1], known->report, site, what, (int64_t)number);
}

// ---- Barriers --------------------------------------------------------------------------------------------------

static uint64_t packed_threads(uint32_t here, uint32_t others, uint32_t first_other, uint32_t site) {
  return (uint64_t)others << 48 | (uint64_t)here << 32 | (uint64_t)first_other << 16 | site;
}

// Threads that have ended, of which `first` is one, with a count above `least`.
static uint32_t ended_above(const struct checked_meetings *known, uint32_t slot, int64_t least, uint32_t *first) {
  uint32_t found = 0;
  for (uint32_t thread = 0; thread < CHECKED_THREADS; ++thread) {
    bool ended = known->ended[thread / WARP_LANES] >> thread % WARP_LANES & 1;
    if (!ended || known->counts[slot][thread] <= least)
      continue;
    if (found++ == 0)
      *first = thread;
  }
  return found;
}

// After a thread has come to a barrier or ended: looks whether all have come to the same.
static void barrier_check(struct runner *runner, struct checked_meetings *known) {
  const uint32_t *block = runner->launch.block;
  if (known->waiting == 0 || known->waiting + known->ended_threads < block[0] * block[1] * block[2])
    return;
  const struct arrivals *here = &known->arrivals[0], *other = NULL;
  for (uint32_t place = 1; place < known->places; ++place) {
    const struct arrivals *each = &known->arrivals[place];
    if (each->site < here->site)
      other = here, here = each;
    else if (other == NULL || each->site < other->site)
      other = each;
  }
  uint32_t waiting = known->waiting, first = 0;
  known->waiting = known->places = 0;
  if (other != NULL) {
    uint64_t number = packed_threads(here->threads, waiting - here->threads, other->first, other->site);
    tell_meeting(runner, known, here->site, here->first, LW_MEETING_ELSEWHERE, number);
    runner_hold(runner);
    slot_fail(runner->slot, LW_BARRIER); // where these threads would go on differs from device to device
    runner_quit(runner, STOPPED);
  }
  if (known->ended_threads == 0)
    return;
  uint32_t past = ended_above(known, here->slot, here->count, &first);
  uint32_t what = LW_MEETING_PAST;
  if (past == 0 && here->strict) {
    past = ended_above(known, here->slot, -1, &first);
    what = LW_MEETING_RETURNED;
  }
  if (past != 0)
    tell_meeting(runner, known, here->site, here->first, what, packed_threads(here->threads, past, first, here->site));
}

static void barrier_arrival(struct runner *runner, struct checked_meetings *known, const struct arrivals *now) {
  struct arrivals *found = known->arrivals;
  while (found < known->arrivals + known->places && found->site != now->site)
    ++found;
  if (found < known->arrivals + known->places) {
    ++found->threads;
    if (now->first < found->first)
      found->first = now->first;
  } else if (known->places < MOST_PLACES) {
    known->arrivals[known->places++] = *now;
  }
  ++known->waiting;
  barrier_check(runner, known);
}

// ---- Operations of the warp ------------------------------------------------------------------------------------

// Forgets an operation if no lane is to come any more, or `anyway`, and tells if some never will.
static void settle(struct runner *runner, const struct checked_meetings *known, uint32_t warp, struct pending *pending,
                   bool anyway) {
  uint32_t missing = pending->mask & ~pending->arrived, ended = known->ended[warp];
  uint32_t present = 0, items = runner->launch.block[0] * runner->launch.block[1] * runner->launch.block[2];
  for (uint32_t lane = 0; lane < WARP_LANES && warp * WARP_LANES + lane < items; ++lane)
    present |= 1u << lane;
  missing &= present;
  if (missing & ~ended && !anyway)
    return;
  uint32_t absent = missing & ~ended;
  for (uint32_t lane = 0; lane < WARP_LANES; ++lane)
    if (missing & ended & 1u << lane && known->counts[pending->slot][warp * WARP_LANES + lane] > pending->count)
      absent |= 1u << lane;
  if (absent != 0) {
    uint64_t number = (uint64_t)absent << 32 | pending->mask;
    tell_meeting(runner, known, pending->site, warp * WARP_LANES + pending->first, LW_MEETING_ABSENT, number);
  }
  *pending = (struct pending){0};
}

static void warp_arrival(struct runner *runner, struct checked_meetings *known, uint32_t warp, const struct pending *now) {
  struct pending *row = known->pending[warp], *free = NULL;
  for (struct pending *each = row; each < row + MOST_PENDING; ++each) {
    if (each->operation == 0) {
      free = free == NULL ? each : free;
    } else if (each->operation == now->operation && each->mask == now->mask && !(each->arrived & now->arrived)) {
      each->arrived |= now->arrived;
      if (now->first < each->first && each->site == now->site)
        each->first = now->first;
      settle(runner, known, warp, each, false);
      return;
    } else if (each->operation == now->operation && each->mask == now->mask && each->site == now->site) {
      return; // lanes are missing there already
    }
  }
  if (free != NULL) {
    *free = *now;
    settle(runner, known, warp, free, false);
  }
}

// Tells of the operations that threads of the group wait for in vain.
static void meetings_fail(struct runner *runner) {
  struct checked_meetings *known = runner->meetings;
  if (known == NULL || known->slot != runner->slot || memcmp(known->group, runner->group, sizeof known->group) != 0)
    return;
  for (uint32_t warp = 0; warp < CHECKED_THREADS / WARP_LANES; ++warp)
    for (uint32_t place = 0; place < MOST_PENDING; ++place)
      if (known->pending[warp][place].operation != 0)
        settle(runner, known, warp, &known->pending[warp][place], true);
}

static void service_check_meeting(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                  uint32_t ty, uint32_t tz, struct lw_checked_place *report, uint32_t site,
                                  uint32_t flags, uint32_t mask, uint32_t count) {
  (void)gx, (void)gy, (void)gz;
  struct runner *runner = launch->internal;
  if (launch->block[0] * launch->block[1] * launch->block[2] > CHECKED_THREADS)
    return; // a large work-group of OpenCL C
  struct checked_meetings *known = meetings_of(runner);
  uint32_t thread = tx + launch->block[0] * (ty + launch->block[1] * tz), slot = flags >> 8 & (LW_MEETING_SLOTS - 1);
  uint32_t warp = thread / WARP_LANES, lane = thread % WARP_LANES;
  known->report = report;
  switch (flags & LW_MEETING_KINDS) {
  case LW_MEETING_WAITS:
    barrier_arrival(runner, known, &(struct arrivals){site, slot, 1, thread, count, (flags & LW_MEETING_STRICT) != 0});
    break;
  case LW_MEETING_JOINS:
    warp_arrival(runner, known, warp, &(struct pending){flags >> 16, mask, 1u << lane, site, slot, count, lane});
    break;
  case LW_MEETING_COUNTS:
    known->counts[slot][thread] = (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
    break;
  case LW_MEETING_ENDS:
    known->ended[warp] |= 1u << lane;
    ++known->ended_threads;
    for (uint32_t place = 0; place < MOST_PENDING; ++place)
      if (known->pending[warp][place].operation != 0)
        settle(runner, known, warp, &known->pending[warp][place], false);
    barrier_check(runner, known);
    break;
  }
}
