// SPDX-License-Identifier: Apache-2.0
// What pointers lead to that a checked kernel has read from memory: the arrays of lw_allocate.
//
// Pointers of a kernel lead to few arrays, so each thread keeps what it has found last, as long as no array is made or
// freed.
#include "core.h"

static struct found_memory find_memory(const lw_launch *launch, const char *address) {
  struct runner *runner = launch->internal;
  uintptr_t number = (uintptr_t)address;
  unsigned long long changes = atomic_load(&guarded.changes);
  for (int place = 0; place < FOUND_MEMORY; ++place) {
    const struct found_memory *found = &runner->found[place];
    if (number - found->low < found->high - found->low && found->changes == changes)
      return *found;
  }
  runner_hold(runner);
  struct found_memory found = guarded_find(number);
  for (int place = FOUND_MEMORY - 1; place > 0; --place)
    runner->found[place] = runner->found[place - 1];
  runner->found[0] = found;
  runner_release(runner);
  return found;
}

static uint64_t service_memory_start(const lw_launch *launch, const char *address) {
  struct found_memory found = find_memory(launch, address);
  return found.bytes == LW_UNKNOWN_BYTES ? (uint64_t)(uintptr_t)address : found.low;
}

static uint64_t service_memory_bytes(const lw_launch *launch, const char *address) {
  return find_memory(launch, address).bytes;
}
