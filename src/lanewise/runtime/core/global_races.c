// SPDX-License-Identifier: Apache-2.0
// Races in global memory, found as checked kernels run.
//
// As in races.c, each access is compared with the last writer, the last atomic operation and two readers of its bytes.
// Work-groups run on several threads, so the cells of words are in one table for all, each under a lock of its own.
// Accesses of two work-groups conflict whatever order they ran in, unless one of the groups has executed a fence, or a
// synchronisation of the grid, before: then it may have waited for the other, which is not followed.
//
// The table has a fixed number of cells, and a word whose cell another word takes is forgotten: races may be missed, none
// is made up (J. Jacobson et al., "HiRace: Accurate and Fast Data Race Checking for GPU Programs", SC 2024, keeps
// a state for each word instead).
#include "core.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

enum { GLOBAL_CELLS = 1 << 19 };

static const uint32_t MISSING = UINT32_MAX;

struct global_access {
  uint32_t launch; // 0: none
  uint32_t block;  // in linear order
  uint32_t epoch;
  uint16_t thread;
  uint16_t site;
  uint16_t step;
  uint8_t flags;
  uint8_t bytes;  // of the word, a bit each
  uint32_t written;
};

struct global_cell {
  atomic_flag lock;
  uintptr_t word;
  struct global_access writer, atomic, readers[2];
};

static struct global_cell *_Atomic global_cells;

static struct global_cell *cells_of_globals(void) {
  struct global_cell *known = atomic_load(&global_cells);
  if (known != NULL)
    return known;
  size_t bytes = GLOBAL_CELLS * sizeof *known;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  madvise(memory, bytes, MADV_WIPEONFORK); // where a thread that the child lacks may have a cell locked
  if (atomic_compare_exchange_strong(&global_cells, &known, memory))
    return memory;
  munmap(memory, bytes);
  return known;
}

static bool global_conflict(const struct global_access *before, const struct global_access *now) {
  if (before->launch != now->launch || !(before->bytes & now->bytes) || (before->flags & now->flags & LW_SHARED_ATOMIC))
    return false;
  if (before->block != now->block)
    return !((before->flags | now->flags) & LW_SHARED_FENCE);
  if (before->thread == now->thread || before->epoch != now->epoch || ((before->step | now->step) & FENCED))
    return false;
  if (before->thread / WARP_WORK_ITEMS != now->thread / WARP_WORK_ITEMS)
    return true;
  return before->step == now->step && !((before->flags | now->flags) & LW_SHARED_VOLATILE);
}

static void note_global_reader(struct global_cell *cell, const struct global_access *now) {
  struct global_access *a = &cell->readers[0], *b = &cell->readers[1];
  bool same = a->launch == now->launch && a->block == now->block && a->thread == now->thread;
  if (a->launch != now->launch || same)
    *a = *now;
  else if (b->launch != now->launch || a->block == b->block || b->block == now->block)
    *b = *now; // so that readers of two work-groups are kept
}

// The access in the cell that conflicts with this one; null: none. Memory isn't read here, for the address may be wrong.
static const struct global_access *global_conflicting(const struct global_cell *cell, const struct global_access *now,
                                                      bool knows) {
  bool again = knows && cell->writer.flags & LW_SHARED_KNOWN && cell->writer.written == now->written &&
               cell->writer.bytes == now->bytes && cell->writer.launch == now->launch;
  if (!again && global_conflict(&cell->writer, now))
    return &cell->writer;
  if (!(now->flags & LW_SHARED_WRITES))
    return NULL;
  if (global_conflict(&cell->atomic, now))
    return &cell->atomic;
  if (now->flags & LW_SHARED_ATOMIC || again)
    return NULL;
  for (int reader = 0; reader < 2; ++reader)
    if (global_conflict(&cell->readers[reader], now))
      return &cell->readers[reader];
  return NULL;
}

