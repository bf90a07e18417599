// SPDX-License-Identifier: Apache-2.0
// All memory that kernels may be given: what the runtime allocated, what the host made known, and variables.
#include "host.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLACK_UNIT = 256 }; // an allocation's size is rounded up to that

static struct {
  pthread_rwlock_t lock;
  lw_allocation *all; // by ascending addresses; none overlap
  size_t count, capacity;
  uint64_t used;
} allocations = {.lock = PTHREAD_RWLOCK_INITIALIZER};

enum { FREED_KNOWN = 1024 };

// What was freed last, under the lock: wrong pointers often lead there.
static struct {
  const char *start[FREED_KNOWN];
  uint64_t bytes[FREED_KNOWN];
  size_t next;
} freed;

static bool is_allocated(uint32_t kind) {
  return kind == LW_DEVICE_MEMORY || kind == LW_HOST_MEMORY || kind == LW_MANAGED_MEMORY || kind == LW_GPU_MEMORY;
}

static uint64_t bytes_with_slack(const lw_allocation *each) {
  if (!is_allocated(each->kind))
    return each->bytes;
  return each->bytes == 0 ? SLACK_UNIT : (each->bytes + SLACK_UNIT - 1) / SLACK_UNIT * SLACK_UNIT;
}

// How many allocations begin at `address` or before.
static size_t allocations_until(const char *address) {
  size_t low = 0, high = allocations.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((const char *)allocations.all[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const lw_allocation *allocation_at(const char *address) {
  size_t until = allocations_until(address);
  const lw_allocation *each = until > 0 ? &allocations.all[until - 1] : NULL;
  return each != NULL && (uint64_t)(address - (const char *)each->address) < bytes_with_slack(each) ? each : NULL;
}

static bool counts_as_used(uint32_t kind) { return kind == LW_DEVICE_MEMORY || kind == LW_MANAGED_MEMORY; }

static int32_t remember(void *address, uint64_t bytes, uint32_t kind, uint32_t flags) {
  lw_allocation made = {address, bytes, kind, flags};
  int32_t result = LW_SUCCESS;
  pthread_rwlock_wrlock(&allocations.lock);
  size_t place = allocations_until(address);
  const lw_allocation *before = place > 0 ? &allocations.all[place - 1] : NULL;
  const lw_allocation *after = place < allocations.count ? &allocations.all[place] : NULL;
  if ((before != NULL && (char *)before->address + bytes_with_slack(before) > (char *)address) ||
      (after != NULL && (char *)address + bytes > (char *)after->address)) {
    result = explain(LW_INVALID, "the memory at %p overlaps what is known already", address);
  } else if (allocations.count == allocations.capacity) {
    size_t capacity = allocations.capacity > 0 ? 2 * allocations.capacity : 64;
    lw_allocation *all = realloc(allocations.all, capacity * sizeof *all);
    if (all == NULL) {
      result = explain(LW_NO_MEMORY, "no memory for the list of allocations");
    } else {
      allocations.all = all;
      allocations.capacity = capacity;
    }
  }
  if (result == LW_SUCCESS) {
    memmove(allocations.all + place + 1, allocations.all + place, (allocations.count - place) * sizeof made);
    allocations.all[place] = made;
    ++allocations.count;
    allocations.used += counts_as_used(kind) ? bytes : 0;
  }
  pthread_rwlock_unlock(&allocations.lock);
  return result;
}

// Forgets the allocation that starts at `address` if `accepts` its kind; LW_INVALID if there is none.
static int32_t forget(void *address, bool (*accepts)(uint32_t kind, uint32_t wanted), uint32_t wanted) {
  pthread_rwlock_wrlock(&allocations.lock);
  size_t until = allocations_until(address);
  lw_allocation *each = until > 0 ? &allocations.all[until - 1] : NULL;
  bool found = each != NULL && each->address == address && accepts(each->kind, wanted);
  if (found) {
    if (is_allocated(each->kind)) {
      freed.start[freed.next % FREED_KNOWN] = each->address;
      freed.bytes[freed.next++ % FREED_KNOWN] = bytes_with_slack(each);
    }
    allocations.used -= counts_as_used(each->kind) ? each->bytes : 0;
    memmove(each, each + 1, (allocations.count - until) * sizeof *each);
    --allocations.count;
  }
  pthread_rwlock_unlock(&allocations.lock);
  return found ? LW_SUCCESS : explain(LW_INVALID, "no such memory starts at %p", address);
}

static bool is_of_kind(uint32_t kind, uint32_t wanted) { return wanted == 0 ? is_allocated(kind) : kind == wanted; }

static bool is_registered(uint32_t kind, uint32_t wanted) {
  (void)wanted;
  return !is_allocated(kind) && kind != LW_VARIABLE_MEMORY;
}

static bool is_gpus(uint32_t kind) { return gpu.on || kind == LW_GPU_MEMORY; }

static bool wants_checks(void); // checks.c
static bool keep_freed(void *memory, uint64_t bytes);

int32_t lw_memory_allocate(uint64_t bytes, uint32_t kind, uint32_t flags, void **address) {
  *address = NULL;
  if (!is_allocated(kind))
    return explain(LW_INVALID, "%u is no kind of memory that can be allocated", kind);
  void *memory = NULL;
  wants_checks(); // so that leaks of a program without launches are told
  int32_t result = is_gpus(kind) ? gpu_allocate(bytes, kind, &memory) : LW_SUCCESS;
  if (!is_gpus(kind) && (memory = lw_allocate(bytes, 0)) == NULL)
    result = explain(LW_NO_MEMORY, "no memory for %llu bytes", (unsigned long long)bytes);
  if (result != LW_SUCCESS)
    return result;
  result = remember(memory, bytes, kind, flags);
  if (result != LW_SUCCESS && is_gpus(kind))
    gpu_free(memory, kind);
  else if (result != LW_SUCCESS)
    lw_free(memory);
  else
    *address = memory;
  return result;
}

int32_t lw_memory_free(void *address, uint32_t kind) {
  lw_allocation known = {0};
  lw_memory_find(address, &known);
  if (known.address == address && (known.flags & LW_ADOPTED) != 0)
    return explain(LW_INVALID, "the memory at %p was mapped, not allocated", address);
  int32_t result = kind == 0 || is_allocated(kind) ? forget(address, is_of_kind, kind)
                                                   : explain(LW_INVALID, "such memory isn't freed");
  if (result != LW_SUCCESS)
    return result;
  if (is_gpus(known.kind))
    return gpu_free(address, known.kind);
  void *changed = lw_changed_beside(address);
  if (!wants_checks() || !keep_freed(address, known.bytes))
    lw_free(address);
  if (changed == NULL || atomic_load(&strays_tolerated))
    return LW_SUCCESS;
  long long distance = (char *)changed - (char *)address;
  return explain(LW_LAUNCH_FAILED, "somebody has written %lld bytes from the start of the array at %p, outside of it",
                 distance, address);
}

void lw_memory_discard(void *address) {
  lw_allocation known;
  if (gpu.on || !lw_memory_find(address, &known) || known.kind != LW_DEVICE_MEMORY)
    return;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)known.address;
  uintptr_t first = (start + page - 1) / page * page, end = (start + known.bytes) / page * page;
  if (first < end)
    madvise((void *)first, end - first, MADV_DONTNEED);
}

int32_t lw_memory_register(void *address, uint64_t bytes, uint32_t kind, uint32_t flags) {
  if (address == NULL || bytes == 0 || !is_registered(kind, 0))
    return explain(LW_INVALID, "expected memory of the host and its size");
  int32_t result = remember(address, bytes, kind, flags);
  if (result != LW_SUCCESS || !gpu.on)
    return result;
  result = gpu_register(address, bytes);
  if (result != LW_SUCCESS)
    forget(address, is_registered, 0);
  return result;
}

int32_t lw_memory_unregister(void *address) {
  int32_t result = forget(address, is_registered, 0);
  return result == LW_SUCCESS && gpu.on ? gpu_unregister(address) : result;
}

int32_t lw_memory_adopt(void *address, uint64_t bytes) {
  return remember(address, bytes, LW_DEVICE_MEMORY, LW_ADOPTED);
}

int32_t lw_memory_disown(void *address) {
  lw_allocation known;
  if (!lw_memory_find(address, &known) || (known.flags & LW_ADOPTED) == 0)
    return explain(LW_INVALID, "no memory that was mapped starts at %p", address);
  return forget(address, is_of_kind, LW_DEVICE_MEMORY);
}

int32_t lw_memory_find(const void *address, lw_allocation *found) {
  pthread_rwlock_rdlock(&allocations.lock);
  const lw_allocation *each = allocation_at(address);
  if (each != NULL)
    *found = *each;
  pthread_rwlock_unlock(&allocations.lock);
  return each != NULL;
}

// Under the lock, of an address that is in no allocation.
static bool was_freed(const char *address) {
  for (size_t i = 0; i < FREED_KNOWN; ++i)
    if (freed.start[i] != NULL && address >= freed.start[i] && (uint64_t)(address - freed.start[i]) < freed.bytes[i])
      return true;
  return false;
}

int32_t lw_memory_was_freed(const void *address) {
  pthread_rwlock_rdlock(&allocations.lock);
  bool was = allocation_at(address) == NULL && was_freed(address);
  pthread_rwlock_unlock(&allocations.lock);
  return was;
}

int32_t lw_memory_after(const void *address, lw_allocation *found) {
  pthread_rwlock_rdlock(&allocations.lock);
  size_t until = allocations_until(address);
  bool is_there = until < allocations.count;
  if (is_there)
    *found = allocations.all[until];
  pthread_rwlock_unlock(&allocations.lock);
  return is_there;
}

int32_t lw_memory_nearest(const void *address, lw_allocation *found) {
  pthread_rwlock_rdlock(&allocations.lock);
  size_t until = allocations_until(address);
  const lw_allocation *before = until > 0 ? &allocations.all[until - 1] : NULL;
  const lw_allocation *after = until < allocations.count ? &allocations.all[until] : NULL;
  if (before != NULL && after != NULL) {
    size_t behind = (size_t)((const char *)address - ((const char *)before->address + before->bytes));
    size_t ahead = (size_t)((const char *)after->address - (const char *)address);
    *found = behind <= ahead ? *before : *after;
  } else if (before != NULL || after != NULL) {
    *found = before != NULL ? *before : *after;
  }
  pthread_rwlock_unlock(&allocations.lock);
  return before != NULL || after != NULL;
}

uint64_t lw_memory_used(void) {
  pthread_rwlock_rdlock(&allocations.lock);
  uint64_t used = allocations.used;
  pthread_rwlock_unlock(&allocations.lock);
  return used;
}
