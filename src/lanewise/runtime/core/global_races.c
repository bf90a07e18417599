// SPDX-License-Identifier: Apache-2.0
// Races in global memory, found as checked kernels run.
//
// As in races.c, each access is compared with the last writer, the last atomic operation and two readers of its bytes.
// Accesses of two work-groups conflict whatever order they ran in, unless one of the groups has executed a fence, or a
// synchronisation of the grid, before: then it may have waited for the other, which is not followed.
//
// Most words are accessed by one thread, so a cell has 32 bytes for one access (C. Flanagan and S. Freund, "FastTrack",
// PLDI 2009, adapts likewise). What a second thread adds is in another table, which takes memory where that happens.
// Work-groups run on several threads of the processor: cells next to each other share a lock, which is taken once for
// the accesses of a vector that are next to each other. None is needed to see that a read would change nothing.
//
// The table has a fixed number of cells, and a word whose cell another word takes is forgotten: races may be missed, none
// is made up (J. Jacobson et al., "HiRace: Accurate and Fast Data Race Checking for GPU Programs", SC 2024, keeps
// a state for each word instead).
#include "core.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

enum { GLOBAL_CELLS = 1 << 19, LOCKED_CELLS = 16 };

// Parts of an access's numbers.
enum {
  GLOBAL_THREAD_SHIFT = 16,
  GLOBAL_BLOCK_SHIFT = 32,
  GLOBAL_STEP_SHIFT = 32,
  GLOBAL_BYTES_SHIFT = 48,
  GLOBAL_FLAGS_SHIFT = 52,
};

#define GLOBAL_FLAG(flag) ((uint64_t)(flag) << GLOBAL_FLAGS_SHIFT)

static const uint64_t GLOBAL_STEPS = (uint64_t)UINT16_MAX << GLOBAL_STEP_SHIFT;
static const uint64_t GLOBAL_FENCED_STEP = (uint64_t)FENCED << GLOBAL_STEP_SHIFT;
static const uint64_t GLOBAL_BYTES = (uint64_t)((1 << WORD) - 1) << GLOBAL_BYTES_SHIFT;
static const uint64_t GLOBAL_WRITES = GLOBAL_FLAG(LW_SHARED_WRITES);
static const uint64_t GLOBAL_ATOMIC = GLOBAL_FLAG(LW_SHARED_ATOMIC);

struct global_access {
  uint64_t who;  // its site, its thread and its work-group, both in linear order
  uint64_t what; // its epoch, its step, the bytes of the word with a bit each, enum lw_shared_access; 0: no access
};

enum global_state {
  GLOBAL_ALONE,       // `first` is the only access
  GLOBAL_MORE,        // `first` is the last writer, if any, and there is more
  GLOBAL_TWO_READERS, // the same, there is no writer, and `first.who` has the work-groups of two readers
};

struct global_cell {
  uint64_t key; // the launch, and which of the words that share the cell it is; 0: none
  struct global_access first;
  uint32_t written;  // by that, if known
  atomic_flag lock;  // of this cell and those after it, in the first of LOCKED_CELLS
  uint8_t state;     // of enum global_state
};

struct global_more {
  struct global_access atomic, readers[2];
};

struct global_table {
  struct global_cell cells[GLOBAL_CELLS];
  struct global_more more[GLOBAL_CELLS];
};

static struct global_table *_Atomic global_table;

static struct global_table *table_of_globals(void) {
  struct global_table *known = atomic_load(&global_table);
  if (known != NULL)
    return known;
  void *memory =
      mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  madvise(memory, sizeof *known, MADV_WIPEONFORK); // where a thread that the child lacks may have taken a lock
  if (atomic_compare_exchange_strong(&global_table, &known, memory))
    return memory;
  munmap(memory, sizeof *known);
  return known;
}

static uint32_t global_block(struct global_access access) { return (uint32_t)(access.who >> GLOBAL_BLOCK_SHIFT); }
static uint32_t global_thread(struct global_access access) { return access.who >> GLOBAL_THREAD_SHIFT & UINT16_MAX; }

static bool is_one_thread(struct global_access a, struct global_access b) {
  return (a.who ^ b.who) >> GLOBAL_THREAD_SHIFT == 0;
}

// Whether nothing orders two accesses of one launch to a word, of which one may write.
static bool global_conflict(struct global_access before, struct global_access now) {
  uint64_t both = before.what & now.what, any = before.what | now.what;
  if (!(both & GLOBAL_BYTES) || both & GLOBAL_ATOMIC)
    return false;
  if (global_block(before) != global_block(now))
    return !(any & GLOBAL_FLAG(LW_SHARED_FENCE));
  if (is_one_thread(before, now) || (uint32_t)before.what != (uint32_t)now.what || any & GLOBAL_FENCED_STEP)
    return false;
  if (global_thread(before) / WARP_WORK_ITEMS != global_thread(now) / WARP_WORK_ITEMS)
    return true;
  return !((before.what ^ now.what) & GLOBAL_STEPS) && !(any & GLOBAL_FLAG(LW_SHARED_VOLATILE));
}

