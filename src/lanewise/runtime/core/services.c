// SPDX-License-Identifier: Apache-2.0
// What generated code may call: failures, which end a launch, and waiting.
#include "core.h"
#include "texture.h"

#include <string.h>

static void set_place(lw_status *status, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                      uint32_t tz) {
  memcpy(status->block, (uint32_t[3]){gx, gy, gz}, sizeof status->block);
  memcpy(status->thread, (uint32_t[3]){tx, ty, tz}, sizeof status->thread);
  status->known |= LW_KNOWS_BLOCK | LW_KNOWS_THREAD;
}

static _Noreturn void service_trap(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                   uint32_t ty, uint32_t tz) {
  struct runner *runner = launch->internal;
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_TRAP)) {
    set_position(&runner->slot->status, runner);
    set_place(&runner->slot->status, gx, gy, gz, tx, ty, tz);
  }
  runner_quit(runner, STOPPED);
}

static _Noreturn void service_assert_fail(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz,
                                          uint32_t tx, uint32_t ty, uint32_t tz, const char *message,
                                          const char *file, uint32_t line, const char *function) {
  struct runner *runner = launch->internal;
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_ASSERT)) {
    lw_status *status = &runner->slot->status;
    set_place(status, gx, gy, gz, tx, ty, tz);
    status->known |= LW_KNOWS_PLACE;
    status->line = line;
    copy_text(status->message, message);
    copy_text(status->file, file);
    copy_text(status->function, function);
  }
  runner_quit(runner, STOPPED);
}

static void service_yield(const lw_launch *launch) {
  struct runner *runner = launch->internal;
  if (runner_stops(runner))
    runner_quit(runner, STOPPED);
  if (!warp_gives_way(runner))
    give_way(runner);
}

static void service_grid_sync(const lw_launch *launch) {
  struct runner *runner = launch->internal;
  if (runner->slot->crew.memory == NULL) {
    runner_hold(runner);
    if (slot_fail(runner->slot, LW_NOT_COOPERATIVE))
      set_position(&runner->slot->status, runner);
    runner_quit(runner, STOPPED);
  }
  runner_leave(runner, WAITING);
  if (runner_stops(runner))
    runner_quit(runner, STOPPED);
}

static lw_waiting *service_waiting(const lw_launch *launch) { return waiting_of(launch->internal); }

static const struct lw_texture_services texture_services;

static void *service_allocate(uint64_t bytes);
static void service_release(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                            uint32_t tz, void *memory);

static const lw_services core_services = {
    .trap = service_trap,
    .assert_fail = service_assert_fail,
    .vprintf = service_vprintf,
    .yield = service_yield,
    .textures = &texture_services,
    .allocate = service_allocate,
    .release = service_release,
    .grid_sync = service_grid_sync,
    .waiting = service_waiting,
    .own_warp = service_own_warp,
    .meet = service_meet,
    .own_thread = service_own_thread,
    .exchange = service_exchange,
    .check_fault = service_check_fault,
    .check_shared = service_check_shared,
    .check_meeting = service_check_meeting,
    .check_global = service_check_global,
    .check_accesses = service_check_accesses,
    .memory_start = service_memory_start,
    .memory_bytes = service_memory_bytes,
};
