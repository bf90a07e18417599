// SPDX-License-Identifier: Apache-2.0
// Races in shared memory, found as checked kernels run.
//
// For each byte of a work-group's arena there is a cell: who wrote it last, two of those that read it, and two of those
// that accessed it by an atomic operation. Writing what is there already conflicts with nothing: programs set flags so.
// Nor does a read with an atomic operation, since loops around a compare-and-swap begin with one. Any other access
// conflicts with one in the cell if they are by two threads, not both read or both are atomic operations, and nothing
// orders them: no barrier of the group, no operation of their warp. A thread that has executed a fence since the last
// barrier may be ordered by what it read, which is not followed: its accesses conflict with none. Two readers are enough:
// of all readers since the last barrier, if one conflicts with a writer, then one of those that are kept does. So are two
// atomic operations.
//
// Method: epochs in place of vector clocks (C. Flanagan and S. Freund, "FastTrack", PLDI 2009). Barriers order all
// threads of a group, so an epoch is the number of barriers that a thread has passed.
#include "core.h"

#include <string.h>
#include <sys/mman.h>

enum { WARP_WORK_ITEMS = 32, FENCED = 1 << 15 };

enum { LAST_STAMP = UINT32_MAX / 2 };

// An access, in numbers that are built in registers: fields that are written one by one and then copied as a whole make
// the copy wait for them, which took most of a check's time.
struct shared_access {
  uint64_t who;  // its stamp, which says when (0: never), its thread in linear order, its site
  uint64_t what; // operations of the warp since the last barrier, and FENCED; enum lw_shared_access; what it wrote, if known
};

static struct shared_access shared_access(uint32_t stamp, uint32_t thread, uint32_t site, uint16_t step, uint32_t flags) {
  return (struct shared_access){stamp | (uint64_t)(uint16_t)thread << 32 | (uint64_t)site << 48,
                                step | (uint64_t)(uint16_t)flags << 16};
}

static uint32_t stamp_of(struct shared_access access) { return (uint32_t)access.who; }
static uint32_t thread_of(struct shared_access access) { return access.who >> 32 & UINT16_MAX; }
static uint32_t warp_of(struct shared_access access) { return thread_of(access) / WARP_WORK_ITEMS; }
static uint32_t site_of(struct shared_access access) { return (uint32_t)(access.who >> 48); }
static uint32_t steps_of(struct shared_access access) { return access.what & UINT16_MAX; }
static uint32_t flags_of(struct shared_access access) { return access.what >> 16 & UINT16_MAX; }
static uint32_t written_by(struct shared_access access) { return (uint32_t)(access.what >> 32); }

static struct shared_access with_written(struct shared_access access, uint32_t written) {
  return (struct shared_access){access.who, (uint32_t)access.what | (uint64_t)written << 32};
}

struct shared_cell {
  struct shared_access writer;
  struct shared_access atomics[2];
  struct shared_access readers[2];
};

enum { WORD = 4 };

// What is known of a word: all that was accessed as a whole, or, once a group accessed some part of it alone, its bytes.
struct shared_word {
  uint32_t split; // stamp of the first epoch of the last group for which it is split
  struct shared_cell whole;
};

struct races {
  size_t bytes;  // of this mapping
  size_t places; // bytes of the arena that have cells
  const struct slot *slot;
  unsigned serial; // of the launch
  uint32_t group[3];
  uint32_t first; // stamp of the group's first epoch
  uint32_t last;  // the latest stamp
  struct shared_cell *split; // of each byte
  struct shared_word words[];
};

static void service_check_fault(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                uint32_t ty, uint32_t tz, struct lw_checked_place *report, uint32_t site, uint32_t what,
                                int64_t number) {
  (void)launch;
  struct lw_checked_place *place = report + site;
  uint64_t fault = __atomic_fetch_add(&place->count, 1, __ATOMIC_RELAXED);
  if (fault >= LW_KEPT_FAULTS)
    return;
  memcpy(place->faults[fault].block, (uint32_t[3]){gx, gy, gz}, sizeof place->faults[fault].block);
  memcpy(place->faults[fault].thread, (uint32_t[3]){tx, ty, tz}, sizeof place->faults[fault].thread);
  place->faults[fault].what = what;
  place->faults[fault].number = number;
}

