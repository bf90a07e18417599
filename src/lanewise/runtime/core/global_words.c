// SPDX-License-Identifier: Apache-2.0
// Accesses to a word of global memory, and what is kept of them.
//
// As in races.c, each access is compared with the last writer of its bytes, two atomic operations and two readers.
// Accesses of two work-groups conflict whatever order they ran in, unless one of the groups has executed a fence, or a
// synchronisation of the grid, before: then it may have waited for the other, which is not followed. An access after
// a fence conflicts with less, so it doesn't replace one of another work-group that had executed none. It conflicts with
// its own work-group alone, so one of another work-group makes way for it.
//
// A write that has been replaced by another value of the same thread, or of one that it is ordered with, is kept beside the
// atomic operations; one that another thread has written again, beside the readers.
//
// Most words are accessed by one thread, so a cell has 32 bytes for one access (C. Flanagan and S. Freund, "FastTrack",
// PLDI 2009, adapts likewise). What a second thread adds is in another table, and earlier writers are in a third one: they
// take memory where there are such.
#include "core.h"

#include <string.h>

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
static const uint64_t GLOBAL_VOLATILE = GLOBAL_FLAG(LW_SHARED_VOLATILE);
static const uint64_t GLOBAL_KNOWN = GLOBAL_FLAG(LW_SHARED_KNOWN);
static const uint64_t GLOBAL_FENCE = GLOBAL_FLAG(LW_SHARED_FENCE);
static const uint64_t GLOBAL_STRICT = GLOBAL_FLAG(LW_SHARED_STRICT);

struct global_access {
  uint64_t who;  // its site, its thread and its work-group, both in linear order
  uint64_t what; // its epoch, its step, the bytes of the word with a bit each, enum lw_shared_access; 0: no access
};

enum global_state {
  GLOBAL_ALONE,       // `first` is the only access
  GLOBAL_REWRITTEN,   // the same thread has written something else before, which is the first of the atomic operations
  GLOBAL_MORE,        // `first` is the last writer, if any, and there is more
  GLOBAL_TWO_READERS, // the same, there is no writer, and `first.who` has the work-groups of two readers of the word,
                      // neither of which had executed a fence
};

struct global_cell {
  uint64_t key; // the launch, and which of the words that share the cell it is; 0: none
  struct global_access first;
  uint32_t written;  // the word, where the last writers of its bytes are known to have written it
  atomic_flag lock;  // of this cell and those after it, in the first of LOCKED_CELLS
  uint8_t state;     // of enum global_state
  uint8_t earlier;   // how many earlier writers there are, from GLOBAL_MORE on
};

enum { EARLIER_WRITERS = WORD - 1 };

struct global_more {
  struct global_access atomics[2], readers[2];
};

// Writers before the last one: of other bytes, or of the same ones before a work-group wrote them that had executed a
// fence. The latest one is first.
struct global_earlier {
  struct global_access writers[EARLIER_WRITERS];
};

// What is known of one word.
struct global_word {
  struct global_cell *cell;
  struct global_more *more;
  struct global_earlier *earlier;
};

static uint32_t global_block(struct global_access access) { return (uint32_t)(access.who >> GLOBAL_BLOCK_SHIFT); }
static uint32_t global_thread(struct global_access access) { return access.who >> GLOBAL_THREAD_SHIFT & UINT16_MAX; }

// The number of its warp, and of its work-group above.
static uint64_t global_warp(struct global_access access) {
  uint32_t warp = warp_number(global_thread(access), (uint32_t)(access.what >> GLOBAL_FLAGS_SHIFT));
  return (uint64_t)global_block(access) << GLOBAL_BLOCK_SHIFT | warp;
}

static bool is_one_thread(struct global_access a, struct global_access b) {
  return (a.who ^ b.who) >> GLOBAL_THREAD_SHIFT == 0;
}

// Whether nothing orders two accesses of one launch to a word, of which one may write.
static bool global_conflict(struct global_access before, struct global_access now) {
  uint64_t both = before.what & now.what, any = before.what | now.what;
  if (!(both & GLOBAL_BYTES) || both & GLOBAL_ATOMIC)
    return false;
  if (global_block(before) != global_block(now))
    return !(any & GLOBAL_FENCE);
  if (is_one_thread(before, now) || (uint32_t)before.what != (uint32_t)now.what || any & GLOBAL_FENCED_STEP)
    return false;
  if (global_warp(before) != global_warp(now))
    return true;
  return !((before.what ^ now.what) & GLOBAL_STEPS) && !(any & GLOBAL_VOLATILE);
}

