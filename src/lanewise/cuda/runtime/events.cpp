// SPDX-License-Identifier: Apache-2.0
// Events: places in streams.
#include "runtime.h"

struct CUevent_st {
  lw_event *event;
  CUevent_st *following; // in the list of all
};

namespace {

pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
CUevent_st *all_events;

// The event of a handle; null for what is none.
lw_event *event_of(cudaEvent_t event) {
  Lock lock(events_lock);
  for (CUevent_st *each = all_events; each != nullptr; each = each->following)
    if (each == event)
      return each->event;
  return nullptr;
}

} // namespace

CUDART cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  RETURN_IF_STICKY();
  if (event == nullptr || flags > 7)
    return done(cudaErrorInvalidValue);
  CUevent_st *made = static_cast<CUevent_st *>(calloc(1, sizeof *made));
  if (made == nullptr)
    return done(cudaErrorMemoryAllocation);
  int32_t result = lw_event_create(flags & cudaEventDisableTiming ? LW_NO_TIMING : 0, &made->event);
  if (result != LW_SUCCESS) {
    free(made);
    return done(from_host(result, "cudaEventCreate"));
  }
  Lock lock(events_lock);
  made->following = all_events;
  all_events = made;
  *event = made;
  return cudaSuccess;
}

CUDART cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

CUDART cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Lock lock(events_lock);
  for (CUevent_st **place = &all_events; *place != nullptr; place = &(*place)->following)
    if (*place == event) {
      *place = event->following;
      lw_event_destroy(event->event);
      free(event);
      return cudaSuccess;
    }
  return done(cudaErrorInvalidResourceHandle);
}

CUDART cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_event *found = event_of(event);
  lw_queue *queue = queue_of(stream);
  if (found == nullptr || queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  return done(from_host(lw_event_record(found, queue), "cudaEventRecord"));
}

CUDART cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}

CUDART cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  RETURN_IF_STICKY();
  lw_event *found = event_of(event);
  lw_queue *queue = queue_of(stream);
  if (found == nullptr || queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  if (flags > 1)
    return done(cudaErrorInvalidValue);
  int32_t result = lw_queue_wait(queue, found);
  return done(result == LW_INVALID ? objected(cudaErrorStreamCaptureIsolation, "cudaStreamWaitEvent", lw_explanation())
                                   : from_host(result, "cudaStreamWaitEvent"));
}

CUDART cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RETURN_IF_STICKY();
  lw_event *found = event_of(event);
  if (found == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  int32_t result = lw_event_synchronize(found);
  flush_printed();
  if (sticky() != cudaSuccess)
    return done(sticky());
  return done(result == LW_INVALID ? cudaErrorCapturedEvent : from_host(result, "cudaEventSynchronize"));
}

CUDART cudaError_t cudaEventQuery(cudaEvent_t event) {
  RETURN_IF_STICKY();
  lw_event *found = event_of(event);
  if (found == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  int32_t result = lw_event_query(found);
  return done(result == LW_INVALID ? cudaErrorCapturedEvent : from_host(result, "cudaEventQuery"));
}

CUDART cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  RETURN_IF_STICKY();
  lw_event *from = event_of(start), *to = event_of(end);
  if (milliseconds == nullptr)
    return done(cudaErrorInvalidValue);
  if (from == nullptr || to == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  int32_t result = lw_event_elapsed(milliseconds, from, to);
  return done(result == LW_INVALID ? cudaErrorInvalidResourceHandle : from_host(result, "cudaEventElapsedTime"));
}
