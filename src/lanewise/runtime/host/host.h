// SPDX-License-Identifier: Apache-2.0
// The types that the files of the host runtime share. host.c includes all of them, after those of the core, so that one
// run of the compiler makes one object and every function but the exported ones is static.
#ifndef LANEWISE_HOST_H
#define LANEWISE_HOST_H

#include "lanewise.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// glibc before 2.34 has them in libdl, which a program may not be linked with.
#pragma weak dlclose
#pragma weak dlerror
#pragma weak dlopen
#pragma weak dlsym
static bool has_loader(void) { return dlopen != NULL && dlsym != NULL; }

// Work of `queue` up to number `number`.
struct place {
  struct lw_queue *queue; // counted
  uint64_t number;
};

enum kind { WORK_LAUNCH, WORK_COPY, WORK_FILL, WORK_CALL, WORK_MARK, WORK_GRAPH };

struct launch_work {
  const lw_kernel_image *kernel;
  const lw_code *code;
  struct tier *tier; // null, or where its time counts
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamic_shared;
  uint32_t flags;
  char *args; // after the work itself
};

struct copy_work {
  char *target;
  const char *source;
  lw_pitch target_pitch, source_pitch;
  lw_box box;
};

struct fill_work {
  char *target;
  lw_pitch pitch;
  lw_box box;
  uint32_t value, value_bytes;
};

struct call_work {
  lw_host_function function;
  void (*dropped)(void *data);
  void *data;
};

// One piece of work. Its memory is a block of malloc's; that of a node belongs to its graph.
struct work {
  struct work *following; // in its queue, or in its graph
  enum kind kind;
  uint64_t number; // in its queue, from 1
  uint32_t num_after;
  uint32_t num_nodes_after; // of a node: numbers of nodes that come before it
  struct place *after;
  uint64_t *nodes_after;
  union {
    struct launch_work launch;
    struct copy_work copy;
    struct fill_work fill;
    struct call_work call;
    struct mark *mark; // counted
    struct lw_graph *graph; // counted
  };
};

// A place in a queue that an event marks, with the time at which it was reached.
struct mark {
  atomic_uint users;
  struct place place;
  atomic_ullong reached_ns; // 0: not yet
};

struct failure {
  int32_t result; // of enum lw_result; LW_SUCCESS: none
  int32_t returned;
  uint64_t number; // of the work that failed
  const char *kernel;
  lw_status *status; // null, or of malloc's
};

struct lw_queue {
  atomic_uint users; // the host, its thread, events and work that waits for it
  uint32_t flags;
  int32_t priority;
  // The rest but `done` changes under the lock of order.c.
  struct work *first, *last;
  uint64_t added;      // number of the last work
  atomic_ullong done;  // number up to which all has ended
  atomic_uint wanted;  // changes when work is added, or the queue is destroyed; a futex
  atomic_uint asleep;  // its thread sleeps
  bool running;        // somebody does the first work
  bool has_thread;
  bool destroyed;
  struct failure failure;
  struct capture *capture; // null: not captured
  uint64_t *captured_after; // the last nodes of this queue in its capture
  uint64_t num_captured_after;
  void *stream; // of the GPU's driver
  struct lw_queue *following, *preceding; // in the list of all
};

struct lw_event {
  uint32_t flags;
  void *driver; // the GPU's event
  struct mark *mark; // null: never recorded
  struct capture *capture; // of the queue where it was recorded, if that was captured
  uint64_t *nodes;
  uint64_t num_nodes;
};

struct lw_graph {
  atomic_uint users;
  struct work **nodes; // each after those that it waits for
  uint64_t count, capacity;
};

struct capture {
  uint32_t users;
  bool over;
  struct lw_queue *origin;
  struct lw_graph *graph;
};

#endif
