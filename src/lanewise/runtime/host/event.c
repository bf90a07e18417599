// SPDX-License-Identifier: Apache-2.0
// Events: places in queues, for waiting and for measuring time.
#include "host.h"

#include <stdlib.h>
#include <string.h>

static bool is_gpus_event(const lw_event *event) { return gpu.on || event->flags & LW_ON_GPU; }

int32_t lw_event_create(uint32_t flags, lw_event **event) {
  *event = calloc(1, sizeof **event);
  if (*event == NULL)
    return explain(LW_NO_MEMORY, "no memory for an event");
  (*event)->flags = flags;
  int32_t result = is_gpus_event(*event) ? gpu_make_event(*event) : LW_SUCCESS;
  if (result != LW_SUCCESS) {
    free(*event);
    *event = NULL;
  }
  return result;
}

// Takes the event away from where it was recorded. Under the lock.
static void unrecord(struct lw_event *event) {
  if (event->mark != NULL)
    mark_release(event->mark);
  if (event->capture != NULL)
    capture_release(event->capture);
  free(event->nodes);
  event->mark = NULL;
  event->capture = NULL;
  event->nodes = NULL;
  event->num_nodes = 0;
}

void lw_event_destroy(lw_event *event) {
  if (is_gpus_event(event))
    gpu_destroy_event(event);
  lock_order();
  unrecord(event);
  unlock_order();
  free(event);
}

static int32_t record_captured(struct lw_event *event, struct lw_queue *queue) {
  uint64_t count = queue->num_captured_after;
  uint64_t *nodes = malloc((count + 1) * sizeof *nodes);
  if (nodes == NULL)
    return explain(LW_NO_MEMORY, "no memory for an event");
  if (count > 0)
    memcpy(nodes, queue->captured_after, count * sizeof *nodes);
  unrecord(event);
  event->capture = capture_keep(queue->capture);
  event->nodes = nodes;
  event->num_nodes = count;
  return LW_SUCCESS;
}

int32_t lw_event_record(lw_event *event, lw_queue *queue) {
  if (is_gpus_event(event))
    return gpu_record(event, queue);
  lock_order();
  if (queue->capture != NULL) {
    int32_t result = record_captured(event, queue);
    unlock_order();
    return result;
  }
  unlock_order();
  struct mark *mark;
  struct work *work;
  if (!mark_make(queue, &mark, &work))
    return explain(LW_NO_MEMORY, "no memory for an event");
  int32_t result = add_work(queue, work);
  if (result != LW_SUCCESS) {
    mark_release(mark);
    return result;
  }
  lock_order();
  unrecord(event);
  event->mark = mark;
  unlock_order();
  return LW_SUCCESS;
}

// The place that the event marks; false for an event that was never recorded. The caller gets a queue that is kept.
static bool place_of(struct lw_event *event, struct place *place, struct mark **mark) {
  lock_order();
  bool recorded = event->mark != NULL;
  if (recorded) {
    *place = event->mark->place;
    queue_keep(place->queue);
    *mark = event->mark;
    atomic_fetch_add(&(*mark)->users, 1);
  }
  unlock_order();
  return recorded;
}

static bool is_in_capture(struct lw_event *event) {
  lock_order();
  bool captured = event->capture != NULL;
  unlock_order();
  return captured;
}

int32_t lw_queue_wait(lw_queue *queue, lw_event *event) {
  if (is_gpus_event(event))
    return gpu_wait_for_event(queue, event);
  lock_order();
  int32_t result = LW_SUCCESS;
  if (event->capture != NULL)
    result = capture_follow(queue, event->capture, event->nodes, event->num_nodes);
  else if (queue->capture != NULL)
    result = event->mark == NULL ? LW_SUCCESS
                                 : explain(LW_INVALID, "a captured queue can't wait for work outside of the capture");
  bool pending = event->capture == NULL && queue->capture == NULL && event->mark != NULL &&
                 (!is_reached(&event->mark->place) || event->mark->place.queue->failure.result != LW_SUCCESS);
  struct place place = pending ? event->mark->place : (struct place){0};
  if (pending)
    queue_keep(place.queue);
  unlock_order();
  if (!pending)
    return result;
  struct work *work = work_make(WORK_NOTHING, 0);
  if (work != NULL && place.queue != queue && !work_after(work, place.queue, place.number, false)) {
    work_free(work);
    work = NULL;
  }
  queue_release(place.queue);
  if (work == NULL)
    return LW_NO_MEMORY;
  return add_work(queue, work);
}

int32_t lw_event_synchronize(lw_event *event) {
  if (is_gpus_event(event))
    return gpu_synchronize_event(event);
  if (in_function)
    return explain(LW_NOT_PERMITTED, "a function in a queue can't wait for queues");
  if (is_in_capture(event))
    return explain(LW_INVALID, "the event was recorded in a captured queue");
  struct place place;
  struct mark *mark;
  if (!place_of(event, &place, &mark))
    return LW_SUCCESS;
  await_queue(place.queue, place.number);
  int32_t result = failure_of(place.queue);
  queue_release(place.queue);
  mark_release(mark);
  return result;
}

int32_t lw_event_query(lw_event *event) {
  if (is_gpus_event(event))
    return gpu_query_event(event);
  if (is_in_capture(event))
    return explain(LW_INVALID, "the event was recorded in a captured queue");
  struct place place;
  struct mark *mark;
  if (!place_of(event, &place, &mark))
    return LW_SUCCESS;
  int32_t result = is_reached(&place) ? LW_SUCCESS : explain(LW_NOT_READY, "the event is not reached yet");
  queue_release(place.queue);
  mark_release(mark);
  return result;
}

// When the event was reached, in ns; 0 with the reason in `result`.
static uint64_t time_of(lw_event *event, int32_t *result) {
  struct place place;
  struct mark *mark;
  if (event->flags & LW_NO_TIMING || is_in_capture(event) || !place_of(event, &place, &mark)) {
    *result = explain(LW_INVALID, "the event was never recorded, or has no timing");
    return 0;
  }
  bool reached = is_reached(&place);
  uint64_t time = reached ? atomic_load(&mark->reached_ns) : 0;
  if (!reached)
    *result = explain(LW_NOT_READY, "the event is not reached yet");
  else if (time == 0)
    *result = explain(LW_INVALID, "the event was not reached before the process was forked");
  queue_release(place.queue);
  mark_release(mark);
  return time;
}

int32_t lw_event_elapsed(float *milliseconds, lw_event *start, lw_event *end) {
  if (is_gpus_event(start))
    return gpu_elapsed(milliseconds, start, end);
  int32_t result = LW_SUCCESS;
  uint64_t from = time_of(start, &result);
  uint64_t to = result == LW_SUCCESS ? time_of(end, &result) : 0;
  if (result == LW_SUCCESS)
    *milliseconds = (float)(((double)to - (double)from) / 1e6);
  return result;
}
