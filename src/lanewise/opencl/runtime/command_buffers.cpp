// SPDX-License-Identifier: Apache-2.0
// Command buffers. When one is finalised, its commands become a graph of the host runtime, in the order in which they were
// recorded, which sync points allow: they name earlier commands.
#include "command_buffers.h"
#include "extensions.h"
#include "image_variants.h"
#include "launch.h"
#include "mutable_commands.h"
#include "transfers.h"

namespace lw_opencl {

cl_int require_command_buffer(const CommandBuffer *buffer) {
  REQUIRE(lives(buffer), CL_INVALID_COMMAND_BUFFER_KHR, "%p is no command buffer", static_cast<const void *>(buffer));
  return CL_SUCCESS;
}

// ALL_FLAGS are those of the extension and of the ones upon it: of synchronisation on devices, too.
static const unsigned long long SUPPORTED_FLAGS = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
static const unsigned long long ALL_FLAGS = SUPPORTED_FLAGS | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

static cl_int read_flags(unsigned long long flags, CommandBuffer *buffer) {
  REQUIRE(!(flags & ~ALL_FLAGS), CL_INVALID_VALUE, "flags of 0x%llx, which aren't defined", flags);
  REQUIRE(!(flags & ~SUPPORTED_FLAGS), CL_INVALID_PROPERTY, "flags of 0x%llx, which aren't supported", flags);
  buffer->may_overlap = flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;
  buffer->is_mutable = flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
  return CL_SUCCESS;
}

static cl_int read_properties(const cl_properties *given, CommandBuffer *buffer) {
  REQUIRE_SUCCESS(require_each_once(given));
  for (const cl_properties *at = given; at && *at; at += 2) {
    REQUIRE(at[0] == CL_COMMAND_BUFFER_FLAGS_KHR || at[0] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
            CL_INVALID_PROPERTY, "command buffers have no property 0x%llx", static_cast<unsigned long long>(at[0]));
    REQUIRE_SUCCESS(at[0] == CL_COMMAND_BUFFER_FLAGS_KHR ? read_flags(at[1], buffer)
                                                         : read_asserts(at[1], buffer->asserts));
    REQUIRE(buffer->properties.add(at[0]) && buffer->properties.add(at[1]), CL_OUT_OF_HOST_MEMORY,
            "no memory for properties");
  }
  REQUIRE(!given || buffer->properties.add(0), CL_OUT_OF_HOST_MEMORY, "no memory for properties");
  return CL_SUCCESS;
}

static cl_int create_command_buffer(Queue *queue, const cl_properties *properties, CommandBuffer *&made) {
  made = created<CommandBuffer>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many command buffers");
  made->context = use(queue->context);
  made->queue = use(queue);
  pthread_mutex_init(&made->lock, nullptr);
  pthread_mutex_init(&made->running, nullptr);
  cl_int result = read_properties(properties, made);
  if (result != CL_SUCCESS)
    release(made, CL_INVALID_COMMAND_BUFFER_KHR);
  return result;
}

void CommandBuffer::finish() {
  drop_plan(plan);
  for (MutableCommand *each : mutables)
    release(each, CL_INVALID_MUTABLE_COMMAND_KHR);
  mutables.release();
  for (Work *each : commands)
    if (each)
      each->release(each);
  commands.release();
  properties.release();
  drop(queue);
  drop(context);
}

// ---- Recording -----------------------------------------------------------------------------------------------

static cl_int require_sync_points(const Recording &recording) {
  REQUIRE(!recording.count == !recording.after, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "a list of %u sync points at %p",
          recording.count, static_cast<const void *>(recording.after));
  for (cl_uint i = 0; i < recording.count; ++i)
    REQUIRE(recording.after[i] && recording.after[i] <= recording.buffer->commands.count,
            CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "sync point %u is none: %u", i, recording.after[i]);
  return CL_SUCCESS;
}

cl_int record(const Recording &recording, Work *work, MutableCommand *command) {
  CommandBuffer *buffer = recording.buffer;
  auto add = [&]() -> cl_int {
    Held held(buffer->lock);
    REQUIRE(!buffer->plan, CL_INVALID_OPERATION, "the command buffer has been finalised");
    REQUIRE_SUCCESS(require_sync_points(recording));
    REQUIRE(!command || buffer->mutables.add(command), CL_OUT_OF_HOST_MEMORY, "no memory for a mutable command");
    if (!buffer->commands.add(work)) {
      buffer->mutables.count -= command != nullptr;
      return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a command");
    }
    if (command) {
      command->index = buffer->commands.count - 1;
      buffer->num_incomplete += !command->is_complete;
    }
    if (recording.sync_point)
      *recording.sync_point = static_cast<cl_uint>(buffer->commands.count);
    return CL_SUCCESS;
  };
  cl_int result = add();
  if (result != CL_SUCCESS && work)
    work->release(work);
  return result;
}

cl_int require_recorded(const Recorded &given) {
  REQUIRE_SUCCESS(require_command_buffer(given.buffer));
  REQUIRE(!given.queue, CL_INVALID_COMMAND_QUEUE, "a command buffer has one queue: null stands for it");
  Held held(given.buffer->lock);
  REQUIRE(!given.buffer->plan, CL_INVALID_OPERATION, "the command buffer has been finalised");
  return require_sync_points({given.buffer, given.count, given.after, nullptr});
}

// Checks what is given, and has `make` submit the command.
template <class Make> static cl_int record_as(const Recorded &given, cl_enum type, Make make) {
  REQUIRE_SUCCESS(require_recorded(given));
  REQUIRE(!given.properties || !*given.properties, CL_INVALID_VALUE, "unknown property 0x%llx",
          static_cast<unsigned long long>(*given.properties));
  REQUIRE(!given.handle, CL_INVALID_VALUE, "only launches can be changed: a place for a handle is null");
  Recording recording = {given.buffer, given.count, given.after, given.sync_point};
  return make(Request{given.buffer->queue, type, {0, nullptr}, nullptr, false, &recording});
}

// ---- Execution -----------------------------------------------------------------------------------------------

static int32_t run_in_graph(void *data) {
  Work *work = static_cast<Work *>(data);
  return work->run(work, nullptr) == CL_COMPLETE ? 0 : 1;
}

static cl_int fill_graph(const CommandBuffer *buffer, const List<Work *> &commands, lw_graph *graph) {
  for (Work *each : commands) {
    if (!each)
      continue;
    if (is_launch(each))
      REQUIRE_SUCCESS(add_launch(graph, buffer->context, each));
    else
      REQUIRE(lw_graph_add_call(graph, run_in_graph, each, nullptr, 0, nullptr) == LW_SUCCESS, CL_OUT_OF_RESOURCES,
              "%s", lw_explanation());
  }
  return CL_SUCCESS;
}

cl_int make_plan(const CommandBuffer *buffer, const List<Work *> &commands, Plan *&made) {
  made = static_cast<Plan *>(calloc(1, sizeof(Plan)));
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "no memory for a command buffer");
  made->uses = made->runs = 1;
  cl_int result = lw_graph_create(&made->graph) == LW_SUCCESS ? fill_graph(buffer, commands, made->graph)
                                                              : fail(CL_OUT_OF_HOST_MEMORY, "%s", lw_explanation());
  if (result != CL_SUCCESS) {
    drop_plan(made);
    made = nullptr;
  }
  return result;
}

