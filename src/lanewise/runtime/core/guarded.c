// SPDX-License-Identifier: Apache-2.0
// Memory for arrays, between pages that can't be accessed: an access past either end is a fault.
//
//     guard | slack | array | slack | guard
//
// An array starts at a multiple of ALIGNMENT, as CUDA's do, and its size rounded up to that ends at a guard. So up to
// ALIGNMENT - 1 bytes after it, and less than a page before it, are slack. Slack holds a pattern; a launch looks at the
// slack of all arrays that its arguments point into when it ends, and so does lw_free.
//
// Freed blocks are kept for the next arrays that need as many pages: to map one costs two system calls and a page fault
// for each page. The system allows a process 65,530 mappings, of which a block takes two. Arrays beyond MAX_GUARDED, and
// those for which the system refuses a mapping, have slack only.
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  ALIGNMENT = 256,
  MAX_GUARDED = 8192, // blocks between guards, those that are kept included
  MOST_KEPT = 1024,   // of these, blocks without an array
  KEPT_BUCKETS = 64,  // by pages; the last one also has all that are larger
};

static const size_t LEAST_GUARD_BYTES = 64 << 10;
static const size_t MOST_GUARD_BYTES = 1 << 30;
static const size_t LARGEST_KEPT_BYTES = 32 << 20;
static const size_t MOST_KEPT_BYTES = 64 << 20;
static const size_t HUGE_PAGE = 2 << 20;
static const size_t WORTH_HUGE_PAGES = 4 << 20;

// The bytes low..high can be accessed; the array's are start..start + bytes.
struct block {
  char *low, *high, *start;
  size_t bytes;
  unsigned char mark; // of its slack, which repeats the bytes `mark`, 0xff
  char *memory; // all of the mapping; null: from the C library, without guards
  size_t mapped;
  bool freed;              // by the program, which is to be told of its uses
  struct block *following; // in a list of kept ones
};

static struct {
  pthread_mutex_t lock;
  struct block **live; // by ascending addresses
  size_t count, capacity;
  _Atomic size_t watched; // `count`, for a look without the lock
  struct block *kept[KEPT_BUCKETS];
  size_t kept_count, kept_bytes;
  size_t guarded; // blocks between guards, live or kept
  unsigned marks; // so many have been given
  atomic_ullong changes; // of what is live or freed
} guarded = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static size_t rounded_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// ---- Slack ---------------------------------------------------------------------------------------------------

// As a float the pattern is a signalling NaN, which no operation gives: a[i] += 1 one element too far is noticed. As a
// half it is a NaN, as a double less than -1e305: what depends on slack looks wrong. Blocks made one after the other
// differ in it, so that slack copied to slack is noticed.
static unsigned char new_mark(void) {
  enum { FIRST = 0x81, MARKS = 0x3f };
  return (unsigned char)(FIRST + guarded.marks++ % MARKS);
}

static bool is_slack(const struct block *block, const char *byte) {
  return (unsigned char)*byte == ((uintptr_t)byte % 2 != 0 ? 0xff : block->mark);
}

static void fill_slack(const struct block *block, char *from, char *to) {
  for (; from < to; ++from)
    *from = (char)((uintptr_t)from % 2 != 0 ? 0xff : block->mark);
}

// The first byte of from..to that was changed; null where none was.
static char *changed_slack(const struct block *block, char *from, char *to) {
  for (; from < to && (uintptr_t)from % sizeof(uint64_t) != 0; ++from)
    if (!is_slack(block, from))
      return from;
  const uint64_t whole = 0x0001000100010001 * (0xff00 | (uint64_t)block->mark);
  uint64_t differences = 0;
  char *end = from + (from < to ? (size_t)(to - from) / sizeof whole * sizeof whole : 0);
  for (const uint64_t *word = (const uint64_t *)from; (const char *)word < end; ++word)
    differences |= *word ^ whole; // in vectors, since it doesn't stop
  for (from = differences != 0 ? from : end; from < to; ++from)
    if (!is_slack(block, from))
      return from;
  return NULL;
}

