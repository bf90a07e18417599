// SPDX-License-Identifier: Apache-2.0
// Work-group functions that the tests of the runtime launch.
#include "../../src/lanewise/runtime/core/lanewise_rt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define KERNEL(name) LW_EXPORT void name(const lw_launch *launch, char *arena, uint32_t gx, uint32_t gy, uint32_t gz)
#define UNUSED (void)launch, (void)arena, (void)gx, (void)gy, (void)gz

static uint64_t linear(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz) {
  return gx + (uint64_t)launch->grid[0] * (gy + (uint64_t)launch->grid[1] * gz);
}

static void sleep_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

KERNEL(nothing) { UNUSED; }

// Counts the visits of each work-group.
KERNEL(visit) {
  UNUSED;
  atomic_uint *visits = *(atomic_uint *const *)launch->args;
  atomic_fetch_add(&visits[linear(launch, gx, gy, gz)], 1);
}

KERNEL(count) {
  UNUSED;
  atomic_fetch_add(*(atomic_ullong *const *)launch->args, 1);
}

// Writes down the order in which work-groups start.
KERNEL(order) {
  UNUSED;
  struct { atomic_ullong *cursor; uint64_t *started; } const *args = launch->args;
  args->started[atomic_fetch_add(args->cursor, 1)] = linear(launch, gx, gy, gz);
}

// Copies what the launch says: grid, block, dynamic shared bytes, then 16 bytes of arguments.
KERNEL(describe) {
  UNUSED;
  struct { uint32_t *into; char rest[16]; } const *args = launch->args;
  memcpy(args->into, launch->grid, 12);
  memcpy(args->into + 3, launch->block, 12);
  args->into[6] = launch->dynamic_shared;
  args->into[7] = (uint32_t)((uintptr_t)launch->args % 64);
  memcpy(args->into + 8, args->rest, 16);
}

// Fills the arena with the work-group's number, waits, and counts the bytes that are something else.
KERNEL(use_arena) {
  UNUSED;
  struct { uint64_t bytes; atomic_ullong *wrong; } const *args = launch->args;
  memset(arena, (int)(gx & 0xff), args->bytes);
  for (volatile int i = 0; i < 1000; ++i) {
  }
  uint64_t wrong = (uintptr_t)arena % 64 != 0;
  for (uint64_t i = 0; i < args->bytes; ++i)
    wrong += (unsigned char)arena[i] != (gx & 0xff);
  atomic_fetch_add(args->wrong, wrong);
}

// Counts work-groups; number `at` traps.
KERNEL(trap_at) {
  UNUSED;
  struct { uint64_t at; atomic_ullong *ran; } const *args = launch->args;
  atomic_fetch_add(args->ran, 1);
  if (linear(launch, gx, gy, gz) == args->at)
    launch->services->trap(launch, gx, gy, gz, 1, 2, 3);
}

KERNEL(all_assert) {
  UNUSED;
  launch->services->assert_fail(launch, gx, gy, gz, 4, 5, 6, "n > 0", "dir/file.cu", 77, "void k(int)");
}

KERNEL(assert_long_text) {
  UNUSED;
  const char *text = *(const char *const *)launch->args;
  launch->services->assert_fail(launch, gx, gy, gz, 0, 0, 0, text, NULL, 1, text);
}

// Prints with the given format and packed arguments, and stores what printf returns.
KERNEL(print) {
  UNUSED;
  struct { const char *format; const void *packed; int32_t *result; } const *args = launch->args;
  *args->result = launch->services->vprintf(launch, args->format, args->packed);
}

// Three records a work-group.
KERNEL(print_thrice) {
  UNUSED;
  for (uint32_t i = 0; i < 3; ++i)
    launch->services->vprintf(launch, "group %u record %u of three\n", (uint32_t[]){gx, i});
}

// Prints, then the last work-group traps.
KERNEL(print_then_trap) {
  UNUSED;
  launch->services->vprintf(launch, "before\n", NULL);
  launch->services->trap(launch, gx, gy, gz, 0, 0, 0);
}

// Every work-group waits for the one before it.
KERNEL(wait_for_previous) {
  UNUSED;
  atomic_ullong *done = *(atomic_ullong *const *)launch->args;
  while (atomic_load(done) != gx)
    launch->services->yield(launch);
  atomic_fetch_add(done, 1);
}

// Work-group 0 traps; the others wait for ever.
KERNEL(trap_while_others_wait) {
  UNUSED;
  atomic_ullong *waiting = *(atomic_ullong *const *)launch->args;
  if (gx == 0) {
    while (atomic_load(waiting) == 0)
      launch->services->yield(launch);
    launch->services->trap(launch, gx, gy, gz, 0, 0, 0);
  }
  atomic_fetch_add(waiting, 1);
  for (;;)
    launch->services->yield(launch);
}

// Counts, then sleeps a millisecond.
KERNEL(slowly) {
  UNUSED;
  atomic_fetch_add(*(atomic_ullong *const *)launch->args, 1);
  sleep_ms(1);
}

// The first work-group is quick, the second takes 150 ms: longer than a launch works between two returns.
KERNEL(second_is_long) {
  UNUSED;
  if (gx == 1)
    sleep_ms(150);
  atomic_fetch_add(*(atomic_ullong *const *)launch->args, 1);
}

// Writes down the thread that ran each work-group.
KERNEL(which_thread) {
  UNUSED;
  uint64_t *threads = *(uint64_t *const *)launch->args;
  threads[gx] = (uint64_t)pthread_self();
  sleep_ms(1);
}