static void store(struct global_access *access, struct global_access now) {
  __atomic_store_n(&access->who, now.who, __ATOMIC_RELAXED);
  __atomic_store_n(&access->what, now.what, __ATOMIC_RELAXED);
}

// The bits of the bytes that are set in a mask of four.
static uint32_t bits_of_bytes(uint64_t bytes) { return ((uint32_t)bytes * 0x00204081u & 0x01010101u) * 0xFFu; }

static uint64_t bytes_of(struct global_access access) { return (access.what & GLOBAL_BYTES) >> GLOBAL_BYTES_SHIFT; }

static uint32_t global_epoch(struct global_access access) { return (uint32_t)access.what; }

// Whether two accesses of one thread, neither of them atomic, differ at most in what they do and in their bytes.
static bool is_alike(struct global_access a, struct global_access b) {
  const uint64_t may_differ = GLOBAL_BYTES | GLOBAL_WRITES | GLOBAL_KNOWN;
  return !((a.what ^ b.what) & ~may_differ) && !(a.what & GLOBAL_ATOMIC);
}

// Whether all that conflicts with access `b` conflicts with `a`, which is of the same thread: so `b` needn't be kept.
// Where equal writes are told, a write conflicts otherwise with a write than with a read.
static bool covers(struct global_access a, struct global_access b) {
  const uint64_t asked = a.what & (GLOBAL_WRITES | GLOBAL_STRICT);
  return is_alike(a, b) && asked == GLOBAL_WRITES && !(b.what & ~a.what & GLOBAL_BYTES);
}

static bool is_same_kind(struct global_access a, struct global_access b) {
  return !((a.what ^ b.what) & (GLOBAL_WRITES | GLOBAL_ATOMIC));
}

// Whether an access may stand for an earlier one of its kind and thread: it has all its bytes, and no fence or lock-step
// excuses it that didn't excuse the earlier one.
static bool stands_for(struct global_access now, struct global_access before) {
  return !((before.what & ~now.what & GLOBAL_BYTES) | (now.what & ~before.what & (GLOBAL_FENCE | GLOBAL_VOLATILE)));
}

// The bytes, with a bit each as in an access, of which a writer is known to have written the same.
static uint64_t written_again(struct global_access writer, uint32_t before, struct global_access now, uint32_t written) {
  const uint32_t below = 0x7F7F7F7F;
  uint32_t differ = before ^ written, differing = ((differ & below) + below) | differ; // the highest bit of such a byte
  uint64_t same = (~differing >> 7 & 0x01010101u) * 0x10204080u >> 28;
  return writer.what & now.what & GLOBAL_KNOWN ? writer.what & now.what & same << GLOBAL_BYTES_SHIFT : 0;
}

// The bytes of a plain write that is known to write something else there than an earlier one: a third access that writes
// that again may conflict with the earlier one alone.
__attribute__((always_inline)) static inline uint64_t written_otherwise(struct global_access before, uint32_t value,
                                                                        struct global_access now, uint32_t written) {
  const uint64_t known = GLOBAL_WRITES | GLOBAL_KNOWN;
  uint64_t both = before.what & now.what;
  if ((now.what & (known | GLOBAL_ATOMIC)) != known || !(both & GLOBAL_WRITES) || (value == written && both & GLOBAL_KNOWN))
    return 0;
  return both & GLOBAL_BYTES & ~written_again(before, value, now, written);
}

// Keeps the only access of a cell, a write of which these bytes get another value. False if that isn't simple.
__attribute__((noinline)) static bool keep_rewritten(struct global_cell *cell, struct global_more *more, uint64_t bytes) {
  struct global_access before = cell->first;
  before.what = (before.what & ~GLOBAL_BYTES) | bytes;
  if (before.what & GLOBAL_FENCED_STEP)
    return false;
  if (cell->state == GLOBAL_REWRITTEN && !stands_for(before, more->atomics[0])) {
    if (!is_alike(before, more->atomics[0]))
      return false;
    before.what |= more->atomics[0].what & GLOBAL_BYTES;
  }
  more->atomics[0] = before;
  __atomic_store_n(&cell->state, GLOBAL_REWRITTEN, __ATOMIC_RELAXED);
  return true;
}

