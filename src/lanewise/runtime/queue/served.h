// SPDX-License-Identifier: Apache-2.0
// Queues that are served by threads of their owner: Python's streams. Machine code runs in such a thread without coming
// back to the owner; all else is work that the owner does, in the order of the queue.
//
// Functions may be called by any thread. In the child of a fork no queue has work, and none is served. Times are in ns.
#ifndef LANEWISE_SERVED_H
#define LANEWISE_SERVED_H

#include "../host/lanewise.h"

typedef struct mark lw_mark;

// A pool, and of its core lw_start, which runs machine code, and lw_abandon.
typedef struct lw_core {
  int64_t (*start)(lw_pool *pool, const lw_request *request, const void *args);
  lw_pool *pool;
  void (*abandon)(lw_pool *pool);
} lw_core;

enum { LW_SERVED_ORIGIN = 2 }; // a flag, beside LW_NON_BLOCKING: for lw_origin_begin

// Null where memory is short.
LW_EXPORT lw_queue *lw_served_create(uint32_t flags);

// Lets serving end when all work is done.
LW_EXPORT void lw_served_close(lw_queue *queue);

// Gives the queue up. Nobody serves it; marks of it stay.
LW_EXPORT void lw_served_release(lw_queue *queue);

// ---- Work --------------------------------------------------------------------------------------------------------
//
// Its number in the queue is returned; 0 where memory is short. Tokens are the owner's names of pieces of work, not 0.

LW_EXPORT uint64_t lw_served_post(lw_queue *queue, uint64_t token);

// Machine code for the core. `request` and `args` are copied.
LW_EXPORT uint64_t lw_served_post_request(lw_queue *queue, uint64_t token, const lw_core *core,
                                          const lw_request *request, const void *args);

// Further work starts after the mark, and fails with the work before it, unless `order_only`.
LW_EXPORT uint64_t lw_served_wait(lw_queue *queue, lw_mark *mark, int32_t order_only);

// One piece of work of several queues.
typedef struct lw_step {
  const lw_core *core; // null: the owner does it
  const lw_request *request;
  const void *args;
  uint64_t token;
  const uint64_t *after; // indices of earlier steps, of other queues
  uint32_t num_after;
  uint32_t lane; // the index of its queue
} lw_step;

// Adds all steps; the number of each is stored in `numbers`. Returns how many there was memory for.
LW_EXPORT uint64_t lw_served_post_steps(lw_queue *const *queues, const lw_step *steps, uint64_t count,
                                        uint64_t *numbers);

// ---- Serving -----------------------------------------------------------------------------------------------------

// The calling thread, or one that it starts, serves the queue from now on.
LW_EXPORT void lw_served_attach(lw_queue *queue);

enum lw_served_result {
  LW_SERVED_WORK = 0,  // there is work for the owner, who calls again when it is done
  LW_SERVED_IDLE = 1,  // nothing for a while, and work has ended since the owner last heard of any
  LW_SERVED_ENDED = 2, // the queue is closed, or this is the child of a fork
};

typedef struct lw_served_work {
  uint64_t token;
  int64_t launch; // 0, or of a request: what lw_start returned; 0 of one that is done, whose trial is to be looked at
} lw_served_work;

// Does work. `failure`: 0, or the owner's name for why the work that the last call returned has failed; the queue then
// drops what follows. Each failure has another name.
LW_EXPORT int32_t lw_served_serve(lw_queue *queue, uint64_t failure, lw_served_work *work);

// ---- State -------------------------------------------------------------------------------------------------------

LW_EXPORT uint64_t lw_served_added(lw_queue *queue); // number of the last work
LW_EXPORT uint64_t lw_served_done(lw_queue *queue);  // number up to which all has ended

// Waits until the work up to `number` has ended, for about `timeout`; 1 if it has.
LW_EXPORT int32_t lw_served_await(lw_queue *queue, uint64_t number, uint64_t timeout);

// The failure that stopped the queue: its own, or that of work that it waited for. 0 if there is none; UINT64_MAX if there
// was no memory for the name.
LW_EXPORT uint64_t lw_served_failure(lw_queue *queue);
// Lets the queue go on, if `failure` is what stopped it.
LW_EXPORT void lw_served_clear(lw_queue *queue, uint64_t failure);

// Some failure that no queue and no mark knows of any more; each once, then 0.
LW_EXPORT uint64_t lw_forgotten_failure(void);

// ---- Marks: places in queues -------------------------------------------------------------------------------------

// The end of the queue's present work; null where memory is short.
LW_EXPORT lw_mark *lw_served_mark(lw_queue *queue);
// A mark that is reached.
LW_EXPORT lw_mark *lw_mark_now(void);
LW_EXPORT void lw_mark_release(lw_mark *mark);

LW_EXPORT int32_t lw_mark_reached(const lw_mark *mark);
LW_EXPORT uint64_t lw_mark_time(const lw_mark *mark); // when it was reached; 0: it was not, in this process
LW_EXPORT uint64_t lw_mark_failure(const lw_mark *mark); // as lw_served_failure, when it was reached
LW_EXPORT int32_t lw_mark_await(const lw_mark *mark, uint64_t timeout);

// ---- Origins: work that a thread of the host does itself, in order with all blocking queues ----------------------

typedef struct lw_blame {
  lw_queue *queue;
  uint64_t failure;
} lw_blame;

// Waits until all present work of blocking queues has ended, and holds their later work back. LW_NOT_READY after about
// `timeout`: call again, or end it. LW_WORK_FAILED, with one in `blame`: a queue that it waited for has failed; this, too,
// is to be ended.
LW_EXPORT int32_t lw_origin_begin(lw_queue *origin, uint64_t timeout, lw_blame *blame);
// Whether nothing has begun.
LW_EXPORT int32_t lw_origin_is_idle(lw_queue *origin);
// Ends what has begun, if anything.
LW_EXPORT void lw_origin_end(lw_queue *origin);

#endif
