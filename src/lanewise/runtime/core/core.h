// SPDX-License-Identifier: Apache-2.0
// The types that the files of the core share. core.c includes all of them, so that one run of the compiler makes
// one object and every function but the exported ones is static.
#ifndef LANEWISE_CORE_H
#define LANEWISE_CORE_H

#include "lanewise_rt.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
  CACHE_LINE = 64,
  MAX_THREADS = 1024,
  MAX_LAUNCHES = 64, // at once in one pool; a further one waits for a slot
};

// Memory that grows on demand and whose contents needn't survive that.
struct scratch {
  char *data;
  size_t capacity;
};

// The output of printf: whole records, in the order in which they were made.
struct output {
  pthread_mutex_t lock;
  char *data;
  size_t size;
  size_t capacity;
  bool cut; // nothing more is taken
};

// What one thread has taken on of a launch: the work-groups next..end in linear order.
struct claim {
  uint64_t next;
  uint64_t end;
  uint64_t chunk; // how many to claim after that
};

// One launch. Slots are reused and never freed, so a late worker may look at one that was released and even taken
// again: it joins (`helpers`), then looks whether the slot is `open`, and leaves if not. What follows `launch`
// changes only while the slot isn't open and nobody has joined.
struct slot {
  _Alignas(CACHE_LINE) atomic_uintptr_t owner; // the launching thread's pthread_self(); 0: the slot is free
  atomic_uint open;                            // workers may join
  atomic_uint helpers;                         // workers that have joined; a futex
  atomic_uint awaited;                         // the launching thread sleeps until `helpers` is 0
  atomic_uint stop;                            // no further work-group starts
  atomic_uint failed;                          // a thread has taken the right to write `status`

  _Alignas(CACHE_LINE) lw_launch launch;
  lw_group_fn function;
  size_t arena_bytes;
  uint64_t total; // work-groups
  atomic_uint serial; // counts the launches of this slot: part of their numbers
  lw_status status;
  struct scratch args;
  struct scratch arena; // of the launching thread
  struct claim own;     // of the launching thread, kept while it is away
  uint64_t took_ns;     // so far, without the time that the launching thread was away
  bool quick;           // sleeping workers aren't worth waking, going by the launch before in this slot
  struct output output;

  _Alignas(CACHE_LINE) atomic_ullong next; // first work-group that nobody has claimed
};

struct lw_pool {
  _Alignas(CACHE_LINE) atomic_uint generation; // changes when a slot opens; a futex
  atomic_uint sleepers;                        // workers that wait for it to change
  atomic_uint threads; // that may work, the launching one included; a futex for the workers beyond
  atomic_uint started; // workers that exist
  pthread_mutex_t starting;
  lw_pool *following; // in the list of all pools
  struct slot slots[MAX_LAUNCHES];
};

// What a thread needs while it runs work-groups; `lw_launch.internal` of its copy points to it.
struct runner {
  struct slot *slot;
  jmp_buf failed;
};

// The host writes and reads these by their layout.
_Static_assert(sizeof(lw_request) == 56, "");
_Static_assert(sizeof(lw_status) == 40 + 3 * LW_TEXT_BYTES, "");

#endif