// The changed byte of a block's slack that is nearest after the array, or else nearest before it; null for none.
static char *changed_byte(const struct block *block) {
  char *end = block->start + block->bytes;
  char *after = changed_slack(block, end, block->high);
  if (after != NULL || changed_slack(block, block->low, block->start) == NULL)
    return after;
  char *before = block->start - 1;
  while (is_slack(block, before))
    --before;
  return before;
}

static void set_slack(struct block *block) {
  fill_slack(block, block->low, block->start);
  fill_slack(block, block->start + block->bytes, block->high);
}

// ---- Blocks --------------------------------------------------------------------------------------------------

static unsigned bucket_of(size_t bytes) {
  size_t pages = bytes / page_bytes();
  return pages < KEPT_BUCKETS ? (unsigned)pages : KEPT_BUCKETS - 1;
}

// A kept block with exactly so many bytes between its guards; null where there is none.
static struct block *take_kept(size_t bytes) {
  for (struct block **place = &guarded.kept[bucket_of(bytes)]; *place != NULL; place = &(*place)->following) {
    struct block *block = *place;
    if ((size_t)(block->high - block->low) == bytes) {
      *place = block->following;
      guarded.kept_bytes -= bytes;
      --guarded.kept_count;
      return block;
    }
  }
  return NULL;
}

static void unmap(struct block *block) {
  munmap(block->memory, block->mapped);
  --guarded.guarded;
  free(block);
}

static void unmap_kept(void) {
  for (unsigned bucket = 0; bucket < KEPT_BUCKETS; ++bucket)
    while (guarded.kept[bucket] != NULL) {
      struct block *block = guarded.kept[bucket];
      guarded.kept[bucket] = block->following;
      unmap(block);
    }
  guarded.kept_count = guarded.kept_bytes = 0;
}

// A mapping of `bytes` that can be accessed, with at least `guard` on either side that can't. Large ones end at a huge
// page's end. False where the system refuses.
static bool map_between(struct block *block, size_t bytes, size_t guard) {
  bool large = bytes >= WORTH_HUGE_PAGES;
  size_t alignment = large ? HUGE_PAGE : page_bytes();
  size_t mapped = guard + bytes + guard + alignment - page_bytes();
  char *memory = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  char *high = (char *)rounded_up((size_t)(memory + guard + bytes), alignment);
  if (mprotect(high - bytes, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, mapped);
    return false;
  }
  if (large)
    madvise(high - bytes, bytes, MADV_HUGEPAGE);
  *block = (struct block){.low = high - bytes, .high = high, .memory = memory, .mapped = mapped};
  return true;
}

// A block of `bytes`, whole pages, between guards; null where there are too many, or memory is short.
static struct block *guarded_block(size_t bytes) {
  if (guarded.guarded == MAX_GUARDED)
    unmap_kept();
  if (guarded.guarded == MAX_GUARDED)
    return NULL;
  struct block *block = malloc(sizeof *block);
  if (block == NULL)
    return NULL;
  // A guard as large as the array catches an index that is twice what it should be. Where address space is limited, a
  // page must do.
  size_t guard = bytes < LEAST_GUARD_BYTES ? LEAST_GUARD_BYTES : bytes > MOST_GUARD_BYTES ? MOST_GUARD_BYTES : bytes;
  if (!map_between(block, bytes, guard) && !map_between(block, bytes, page_bytes())) {
    free(block);
    return NULL;
  }
  ++guarded.guarded;
  return block;
}

// The same from the C library's heap, with ALIGNMENT bytes of slack on either side.
static struct block *plain_block(size_t bytes) {
  struct block *block = malloc(sizeof *block);
  void *memory = NULL;
  if (block == NULL || posix_memalign(&memory, ALIGNMENT, bytes + 2 * ALIGNMENT) != 0) {
    free(block);
    return NULL;
  }
  *block = (struct block){.low = memory, .high = (char *)memory + bytes + 2 * ALIGNMENT};
  return block;
}

