// SPDX-License-Identifier: Apache-2.0
// The end of a launch that fails: which failure was the first, and where it was.
#include "core.h"

#include <string.h>

static void copy_text(char *into, const char *text) {
  strncpy(into, text != NULL ? text : "", LW_TEXT_BYTES - 1);
  into[LW_TEXT_BYTES - 1] = '\0';
}

// Ends the launch. True for the first failure, whose caller may then write the rest of the status; it is read when
// all threads have left the launch. May be called in a signal handler.
static bool slot_fail(struct slot *slot, enum lw_kind kind) {
  bool first = atomic_exchange(&slot->failed, 1) == 0;
  if (first)
    slot->status = (lw_status){.kind = kind};
  atomic_store(&slot->stop, 1);
  if (slot->crew.memory != NULL) {
    atomic_fetch_add(&slot->crew.phase, 1);
    futex_wake(&slot->crew.phase, INT_MAX);
  }
  return first;
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
