// SPDX-License-Identifier: Apache-2.0
// Queues of work: the types that the files of this folder share. Two units include them: the host runtime (host.c),
// whose queues have threads of their own, and that of queues that their owner's threads serve (served.c).
#ifndef LANEWISE_QUEUE_H
#define LANEWISE_QUEUE_H

#include "../host/lanewise.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// Work of `queue` up to number `number`.
struct place {
  struct lw_queue *queue; // counted
  uint64_t number;
  bool order_only; // what comes after it doesn't fail with it
};

enum kind {
  WORK_LAUNCH,
  WORK_COPY,
  WORK_FILL,
  WORK_CALL,
  WORK_MARK,
  WORK_GRAPH,
  WORK_CHOICE,
  WORK_NOTHING, // only waits for other queues
  WORK_REQUEST,  // machine code over a grid, for the core
  WORK_EXTERNAL, // what the thread that serves the queue does
};

struct launch_work {
  const lw_kernel_image *kernel;
  const lw_code *code;
  struct tier *tier; // null, or where its time counts, and whose trial it takes part in
  const struct checked_code *checked; // null, or what `code` is part of
  const uint64_t *extents; // null, or after the arguments, as in lw_kernel_launch
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

// Graphs of which a number in memory chooses, when the node runs.
struct choice_work {
  const uint32_t *value;
  uint32_t kind; // of enum lw_choice
  uint32_t num_bodies;
  struct lw_graph **bodies; // counted; of malloc's
};

struct request_work {
  const struct lw_core *core;
  lw_request request;
  const void *args; // after the work itself
};

// One piece of work. Its memory is a block of malloc's; that of a node belongs to its graph.
struct work {
  struct work *following; // in its queue, or in its graph
  enum kind kind;
  uint64_t number; // in its queue, from 1
  uint64_t token;  // of work of a served queue, which names it there
  uint32_t num_after;
  uint32_t num_nodes_after; // of a node: numbers of nodes that come before it
  struct place *after;
  uint64_t *nodes_after;
  union {
    struct launch_work launch;
    struct copy_work copy;
    struct fill_work fill;
    struct call_work call;
    struct choice_work choice;
    struct request_work request;
    struct mark *mark; // counted; of WORK_NOTHING perhaps null
    struct lw_graph *graph; // counted
  };
};

// A failure of work of a served queue, for as long as a queue or a mark knows of it.
struct fault {
  atomic_uint users;
  uint64_t token; // the name that its owner gave it
  struct fault *following; // in the list of those that nobody knows of any more
};

// A place in a queue that an event marks, with the time at which it was reached.
struct mark {
  atomic_uint users;
  struct place place; // without a queue: it was reached when it was made
  atomic_ullong reached_ns; // 0: not yet
  struct fault *fault; // null, or why the queue had failed by then
};

struct failure {
  int32_t result; // of enum lw_result; LW_SUCCESS: none
  int32_t returned;
  uint64_t number; // of the work that failed
  struct fault *fault; // null, or counted
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
  atomic_uint wanted;  // changes when work is added or can be done, or the queue is destroyed; a futex
  atomic_uint asleep;  // its thread sleeps
  bool running;        // somebody does the first work
  bool has_thread;
  bool destroyed;
  unsigned awaited;    // threads other than its own that wait for its work
  struct lw_queue *blocked_on; // null, or one that the first work waits for
  struct lw_queue *blocked, *next_blocked; // the list of those that wait for this one
  uint64_t reported;   // number up to which the thread that serves it knows that all has ended
  struct failure failure;
  struct capture *capture; // null: not captured
  uint64_t *captured_after; // the last nodes of this queue in its capture
  uint64_t num_captured_after;
  void *stream; // of the GPU's driver
  struct lw_queue *following, *preceding; // in the list of all
};

#endif
