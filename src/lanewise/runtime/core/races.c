// SPDX-License-Identifier: Apache-2.0
// Races in shared memory, found as checked kernels run.
//
// For each byte of a work-group's arena there is a cell: who wrote it last, two of those that read it, and two of those
// that accessed it by an atomic operation. Writing what is there already conflicts with nothing: programs set flags so.
// Nor does a read with an atomic operation, since loops around a compare-and-swap begin with one. Any other access
// conflicts with one in the cell if they are by two threads, not both read or both are atomic operations, and nothing
// orders them: no barrier of the group, no operation of their warp. A thread that has executed a fence since the last
// barrier may be ordered by what it read, which is not followed: its accesses conflict with none, nor do those of its warp
// after the next operation of the warp (fences.c). Two readers are enough:
// of all readers since the last barrier, if one conflicts with a writer, then one of those that are kept does. So are two
// atomic operations. A write that the same thread, or one that it is ordered with, has replaced by another value is kept
// beside these: it conflicts with the same accesses, also with a write of that other value, or with a read if a fence
// came between the two writes. One that another thread has written again is kept beside the readers: it conflicts with a
// later write of something else.
//
// Since barriers order all threads of a group, only accesses of one epoch conflict, and most words are accessed by one
// thread in each. So a word has 48 bytes for these, and cells in another table once a second thread comes.
//
// Method: epochs in place of vector clocks, and cells that adapt to their threads (C. Flanagan and S. Freund,
// "FastTrack", PLDI 2009). An epoch is the number of barriers that a thread has passed.
#include "core.h"

#include <string.h>
#include <sys/mman.h>

enum { LAST_STAMP = UINT32_MAX / 2 };

// An access, in numbers that are built in registers: fields that are written one by one and then copied as a whole make
// the copy wait for them, which took most of a check's time.
struct shared_access {
  uint64_t who;  // its stamp, which says when (0: never), its thread in linear order, its site
  uint64_t what; // operations of the warp since the last barrier, and FENCED; enum lw_shared_access; what it wrote, if known
};

// Parts of an access's numbers.
enum { SHARED_THREAD_SHIFT = 32, SHARED_SITE_SHIFT = 48, SHARED_FLAGS_SHIFT = 16, SHARED_WRITTEN_SHIFT = 32 };

#define SHARED_FLAG(flag) ((uint64_t)(flag) << SHARED_FLAGS_SHIFT)

static struct shared_access shared_access(uint32_t stamp, uint32_t thread, uint32_t site, uint16_t step,
                                          uint32_t flags) {
  uint64_t who = (uint64_t)(uint16_t)thread << SHARED_THREAD_SHIFT | (uint64_t)site << SHARED_SITE_SHIFT;
  return (struct shared_access){stamp | who, step | SHARED_FLAG((uint16_t)flags)};
}

static uint32_t stamp_of(struct shared_access access) { return (uint32_t)access.who; }
static uint32_t thread_of(struct shared_access access) { return access.who >> SHARED_THREAD_SHIFT & UINT16_MAX; }
static uint32_t site_of(struct shared_access access) { return (uint32_t)(access.who >> SHARED_SITE_SHIFT); }
static uint32_t steps_of(struct shared_access access) { return access.what & UINT16_MAX; }
static uint32_t flags_of(struct shared_access access) { return access.what >> SHARED_FLAGS_SHIFT & UINT16_MAX; }
static uint32_t warp_of(struct shared_access access) { return warp_number(thread_of(access), flags_of(access)); }
static uint32_t written_by(struct shared_access access) { return (uint32_t)(access.what >> SHARED_WRITTEN_SHIFT); }

static struct shared_access with_written(struct shared_access access, uint32_t written) {
  return (struct shared_access){access.who, (uint32_t)access.what | (uint64_t)written << SHARED_WRITTEN_SHIFT};
}

struct shared_cell {
  struct shared_access writer;
  struct shared_access atomics[2];
  struct shared_access readers[2];
};

enum { WORD = 4 };

// What is known of a word in its latest epoch, whose stamp `only` has. Flags of `only`, beside those of the access:
enum shared_state {
  SHARED_READ_TOO = 1 << 8, // the thread that has written it has also read it
  SHARED_REWRITTEN = 1 << 9, // it has written something else before
  SHARED_MORE = 1 << 10,    // `only` is no access; they are in the cell of the word
  SHARED_SPLIT = 1 << 11,   // or, if some part of it was accessed alone, in those of its bytes
  SHARED_READERS = 1 << 12, // threads of two warps have read it as a whole, and nobody has written it
};