// The step of an access. Those after more operations of the warp than can be counted are ordered in ways not followed.
static uint16_t step_of(uint32_t step) { return (uint16_t)(step < FENCED ? step : FENCED); }

static void races_unmap(struct runner *runner) {
  if (runner->races != NULL)
    munmap(runner->races, runner->races->bytes);
  runner->races = NULL;
}

static bool is_group(const uint32_t a[3], const uint32_t b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

// The cells for the arena of the work-group that runs; null where memory is short.
static struct races *races_of(struct runner *runner) {
  struct races *races = runner->races;
  size_t places = runner->slot->arena_bytes;
  if (races == NULL || races->places < places) {
    races_unmap(runner);
    size_t words = (places + WORD - 1) / WORD;
    size_t bytes = sizeof *races + words * (sizeof(struct shared_word) + WORD * sizeof(struct shared_cell));
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return NULL;
    races = runner->races = memory;
    races->bytes = bytes;
    races->places = places;
    races->split = (struct shared_cell *)(races->words + words);
    atomic_store(&runner->slot->crew.has_more, true);
  }
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  if (races->slot != runner->slot || races->serial != serial || !is_group(races->group, runner->group)) {
    if (races->last > LAST_STAMP) {
      madvise(races->words, races->bytes - sizeof *races, MADV_DONTNEED);
      memset(races->words, 0, (races->places + WORD - 1) / WORD * sizeof(struct shared_word));
      races->last = 0;
    }
    races->first = races->last + 1;
    races->slot = runner->slot;
    races->serial = serial;
    memcpy(races->group, runner->group, sizeof races->group);
  }
  return races;
}

// Whether nothing orders two accesses of different threads in one epoch, of which one may write.
static bool conflict(struct shared_access before, struct shared_access now) {
  if (stamp_of(before) != stamp_of(now) || thread_of(before) == thread_of(now))
    return false;
  if ((flags_of(before) & flags_of(now) & LW_SHARED_ATOMIC) || ((steps_of(before) | steps_of(now)) & FENCED))
    return false;
  if (warp_of(before) != warp_of(now))
    return true;
  return steps_of(before) == steps_of(now) && !((flags_of(before) | flags_of(now)) & LW_SHARED_VOLATILE);
}

// That of two accesses of one thread in one epoch which more can conflict with: the later one, unless only that one is
// volatile.
static struct shared_access stricter(struct shared_access before, struct shared_access now) {
  bool is_weaker = flags_of(now) & ~flags_of(before) & LW_SHARED_VOLATILE;
  return is_weaker && steps_of(before) == steps_of(now) ? before : now;
}

// Notes a read or an atomic operation among the two of its kind that a cell has. One after a fence conflicts with none.
static void keep_two(struct shared_access kept[2], struct shared_access now) {
  struct shared_access a = kept[0], b = kept[1];
  if (steps_of(now) & FENCED)
    return;
  if (stamp_of(a) != stamp_of(now))
    kept[0] = now;
  else if (thread_of(a) == thread_of(now))
    kept[0] = stricter(a, now);
  else if (stamp_of(b) != stamp_of(now))
    kept[1] = now;
  else if (thread_of(b) == thread_of(now))
    kept[1] = stricter(b, now);
  else if (warp_of(a) == warp_of(now) && steps_of(a) != steps_of(now))
    kept[0] = now;
  else if (warp_of(b) == warp_of(now) && steps_of(b) != steps_of(now))
    kept[1] = now;
  else if (warp_of(a) == warp_of(b))
    kept[1] = now; // so that those of two warps are kept
}

// An access in the cell that conflicts with this one, to `count` bytes at `address`; null: none. `knows`: what it writes
// is known. `equal`: both write the same, which counts if `strict`.
static const struct shared_access *conflicting(const struct shared_cell *cell, struct shared_access now, bool knows,
                                               const char *address, uint32_t count, bool strict, bool *equal) {
  uint32_t written = written_by(now);
  bool again = knows && flags_of(cell->writer) & LW_SHARED_KNOWN && written_by(cell->writer) == written;
  bool with_writer = conflict(cell->writer, now);
  *equal = false;
  if (with_writer && !again)
    return &cell->writer;
  if (!(flags_of(now) & LW_SHARED_WRITES))
    return NULL;
  for (int atomic = 0; atomic < 2; ++atomic)
    if (conflict(cell->atomics[atomic], now))
      return &cell->atomics[atomic];
  if (flags_of(now) & LW_SHARED_ATOMIC)
    return NULL;
  for (int reader = 0; reader < 2; ++reader)
    if (conflict(cell->readers[reader], now) && (strict || !knows || memcmp(address, &written, count) != 0))
      return &cell->readers[reader];
  *equal = strict && with_writer;
  return *equal ? &cell->writer : NULL;
}

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

static uint32_t thread_number(const lw_launch *launch, uint32_t tx, uint32_t ty, uint32_t tz) {
  return tx + launch->block[0] * (ty + launch->block[1] * tz);
}

// Tells that an access races, at byte `at`, with one by thread `thread` at `site`. `what`: of that one. `equal`: both
// write the same.
static void tell_race(const struct noted *noted, uint32_t lane, uint32_t what, uint32_t at, uint32_t thread,
                      uint32_t site, bool equal) {
  const uint32_t *group = noted->group, *block = noted->launch->block, number = noted->threads[lane];
  uint64_t offset = (uint32_t)(noted->offsets[lane] + at);
  service_check_fault(noted->launch, group[0], group[1], group[2], number % block[0], number / block[0] % block[1],
                      number / block[0] / block[1], noted->report, noted->site + equal, what,
                      (int64_t)(offset << 32 | thread << 16 | site));
}

static void note_shared(const struct noted *noted) {
  struct runner *runner = noted->launch->internal;
  struct races *races = races_of(runner);
  if (races == NULL)
    return;
  uint32_t stamp = races->first + noted->epoch, size = noted->size, flags = noted->flags & LW_SHARED_ABOUT;
  bool strict = noted->flags & LW_SHARED_STRICT;
  if (stamp > races->last)
    races->last = stamp;
  for (uint64_t left = noted->active; left != 0; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left), at = 0;
    const char *address = noted->addresses[lane];
    size_t start = (size_t)(address - runner->arena);
    if (start >= races->places || size > races->places - start)
      continue;
    uint64_t value = flags & LW_SHARED_KNOWN ? noted->values[lane] : 0;
    struct shared_access now = shared_access(stamp, noted->threads[lane], noted->site, step_of(noted->step), flags);
    struct shared_access other = {0};
    bool other_equal = false;
    for (uint32_t n = 0; n < size;) {
      struct shared_word *word = &races->words[(start + n) / WORD];
      bool whole = (start + n) % WORD == 0 && size - n >= WORD;
      if (!whole && word->split != races->first) {
        for (uint32_t byte = 0; byte < WORD; ++byte) {
          struct shared_cell *cell = &races->split[(start + n) / WORD * WORD + byte];
          *cell = word->whole;
          cell->writer = with_written(cell->writer, written_by(cell->writer) >> 8 * byte & 0xFF);
        }
        word->split = races->first;
      }
      whole = word->split != races->first;
      uint32_t count = whole ? WORD : 1;
      struct shared_cell *cell = whole ? &word->whole : &races->split[start + n];
      uint32_t mask = whole ? UINT32_MAX : 0xFF;
      bool knows = flags & LW_SHARED_KNOWN && n + count <= sizeof value;
      now = with_written(now, knows ? (uint32_t)(value >> 8 * n) & mask : 0);
      bool equal;
      const struct shared_access *found = conflicting(cell, now, knows, address + n, count, strict, &equal);
      if (found != NULL && (stamp_of(other) == 0 || (other_equal && !equal))) {
        other = *found;
        other_equal = equal;
        at = n;
      }
      if (flags & LW_SHARED_ATOMIC)
        keep_two(cell->atomics, now);
      else if (flags & LW_SHARED_WRITES)
        cell->writer = now;
      else
        keep_two(cell->readers, now);
      n += count;
    }
    if (stamp_of(other) != 0)
      tell_race(noted, lane, flags_of(other), at, thread_of(other), site_of(other), other_equal);
  }
}

static void service_check_shared(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                 uint32_t ty, uint32_t tz, struct lw_checked_place *report, uint32_t site,
                                 const char *address, int64_t offset, uint32_t size, uint32_t flags, uint64_t value,
                                 uint32_t epoch, uint32_t step) {
  uint32_t thread = thread_number(launch, tx, ty, tz);
  note_shared(&(struct noted){launch, &thread, epoch, step, &address, size, flags, &offset, {gx, gy, gz}, site, &value,
                              report, 1});
}