// Notes an access as the only one of its cell, as far as that is simple. False if it isn't.
static bool note_only(struct global_cell *cell, struct global_more *more, struct global_access now, uint32_t written) {
  const uint64_t same = GLOBAL_WRITES | GLOBAL_ATOMIC | GLOBAL_BYTES | GLOBAL_FENCE | GLOBAL_VOLATILE;
  if (!is_one_thread(cell->first, now))
    return false;
  if (((cell->first.what ^ now.what) & same) == 0 || covers(now, cell->first)) {
    uint64_t otherwise = written_otherwise(cell->first, cell->written, now, written);
    if (otherwise != 0 && !keep_rewritten(cell, more, otherwise))
      return false;
    store(&cell->first, now);
    cell->written = written;
    return true;
  }
  return !(now.what & GLOBAL_WRITES) && covers(cell->first, now);
}

// The same where bytes or fences differ. False if the cell must keep others, too.
static bool join_only(struct global_cell *cell, struct global_access now, uint32_t written) {
  struct global_access first = cell->first;
  if (!is_one_thread(first, now) || !is_same_kind(first, now))
    return false;
  if (written_otherwise(first, cell->written, now, written) != 0)
    return false;
  uint32_t bits = bits_of_bytes(bytes_of(now));
  if (!stands_for(now, first)) {
    if (first.who != now.who || !is_alike(first, now))
      return false;
    now.what |= first.what & GLOBAL_BYTES; // such as a loop over bytes
    now.what &= first.what | ~GLOBAL_KNOWN;
  }
  store(&cell->first, now);
  cell->written = (cell->written & ~bits) | (written & bits);
  return true;
}

// Whether one of two accesses that are kept may make way: unless it was before a fence of its work-group, the new one is
// after a fence, and the other one that is kept doesn't stand for its work-group.
static bool may_go(const struct global_access kept[2], int n, struct global_access now) {
  if (!(now.what & ~kept[n].what & GLOBAL_FENCE))
    return true;
  return global_block(kept[0]) == global_block(kept[1]) && !(kept[1 - n].what & GLOBAL_FENCE);
}

// Which of two accesses that are kept another one of their kind replaces; 2: neither. Those of two work-groups are kept,
// if there are such that have executed no fence; in one work-group, those of two warps since the last barrier. One after a
// fence makes way for any other work-group's.
static int replaced_by(const struct global_access kept[2], struct global_access now) {
  for (int n = 0; n < 2; ++n)
    if (kept[n].what == 0 || (is_one_thread(kept[n], now) && stands_for(now, kept[n])))
      return n;
  for (int n = 0; n < 2; ++n)
    if (global_block(kept[n]) == global_block(now) && global_epoch(kept[n]) != global_epoch(now))
      return n;
  for (int n = 0; n < 2; ++n)
    if (kept[n].what & GLOBAL_FENCE && (!(now.what & GLOBAL_FENCE) || global_block(kept[n]) != global_block(now)))
      return n;
  for (int n = 0; n < 2; ++n)
    if (global_warp(kept[n]) == global_warp(now) && (kept[n].what ^ now.what) & GLOBAL_STEPS && may_go(kept, n, now))
      return n;
  bool is_new_block = global_block(kept[0]) == global_block(kept[1]) && global_block(kept[1]) != global_block(now);
  return (is_new_block || global_warp(kept[0]) == global_warp(kept[1])) && may_go(kept, 1, now) ? 1 : 2;
}

// Notes a read or an atomic operation among the two of its kind that are kept. Bytes of one that has no place are added
// to another access of its thread that is alike.
static void keep_two_global(struct global_access kept[2], struct global_access now) {
  struct global_access a = kept[0], b = kept[1];
  if (a.what == now.what && b.what == now.what && !(now.what & GLOBAL_FENCE)) { // as most reads of one element
    bool is_one_warp = global_warp(a) == global_warp(b), is_one_block = global_block(a) == global_block(b);
    if (is_one_warp ? global_warp(now) != global_warp(a) : is_one_block && global_block(now) != global_block(a))
      kept[1] = now;
    return;
  }
  for (int n = 0; n < 2; ++n)
    if (kept[n].who == now.who && !((kept[n].what ^ now.what) & ~GLOBAL_BYTES)) {
      kept[n].what |= now.what;
      return;
    }
  int place = replaced_by(kept, now);
  if (place < 2) {
    kept[place] = now;
    return;
  }
  for (int n = 0; n < 2; ++n)
    if (is_one_thread(kept[n], now) && !((kept[n].what ^ now.what) & ~GLOBAL_BYTES))
      kept[n].what |= now.what;
}