void drop_plan(Plan *plan) {
  if (plan && __atomic_sub_fetch(&plan->runs, 1, __ATOMIC_ACQ_REL) == 0 && plan->graph)
    lw_graph_destroy(plan->graph);
  while (plan && __atomic_sub_fetch(&plan->uses, 1, __ATOMIC_ACQ_REL) == 0) {
    for (Work *each : plan->replaced)
      each->release(each);
    plan->replaced.release();
    Plan *next = plan->next;
    free(plan);
    plan = next;
  }
}

static cl_int make_first_plan(CommandBuffer *buffer) {
  Held held(buffer->lock);
  REQUIRE(!buffer->plan, CL_INVALID_OPERATION, "the command buffer has been finalised already");
  return make_plan(buffer, buffer->commands, buffer->plan);
}

static cl_int finalise(CommandBuffer *buffer) {
  cl_int result = make_first_plan(buffer);
  if (result != CL_SUCCESS)
    tell_no_code(buffer->context);
  return result;
}

struct Execution : Work {
  CommandBuffer *buffer;
  Plan *plan;
};

static cl_int run_execution(Work *work, Event *event) {
  const Execution *execution = static_cast<Execution *>(work);
  if (execution->buffer->may_overlap)
    return run_graph(execution->plan->graph, event->context);
  Held held(execution->buffer->running);
  return run_graph(execution->plan->graph, event->context);
}

