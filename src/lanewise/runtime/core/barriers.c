// SPDX-License-Identifier: Apache-2.0
// Barriers of a work-group whose warps, or threads, have stacks of their own: some of them meet there, or all.
#include "core.h"

#include <stdio.h>

static _Noreturn void barrier_fails(struct runner *runner, const struct warp *warp, uint32_t number, const char *text,
                                    uint32_t a, uint32_t b) {
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_BARRIER)) {
    lw_status *status = &runner->slot->status;
    set_position(status, runner);
    status->instruction = warp->caller;
    int length = snprintf(status->message, sizeof status->message, "barrier %u: ", number);
    snprintf(status->message + length, sizeof status->message - (size_t)length, text, a, b);
  }
  runner_quit(runner, STOPPED);
}

// How many work-items count as arrived.
static uint32_t arrived_at(const struct warps *warps, const struct barrier *barrier) {
  if (warps->lanes == WARP_LANES || barrier->count == 0)
    return barrier->arrived;
  uint32_t sum = 0;
  for (uint32_t first = 0; first < warps->count; first += WARP_LANES) {
    uint32_t came = barrier->came[first / WARP_LANES], left = warps->count - first;
    uint32_t lanes = barrier->whole ? (uint32_t)__builtin_popcount(live_lanes(warps, first))
                                    : left < WARP_LANES ? left : WARP_LANES;
    sum += came != 0 && came >= lanes ? WARP_LANES : came;
  }
  return sum;
}

// How many are to arrive.
static uint32_t expected_at(const struct warps *warps, const struct barrier *barrier) {
  return barrier->count != 0 ? barrier->count : warps->lanes * warps->live;
}

// Lets the warps at a barrier go on if all have come.
static void barrier_complete(struct runner *runner, uint32_t number) {
  struct warps *warps = runner->warps;
  struct barrier *barrier = &warps->barriers[number];
  if (barrier->arrived == 0 || arrived_at(warps, barrier) < expected_at(warps, barrier))
    return;
  for (uint32_t index = 0; index < warps->count; ++index) {
    struct warp *warp = &warps->warp[index];
    if (warp->ended || warp->barrier != number)
      continue;
    uint32_t reduction = warp->flags & LW_MEET_REDUCES;
    warp->answer = reduction == 1 ? barrier->votes : reduction == 2 ? barrier->all : barrier->votes != 0;
    warp->barrier = NO_BARRIER;
  }
  *barrier = (struct barrier){.all = true};
  warps_change(runner);
}

// The work-items of the present warp.
static uint32_t lanes_of(const struct runner *runner, const struct warps *warps) {
  const uint32_t *block = runner->launch.block;
  uint32_t items = block[0] * block[1] * block[2] - WARP_LANES * warps->present;
  return items < WARP_LANES ? items : WARP_LANES;
}

static uint32_t service_meet(const lw_launch *launch, char *arena, uint32_t flags, uint32_t number, uint32_t count,
                             uint32_t votes, uint32_t active) {
  (void)arena; // generated code is to know that its memory changes
  struct runner *runner = launch->internal;
  struct warps *warps = runner->warps;
  struct warp *warp = &warps->warp[warps->present];
  if (active == 0)
    return 0;
  if (flags & LW_MEET_ONLY_WAITS) {
    warp_leave(runner, warps);
    return 0;
  }
  warp->caller = (uintptr_t)__builtin_return_address(0) - 1;
  if (number >= BARRIERS)
    barrier_fails(runner, warp, number, "a block has barriers 0 to %u", BARRIERS - 1, 0);
  if (count % WARP_LANES != 0 || (count == 0 && flags & LW_MEET_ARRIVES))
    barrier_fails(runner, warp, number, "the count %u is no positive multiple of %u, the size of a warp", count,
                  WARP_LANES);
  struct barrier *barrier = &warps->barriers[number];
  if (barrier->arrived != 0 && barrier->count != count)
    barrier_fails(runner, warp, number, "warps come to it with counts of %u and %u threads (0: all)", barrier->count,
                  count);
  barrier->count = count;
  if (warps->lanes == 1) {
    barrier->whole |= (flags & LW_MEET_WHOLE_WARP) != 0;
    ++barrier->came[warps->present / WARP_LANES];
    ++barrier->arrived;
  } else {
    uint32_t lanes = (uint32_t)__builtin_popcount(active);
    bool whole = flags & LW_MEET_WHOLE_WARP || lanes == lanes_of(runner, warps);
    barrier->arrived += whole ? WARP_LANES : lanes;
  }
  if (flags & LW_MEET_REDUCES) {
    barrier->votes += (uint32_t)__builtin_popcount(votes & active);
    barrier->all &= (votes & active) == active;
  }
  if (flags & LW_MEET_ARRIVES) {
    barrier_complete(runner, number);
    return 0;
  }
  warp->flags = flags;
  warp->barrier = number;
  barrier_complete(runner, number);
  if (warp->barrier != NO_BARRIER)
    warp_leave(runner, warps);
  return warp->answer;
}

static _Noreturn void barrier_waits_for_ever(struct runner *runner, const struct warp *warp) {
  const struct warps *warps = runner->warps;
  const struct barrier *barrier = &warps->barriers[warp->barrier];
  barrier_fails(runner, warp, warp->barrier,
                "no warp of the block can go on, and of %u threads that it waits for, %u have come",
                expected_at(warps, barrier), arrived_at(warps, barrier));
}
