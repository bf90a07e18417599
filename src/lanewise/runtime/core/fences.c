// SPDX-License-Identifier: Apache-2.0
// Fences that work-groups of checked kernels have executed: accesses after one may be ordered in ways not followed.
//
// A work-group's accesses are so with other groups once one of its threads has executed a fence that reaches them. Within
// the group, a thread's accesses are so until the next barrier, which its step says; and so are those of the other
// threads of its warp after an operation of the warp, which hands on what the thread knows.
#include "core.h"

#include <string.h>

enum { FENCED = 1 << 15 };

// Accesses of work-items of one group by one instruction, a bit of `active` each, with what differs by its number. No two
// arguments of a service that are next to each other are so here: the copy would be made by vectors, which wait for the
// arguments that were just stored.
struct noted {
  const lw_launch *launch;
  const uint32_t *threads; // in linear order
  uint32_t epoch, step;
  const char *const *addresses;
  uint32_t size, flags;
  const int64_t *offsets; // in the array
  uint32_t group[3], site;
  const uint64_t *values; // what is written; not read unless LW_SHARED_KNOWN
  struct lw_checked_place *report;
  uint64_t active;
};

// The number of a thread's warp. `flags`: of one of its accesses.
static uint32_t warp_number(uint32_t thread, uint32_t flags) { return thread >> (flags & LW_SHARED_WIDE ? 6 : 5); }

static bool is_group(const uint32_t a[3], const uint32_t b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

// A number of the launch that no other one of the process has had lately; never 0.
static uint32_t number_of_launch(const struct runner *runner) {
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  return (uint32_t)(((uintptr_t)runner->slot / sizeof *runner->slot) % MAX_LAUNCHES + MAX_LAUNCHES * (serial + 1));
}

static void note_group_fence(const struct noted *noted) {
  struct runner *runner = noted->launch->internal;
  runner->fenced_launch = number_of_launch(runner);
  memcpy(runner->fenced_group, noted->group, sizeof runner->fenced_group);
}

// Whether a group has executed a fence that reaches other groups.
static bool is_group_fenced(const struct noted *noted, uint32_t launch) {
  const struct runner *runner = noted->launch->internal;
  return runner->fenced_launch == launch && is_group(runner->fenced_group, noted->group);
}

// For each warp of the group that has executed a fence in this epoch, how many operations of the warp came before the
// first one; null: none has. Warps beyond the first FENCING_WARPS share these numbers with others.
static uint16_t *steps_of_fences(const struct noted *noted) {
  struct runner *runner = noted->launch->internal;
  struct warp_fences *fences = &runner->warp_fences;
  if (__builtin_expect(fences->launch == 0, true)) // as for most programs
    return NULL;
  bool is_here = fences->epoch == noted->epoch && is_group(fences->group, noted->group);
  return is_here && fences->launch == number_of_launch(runner) ? fences->steps : NULL;
}

static uint32_t place_of_warp(const struct noted *noted, uint32_t lane) {
  return warp_number(noted->threads[lane], noted->flags) % FENCING_WARPS;
}

// Notes fences of threads, within their group.
static void note_warp_fences(const struct noted *noted) {
  struct runner *runner = noted->launch->internal;
  struct warp_fences *fences = &runner->warp_fences;
  if (steps_of_fences(noted) == NULL) {
    fences->launch = number_of_launch(runner);
    fences->epoch = noted->epoch;
    memcpy(fences->group, noted->group, sizeof fences->group);
    memset(fences->steps, UINT8_MAX, sizeof fences->steps);
  }
  uint16_t step = (uint16_t)(noted->step % FENCED);
  for (uint64_t left = noted->active; left != 0; left &= left - 1) {
    uint16_t *known = &fences->steps[place_of_warp(noted, (uint32_t)__builtin_ctzll(left))];
    *known = step < *known ? step : *known;
  }
}

// The lanes to whose threads an operation of their warp has handed on what is known after a fence.
static uint64_t lanes_handed_on(const struct noted *noted) {
  const uint16_t *fences = steps_of_fences(noted);
  uint64_t handed = 0;
  for (uint64_t left = fences != NULL ? noted->active : 0; left != 0; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left);
    handed |= (uint64_t)(noted->step > fences[place_of_warp(noted, lane)]) << lane;
  }
  return handed;
}

// Notes accesses by `note`, those of the threads that lanes_handed_on tells of as accesses after a fence.
__attribute__((always_inline)) static inline void note_after_fences(const struct noted *noted,
                                                                    void (*note)(const struct noted *)) {
  uint64_t handed = lanes_handed_on(noted);
  if (__builtin_expect(handed != 0, false)) {
    struct noted after = *noted, others = *noted;
    after.active = handed;
    after.step = FENCED;
    note(&after);
    others.active &= ~handed;
    note(&others);
    return;
  }
  note(noted);
}
