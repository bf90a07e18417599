// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "events.h"
#include "graphs.h"
#include "reset.h"

namespace lw_cudart {

static Handles<Event> events;

Event *event_of(cudaEvent_t event) { return events.find(event); }

LW_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(event);
    REQUIRE(flags <= 7, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    REQUIRE(!(flags & cudaEventInterprocess), cudaErrorNotSupported, "events of several processes are not supported");
    lw_event *made;
    REQUIRE_SUCCESS(error_of(lw_event_create(flags & cudaEventDisableTiming ? LW_NO_TIMING : 0, &made)));
    Event *record = events.create();
    if (!record) {
      lw_event_destroy(made);
      return fail(cudaErrorMemoryAllocation, "there are too many events");
    }
    record->event = made;
    record->flags = flags;
    *event = reinterpret_cast<cudaEvent_t>(record);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

static void destroy_event(Event *event) {
  lw_event_destroy(event->event);
  event->nodes.release();
  events.destroy(event);
}

void destroy_events() { events.each(destroy_event); }

LW_API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return PLAIN_CALL({
    REQUIRE_EVENT(event, handle);
    destroy_event(event);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle, unsigned int flags) {
  return CALL({
    REQUIRE_EVENT(event, handle);
    REQUIRE_STREAM(stream, stream_handle);
    REQUIRE(flags <= cudaEventRecordExternal, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    if (stream->capture)
      return flags & cudaEventRecordExternal ? capture_record(stream, handle) : record_in_capture(event, stream);
    event->capture = 0;
    event->recorded = true;
    return error_of(lw_event_record(event->event, stream->queue));
  });
}

LW_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

LW_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream_handle, cudaEvent_t handle, unsigned int flags) {
  return CALL({
    REQUIRE_STREAM(stream, stream_handle);
    REQUIRE_EVENT(event, handle);
    REQUIRE(flags <= cudaEventWaitExternal, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    if (event->capture && !(flags & cudaEventWaitExternal))
      return wait_in_capture(stream, event);
    if (stream->capture) {
      REQUIRE(flags & cudaEventWaitExternal, cudaErrorStreamCaptureIsolation,
              "the event was not recorded in this capture");
      return capture_wait(stream, handle);
    }
    return error_of(lw_queue_wait(stream->queue, event->event));
  });
}

static cudaError_t require_real(const Event *event) {
  REQUIRE(!event->capture, cudaErrorCapturedEvent, "the event was last recorded in a stream that is captured");
  return cudaSuccess;
}

LW_API cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return CALL({
    REQUIRE_EVENT(event, handle);
    REQUIRE_SUCCESS(require_real(event));
    return error_of(lw_event_query(event->event));
  });
}

LW_API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return CALL({
    REQUIRE_EVENT(event, handle);
    REQUIRE_SUCCESS(require_real(event));
    int32_t result = lw_event_synchronize(event->event);
    flush_output();
    cudaError_t broken = sticky_error();
    return broken != cudaSuccess ? broken : error_of(result);
  });
}

LW_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
  return CALL({
    REQUIRE_POINTER(milliseconds);
    REQUIRE_EVENT(start, start_handle);
    REQUIRE_EVENT(end, end_handle);
    REQUIRE(!((start->flags | end->flags) & cudaEventDisableTiming), cudaErrorInvalidResourceHandle,
            "an event was created with cudaEventDisableTiming");
    REQUIRE(start->recorded && end->recorded, cudaErrorInvalidResourceHandle, "an event was never recorded");
    return error_of(lw_event_elapsed(milliseconds, start->event, end->event));
  });
}

} // namespace lw_cudart
