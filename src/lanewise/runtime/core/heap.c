// SPDX-License-Identifier: Apache-2.0
// The heap of device code, on the C library's. A mark in front of each block tells what free() may take.
#include "core.h"

#include <stdlib.h>

static atomic_ullong heap_blocks, heap_bytes; // that are allocated
static const uint64_t HEAP_MARK = 0x6c616e6577697365; // "lanewise"

struct heap_block {
  uint64_t mark; // HEAP_MARK ^ the address behind this header; anything else once it is freed
  uint64_t bytes;
};

_Static_assert(sizeof(struct heap_block) == 16, "keeps the alignment of malloc");

static void *service_allocate(uint64_t bytes) {
  if (bytes > SIZE_MAX / 2)
    return NULL;
  struct runner *runner = current;
  runner_hold(runner);
  struct heap_block *block = malloc(sizeof *block + bytes);
  runner_release(runner);
  if (block == NULL)
    return NULL;
  atomic_fetch_add_explicit(&heap_blocks, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&heap_bytes, bytes, memory_order_relaxed);
  *block = (struct heap_block){HEAP_MARK ^ (uint64_t)(uintptr_t)(block + 1), bytes};
  return block + 1;
}

static void service_release(const lw_launch *launch, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t tx, uint32_t ty,
                            uint32_t tz, void *memory) {
  if (memory == NULL)
    return;
  struct runner *runner = launch->internal;
  struct heap_block *block = (struct heap_block *)memory - 1;
  if ((uintptr_t)memory % sizeof *block == 0 && block->mark == (HEAP_MARK ^ (uint64_t)(uintptr_t)memory)) {
    block->mark = 0;
    atomic_fetch_sub_explicit(&heap_blocks, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&heap_bytes, block->bytes, memory_order_relaxed);
    runner_hold(runner);
    free(block);
    runner_release(runner);
    return;
  }
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_BAD_FREE))
    set_place(&runner->slot->status, gx, gy, gz, tx, ty, tz);
  runner_quit(runner, STOPPED);
}
