// SPDX-License-Identifier: Apache-2.0
// Events: user's, their callbacks and queries; markers and barriers.
#include "scheduler.h"

namespace lw_opencl {

static cl_int require_event(const Event *event) {
  REQUIRE(lives(event), CL_INVALID_EVENT, "%p is no event", static_cast<const void *>(event));
  return CL_SUCCESS;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_event clCreateUserEvent(cl_context context, cl_int *code) {
  return made<Event>(code, [&](Event *&event) -> cl_int {
    REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
    event = created<Event>();
    REQUIRE(event, CL_OUT_OF_HOST_MEMORY, "too many events");
    event->context = use(context);
    event->type = CL_COMMAND_USER;
    event->status = CL_SUBMITTED;
    return CL_SUCCESS;
  });
}

LW_CL cl_int clSetUserEventStatus(cl_event event, cl_int status) {
  REQUIRE_SUCCESS(require_event(event));
  REQUIRE(!event->queue, CL_INVALID_EVENT, "the event is a command's");
  REQUIRE(status <= CL_COMPLETE, CL_INVALID_VALUE, "a status of %d is neither CL_COMPLETE nor an error", status);
  return end_user_event(event, status);
}

LW_CL cl_int clRetainEvent(cl_event event) { return retain(event, CL_INVALID_EVENT); }

// Nobody can end a user's event any more once it is released: what waits for it would wait for ever, so it fails.
LW_CL cl_int clReleaseEvent(cl_event event) {
  REQUIRE_SUCCESS(require_event(event));
  use(event);
  cl_int result = release(event, CL_INVALID_EVENT);
  if (!event->queue && !references_of(event) && status_of(event) > CL_COMPLETE)
    end_user_event(event, CL_INVALID_EVENT);
  drop(event);
  return result;
}

LW_CL cl_int clWaitForEvents(cl_uint count, const cl_event *events) {
  REQUIRE(count && events, CL_INVALID_VALUE, "no events");
  for (cl_uint i = 0; i < count; ++i) {
    REQUIRE_SUCCESS(require_event(events[i]));
    REQUIRE(events[i]->context == events[0]->context, CL_INVALID_CONTEXT, "event %u is of another context", i);
  }
  bool failed = false;
  for (cl_uint i = 0; i < count; ++i) {
    wait_for(events[i]);
    failed |= status_of(events[i]) < 0;
  }
  REQUIRE(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command has failed");
  return CL_SUCCESS;
}

LW_CL cl_int clGetEventInfo(cl_event event, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_event(event));
  Answer answer = {room, place, size};
  switch (what) {
  case CL_EVENT_COMMAND_QUEUE:
    return answer.value(event->queue);
  case CL_EVENT_CONTEXT:
    return answer.value(event->context);
  case CL_EVENT_COMMAND_TYPE:
    return answer.value(event->type);
  case CL_EVENT_REFERENCE_COUNT:
    return answer.value(references_of(event));
  case CL_EVENT_COMMAND_EXECUTION_STATUS: {
    cl_int status = status_of(event);
    if (status > CL_COMPLETE && event->queue)
      flush_queue(event->queue); // programs ask again and again until it is complete
    return answer.value(status);
  }
  default:
    return fail(CL_INVALID_VALUE, "events have no property 0x%x", what);
  }
}

LW_CL cl_int clGetEventProfilingInfo(cl_event event, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_event(event));
  REQUIRE(event->queue && event->queue->takes_times(), CL_PROFILING_INFO_NOT_AVAILABLE, "the queue takes no times");
  REQUIRE(status_of(event) == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE, "the command isn't complete");
  Answer answer = {room, place, size};
  switch (what) {
  case CL_PROFILING_COMMAND_QUEUED:
    return answer.value(event->queued);
  case CL_PROFILING_COMMAND_SUBMIT:
    return answer.value(event->submitted);
  case CL_PROFILING_COMMAND_START:
    return answer.value(event->started);
  case CL_PROFILING_COMMAND_END:
  case CL_PROFILING_COMMAND_COMPLETE:
    return answer.value(event->ended);
  default:
    return fail(CL_INVALID_VALUE, "commands have no time 0x%x", what);
  }
}

LW_CL cl_int clSetEventCallback(cl_event event, cl_int at, void (*notify)(cl_event, cl_int, void *), void *data) {
  REQUIRE_SUCCESS(require_event(event));
  REQUIRE(notify && (at == CL_COMPLETE || at == CL_RUNNING || at == CL_SUBMITTED), CL_INVALID_VALUE,
          "a callback for status %d", at);
  return add_callback(event, {at, notify, data});
}

static cl_int enqueue_marker(cl_command_queue queue, cl_enum type, const WaitList &waits, cl_event *event,
                             Order order) {
  REQUIRE_SUCCESS(require_queue(queue));
  return enqueue(queue, type, nullptr, waits, event, order);
}

LW_CL cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events,
                                         cl_event *event) {
  return enqueue_marker(queue, CL_COMMAND_MARKER, {count, events}, event, Order::Marker);
}

LW_CL cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event *events,
                                          cl_event *event) {
  return enqueue_marker(queue, CL_COMMAND_BARRIER, {count, events}, event, Order::Barrier);
}

LW_CL cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  REQUIRE(event, CL_INVALID_VALUE, "no place for the event");
  return enqueue_marker(queue, CL_COMMAND_MARKER, {0, nullptr}, event, Order::Marker);
}

LW_CL cl_int clEnqueueBarrier(cl_command_queue queue) {
  return enqueue_marker(queue, CL_COMMAND_BARRIER, {0, nullptr}, nullptr, Order::Barrier);
}

LW_CL cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(count && events, CL_INVALID_VALUE, "no events");
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE(lives(events[i]), CL_INVALID_EVENT, "event %u is none", i);
  return enqueue_marker(queue, CL_COMMAND_BARRIER, {count, events}, nullptr, Order::Barrier);
}