// How many live blocks begin at `address` or before.
static size_t blocks_until(const char *address) {
  size_t low = 0, high = guarded.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (guarded.live[middle]->low <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The live block that `address` is in, or just after; null where it is in none.
static struct block *block_at(const char *address) {
  size_t until = blocks_until(address);
  return until > 0 && address <= guarded.live[until - 1]->high ? guarded.live[until - 1] : NULL;
}

static bool make_live(struct block *block) {
  if (guarded.count == guarded.capacity) {
    size_t capacity = guarded.capacity > 0 ? 2 * guarded.capacity : 64;
    struct block **live = realloc(guarded.live, capacity * sizeof *live);
    if (live == NULL)
      return false;
    guarded.live = live;
    guarded.capacity = capacity;
  }
  size_t place = blocks_until(block->low);
  memmove(guarded.live + place + 1, guarded.live + place, (guarded.count - place) * sizeof *guarded.live);
  guarded.live[place] = block;
  atomic_store(&guarded.watched, ++guarded.count);
  atomic_fetch_add(&guarded.changes, 1);
  return true;
}

// Keeps the block of an array that is gone, or gives it back.
static void discard(struct block *block) {
  size_t bytes = (size_t)(block->high - block->low);
  if (block->memory == NULL) {
    free(block->low);
    free(block);
  } else if (bytes > LARGEST_KEPT_BYTES || guarded.kept_bytes + bytes > MOST_KEPT_BYTES ||
             guarded.kept_count == MOST_KEPT) {
    unmap(block);
  } else {
    struct block **bucket = &guarded.kept[bucket_of(bytes)];
    block->following = *bucket;
    *bucket = block;
    guarded.kept_bytes += bytes;
    ++guarded.kept_count;
  }
}

static void lock_guarded(void) { pthread_mutex_lock(&guarded.lock); }
static void unlock_guarded(void) { pthread_mutex_unlock(&guarded.lock); }
static void free_guarded_lock(void) { pthread_mutex_init(&guarded.lock, NULL); } // in the child of a fork

static void hold_over_forks(void) { __register_atfork(lock_guarded, unlock_guarded, free_guarded_lock, NULL); }

void *lw_allocate(uint64_t bytes, int32_t zeroed) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, hold_over_forks);
  if (bytes > SIZE_MAX / 8)
    return NULL;
  size_t rounded = rounded_up(bytes, ALIGNMENT);
  size_t pages = rounded > 0 ? rounded_up(rounded, page_bytes()) : page_bytes();
  lock_guarded();
  struct block *block = take_kept(pages);
  bool used = block != NULL;
  if (block == NULL)
    block = guarded_block(pages);
  if (block == NULL) {
    block = plain_block(rounded);
    used = true;
  }
  if (block != NULL) {
    block->bytes = bytes;
    block->freed = false;
    block->mark = new_mark();
    block->start = block->high - (block->memory != NULL ? 0 : ALIGNMENT) - rounded;
    set_slack(block);
    if (!make_live(block)) {
      discard(block);
      block = NULL;
    }
  }
  unlock_guarded();
  if (block == NULL)
    return NULL;
  return used && zeroed ? memset(block->start, 0, bytes) : block->start;
}

// ---- Reads beside arrays -------------------------------------------------------------------------------------

static const size_t MOST_TOLERATED = 1 << 20;
static atomic_bool strays_tolerated;
static _Atomic(void *) tolerated_read;

void lw_tolerate_strays(int32_t tolerate) { atomic_store(&strays_tolerated, tolerate != 0); }

void *lw_tolerated_read(void) {
  return atomic_load_explicit(&tolerated_read, memory_order_relaxed) == NULL ? NULL
                                                                             : atomic_exchange(&tolerated_read, NULL);
}