static void release_execution(Work *work) {
  drop_plan(static_cast<Execution *>(work)->plan);
  drop(static_cast<Execution *>(work)->buffer);
  free(work);
}

// The plan of today for an execution, held.
static cl_int take_plan(CommandBuffer *buffer, Plan *&plan) {
  Held held(buffer->lock);
  REQUIRE(buffer->plan, CL_INVALID_OPERATION, "the command buffer has not been finalised");
  REQUIRE(!buffer->num_incomplete, CL_INVALID_OPERATION, "%zu launches of the command buffer lack arguments",
          buffer->num_incomplete);
  plan = buffer->plan;
  __atomic_fetch_add(&plan->uses, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&plan->runs, 1, __ATOMIC_RELAXED);
  return CL_SUCCESS;
}

static cl_int require_like_queue(const Queue *queue, const CommandBuffer *buffer) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(queue->context == buffer->context, CL_INVALID_CONTEXT, "the queue is of another context");
  REQUIRE(queue->device == buffer->queue->device, CL_INVALID_DEVICE, "the queue's device isn't the recorded one's");
  return CL_SUCCESS;
}

static cl_int command_buffer_info(CommandBuffer *buffer, cl_enum what, const Answer &answer) {
  Held held(buffer->lock);
  switch (what) {
  case CL_COMMAND_BUFFER_QUEUES_KHR:
    return answer.value(buffer->queue);
  case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
    return answer.value<cl_uint>(1);
  case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
    return answer.value(references_of(buffer));
  case CL_COMMAND_BUFFER_STATE_KHR:
    return answer.value<cl_enum>(!buffer->plan            ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                 : buffer->num_incomplete ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                                          : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
  case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
    return answer.bytes(buffer->properties.items, buffer->properties.count * sizeof(cl_properties));
  case CL_COMMAND_BUFFER_CONTEXT_KHR:
    return answer.value(buffer->context);
  default:
    return fail(CL_INVALID_VALUE, "command buffers have no property 0x%x", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_command_buffer clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                 const cl_properties *properties, cl_int *code) {
  return made<CommandBuffer>(code, [&](CommandBuffer *&buffer) -> cl_int {
    REQUIRE(num_queues == 1 && queues, CL_INVALID_VALUE, "%u queues at %p; a command buffer has one", num_queues,
            static_cast<const void *>(queues));
    REQUIRE_SUCCESS(require_queue(queues[0]));
    return create_command_buffer(queues[0], properties, buffer);
  });
}

LW_CL cl_int clFinalizeCommandBufferKHR(cl_command_buffer buffer) {
  REQUIRE_SUCCESS(require_command_buffer(buffer));
  return finalise(buffer);
}

LW_CL cl_int clRetainCommandBufferKHR(cl_command_buffer buffer) {
  return retain(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}
LW_CL cl_int clReleaseCommandBufferKHR(cl_command_buffer buffer) {
  return release(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}

LW_CL cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues, cl_command_buffer buffer,
                                       cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_command_buffer(buffer));
  REQUIRE(!num_queues == !queues && num_queues <= 1, CL_INVALID_VALUE, "%u queues at %p; the command buffer has one",
          num_queues, static_cast<const void *>(queues));
  Queue *queue = num_queues ? queues[0] : buffer->queue;
  REQUIRE_SUCCESS(require_like_queue(queue, buffer));
  Execution *execution = new_work<Execution>(run_execution, release_execution);
  REQUIRE(execution, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  execution->buffer = use(buffer);
  cl_int result = take_plan(buffer, execution->plan);
  if (result != CL_SUCCESS) {
    release_execution(execution);
    return result;
  }
  return enqueue(queue, CL_COMMAND_COMMAND_BUFFER_KHR, execution, {count, events}, event);
}

LW_CL cl_int clGetCommandBufferInfoKHR(cl_command_buffer buffer, cl_enum what, size_t room, void *place,
                                       size_t *size) {
  REQUIRE_SUCCESS(require_command_buffer(buffer));
  return command_buffer_info(buffer, what, {room, place, size});
}

// ---- Commands to record; the last arguments are always the same -----------------------------------------------------

#define BEFORE cl_command_buffer buffer, cl_command_queue queue, const cl_properties *properties
#define AFTER cl_uint count, const cl_uint *after, cl_uint *sync_point, cl_mutable_command *handle
#define GIVEN Recorded{buffer, queue, properties, count, after, sync_point, handle}

LW_CL cl_int clCommandBarrierWithWaitListKHR(BEFORE, AFTER) {
  return record_as(GIVEN, CL_COMMAND_BARRIER, [&](const Request &request) { return submit(request, nullptr); });
}

LW_CL cl_int clCommandCopyBufferKHR(BEFORE, cl_mem source, cl_mem target, size_t from, size_t to, size_t bytes, AFTER) {
  return record_as(GIVEN, CL_COMMAND_COPY_BUFFER, [&](const Request &request) {
    return copy_buffer(request, source, target, from, to, bytes);
  });
}

LW_CL cl_int clCommandCopyBufferRectKHR(BEFORE, cl_mem source, cl_mem target, const size_t *from_origin,
                                        const size_t *to_origin, const size_t *region, size_t from_row,
                                        size_t from_plane, size_t to_row, size_t to_plane, AFTER) {
  return record_as(GIVEN, CL_COMMAND_COPY_BUFFER_RECT, [&](const Request &request) {
    return copy_rectangle(request, {source, from_origin, from_row, from_plane}, {target, to_origin, to_row, to_plane},
                          region);
  });
}

LW_CL cl_int clCommandCopyBufferToImageKHR(BEFORE, cl_mem source, cl_mem target, size_t offset, const size_t *origin,
                                           const size_t *region, AFTER) {
  return record_as(GIVEN, CL_COMMAND_COPY_BUFFER_TO_IMAGE, [&](const Request &request) {
    return copy_image_with_buffer(request, target, source, origin, region, offset, false);
  });
}

LW_CL cl_int clCommandCopyImageKHR(BEFORE, cl_mem source, cl_mem target, const size_t *from, const size_t *to,
                                   const size_t *region, AFTER) {
  return record_as(GIVEN, CL_COMMAND_COPY_IMAGE, [&](const Request &request) {
    return copy_images(request, source, target, from, to, region);
  });
}

LW_CL cl_int clCommandCopyImageToBufferKHR(BEFORE, cl_mem source, cl_mem target, const size_t *origin,
                                           const size_t *region, size_t offset, AFTER) {
  return record_as(GIVEN, CL_COMMAND_COPY_IMAGE_TO_BUFFER, [&](const Request &request) {
    return copy_image_with_buffer(request, source, target, origin, region, offset, true);
  });
}

LW_CL cl_int clCommandFillBufferKHR(BEFORE, cl_mem memory, const void *pattern, size_t pattern_bytes, size_t offset,
                                    size_t bytes, AFTER) {
  return record_as(GIVEN, CL_COMMAND_FILL_BUFFER, [&](const Request &request) {
    return fill_buffer(request, memory, pattern, pattern_bytes, offset, bytes);
  });
}

LW_CL cl_int clCommandFillImageKHR(BEFORE, cl_mem image, const void *colour, const size_t *origin,
                                   const size_t *region, AFTER) {
  return record_as(GIVEN, CL_COMMAND_FILL_IMAGE, [&](const Request &request) {
    return fill_image(request, image, colour, origin, region);
  });
}

LW_CL cl_int clCommandNDRangeKernelKHR(BEFORE, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                       const size_t *size, const size_t *local, AFTER) {
  return record_launch(GIVEN, kernel, dimensions, offset, size, local);
}

LW_CL cl_int clCommandSVMMemcpyKHR(BEFORE, void *target, const void *source, size_t bytes, AFTER) {
  return record_as(GIVEN, CL_COMMAND_SVM_MEMCPY, [&](const Request &request) {
    return copy_shared(request, target, source, bytes);
  });
}

LW_CL cl_int clCommandSVMMemFillKHR(BEFORE, void *address, const void *pattern, size_t pattern_bytes, size_t bytes,
                                    AFTER) {
  return record_as(GIVEN, CL_COMMAND_SVM_MEMFILL, [&](const Request &request) {
    return fill_shared(request, address, pattern, pattern_bytes, bytes);
  });
}

#undef BEFORE
#undef AFTER
#undef GIVEN
