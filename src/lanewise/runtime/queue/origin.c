// SPDX-License-Identifier: Apache-2.0
// Origins: the default stream of one thread, which does that stream's work itself.
#include "queue.h"
#include "served.h"

// A failure that the origin's work would inherit. Under the lock.
static bool blame_of(const struct work *work, lw_blame *blame) {
  for (uint32_t i = 0; i < work->num_after; ++i) {
    const struct place *place = &work->after[i];
    const struct failure *failure = &place->queue->failure;
    if (failure->result != LW_SUCCESS && failure->number <= place->number) {
      *blame = (lw_blame){place->queue, name_of(failure->fault)};
      return true;
    }
  }
  return false;
}

// Adds the work that stands for what the thread is about to do, unless it is there. Under the lock.
static bool announce(struct lw_queue *origin) {
  if (origin->first != NULL)
    return true;
  struct work *work = work_make(WORK_EXTERNAL, 0);
  if (work != NULL && append_work(origin, work))
    return true;
  if (work != NULL)
    work_free(work);
  return false;
}

int32_t lw_origin_begin(lw_queue *origin, uint64_t timeout, lw_blame *blame) {
  uint64_t until = now_ns() + timeout;
  lock_order();
  if (!announce(origin)) {
    unlock_order();
    return LW_NO_MEMORY;
  }
  while (!is_ready(origin->first)) {
    unsigned progress = atomic_load(&order.progress);
    unlock_order();
    uint64_t now = now_ns();
    if (now >= until)
      return LW_NOT_READY;
    await_progress(progress, until - now);
    lock_order();
  }
  int32_t result = blame_of(origin->first, blame) ? LW_WORK_FAILED : LW_SUCCESS;
  unlock_order();
  return result;
}

int32_t lw_origin_is_idle(lw_queue *origin) {
  lock_order();
  bool idle = origin->first == NULL;
  unlock_order();
  return idle;
}

void lw_origin_end(lw_queue *origin) {
  lock_order();
  if (origin->first != NULL)
    end_first(origin);
  unlock_order();
}
