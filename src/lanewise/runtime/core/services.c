// SPDX-License-Identifier: Apache-2.0
// What generated code may call: failures, which end a launch, and waiting.
#include "core.h"

#include <sched.h>
#include <string.h>

static void copy_text(char *into, const char *text) {
  strncpy(into, text != NULL ? text : "", LW_TEXT_BYTES - 1);
  into[LW_TEXT_BYTES - 1] = '\0';
}

// Ends the launch. True for the first failure, whose caller may then write the rest of the status; it is read when
// all threads have left the launch.
static bool slot_fail(struct slot *slot, enum lw_kind kind) {
  bool first = atomic_exchange(&slot->failed, 1) == 0;
  if (first)
    slot->status = (lw_status){.kind = kind};
  atomic_store(&slot->stop, 1);
  return first;
}

static void set_place(lw_status *status, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                      uint32_t tz) {
  memcpy(status->block, (uint32_t[3]){gx, gy, gz}, sizeof status->block);
  memcpy(status->thread, (uint32_t[3]){tx, ty, tz}, sizeof status->thread);
}

static _Noreturn void service_trap(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                   uint32_t ty, uint32_t tz) {
  struct runner *runner = launch->internal;
  if (slot_fail(runner->slot, LW_TRAP))
    set_place(&runner->slot->status, gx, gy, gz, tx, ty, tz);
  longjmp(runner->failed, 1);
}

static _Noreturn void service_assert_fail(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz,
                                          uint32_t tx, uint32_t ty, uint32_t tz, const char *message,
                                          const char *file, uint32_t line, const char *function) {
  struct runner *runner = launch->internal;
  if (slot_fail(runner->slot, LW_ASSERT)) {
    lw_status *status = &runner->slot->status;
    set_place(status, gx, gy, gz, tx, ty, tz);
    status->line = line;
    copy_text(status->message, message);
    copy_text(status->file, file);
    copy_text(status->function, function);
  }
  longjmp(runner->failed, 1);
}

static void service_yield(const lw_launch *launch) {
  struct runner *runner = launch->internal;
  if (atomic_load_explicit(&runner->slot->stop, memory_order_relaxed))
    longjmp(runner->failed, 1);
  sched_yield();
}

static const lw_services core_services = {
    .trap = service_trap,
    .assert_fail = service_assert_fail,
    .vprintf = service_vprintf,
    .yield = service_yield,
};