static void lock_cell(struct global_cell *cell) {
  enum { SPINS = 64 };
  for (uint32_t spins = 0; atomic_flag_test_and_set_explicit(&cell->lock, memory_order_acquire); ++spins)
    if (spins % SPINS == SPINS - 1)
      sched_yield();
}

// Compares an access to a word with those before. True, and the other one, if they conflict. The runner is held.
static bool note_global(struct global_cell *cell, uintptr_t word, struct global_access *now, bool knows,
                        struct global_access *other) {
  lock_cell(cell);
  if (cell->word != word || (cell->writer.launch != now->launch && cell->atomic.launch != now->launch &&
                             cell->readers[0].launch != now->launch)) {
    memset(&cell->writer, 0, sizeof cell->writer);
    memset(&cell->atomic, 0, sizeof cell->atomic);
    memset(cell->readers, 0, sizeof cell->readers);
    cell->word = word;
  }
  const struct global_access *found = global_conflicting(cell, now, knows);
  if (found != NULL)
    *other = *found;
  if (now->flags & LW_SHARED_ATOMIC)
    cell->atomic = *now;
  else if (now->flags & LW_SHARED_WRITES)
    cell->writer = *now;
  else
    note_global_reader(cell, now);
  atomic_flag_clear_explicit(&cell->lock, memory_order_release);
  return found != NULL;
}

// A number of the launch that no other one of the process has had lately.
static uint32_t number_of_launch(const struct runner *runner) {
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  return (uint32_t)(((uintptr_t)runner->slot / sizeof *runner->slot) % MAX_LAUNCHES + MAX_LAUNCHES * (serial + 1));
}

static void service_check_global(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                                 uint32_t tz, struct lw_checked_place *report, uint32_t site, const char *address,
                                 int64_t offset, uint32_t size, uint32_t flags, uint64_t value, uint32_t epoch,
                                 uint32_t step) {
  struct runner *runner = launch->internal;
  uint32_t number = number_of_launch(runner);
  if (flags & LW_SHARED_FENCE) {
    runner->fenced_serial = number;
    memcpy(runner->fenced_group, (uint32_t[3]){gx, gy, gz}, sizeof runner->fenced_group);
    return;
  }
  struct global_cell *cells = cells_of_globals();
  if (cells == NULL)
    return;
  bool fenced = runner->fenced_serial == number &&
                memcmp(runner->fenced_group, (uint32_t[3]){gx, gy, gz}, sizeof runner->fenced_group) == 0;
  struct global_access now = {
      .launch = number,
      .block = gx + launch->grid[0] * (gy + launch->grid[1] * gz),
      .epoch = epoch,
      .thread = (uint16_t)(tx + launch->block[0] * (ty + launch->block[1] * tz)),
      .site = (uint16_t)site,
      .step = step_of(step),
      .flags = (uint8_t)(flags | (fenced ? LW_SHARED_FENCE : 0)),
  };
  struct global_access other = {0};
  uint32_t at = MISSING;
  runner_hold(runner);
  for (uint32_t n = 0; n < size;) {
    uintptr_t here = (uintptr_t)address + n, word = here / WORD;
    uint32_t start = here % WORD, count = size - n < WORD - start ? size - n : WORD - start;
    bool knows = flags & LW_SHARED_KNOWN && n + count <= sizeof value;
    now.bytes = (uint8_t)(((1u << count) - 1) << start);
    now.written = knows ? (uint32_t)(value >> 8 * n) & (count == WORD ? UINT32_MAX : (1u << 8 * count) - 1) : 0;
    struct global_access found;
    if (note_global(&cells[word % GLOBAL_CELLS], word, &now, knows, &found) && at == MISSING) {
      other = found;
      at = n;
    }
    n += count;
  }
  runner_release(runner);
  if (at != MISSING)
    service_check_fault(launch, gx, gy, gz, tx, ty, tz, report, site, other.block,
                        (int64_t)((uint64_t)(uint32_t)(offset + at) << 32 | (uint32_t)other.thread << 16 | other.site));
}
