// SPDX-License-Identifier: Apache-2.0
// Marks of served queues.
#include "queue.h"
#include "served.h"

#include <stdlib.h>

lw_mark *lw_served_mark(lw_queue *queue) {
  struct mark *mark;
  struct work *work;
  if (!mark_make(queue, &mark, &work))
    return NULL;
  if (post(queue, work) != 0)
    return mark;
  mark_release(mark);
  return NULL;
}

lw_mark *lw_mark_now(void) {
  struct mark *mark = calloc(1, sizeof *mark);
  if (mark == NULL)
    return NULL;
  atomic_store(&mark->users, 1);
  atomic_store(&mark->reached_ns, now_ns());
  return mark;
}

void lw_mark_release(lw_mark *mark) { mark_release(mark); }

int32_t lw_mark_reached(const lw_mark *mark) { return is_reached(&mark->place); }

uint64_t lw_mark_time(const lw_mark *mark) { return is_reached(&mark->place) ? atomic_load(&mark->reached_ns) : 0; }

uint64_t lw_mark_failure(const lw_mark *mark) { return is_reached(&mark->place) ? name_of(mark->fault) : 0; }

int32_t lw_mark_await(const lw_mark *mark, uint64_t timeout) { return await_place(&mark->place, timeout); }
