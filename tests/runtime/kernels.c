// SPDX-License-Identifier: Apache-2.0
// Work-group functions that the tests of the runtime launch.
#include "../../src/lanewise/runtime/core/lanewise_rt.h"

#include <pthread.h>
#include <sched.h>
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

// Counts, when all earlier work-groups of the launch have.
KERNEL(follow) {
  UNUSED;
  atomic_ullong *counted = *(atomic_ullong *const *)launch->args;
  while (atomic_load(counted) % launch->grid[0] != gx)
    sched_yield();
  atomic_fetch_add(counted, 1);
}

static void visit_slowly(const lw_launch *launch, uint32_t place, uint32_t side, uint32_t rounds) {
  struct { atomic_uint *visits; atomic_ullong *by_side; } const *args = launch->args;
  for (volatile uint32_t i = 0; i < rounds; ++i)
    continue;
  atomic_fetch_add(&args->visits[place], 1);
  atomic_fetch_add(&args->by_side[side], 1);
}

// Two codes of one kernel: they count visits of each work-group, and by which of them; the second takes some 20 us, the first
// four times as long.
KERNEL(visit_slower) {
  (void)arena;
  visit_slowly(launch, (uint32_t)linear(launch, gx, gy, gz), 0, 120000);
}

KERNEL(visit_faster) {
  (void)arena;
  visit_slowly(launch, (uint32_t)linear(launch, gx, gy, gz), 1, 30000);
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

// The same, of work-groups that take some 10 us each.
KERNEL(order_slowly) {
  order(launch, arena, gx, gy, gz);
  for (volatile uint32_t i = 0; i < 15000; ++i)
    continue;
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

// What work-groups must store at least for the launch to store more than the caches hold.
KERNEL(tell_stream_bytes) {
  UNUSED;
  struct { uint64_t *into; } const *args = launch->args;
  *args->into = launch->stream_bytes;
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

// Takes 8 us, busily.
KERNEL(some_microseconds) {
  UNUSED;
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do
    clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 8000);
}

// ---- Code that misbehaves --------------------------------------------------------------------------------------

// Reads (0), writes (1) or calls (2) the given address in work-group 3.
KERNEL(touch) {
  UNUSED;
  struct { uint64_t how; volatile char *address; } const *args = launch->args;
  if (gx != 3)
    return;
  if (args->how == 0)
    (void)*args->address;
  else if (args->how == 1)
    *args->address = 1;
  else
    ((void (*)(void))(uintptr_t)args->address)();
}

// Says where it is, then reads from a null pointer.
KERNEL(touch_with_position) {
  UNUSED;
  *launch->position = (lw_position){.file = "dir/file.cu", .function = "blur(float *)", .line = 42,
                                    .known = LW_KNOWS_PLACE | LW_KNOWS_THREAD, .thread = {1, 2, 3}};
  (void)*(volatile char *)16;
}

KERNEL(divide_by_zero) {
  UNUSED;
  volatile int zero = 0;
  volatile int quotient = (int)gx / zero;
  (void)quotient;
}

KERNEL(illegal_instruction) {
  UNUSED;
  __builtin_trap();
}

static __attribute__((noinline)) uint64_t descend(volatile uint64_t *above) {
  volatile uint64_t here[16] = {*above + 1};
  return descend(here) + here[0];
}

// Recursion without end.
KERNEL(descend_for_ever) {
  UNUSED;
  volatile uint64_t start = 0;
  volatile uint64_t end = descend(&start);
  (void)end;
}

static __attribute__((noinline)) uint64_t descend_printing(const lw_launch *launch, volatile uint64_t *above) {
  volatile uint64_t here[16] = {*above + 1};
  launch->services->vprintf(launch, "", NULL);
  return descend_printing(launch, here) + here[0];
}

// The same, with a service called at each depth: the last one has not room enough.
KERNEL(descend_printing_for_ever) {
  UNUSED;
  volatile uint64_t start = 0;
  volatile uint64_t end = descend_printing(launch, &start);
  (void)end;
}

static __attribute__((noinline)) uint64_t descend_yielding(const lw_launch *launch, volatile uint64_t *above) {
  volatile uint64_t here[4] = {*above + 1};
  launch->services->yield(launch);
  return descend_yielding(launch, here) + here[0];
}

// The same in a cooperative launch, whose work-groups take turns.
KERNEL(descend_yielding_for_ever) {
  UNUSED;
  volatile uint64_t start = 0;
  volatile uint64_t end = descend_yielding(launch, &start);
  (void)end;
}

// An endless loop; counts when it is entered.
KERNEL(never_end) {
  UNUSED;
  launch->position->known = LW_KNOWS_PLACE;
  launch->position->file = "loop.cu";
  launch->position->line = 7;
  atomic_fetch_add(*(atomic_ullong *const *)launch->args, 1);
  for (;;)
    __asm__ volatile("");
}

// An endless loop in the first work-group alone.
KERNEL(first_never_ends) {
  UNUSED;
  atomic_fetch_add(*(atomic_ullong *const *)launch->args, 1);
  while (gx == 0)
    __asm__ volatile("");
}

// Endless calls of services that take locks.
KERNEL(print_and_allocate_for_ever) {
  UNUSED;
  for (uint32_t i = 0;; ++i) {
    void *memory = launch->services->allocate(1 + i % 100000);
    if (i % 4096 == 0)
      launch->services->vprintf(launch, "%5000d\n", &i);
    launch->services->release(launch, gx, gy, gz, 0, 0, 0, memory);
  }
}

// Computes for about the given number of steps, and writes down a value that any lost register would change.
KERNEL(compute_long) {
  UNUSED;
  struct { uint64_t steps; double *sums; } const *args = launch->args;
  double a = 1, b = 0.5, c = 0.25, d = 0.125;
  for (uint64_t i = 0; i < args->steps; ++i) {
    a = a * 0.999 + b;
    b = b * 0.998 + c;
    c = c * 0.997 + d;
    d = d * 0.996 + 1 / (1 + a);
  }
  args->sums[gx] = a + b + c + d;
}

// ---- Cooperative launches --------------------------------------------------------------------------------------

// In each round every work-group adds its number to a cell, and after a synchronisation checks the sum.
KERNEL(sum_in_rounds) {
  UNUSED;
  struct { uint64_t rounds; atomic_ullong *sums; atomic_ullong *wrong; } const *args = launch->args;
  uint64_t self = linear(launch, gx, gy, gz);
  uint64_t groups = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  *(uint64_t *)arena = self;
  for (uint64_t round = 0; round < args->rounds; ++round) {
    atomic_fetch_add(&args->sums[round], *(uint64_t *)arena);
    launch->services->grid_sync(launch);
    if (atomic_load(&args->sums[round]) != groups * (groups - 1) / 2 || *(uint64_t *)arena != self)
      atomic_fetch_add(args->wrong, 1);
  }
}

// A synchronisation that only the groups below the given number reach.
KERNEL(some_sync) {
  UNUSED;
  if (gx < *(const uint64_t *)launch->args)
    launch->services->grid_sync(launch);
}

// A grid barrier of the kernel's own: every work-group waits by spinning for all others.
KERNEL(spin_for_all) {
  UNUSED;
  struct { uint64_t yields; atomic_ullong *arrived; } const *args = launch->args;
  atomic_fetch_add(args->arrived, 1);
  while (atomic_load(args->arrived) % launch->grid[0] != 0)
    if (args->yields)
      launch->services->yield(launch);
}

// All synchronise; then the given work-group traps (0), faults (1) or loops for ever (2) while the others wait.
KERNEL(fail_between) {
  UNUSED;
  struct { uint64_t which; uint64_t how; } const *args = launch->args;
  launch->services->grid_sync(launch);
  if (gx == args->which) {
    if (args->how == 0)
      launch->services->trap(launch, gx, gy, gz, 1, 2, 3);
    while (args->how == 2)
      __asm__ volatile("");
    (void)*(volatile char *)8;
  }
  launch->services->grid_sync(launch);
}