static void store(struct global_access *access, struct global_access now) {
  __atomic_store_n(&access->who, now.who, __ATOMIC_RELAXED);
  __atomic_store_n(&access->what, now.what, __ATOMIC_RELAXED);
}

// Readers of two work-groups are kept, if there are such.
static void note_global_reader(struct global_more *more, struct global_access now) {
  struct global_access a = more->readers[0], b = more->readers[1];
  if (a.what == 0 || is_one_thread(a, now))
    more->readers[0] = now;
  else if (b.what == 0 || global_block(a) == global_block(b) || global_block(b) == global_block(now))
    more->readers[1] = now;
}

// Whether two accesses of one thread, neither of them atomic, differ at most in what they do and in their bytes.
static bool is_alike(struct global_access a, struct global_access b) {
  const uint64_t may_differ = GLOBAL_BYTES | GLOBAL_WRITES | GLOBAL_FLAG(LW_SHARED_KNOWN);
  return !((a.what ^ b.what) & ~may_differ) && !(a.what & GLOBAL_ATOMIC);
}

// Whether all that conflicts with access `b` conflicts with `a`, which is of the same thread: so `b` needn't be kept.
// Where equal writes are told, a write conflicts otherwise with a write than with a read.
static bool covers(struct global_access a, struct global_access b) {
  const uint64_t asked = a.what & (GLOBAL_WRITES | GLOBAL_FLAG(LW_SHARED_STRICT));
  return is_alike(a, b) && asked == GLOBAL_WRITES && !(b.what & ~a.what & GLOBAL_BYTES);
}

// Notes an access as the only one of its cell. False if the cell must keep others, too.
static bool note_only(struct global_cell *cell, struct global_access now, uint32_t written) {
  const uint64_t kind = GLOBAL_WRITES | GLOBAL_ATOMIC;
  if (!is_one_thread(cell->first, now))
    return false;
  if (((cell->first.what ^ now.what) & kind) == 0 || covers(now, cell->first)) {
    store(&cell->first, now);
    cell->written = written;
    return true;
  }
  return covers(cell->first, now);
}

// Makes room for more accesses than one.
static void expand(struct global_cell *cell, struct global_more *more) {
  struct global_access only = cell->first, none = {0};
  bool is_atomic = only.what & GLOBAL_ATOMIC, is_write = !is_atomic && only.what & GLOBAL_WRITES;
  *more = (struct global_more){is_atomic ? only : none, {is_atomic || is_write ? none : only, none}};
  if (!is_write)
    store(&cell->first, none);
  __atomic_store_n(&cell->state, GLOBAL_MORE, __ATOMIC_RELAXED);
}

// Says so where a read by a further work-group changes nothing.
static void find_two_readers(struct global_cell *cell, const struct global_more *more) {
  uint32_t a = global_block(more->readers[0]), b = global_block(more->readers[1]);
  if (cell->first.what != 0 || more->readers[1].what == 0 || a == b)
    return;
  __atomic_store_n(&cell->first.who, (uint64_t)a << 32 | b, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->state, GLOBAL_TWO_READERS, __ATOMIC_RELAXED);
}

// The access in the cell that conflicts with this one; one without bytes: none. `knows`: what it writes is known. `equal`:
// both write the same, which counts if that is asked for. Memory isn't read here, for the address may be wrong.
static struct global_access global_conflicting(const struct global_cell *cell, const struct global_more *more,
                                               struct global_access now, uint32_t written, bool knows, bool *equal) {
  struct global_access writer = cell->first, none = {0};
  bool again = knows && writer.what & GLOBAL_FLAG(LW_SHARED_KNOWN) && cell->written == written &&
               !((writer.what ^ now.what) & GLOBAL_BYTES);
  bool with_writer = global_conflict(writer, now), strict = now.what & GLOBAL_FLAG(LW_SHARED_STRICT);
  *equal = false;
  if (with_writer && !again)
    return writer;
  if (!(now.what & GLOBAL_WRITES))
    return none;
  if (global_conflict(more->atomic, now))
    return more->atomic;
  if (now.what & GLOBAL_ATOMIC || (again && !strict))
    return none;
  for (int reader = 0; reader < 2; ++reader)
    if (global_conflict(more->readers[reader], now))
      return more->readers[reader];
  *equal = with_writer;
  return *equal ? writer : none;
}

// Whether a plain read would change nothing and conflicts with nothing. No lock is held: what another thread changes at
// the same time is seen or not.
static bool is_read_for_nothing(const struct global_cell *cell, uint64_t key, uint32_t block) {
  if (__atomic_load_n(&cell->key, __ATOMIC_RELAXED) != key ||
      __atomic_load_n(&cell->state, __ATOMIC_RELAXED) != GLOBAL_TWO_READERS)
    return false;
  uint64_t readers = __atomic_load_n(&cell->first.who, __ATOMIC_RELAXED);
  return (uint32_t)readers != block && readers >> 32 != block;
}

