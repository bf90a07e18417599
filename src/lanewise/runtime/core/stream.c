// SPDX-License-Identifier: Apache-2.0
// Stores that pass by the caches: from which size of a launch on, and when other threads see them.
#include "core.h"

static _Atomic uint64_t cache_bytes = UINT64_MAX;

void lw_set_cache_bytes(uint64_t bytes) { atomic_store_explicit(&cache_bytes, bytes, memory_order_relaxed); }

// What each of `groups` work-groups stores at most, where the caches hold all of it.
static uint64_t stream_bytes(uint64_t groups) {
  return atomic_load_explicit(&cache_bytes, memory_order_relaxed) / groups;
}

// Such stores are weakly ordered: they come before what this thread does next.
static void end_streams(void) {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}