// Makes room for more accesses than one.
static void expand(struct global_cell *cell, struct global_more *more) {
  struct global_access only = cell->first, none = {0};
  bool is_atomic = only.what & GLOBAL_ATOMIC, is_write = !is_atomic && only.what & GLOBAL_WRITES;
  struct global_access beside = is_atomic ? only : cell->state == GLOBAL_REWRITTEN ? more->atomics[0] : none;
  *more = (struct global_more){{beside, none}, {is_atomic || is_write ? none : only, none}};
  if (!is_write)
    store(&cell->first, none);
  cell->earlier = 0;
  __atomic_store_n(&cell->state, GLOBAL_MORE, __ATOMIC_RELAXED);
}

// Says so where a read by a further work-group changes nothing.
static void find_two_readers(struct global_cell *cell, const struct global_more *more) {
  struct global_access one = more->readers[0], other = more->readers[1];
  uint32_t a = global_block(one), b = global_block(other);
  bool are_whole = (one.what & other.what & GLOBAL_BYTES) == GLOBAL_BYTES;
  if (cell->first.what != 0 || a == b || !are_whole || (one.what | other.what) & GLOBAL_FENCE)
    return;
  __atomic_store_n(&cell->first.who, (uint64_t)a << 32 | b, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->state, GLOBAL_TWO_READERS, __ATOMIC_RELAXED);
}

// The access to the word that conflicts with this one; one without bytes: none. `equal`: both write the same, which counts
// if that is asked for. Memory isn't read here, for the address may be wrong.
static struct global_access global_conflicting(const struct global_word *word, struct global_access now,
                                               uint32_t written, bool *equal) {
  const struct global_cell *cell = word->cell;
  const struct global_more *more = word->more;
  struct global_access none = {0}, equal_writer = {0};
  uint64_t changed = now.what & GLOBAL_BYTES, strict = now.what & GLOBAL_STRICT;
  *equal = false;
  for (int n = -1; n < cell->earlier; ++n) {
    struct global_access writer = n < 0 ? cell->first : word->earlier->writers[n];
    uint64_t again = now.what & GLOBAL_KNOWN ? written_again(writer, cell->written, now, written) : 0;
    if (again != 0 && strict && equal_writer.what == 0 && global_conflict(writer, now))
      equal_writer = writer;
    writer.what &= ~again;
    if (global_conflict(writer, now))
      return writer;
    changed &= ~again;
  }
  for (int n = 0; n < 2; ++n)
    if ((now.what & GLOBAL_WRITES || !(more->atomics[n].what & GLOBAL_ATOMIC)) && global_conflict(more->atomics[n], now))
      return more->atomics[n];
  if (!(now.what & GLOBAL_WRITES) || now.what & GLOBAL_ATOMIC || (changed == 0 && !strict))
    return none;
  for (int n = 0; n < 2; ++n) {
    struct global_access reader = more->readers[n];
    if (reader.what & GLOBAL_WRITES) // what it wrote has been written again
      reader.what &= ~GLOBAL_BYTES | changed;
    if (global_conflict(reader, now))
      return reader;
  }
  *equal = equal_writer.what != 0;
  return equal_writer;
}

// An earlier writer as it is to be kept after a write; without bytes: it isn't. What it wrote is known no more where
// others wrote something else since.
static struct global_access still_writer(struct global_access before, uint32_t value, struct global_access now,
                                         uint32_t written) {
  uint64_t both = before.what & now.what & GLOBAL_BYTES;
  if (!(now.what & ~before.what & GLOBAL_FENCE))
    before.what &= ~both;
  else if (written_again(before, value, now, written) != both)
    before.what &= ~GLOBAL_KNOWN;
  return before;
}