// Notes an access to a word of which only its own thread, or another launch, has been seen. False if it isn't so.
__attribute__((always_inline)) static inline bool note_alone(struct global_cell *cell, uint64_t key,
                                                             struct global_access now, uint32_t written) {
  if (cell->key == key)
    return cell->state == GLOBAL_ALONE && note_only(cell, now, written);
  __atomic_store_n(&cell->key, key, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->state, GLOBAL_ALONE, __ATOMIC_RELAXED);
  store(&cell->first, now);
  cell->written = written;
  return true;
}

// Compares an access to a word with those before. Returns one that conflicts, or one without bytes.
static struct global_access note_word(struct global_cell *cell, struct global_more *more, uint64_t key,
                                      struct global_access now, uint32_t written, bool knows, bool *equal) {
  if (note_alone(cell, key, now, written))
    return (struct global_access){0};
  if (cell->state == GLOBAL_ALONE)
    expand(cell, more);
  __atomic_store_n(&cell->state, GLOBAL_MORE, __ATOMIC_RELAXED);
  struct global_access found = global_conflicting(cell, more, now, written, knows, equal);
  if (now.what & GLOBAL_ATOMIC) {
    more->atomic = now;
  } else if (now.what & GLOBAL_WRITES) {
    store(&cell->first, now);
    cell->written = written;
  } else {
    note_global_reader(more, now);
    find_two_readers(cell, more);
  }
  return found;
}

// A number of the launch that no other one of the process has had lately.
static uint32_t number_of_launch(const struct runner *runner) {
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  return (uint32_t)(((uintptr_t)runner->slot / sizeof *runner->slot) % MAX_LAUNCHES + MAX_LAUNCHES * (serial + 1));
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
    uint32_t written = knows ? (uint32_t)(value >> 8 * n) & (UINT32_MAX >> 8 * (WORD - count)) : 0;
    held = lock_of(table, cell, held);
    struct global_access found =
        note_word(&table->cells[cell], &table->more[cell], key_of(launch, word), now, written, knows, &equal);
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

// Notes accesses to whole words, as far as that is simple, and others one by one. The runner is held.
__attribute__((always_inline)) static inline void note_lanes(const struct noted *noted, struct global_table *table,
                                                             uint32_t launch, struct global_access now, bool is_read) {
  atomic_flag *held = NULL;
  const uint64_t who = now.who, what = now.what | GLOBAL_BYTES;
  const uint32_t block = global_block(now), *threads = noted->threads;
  const char *const *addresses = noted->addresses;
  const uint64_t *values = noted->flags & LW_SHARED_KNOWN ? noted->values : NULL;
  for (uint64_t left = noted->size == WORD ? noted->active : 0; left != 0; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left);
    uintptr_t here = (uintptr_t)addresses[lane], word = here / WORD;
    struct global_cell *cell = &table->cells[word % GLOBAL_CELLS];
    uint64_t key = key_of(launch, word);
    if (is_read && here % WORD == 0 && is_read_for_nothing(cell, key, block))
      continue;
    struct global_access whole = {who | (uint64_t)(uint16_t)threads[lane] << GLOBAL_THREAD_SHIFT, what};
    held = lock_of(table, word % GLOBAL_CELLS, held);
    if (here % WORD != 0 || !note_alone(cell, key, whole, values != NULL ? (uint32_t)values[lane] : 0))
      held = note_words(noted, table, launch, now, lane, held);
  }
  for (uint64_t left = noted->size == WORD ? 0 : noted->active; left != 0; left &= left - 1)
    held = note_words(noted, table, launch, now, (uint32_t)__builtin_ctzll(left), held);
  give_lock(held);
}

static void note_global(const struct noted *noted) {
  const lw_launch *launch = noted->launch;
  struct runner *runner = launch->internal;
  uint32_t number = number_of_launch(runner);
  if (noted->flags & LW_SHARED_FENCE) {
    runner->fenced_serial = number;
    memcpy(runner->fenced_group, noted->group, sizeof runner->fenced_group);
    return;
  }
  struct global_table *table = table_of_globals();
  if (table == NULL)
    return;
  bool fenced = runner->fenced_serial == number && is_group(runner->fenced_group, noted->group);
  const uint32_t *group = noted->group;
  uint32_t block = group[0] + launch->grid[0] * (group[1] + launch->grid[1] * group[2]);
  uint64_t flags = (noted->flags & (LW_SHARED_ABOUT | LW_SHARED_STRICT)) | (fenced ? LW_SHARED_FENCE : 0);
  struct global_access now = {
      .who = (uint64_t)block << GLOBAL_BLOCK_SHIFT | (uint16_t)noted->site,
      .what = noted->epoch | (uint64_t)step_of(noted->step) << GLOBAL_STEP_SHIFT | flags << GLOBAL_FLAGS_SHIFT,
  };
  runner_hold(runner);
  fetch_cells(noted, table);
  if (noted->flags & (LW_SHARED_WRITES | LW_SHARED_ATOMIC))
    note_lanes(noted, table, number, now, false);
  else
    note_lanes(noted, table, number, now, true);
  runner_release(runner);
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
