// SPDX-License-Identifier: Apache-2.0
// Launches that are stuck: every thread that runs work-groups of one waits in a loop, and nobody is there to change what
// they wait for. Generated code counts the turns of loops that wait (lw_waiting); the launching thread looks at the
// counts each time that it comes home, so a launch that is over within 50 ms costs nothing.
//
// A round ends when each work-group that runs has had an idle turn in it, or waits for the grid while another one has.
// It begins anew when a loop stops to repeat itself or another begins to, when a thread joins the launch or leaves it, and
// when a work-group comes to wait for the grid: whoever writes something does one of these before it can be idle, so
// in a round that ends, none of the launch has written since it began, and each has looked again. The launch is quiet
// from the begin of such a round on. It is stuck when it has been quiet for so long that the host, too, has had its time,
// and all other launches of the process are as quiet: two may wait for one another.
#include "core.h"

#include <string.h>

static const uint64_t FRESH_NS = 1000000000; // what is known of another launch, whose thread may lack Python's lock
static atomic_ullong last_ended;             // when the last launch was ended: those that wait have all time again

static void begin_round(struct runner *runner) {
  runner->idle_before = read_count(&runner->waiting.idle);
  runner->changes_before = read_count(&runner->waiting.changes);
}

struct findings {
  bool changed;          // a loop has begun or stopped to repeat itself
  bool working;          // a work-group has done nothing idle, as far as is known
  struct runner *first;  // of those that wait in a loop, that of the first work-group
};

static bool precedes(const struct runner *a, const struct runner *b) {
  for (int axis = 2; axis >= 0; --axis)
    if (a->group[axis] != b->group[axis])
      return a->group[axis] < b->group[axis];
  return false;
}

static void look_at(struct findings *found, struct runner *runner, bool waits_for_grid) {
  if (read_count(&runner->waiting.changes) != runner->changes_before)
    found->changed = true;
  else if (read_count(&runner->waiting.idle) == runner->idle_before)
    found->working |= !waits_for_grid;
  else if (found->first == NULL || precedes(runner, found->first))
    found->first = runner;
}

// Looks at each runner of the launch that has not ended; with `found` null, begins a round of all that work on it. The
// `changes` of one that joins later differ from those of its last round.
// False where a work-group of a cooperative launch has not begun. The launching thread is home.
static bool survey(lw_pool *pool, struct slot *slot, struct findings *found) {
  if (slot->crew.memory != NULL) {
    for (uint64_t group = 0; group < slot->total; ++group) {
      struct runner *runner = crew_place(slot, group);
      enum leaving left = atomic_load_explicit(&runner->left, memory_order_acquire);
      if (left == UNUSED)
        return false;
      if (found == NULL)
        begin_round(runner);
      else if (left != DONE)
        look_at(found, runner, left == WAITING);
    }
    return true;
  }
  if (found == NULL)
    begin_round(&slot->own);
  else if (slot->own.left == AWAY)
    look_at(found, &slot->own, false);
  uint32_t started = atomic_load(&pool->started);
  for (uint32_t index = 1; index <= started; ++index) {
    struct worker *worker = atomic_load(&pool->workers[index]);
    if (worker == NULL || atomic_load(&worker->helping) != (uintptr_t)slot)
      continue;
    if (found == NULL)
      begin_round(&worker->runner);
    else
      look_at(found, &worker->runner, false);
  }
  return true;
}

// Whether all other launches of the process have been quiet for `patience`.
static bool others_are_quiet(const struct slot *slot, uint64_t now, uint64_t patience) {
  for (lw_pool *pool = atomic_load(&all_pools); pool != NULL; pool = pool->following)
    for (unsigned index = 0, used = atomic_load(&pool->used); index < used; ++index) {
      struct slot *other = &pool->slots[index];
      if (other == slot || atomic_load(&other->owner) == 0)
        continue;
      uint64_t since = atomic_load(&other->round.quiet_since), seen = atomic_load(&other->round.seen);
      if (since == 0 || now < since + patience || now > seen + FRESH_NS)
        return false;
    }
  return true;
}

// Who works on the launch.
static struct round here(const struct slot *slot) {
  return (struct round){
      .phase = atomic_load(&slot->crew.phase),
      .helpers = atomic_load(&slot->helpers),
      .reached = slot->crew.memory != NULL ? atomic_load(&slot->crew.reached) : 0,
      .own_left = slot->own.left,
  };
}

static bool same_people(const struct round *a, const struct round *b) {
  return a->phase == b->phase && a->helpers == b->helpers && a->reached == b->reached && a->own_left == b->own_left;
}

static void end_if_stuck(lw_pool *pool, struct slot *slot, uint64_t patience) {
  struct round *round = &slot->round;
  uint64_t now = now_ns();
  struct round present = here(slot);
  struct findings found = {.changed = round->began == 0 || !same_people(round, &present)};
  bool all_seen = !found.changed && survey(pool, slot, &found);
  bool complete = all_seen && !found.changed && !found.working && found.first != NULL;
  if (found.changed)
    atomic_store(&round->quiet_since, 0);
  else if (complete && atomic_load(&round->quiet_since) == 0)
    atomic_store(&round->quiet_since, round->began);
  if (!found.changed)
    atomic_store(&round->seen, now);
  uint64_t since = atomic_load(&round->quiet_since), ended = atomic_load(&last_ended);
  if (complete && patience != 0 && now >= (since > ended ? since : ended) + patience &&
      others_are_quiet(slot, now, patience)) {
    atomic_store(&last_ended, now);
    if (slot_fail(slot, LW_STUCK)) {
      lw_status *status = &slot->status;
      const lw_waiting *waiting = &found.first->waiting;
      set_position(status, found.first);
      if (waiting->knows_thread) {
        memcpy(status->thread, waiting->thread, sizeof status->thread);
        status->known |= LW_KNOWS_THREAD;
      }
    }
    return;
  }
  if (found.changed || complete) {
    round->began = survey(pool, slot, NULL) ? now : 0;
    round->phase = present.phase;
    round->helpers = present.helpers;
    round->reached = present.reached;
    round->own_left = present.own_left;
  }
}