// Whether a read of `address`, which faulted, is to be tolerated: its page can then be read. Called in the handler of a
// signal that came while generated code ran, so that this thread doesn't hold the lock.
static bool tolerate_read(char *address) {
  if (!atomic_load_explicit(&strays_tolerated, memory_order_relaxed))
    return false;
  bool tolerated = false;
  lock_guarded();
  size_t until = blocks_until(address);
  for (size_t place = until > 0 ? until - 1 : 0; place <= until && place < guarded.count && !tolerated; ++place) {
    const struct block *block = guarded.live[place];
    bool in_guard = block->memory != NULL && address >= block->memory && address < block->memory + block->mapped;
    size_t distance = address < block->low ? (size_t)(block->low - address) : (size_t)(address - block->high) + 1;
    char *page = (char *)((uintptr_t)address / page_bytes() * page_bytes());
    if (in_guard && distance <= MOST_TOLERATED)
      tolerated = mprotect(page, page_bytes(), PROT_READ) == 0;
  }
  unlock_guarded();
  void *none = NULL;
  if (tolerated)
    atomic_compare_exchange_strong(&tolerated_read, &none, address);
  return tolerated;
}

void *lw_changed_beside(void *memory) {
  lock_guarded();
  size_t until = blocks_until(memory);
  struct block *block = until > 0 ? guarded.live[until - 1] : NULL;
  char *changed = block != NULL && block->start == memory ? changed_byte(block) : NULL;
  unlock_guarded();
  return changed;
}

void *lw_free(void *memory) {
  lock_guarded();
  size_t until = blocks_until(memory);
  struct block *block = until > 0 ? guarded.live[until - 1] : NULL;
  char *changed = NULL;
  if (block != NULL && block->start == memory) {
    changed = changed_byte(block);
    memmove(guarded.live + until - 1, guarded.live + until, (guarded.count - until) * sizeof *guarded.live);
    atomic_store(&guarded.watched, --guarded.count);
    atomic_fetch_add(&guarded.changes, 1);
    discard(block);
  }
  unlock_guarded();
  return changed;
}

// Says that the program has freed an array whose memory is kept.
void guarded_keep_freed(void *memory) {
  lock_guarded();
  size_t until = blocks_until(memory);
  if (until > 0 && guarded.live[until - 1]->start == memory) {
    guarded.live[until - 1]->freed = true;
    atomic_fetch_add(&guarded.changes, 1);
  }
  unlock_guarded();
}

// The array that an address is in, or the addresses around it that are in none.
static struct found_memory guarded_find(uintptr_t address) {
  lock_guarded();
  struct found_memory found = {0, UINTPTR_MAX, LW_UNKNOWN_BYTES, atomic_load(&guarded.changes)};
  size_t until = blocks_until((const char *)address);
  const struct block *before = until > 0 ? guarded.live[until - 1] : NULL;
  const struct block *after = until < guarded.count ? guarded.live[until] : NULL;
  if (after != NULL)
    found.high = (uintptr_t)after->low;
  if (before != NULL) {
    uintptr_t start = (uintptr_t)before->start, end = start + before->bytes;
    found.low = address >= end ? end : (uintptr_t)before->low;
    if (address < end)
      found.high = start;
    if (address >= start && address < end)
      found = (struct found_memory){start, end, before->freed ? 0 : before->bytes, found.changes};
  }
  unlock_guarded();
  return found;
}

// The first changed byte in the slack of arrays that the launch's arguments point into; null where there is none. Slack
// is then as it was, so that no later launch is taken for the culprit. An argument that is no pointer is one word
// among others: slack that is changed is wrong, whoever leads there.
static void *check_slack(const struct slot *slot) {
  if (atomic_load_explicit(&guarded.watched, memory_order_relaxed) == 0)
    return NULL;
  char *first = NULL;
  char *const *words = (char *const *)slot->args.data;
  lock_guarded();
  for (size_t i = 0; i < slot->args_bytes / sizeof *words; ++i) {
    struct block *block = block_at(words[i]);
    char *changed = block != NULL ? changed_byte(block) : NULL;
    if (changed != NULL)
      set_slack(block);
    if (first == NULL)
      first = changed;
  }
  unlock_guarded();
  return first;
}
