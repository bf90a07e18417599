// SPDX-License-Identifier: Apache-2.0
// Operations of a warp whose threads have stacks of their own: its lanes bring their operands, and those that have met
// get the operands of all. What the operation makes of them is generated code.
//
// PTX ISA, "bar.warp.sync", "shfl.sync": the lanes of a mask meet at the same operation with the same mask, which need
// not be the same instruction, and lanes that have ended are not waited for. An operation without a mask is one of the
// lanes that happen to be at its instruction: it takes place once no lane of the warp can go on, for those at the first
// such instruction.
#include "core.h"

#include <stdio.h>

// How often other places go first while a lane waits at its own. The first place goes first, so that lanes come together
// behind a branch; but a lane that waits in a loop for another one must not keep that from going on.
enum { LANE_PATIENCE = 1024 };

static _Noreturn void meeting_fails(struct runner *runner, const struct warp *thread, const char *text, uint32_t a,
                                    uint32_t b) {
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_BARRIER)) {
    lw_status *status = &runner->slot->status;
    set_position(status, runner);
    status->instruction = thread->caller;
    int length = snprintf(status->message, sizeof status->message, "an operation of the warp: ");
    snprintf(status->message + length, sizeof status->message - (size_t)length, text, a, b);
  }
  runner_quit(runner, STOPPED);
}

// The lanes that wait for the operation for which `thread` does.
static uint32_t met_lanes(const struct warps *warps, const struct warp *thread) {
  uint32_t first = (uint32_t)(thread - warps->warp) / WARP_LANES * WARP_LANES, bits = 0;
  for (uint32_t lane = 0; lane < WARP_LANES && first + lane < warps->count; ++lane) {
    const struct warp *other = &warps->warp[first + lane];
    bool same = other->barrier == thread->barrier && other->meeting.operation == thread->meeting.operation &&
                other->meeting.mask == thread->meeting.mask;
    bits |= (uint32_t)(!other->ended && same) << lane;
  }
  return bits;
}

// Hands the operands of the lanes `met`, of the warp whose lane 0 is thread `first`, to each of them, and lets them go
// on.
static void meet(struct runner *runner, uint32_t first, uint32_t met) {
  struct warps *warps = runner->warps;
  for (uint32_t to = 0; to < WARP_LANES; ++to) {
    if (!(met >> to & 1))
      continue;
    struct warp *taker = &warps->warp[first + to];
    for (uint32_t from = 0; from < WARP_LANES; ++from)
      for (uint32_t operand = 0; from != to && operand < taker->meeting.count; ++operand) {
        uint32_t place = operand * WARP_LANES + from;
        taker->meeting.values[place] = met >> from & 1 ? warps->warp[first + from].meeting.values[place] : 0;
      }
    taker->answer = met;
    taker->barrier = NO_BARRIER;
  }
  warps_change(runner);
}

// Lets `thread` go on, and those that it waits for, if all of them have come.
static void meet_if_complete(struct runner *runner, const struct warp *thread) {
  const struct warps *warps = runner->warps;
  uint32_t number = (uint32_t)(thread - warps->warp), met = met_lanes(warps, thread);
  if ((thread->meeting.mask & live_lanes(warps, number) & ~met) == 0)
    meet(runner, number / WARP_LANES * WARP_LANES, met);
}

// After the end of a thread, for which lanes of its warp may have waited.
static void meet_without(struct runner *runner, uint32_t thread) {
  struct warps *warps = runner->warps;
  uint32_t first = thread / WARP_LANES * WARP_LANES;
  for (uint32_t index = first; index < first + WARP_LANES && index < warps->count; ++index)
    if (!warps->warp[index].ended && warps->warp[index].barrier == AT_MEETING)
      meet_if_complete(runner, &warps->warp[index]);
}

// The operation without a mask that the warp of a thread can do: true if there is one. `others_idle`: lanes that can go
// on only repeat themselves.
static bool meet_at_place(struct runner *runner, uint32_t thread, bool others_idle) {
  struct warps *warps = runner->warps;
  uint32_t first = thread / WARP_LANES * WARP_LANES;
  const struct warp *chosen = NULL;
  for (uint32_t index = first; index < first + WARP_LANES && index < warps->count; ++index) {
    const struct warp *lane = &warps->warp[index];
    if (can_go_on(lane) && !others_idle)
      return false;
    if (lane->ended || lane->barrier != AT_PLACE)
      continue;
    bool earlier = chosen == NULL || lane->meeting.operation < chosen->meeting.operation;
    if (earlier ? chosen == NULL || chosen->meeting.passed_over < LANE_PATIENCE
                : lane->meeting.passed_over >= LANE_PATIENCE)
      chosen = lane;
  }
  if (chosen == NULL)
    return false;
  meet(runner, first, met_lanes(warps, chosen));
  for (uint32_t index = first; index < first + WARP_LANES && index < warps->count; ++index)
    ++warps->warp[index].meeting.passed_over;
  return true;
}

static _Noreturn void meeting_waits_for_ever(struct runner *runner, const struct warp *thread) {
  const struct warps *warps = runner->warps;
  uint32_t expected = thread->meeting.mask & live_lanes(warps, (uint32_t)(thread - warps->warp));
  meeting_fails(runner, thread,
                "no thread of the block can go on, and of the lanes 0x%08x that it waits for, 0x%08x have come",
                expected, met_lanes(warps, thread));
}

static uint32_t service_exchange(const lw_launch *launch, char *arena, uint32_t operation, uint32_t mask, uint32_t count,
                                 uint64_t *values) {
  (void)arena; // generated code is to know that its memory changes
  struct runner *runner = launch->internal;
  struct warps *warps = runner->warps;
  struct warp *thread = &warps->warp[warps->present];
  uint32_t lane = warps->present % WARP_LANES;
  thread->caller = (uintptr_t)__builtin_return_address(0) - 1;
  thread->meeting = (struct meeting){operation, mask, count, 0, values};
  thread->barrier = operation & LW_EXCHANGE_AT_PLACE ? AT_PLACE : AT_MEETING;
  if (thread->barrier == AT_MEETING) {
    if (!(mask >> lane & 1))
      meeting_fails(runner, thread, "lane %u executes it with the mask 0x%08x, which lacks it", lane, mask);
    meet_if_complete(runner, thread);
  }
  if (thread->barrier != NO_BARRIER)
    warp_leave(runner, warps);
  return thread->answer;
}