// Keeps an earlier writer beside the atomic operations if its bytes get another value: it conflicts with the same
// accesses. Beside the readers if another thread writes the same: it conflicts with a write of something else. Not if it
// stays a writer, as a fence may order this one after it, nor if that race has been found.
static void keep_written(const struct global_word *word, struct global_access before, struct global_access now,
                         uint32_t written) {
  if (now.what & ~before.what & GLOBAL_FENCE)
    return;
  bool is_ordered = !global_conflict(before, now);
  uint64_t otherwise = written_otherwise(before, word->cell->written, now, written);
  uint64_t again = written_again(before, word->cell->written, now, written);
  uint64_t bytes = is_ordered ? otherwise : again;
  if (bytes == 0)
    return;
  before.what = (before.what & ~GLOBAL_BYTES) | bytes;
  keep_two_global(is_ordered ? word->more->atomics : word->more->readers, before);
}

// Notes a write that isn't atomic.
static void note_writer(const struct global_word *word, struct global_access now, uint32_t written) {
  struct global_cell *cell = word->cell;
  struct global_access *writers = word->earlier->writers, last = cell->first;
  for (int n = -1; n < cell->earlier; ++n)
    keep_written(word, n < 0 ? last : writers[n], now, written);
  if (last.what != 0 && (cell->earlier != 0 || !stands_for(now, last))) {
    struct global_access kept[EARLIER_WRITERS + 1];
    uint8_t count = 0;
    for (int n = -1; n < cell->earlier; ++n) {
      struct global_access writer = still_writer(n < 0 ? last : writers[n], cell->written, now, written);
      if (writer.what & GLOBAL_BYTES)
        kept[count++] = writer;
    }
    cell->earlier = count < EARLIER_WRITERS ? count : EARLIER_WRITERS;
    memcpy(writers, kept, cell->earlier * sizeof *kept);
  }
  uint32_t bits = bits_of_bytes(bytes_of(now));
  store(&cell->first, now);
  cell->written = (cell->written & ~bits) | (written & bits);
}

// Notes an atomic operation. What others wrote before one that writes isn't what the word has now.
static void note_atomic(const struct global_word *word, struct global_access now) {
  keep_two_global(word->more->atomics, now);
  if (!(now.what & GLOBAL_WRITES))
    return;
  word->cell->first.what &= ~GLOBAL_KNOWN;
  for (int n = 0; n < word->cell->earlier; ++n)
    word->earlier->writers[n].what &= ~GLOBAL_KNOWN;
}

// Whether a plain read would change nothing and conflicts with nothing. No lock is held: what another thread changes at
// the same time is seen or not. `least`: the state from which on the readers say so.
static bool is_read_for_nothing(const struct global_cell *cell, uint64_t key, uint32_t block, uint8_t least) {
  if (__atomic_load_n(&cell->key, __ATOMIC_RELAXED) != key || __atomic_load_n(&cell->state, __ATOMIC_RELAXED) < least)
    return false;
  uint64_t readers = __atomic_load_n(&cell->first.who, __ATOMIC_RELAXED);
  return (uint32_t)readers != block && readers >> 32 != block;
}

// Notes an access to a word of which only its own thread, or another launch, has been seen. False if it isn't so.
__attribute__((always_inline)) static inline bool note_alone(struct global_cell *cell, struct global_more *more,
                                                             uint64_t key, struct global_access now,
                                                             uint32_t written) {
  if (cell->key == key)
    return cell->state < GLOBAL_MORE && note_only(cell, more, now, written);
  __atomic_store_n(&cell->key, key, __ATOMIC_RELAXED);
  __atomic_store_n(&cell->state, GLOBAL_ALONE, __ATOMIC_RELAXED);
  store(&cell->first, now);
  cell->written = written;
  return true;
}

// Compares an access to a word with those before. Returns one that conflicts, or one without bytes. `equal`: as above.
static struct global_access note_word(const struct global_word *word, uint64_t key, struct global_access now,
                                      uint32_t written, bool *equal) {
  struct global_cell *cell = word->cell;
  if (note_alone(cell, word->more, key, now, written) || (cell->state < GLOBAL_MORE && join_only(cell, now, written)))
    return (struct global_access){0};
  if (cell->state < GLOBAL_MORE)
    expand(cell, word->more);
  __atomic_store_n(&cell->state, GLOBAL_MORE, __ATOMIC_RELAXED);
  struct global_access found = global_conflicting(word, now, written, equal);
  if (now.what & GLOBAL_ATOMIC) {
    note_atomic(word, now);
  } else if (now.what & GLOBAL_WRITES) {
    note_writer(word, now, written);
  } else {
    keep_two_global(word->more->readers, now);
    find_two_readers(cell, word->more);
  }
  return found;
}
