// SPDX-License-Identifier: Apache-2.0
// Runners: generated code runs on a stack of its own, so that a thread can leave it at any instruction, by a switch
// out of a signal handler, to go on later or never.
#include "core.h"

#include <sched.h>

// The runner whose stack this thread is on. Signal handlers read it, so its place must not be found by a call.
static _Thread_local struct runner *volatile current __attribute__((tls_model("initial-exec")));

// The counts of lw_waiting have one writer, while stuck.c may read them on another thread.
static uint64_t read_count(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

static void add_to(uint64_t *counter) { __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED); }

static void runner_main(void);
static void warps_forget(struct runner *runner);

// What the functions of the C library need of the stack that services call, and a switch to another stack.
enum { ROOM_FOR_SERVICE = 16 << 10, ROOM_FOR_SWITCH = 512 };

// Faults here, where that ends the launch alone, if the stack has less room than `bytes`, which no guard is smaller than.
static void need_stack(size_t bytes) { (void)*((volatile char *)__builtin_frame_address(0) - bytes); }

// A runner from its beginning. Its stack and arena are there.
static void runner_prepare(struct runner *runner, struct slot *slot, void (*body)(struct runner *)) {
  enum leaving left = atomic_load_explicit(&runner->left, memory_order_relaxed);
  if (left != UNUSED && left != DONE)
    forget_frames(runner->stack.low, runner->stack.top);
  runner->slot = slot;
  runner->body = body;
  runner->launch = slot->launch;
  runner->function = atomic_load_explicit(&slot->function, memory_order_relaxed);
  runner->launch.internal = runner;
  runner->launch.position = &runner->position;
  runner->position.known = 0;
  runner->held = 1;
  runner->probing = 0;
  runner->instruction = 0;
  warps_forget(runner);
  runner->there = context_start(runner->stack.top, runner_main, slot->launch.flags & LW_FLUSH_DENORMALS);
  atomic_store_explicit(&runner->left, AWAY, memory_order_release);
}

// Starts the runner, or goes on with it, on this thread until it is left; returns how.
static enum leaving runner_run(struct runner *runner) {
  current = runner;
  lw_switch_context(&runner->home, runner->there);
  current = NULL;
  end_streams();
  return atomic_load_explicit(&runner->left, memory_order_relaxed);
}

// Gives the thread back to who called runner_run; returns when it is called again, perhaps by another thread.
static void runner_leave(struct runner *runner, enum leaving how) {
  if (!runner->held)
    need_stack(ROOM_FOR_SWITCH);
  runner->held = 1;
  atomic_store_explicit(&runner->left, how, memory_order_release);
  lw_switch_context(&runner->there, runner->home);
  runner->held = 0;
}

// The same for ever.
static _Noreturn void runner_quit(struct runner *runner, enum leaving how) {
  runner_leave(runner, how);
  __builtin_unreachable();
}

static bool runner_stops(const struct runner *runner) {
  return atomic_load_explicit(&runner->slot->stop, memory_order_acquire); // the status is there
}

// For a loop that waits: lets another work-group of a cooperative launch go on, or another thread.
static void give_way(struct runner *runner) {
  if (runner->slot->crew.memory != NULL)
    runner_leave(runner, AWAY);
  else
    sched_yield();
}

// From here to runner_release no signal takes the thread away: it may hold a lock.
static void runner_hold(struct runner *runner) {
  need_stack(ROOM_FOR_SERVICE);
  runner->held = 1;
}

// Ends the launch, which has no memory for what `what` says.
static _Noreturn void runner_lacks_memory(struct runner *runner, const char *what) {
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_OUT_OF_MEMORY))
    copy_text(runner->slot->status.message, what);
  runner_quit(runner, STOPPED);
}

static void runner_release(struct runner *runner) {
  runner->held = 0;
  if (runner_stops(runner)) // a signal that said so may have come while it was held
    runner_quit(runner, STOPPED);
}

static void runner_main(void) {
  struct runner *runner = current;
  runner->held = 0;
  runner->body(runner);
  runner_quit(runner, DONE);
}

// Says where the runner was when its launch was cancelled: the first of those that are asked.
static void runner_tell_place(struct runner *runner) {
  struct slot *slot = runner->slot;
  lw_status *status = &slot->status;
  if (status->kind == LW_CANCELLED && atomic_exchange(&slot->placed, 1) == 0) {
    set_position(status, runner);
    status->instruction = runner->instruction;
  }
}
