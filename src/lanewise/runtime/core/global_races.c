// SPDX-License-Identifier: Apache-2.0
// Races in global memory, found as checked kernels run.
//
// Accesses are compared word by word, as global_words.c says. Work-groups run on several threads of the processor: cells
// next to each other share a lock, which is taken once for the accesses of a vector that are next to each other. None is
// needed to see that a read would change nothing.
//
// The table has a fixed number of cells, and a word whose cell another word takes is forgotten: races may be missed, none
// is made up (J. Jacobson et al., "HiRace: Accurate and Fast Data Race Checking for GPU Programs", SC 2024, keeps
// a state for each word instead).
#include "core.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

enum { GLOBAL_CELLS = 1 << 19, LOCKED_CELLS = 64 };

// Parts that few words need take no memory for others.
struct global_table {
  struct global_cell cells[GLOBAL_CELLS];
  struct global_more more[GLOBAL_CELLS];
  struct global_earlier earlier[GLOBAL_CELLS];
};

static struct global_table *_Atomic global_table;

static struct global_table *table_of_globals(struct runner *runner) {
  struct global_table *known = atomic_load(&global_table);
  if (known != NULL)
    return known;
  void *memory =
      mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    runner_lacks_memory(runner, "what checks note of accesses to global memory");
  madvise(memory, sizeof known->cells, MADV_HUGEPAGE); // most launches go through all of it
  madvise(memory, sizeof *known, MADV_WIPEONFORK); // where a thread that the child lacks may have taken a lock
  if (atomic_compare_exchange_strong(&global_table, &known, memory))
    return memory;
  munmap(memory, sizeof *known);
  return known;
}

static void take_lock(atomic_flag *lock) {
  enum { SPINS = 64 };
  for (uint32_t spins = 0; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); ++spins)
    if (spins % SPINS == SPINS - 1)
      sched_yield();
}

static void give_lock(atomic_flag *lock) {
  if (lock != NULL)
    atomic_flag_clear_explicit(lock, memory_order_release);
}

// Makes the lock of a cell the one that is held. Returns it.
__attribute__((always_inline)) static inline atomic_flag *lock_of(struct global_table *table, uintptr_t cell,
                                                                  atomic_flag *held) {
  atomic_flag *lock = &table->cells[cell / LOCKED_CELLS * LOCKED_CELLS].lock;
  if (lock != held) {
    give_lock(held);
    take_lock(lock);
  }
  return lock;
}

static uint64_t key_of(uint32_t launch, uintptr_t word) {
  return (uint64_t)launch << 32 | (uint32_t)(word / GLOBAL_CELLS);
}

// Notes the access of one work-item, and tells if it races. Returns the lock that is held.
__attribute__((noinline)) static atomic_flag *note_words(const struct noted *noted, struct global_table *table,
                                                         uint32_t launch, struct global_access now, uint32_t lane,
                                                         atomic_flag *held) {
  uint32_t size = noted->size, at = 0;
  uint64_t what = now.what, value = noted->flags & LW_SHARED_KNOWN ? noted->values[lane] : 0;
  now.who |= (uint64_t)(uint16_t)noted->threads[lane] << GLOBAL_THREAD_SHIFT;
  struct global_access other = {0};
  bool other_equal = false, equal = false;
  for (uint32_t n = 0; n < size;) {
    uintptr_t here = (uintptr_t)noted->addresses[lane] + n, word = here / WORD, cell = word % GLOBAL_CELLS;
    uint32_t start = here % WORD, count = size - n < WORD - start ? size - n : WORD - start;
    bool knows = noted->flags & LW_SHARED_KNOWN && n + count <= sizeof value;
    now.what = what | (uint64_t)(((1u << count) - 1) << start) << GLOBAL_BYTES_SHIFT;
    now.what &= knows ? ~(uint64_t)0 : ~GLOBAL_KNOWN;
    uint32_t written = knows ? (uint32_t)(value >> 8 * n) << 8 * start : 0;
    held = lock_of(table, cell, held);
    struct global_word known = {&table->cells[cell], &table->more[cell], &table->earlier[cell]};
    struct global_access found = note_word(&known, key_of(launch, word), now, written, &equal);
    if (found.what != 0 && (other.what == 0 || (other_equal && !equal))) {
      other = found;
      other_equal = equal;
      at = n;
    }
    n += count;
  }
  if (other.what != 0)
    tell_race(noted, lane, global_block(other), at, global_thread(other), other.who & UINT16_MAX, other_equal);
  return held;
}