struct shared_word {
  struct shared_access only;   // the only access, or the last one of a thread
  struct shared_access read;   // if SHARED_READ_TOO
  struct shared_access before; // if SHARED_REWRITTEN
};

struct races {
  size_t bytes;  // of this mapping
  size_t places; // bytes of the arena that have cells
  const struct slot *slot;
  unsigned serial; // of the launch
  uint32_t group[3];
  uint32_t first; // stamp of the group's first epoch
  uint32_t last;  // the latest stamp
  struct shared_cell *whole; // of each word
  struct shared_cell *split; // of each byte
  _Alignas(CACHE_LINE) struct shared_word words[];
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

// The cells for the arena of the work-group that runs.
static struct races *races_of(struct runner *runner) {
  struct races *races = runner->races;
  size_t places = runner->slot->arena_bytes;
  if (races == NULL || races->places < places || races->last > LAST_STAMP) {
    races_unmap(runner);
    size_t words = (places + WORD - 1) / WORD;
    size_t bytes = sizeof *races + words * (sizeof(struct shared_word) + (1 + WORD) * sizeof(struct shared_cell));
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      runner_lacks_memory(runner, "what checks note of accesses to shared memory");
    races = runner->races = memory;
    races->bytes = bytes;
    races->places = places;
    races->whole = (struct shared_cell *)(races->words + words);
    races->split = races->whole + words;
    atomic_store(&runner->slot->crew.has_more, true);
  }
  unsigned serial = atomic_load_explicit(&runner->slot->serial, memory_order_relaxed);
  if (races->slot != runner->slot || races->serial != serial || !is_group(races->group, runner->group)) {
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
// is known; `again`: the last writer has written the same. `equal`: both write the same, which counts if `strict`.
static const struct shared_access *conflicting(const struct shared_cell *cell, struct shared_access now, bool knows,
                                               bool again, const char *address, uint32_t count, bool strict,
                                               bool *equal) {
  uint32_t written = written_by(now);
  bool with_writer = conflict(cell->writer, now);
  *equal = false;
  if (with_writer && !again)
    return &cell->writer;
  bool writes = flags_of(now) & LW_SHARED_WRITES;
  for (int atomic = 0; atomic < 2; ++atomic)
    if ((writes || !(flags_of(cell->atomics[atomic]) & LW_SHARED_ATOMIC)) && conflict(cell->atomics[atomic], now))
      return &cell->atomics[atomic];
  if (!writes || flags_of(now) & LW_SHARED_ATOMIC)
    return NULL;
  for (int reader = 0; reader < 2; ++reader) {
    if (!conflict(cell->readers[reader], now))
      continue;
    bool wrote = flags_of(cell->readers[reader]) & LW_SHARED_WRITES; // what the last writer wrote, perhaps not stored yet
    if (wrote ? !again : strict || !knows || memcmp(address, &written, count) != 0)
      return &cell->readers[reader];
  }
  *equal = strict && with_writer;
  return *equal ? &cell->writer : NULL;
}

// Notes a write that isn't atomic in a cell. `again`: the last writer is known to have written the same.
static void note_shared_writer(struct shared_cell *cell, struct shared_access now, bool again) {
  struct shared_access last = cell->writer;
  bool is_ordered = !conflict(last, now);
  if (stamp_of(last) == stamp_of(now) && is_ordered != again)
    keep_two(again ? cell->readers : cell->atomics, last);
  cell->writer = now;
}

// Notes an access to a whole word, as far as that is simple: the first one since a barrier, or one more of a thread that
// is alone. False if it isn't.
__attribute__((always_inline)) static inline bool note_shared_alone(struct shared_word *word,
                                                                    struct shared_access now) {
  const uint64_t is_write = SHARED_FLAG(LW_SHARED_WRITES), is_atomic = SHARED_FLAG(LW_SHARED_ATOMIC);
  const uint64_t known = SHARED_FLAG(LW_SHARED_KNOWN), value = ~(uint64_t)UINT32_MAX;
  const uint64_t read_too = SHARED_FLAG(SHARED_READ_TOO), rewritten = SHARED_FLAG(SHARED_REWRITTEN);
  const uint64_t beside = read_too | rewritten;
  struct shared_access only = word->only;
  if (stamp_of(only) != stamp_of(now)) {
    word->only = now;
    return true;
  }
  if (only.what & SHARED_FLAG(SHARED_READERS))
    return !(now.what & (is_write | is_atomic));
  uint64_t differs = only.what ^ now.what;
  if (thread_of(only) != thread_of(now) || differs & ~(is_write | known | value | beside))
    return false; // also if there are more
  if (!(differs & ~beside)) {
    word->only.who = now.who;
    return true;
  }
  if (now.what & is_atomic)
    return false;
  if (only.what & now.what & is_write) {
    word->before = only;
    word->only = (struct shared_access){now.who, now.what | (only.what & beside) | (now.what & known ? rewritten : 0)};
  } else if (now.what & is_write) {
    word->read = only;
    word->only = (struct shared_access){now.who, now.what | read_too};
  } else if (!(only.what & read_too)) {
    word->read = now;
    word->only.what |= read_too;
  }
  return true;
}

static struct shared_access shared_without(struct shared_access access, uint32_t flags) {
  return (struct shared_access){access.who, access.what & ~SHARED_FLAG(flags)};
}

// What is known of one byte of a word.
static struct shared_cell cell_of_byte(const struct shared_cell *whole, uint32_t byte) {
  struct shared_cell cell = *whole;
  uint32_t shift = 8 * byte;
  cell.writer = with_written(cell.writer, written_by(cell.writer) >> shift & 0xFF);
  for (int n = 0; n < 2; ++n) {
    uint32_t flags = flags_of(cell.atomics[n]);
    bool is_write = (flags & (LW_SHARED_KNOWN | LW_SHARED_ATOMIC)) == LW_SHARED_KNOWN;
    if (is_write && (written_by(cell.atomics[n]) >> shift & 0xFF) == written_by(cell.writer))
      cell.atomics[n] = (struct shared_access){0}; // this byte of it was written again
  }
  return cell;
}

// Moves what is known of a word in this epoch to its cell, or, if it is to be `split`, to those of its bytes, and says so.
static void expand_shared(struct races *races, size_t number, struct shared_access now, bool split) {
  struct shared_word *word = &races->words[number];
  struct shared_cell *whole = &races->whole[number];
  uint32_t flags = flags_of(word->only);
  struct shared_access only = shared_without(word->only, SHARED_READ_TOO | SHARED_REWRITTEN);
  if (stamp_of(only) != stamp_of(now)) {
    flags = SHARED_MORE | SHARED_SPLIT; // in either cells there is nothing of this epoch
  } else if (!(flags & SHARED_MORE)) {
    if (flags & LW_SHARED_ATOMIC)
      keep_two(whole->atomics, only);
    else if (flags & LW_SHARED_WRITES)
      whole->writer = only;
    else
      keep_two(whole->readers, only);
    if (flags & SHARED_READ_TOO)
      keep_two(whole->readers, word->read);
    if (flags & SHARED_REWRITTEN)
      keep_two(whole->atomics, shared_without(word->before, SHARED_READ_TOO | SHARED_REWRITTEN));
  }
  for (uint32_t byte = 0; byte < WORD && split && !(flags & SHARED_SPLIT); ++byte)
    races->split[number * WORD + byte] = cell_of_byte(whole, byte);
  word->only = shared_access(stamp_of(now), 0, 0, 0, split ? SHARED_MORE | SHARED_SPLIT : SHARED_MORE);
}

// Says so where a further plain read of a word changes nothing: two warps have read it, and nobody has written it.
static void find_readers(struct shared_word *word, const struct shared_cell *cell) {
  uint32_t stamp = stamp_of(word->only);
  struct shared_access one = cell->readers[0], other = cell->readers[1];
  if (stamp_of(one) == stamp && stamp_of(other) == stamp && warp_of(one) != warp_of(other) &&
      stamp_of(cell->writer) != stamp)
    word->only.what |= SHARED_FLAG(SHARED_READERS);
}

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

// Notes the access of one work-item, word by word or byte by byte, and tells if it races. `start`: its place in the arena.
__attribute__((noinline)) static void note_shared_words(const struct noted *noted, struct races *races,
                                                        struct shared_access now, uint32_t lane, size_t start) {
  const char *address = noted->addresses[lane];
  uint32_t size = noted->size, flags = flags_of(now), at = 0;
  bool strict = noted->flags & LW_SHARED_STRICT;
  uint64_t value = flags & LW_SHARED_KNOWN ? noted->values[lane] : 0;
  struct shared_access other = {0};
  bool other_equal = false;
  for (uint32_t n = 0; n < size;) {
    size_t number = (start + n) / WORD;
    struct shared_word *word = &races->words[number];
    bool whole = (start + n) % WORD == 0 && size - n >= WORD;
    if (stamp_of(word->only) == stamp_of(now) && flags_of(word->only) & SHARED_SPLIT)
      whole = false;
    uint32_t count = whole ? WORD : 1;
    bool knows = flags & LW_SHARED_KNOWN && n + count <= sizeof value;
    now = with_written(now, knows ? (uint32_t)(value >> 8 * n) & (whole ? UINT32_MAX : 0xFF) : 0);
    if (!whole || !note_shared_alone(word, now)) {
      expand_shared(races, number, now, !whole);
      struct shared_cell *cell = whole ? &races->whole[number] : &races->split[start + n];
      bool again = knows && flags_of(cell->writer) & LW_SHARED_KNOWN && written_by(cell->writer) == written_by(now);
      bool equal;
      const struct shared_access *found = conflicting(cell, now, knows, again, address + n, count, strict, &equal);
      if (found != NULL && (stamp_of(other) == 0 || (other_equal && !equal))) {
        other = *found;
        other_equal = equal;
        at = n;
      }
      if (flags & LW_SHARED_ATOMIC)
        keep_two(cell->atomics, now);
      else if (flags & LW_SHARED_WRITES)
        note_shared_writer(cell, now, again);
      else
        keep_two(cell->readers, now);
      if (whole)
        find_readers(word, cell);
    }
    n += count;
  }
  if (stamp_of(other) != 0)
    tell_race(noted, lane, flags_of(other), at, thread_of(other), site_of(other), other_equal);
}

// The lanes that are to be noted: of plain reads of one address, two are enough.
static uint64_t lanes_to_note(const struct noted *noted) {
  uint64_t active = noted->active;
  if (noted->flags & (LW_SHARED_WRITES | LW_SHARED_ATOMIC) || active == 0)
    return active;
  uint32_t first = (uint32_t)__builtin_ctzll(active), last = 63 - (uint32_t)__builtin_clzll(active);
  const char *const *addresses = noted->addresses;
  if (addresses[first] != addresses[last])
    return active;
  for (uint64_t left = active; left != 0; left &= left - 1)
    if (addresses[__builtin_ctzll(left)] != addresses[first])
      return active;
  return (uint64_t)1 << first | (uint64_t)1 << last;
}

static void note_shared_accesses(const struct noted *noted) {
  struct runner *runner = noted->launch->internal;
  struct races *races = races_of(runner);
  uint32_t stamp = races->first + noted->epoch, size = noted->size;
  uint32_t flags = noted->flags & (LW_SHARED_ABOUT | LW_SHARED_WIDE);
  if (stamp > races->last)
    races->last = stamp;
  const struct shared_access alike = shared_access(stamp, 0, noted->site, step_of(noted->step), flags);
  const uint64_t *values = flags & LW_SHARED_KNOWN ? noted->values : NULL;
  const char *arena = runner->arena;
  const size_t places = races->places;
  for (uint64_t left = lanes_to_note(noted); left != 0; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctzll(left);
    size_t start = (size_t)(noted->addresses[lane] - arena);
    if (start >= places || size > places - start)
      continue;
    uint64_t thread = (uint64_t)(uint16_t)noted->threads[lane] << SHARED_THREAD_SHIFT;
    struct shared_access now = {alike.who | thread, alike.what};
    if (start % WORD == 0 && (size == WORD || size == 2 * WORD)) {
      struct shared_word *word = &races->words[start / WORD];
      uint64_t value = values != NULL ? values[lane] : 0;
      if (note_shared_alone(word, with_written(now, (uint32_t)value)) &&
          (size == WORD || note_shared_alone(word + 1, with_written(now, (uint32_t)(value >> 32)))))
        continue;
    }
    note_shared_words(noted, races, now, lane, start);
  }
}

static void note_shared(const struct noted *noted) {
  if (noted->flags & LW_SHARED_FENCE)
    note_warp_fences(noted);
  else
    note_after_fences(noted, note_shared_accesses);
}

static void service_check_shared(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx,
                                 uint32_t ty, uint32_t tz, struct lw_checked_place *report, uint32_t site,
                                 const char *address, int64_t offset, uint32_t size, uint32_t flags, uint64_t value,
                                 uint32_t epoch, uint32_t step) {
  uint32_t thread = thread_number(launch, tx, ty, tz);
  note_shared(&(struct noted){launch, &thread, epoch, step, &address, size, flags, &offset, {gx, gy, gz}, site, &value,
                              report, 1});
}
