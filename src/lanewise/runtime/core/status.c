// SPDX-License-Identifier: Apache-2.0
// The end of a launch that fails: which failure was the first, and where it was.
#include "core.h"

#include <sched.h>
#include <string.h>

static void copy_text(char *into, const char *text) {
  strncpy(into, text != NULL ? text : "", LW_TEXT_BYTES - 1);
  into[LW_TEXT_BYTES - 1] = '\0';
}

// Values of `may_fail` that are no serial number.
static const uint64_t FAILED = 0, ENDED = UINT64_MAX;

// Ends launch `serial` of the slot, unless it has ended or another failure was first. True for the first failure, whose
// caller may then write the rest of the status; it is read when all threads have left the launch. May be called in a
// signal handler.
static bool launch_fail(struct slot *slot, uint64_t serial, enum lw_kind kind) {
  if (serial == 0 || !atomic_compare_exchange_strong(&slot->may_fail, &serial, FAILED))
    return false;
  slot->status = (lw_status){.kind = kind};
  atomic_store(&slot->stop, 1);
  if (slot->crew.memory != NULL) {
    atomic_fetch_add(&slot->crew.phase, 1);
    futex_wake(&slot->crew.phase, INT_MAX);
  }
  return true;
}

// The same for the present launch.
static bool slot_fail(struct slot *slot, enum lw_kind kind) {
  return launch_fail(slot, atomic_load(&slot->serial), kind);
}

// The launch fails no more. If it has failed, the status is there: a thread outside the launch may still be writing it.
static void slot_settle(struct slot *slot) {
  uint64_t serial = atomic_load(&slot->serial);
  if (atomic_compare_exchange_strong(&slot->may_fail, &serial, ENDED) || serial == ENDED)
    return;
  while (!atomic_load(&slot->stop))
    sched_yield();
}

// Says where the runner is: its work-group, and what generated code has told of the rest.
static void set_position(lw_status *status, const struct runner *runner) {
  const lw_position *position = &runner->position;
  memcpy(status->block, runner->group, sizeof status->block);
  status->known = LW_KNOWS_BLOCK | position->known;
  if (position->known & LW_KNOWS_THREAD)
    memcpy(status->thread, position->thread, sizeof status->thread);
  if (position->known & LW_KNOWS_PLACE) {
    status->line = position->line;
    copy_text(status->file, position->file);
    copy_text(status->function, position->function);
  }
}