// Fetches the cells of a vector of words all at once: each lock waits for what was fetched before.
static void fetch_cells(const struct noted *noted, const struct global_table *table) {
  enum { STEP = CACHE_LINE / sizeof *table->cells }; // of lanes, whose words are neighbours in most cases
  for (uint64_t left = noted->active, lane = 0; left != 0; left >>= STEP, lane += STEP)
    __builtin_prefetch(&table->cells[(uintptr_t)noted->addresses[lane] / WORD % GLOBAL_CELLS], 1);
}

// Notes accesses to whole words, as far as that is simple, and others one by one. The runner is held. `least`: for plain
// reads, the state of a cell from which on a read may change nothing; else GLOBAL_ALONE. It is a constant in each copy.
__attribute__((always_inline)) static inline void note_lanes(const struct noted *noted, struct global_table *table,
                                                             uint32_t launch, struct global_access now, uint8_t least) {
  atomic_flag *held = NULL;
  const uint64_t who = now.who, what = now.what | GLOBAL_BYTES;
  const uint32_t block = global_block(now), *threads = noted->threads;
  const char *const *addresses = noted->addresses;
  const uint64_t *values = noted->flags & LW_SHARED_KNOWN ? noted->values : NULL;
  const uint64_t active = lanes_to_note(noted);
  for (uint64_t left = noted->size == WORD ? active : 0; left != 0; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left);
    uintptr_t here = (uintptr_t)addresses[lane], word = here / WORD;
    struct global_cell *cell = &table->cells[word % GLOBAL_CELLS];
    struct global_more *more = &table->more[word % GLOBAL_CELLS];
    uint64_t key = key_of(launch, word);
    if (least != GLOBAL_ALONE && here % WORD == 0 && is_read_for_nothing(cell, key, block, least))
      continue;
    struct global_access whole = {who | (uint64_t)(uint16_t)threads[lane] << GLOBAL_THREAD_SHIFT, what};
    held = lock_of(table, word % GLOBAL_CELLS, held);
    if (here % WORD != 0 || !note_alone(cell, more, key, whole, values != NULL ? (uint32_t)values[lane] : 0))
      held = note_words(noted, table, launch, now, lane, held);
  }
  for (uint64_t left = noted->size == WORD ? 0 : active; left != 0; left &= left - 1)
    held = note_words(noted, table, launch, now, (uint32_t)__builtin_ctzll(left), held);
  give_lock(held);
}

static void note_global_accesses(const struct noted *noted) {
  const lw_launch *launch = noted->launch;
  struct runner *runner = launch->internal;
  uint32_t number = number_of_launch(runner);
  struct global_table *table = table_of_globals(runner);
  bool fenced = is_group_fenced(noted, number);
  const uint32_t *group = noted->group;
  uint32_t block = group[0] + launch->grid[0] * (group[1] + launch->grid[1] * group[2]);
  uint64_t flags = (noted->flags & (LW_SHARED_ABOUT | LW_SHARED_STRICT | LW_SHARED_WIDE)) | (fenced ? LW_SHARED_FENCE : 0);
  struct global_access now = {
      .who = (uint64_t)block << GLOBAL_BLOCK_SHIFT | (uint16_t)noted->site,
      .what = noted->epoch | (uint64_t)step_of(noted->step) << GLOBAL_STEP_SHIFT | flags << GLOBAL_FLAGS_SHIFT,
  };
  runner_hold(runner);
  fetch_cells(noted, table);
  if (noted->flags & (LW_SHARED_WRITES | LW_SHARED_ATOMIC))
    note_lanes(noted, table, number, now, GLOBAL_ALONE);
  else
    note_lanes(noted, table, number, now, GLOBAL_TWO_READERS);
  runner_release(runner);
}

static void note_global(const struct noted *noted) {
  if (noted->flags & LW_SHARED_FENCE)
    note_group_fence(noted);
  else
    note_after_fences(noted, note_global_accesses);
}

static void service_check_global(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                                 uint32_t tz, struct lw_checked_place *report, uint32_t site, const char *address,
                                 int64_t offset, uint32_t size, uint32_t flags, uint64_t value, uint32_t epoch,
                                 uint32_t step) {
  uint32_t thread = thread_number(launch, tx, ty, tz);
  note_global(&(struct noted){launch, &thread, epoch, step, &address, size, flags, &offset, {gx, gy, gz}, site, &value,
                              report, 1});
}

// Those of several work-items.
static void service_check_accesses(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz,
                                   struct lw_checked_place *report, uint32_t site, uint32_t size, uint32_t flags,
                                   uint32_t epoch, uint32_t step, uint64_t active, const uint32_t *threads,
                                   const char *const *addresses, const int64_t *offsets, const uint64_t *values) {
  struct noted noted = {launch, threads,      epoch, step,   addresses, size,  flags,
                        offsets, {gx, gy, gz}, site,  values, report,    active};
  if (flags & LW_SHARED_GLOBAL)
    note_global(&noted);
  else
    note_shared(&noted);
}
