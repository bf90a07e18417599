// SPDX-License-Identifier: Apache-2.0
// Contexts and queues.
#include "devices.h"
#include "fork.h"
#include "program.h"
#include "scheduler.h"
#include "unified_memory.h"

namespace lw_opencl {

// A list of pairs that ends with 0, as given; each key must be one of `known`, once. False: CL_INVALID_PROPERTY.
template <size_t N>
static cl_int read_properties(const cl_properties *given, const cl_enum (&known)[N], List<cl_properties> &kept) {
  for (const cl_properties *at = given; at && *at; at += 2) {
    bool is_known = false;
    for (cl_enum each : known)
      is_known |= static_cast<cl_properties>(each) == *at;
    REQUIRE(is_known, CL_INVALID_PROPERTY, "unknown property 0x%llx", static_cast<unsigned long long>(*at));
    for (size_t i = 0; i < kept.count; i += 2)
      REQUIRE(kept[i] != *at, CL_INVALID_PROPERTY, "property 0x%llx is given twice",
              static_cast<unsigned long long>(*at));
    REQUIRE(kept.add(at[0]) && kept.add(at[1]), CL_OUT_OF_HOST_MEMORY, "no memory for properties");
  }
  REQUIRE(!given || kept.add(0), CL_OUT_OF_HOST_MEMORY, "no memory for properties");
  return CL_SUCCESS;
}

static cl_properties property(const List<cl_properties> &kept, cl_enum key) {
  for (size_t i = 0; i + 1 < kept.count; i += 2)
    if (kept[i] == static_cast<cl_properties>(key))
      return kept[i + 1];
  return 0;
}

static const cl_enum CONTEXT_PROPERTIES[] = {CL_CONTEXT_PLATFORM, CL_CONTEXT_INTEROP_USER_SYNC};

static cl_int create_context(const cl_properties *properties, cl_uint count, const cl_device_id *devices,
                             cl_context_notify notify, void *data, Context *&made) {
  List<cl_properties> kept = {};
  cl_int result = read_properties(properties, CONTEXT_PROPERTIES, kept);
  cl_properties platform = property(kept, CL_CONTEXT_PLATFORM);
  if (result == CL_SUCCESS && platform && platform != reinterpret_cast<cl_properties>(&the_platform))
    result = fail(CL_INVALID_PLATFORM, "the properties name another platform");
  cl_properties interop = property(kept, CL_CONTEXT_INTEROP_USER_SYNC);
  if (result == CL_SUCCESS && interop != CL_FALSE && interop != CL_TRUE)
    result = fail(CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is neither true nor false");
  if (result == CL_SUCCESS && data && !notify)
    result = fail(CL_INVALID_VALUE, "data for a callback, and no callback");
  follow_forks();
  if (result == CL_SUCCESS && !(made = created<Context>()))
    result = fail(CL_OUT_OF_HOST_MEMORY, "too many contexts");
  if (result != CL_SUCCESS) {
    kept.release();
    return result;
  }
  lw_allow_host_pointers(1); // shared virtual memory is all of the host's
  made->notify = notify;
  made->data = data;
  made->properties = kept;
  pthread_mutex_init(&made->lock, nullptr);
  for (cl_uint i = 0; i < count; ++i) {
    if (made->has(devices[i]))
      continue;
    if (!made->devices.add(devices[i])) {
      release(made, CL_INVALID_CONTEXT);
      return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a context's devices");
    }
    use_device(devices[i]);
  }
  bool has_driver = false;
  for (const Device *each : made->devices)
    has_driver |= each->kind->has_driver;
  made->is_on_gpu = has_driver && made->devices.count == 1;
  made->has_copies_on_gpu = has_driver && made->devices.count > 1;
  return CL_SUCCESS;
}

cl_int require_context(const Context *context) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  return CL_SUCCESS;
}

void Context::finish() {
  while (at_end.count) {
    ContextCallback last = at_end[--at_end.count];
    last.notify(this, last.data);
  }
  free_unified_memory_of(this);
  for (Device *device : devices)
    drop_device(device);
  devices.release();
  at_end.release();
  properties.release();
}

static cl_int create_queue(Context *context, cl_device_id device, const List<cl_properties> &kept, cl_bitfield flags,
                           Queue *&made) {
  REQUIRE_SUCCESS(require_context(context));
  REQUIRE(context->has(device), CL_INVALID_DEVICE, "%p is no device of the context",
          static_cast<const void *>(device));
  cl_bitfield known = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  cl_bitfield on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
  REQUIRE(!(flags & ~(known | on_device)), CL_INVALID_VALUE, "queue properties of 0x%llx",
          static_cast<unsigned long long>(flags));
  REQUIRE(!(flags & on_device), CL_INVALID_QUEUE_PROPERTIES, "queues on the device are not supported");
  REQUIRE(!(flags & ~device->kind->queues), CL_INVALID_QUEUE_PROPERTIES,
          "the device does commands in the order of the queue");
  made = created<Queue>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many queues");
  made->context = use(context);
  made->device = device; // which the context holds
  made->flags = flags;
  made->properties = kept;
  return CL_SUCCESS;
}

void Queue::finish() {
  properties.release();
  drop(context);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_context clCreateContext(const cl_properties *properties, cl_uint count, const cl_device_id *devices,
                                 cl_context_notify notify, void *data, cl_int *code) {
  return made<Context>(code, [&](Context *&context) -> cl_int {
    REQUIRE(devices && count, CL_INVALID_VALUE, "a context needs a device");
    for (cl_uint i = 0; i < count; ++i)
      REQUIRE(is_device(devices[i]), CL_INVALID_DEVICE, "device %u is none", i);
    return create_context(properties, count, devices, notify, data, context);
  });
}

LW_CL cl_context clCreateContextFromType(const cl_properties *properties, cl_bitfield type, cl_context_notify notify,
                                         void *data, cl_int *code) {
  return made<Context>(code, [&](Context *&context) -> cl_int {
    cl_device_id devices[NUM_KINDS];
    cl_uint count;
    REQUIRE_SUCCESS(devices_of_type(type, NUM_KINDS, devices, &count));
    return create_context(properties, count, devices, notify, data, context);
  });
}

LW_CL cl_int clRetainContext(cl_context context) { return retain(context, CL_INVALID_CONTEXT); }
LW_CL cl_int clReleaseContext(cl_context context) { return release(context, CL_INVALID_CONTEXT); }

LW_CL cl_int clGetContextInfo(cl_context context, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_context(context));
  Answer answer = {room, place, size};
  switch (what) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return answer.value(references_of(context));
  case CL_CONTEXT_NUM_DEVICES:
    return answer.value(static_cast<cl_uint>(context->devices.count));
  case CL_CONTEXT_DEVICES:
    return answer.bytes(context->devices.items, context->devices.count * sizeof(cl_device_id));
  case CL_CONTEXT_PROPERTIES:
    return answer.bytes(context->properties.items, context->properties.count * sizeof(cl_properties));
  default:
    return fail(CL_INVALID_VALUE, "contexts have no property 0x%x", what);
  }
}

LW_CL cl_int clSetContextDestructorCallback(cl_context context, void (*notify)(cl_context, void *), void *data) {
  REQUIRE_SUCCESS(require_context(context));
  REQUIRE(notify, CL_INVALID_VALUE, "no callback");
  Held held(context->lock);
  REQUIRE(context->at_end.add({notify, data}), CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
  return CL_SUCCESS;
}

LW_CL cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_bitfield flags, cl_int *code) {
  return made<Queue>(code, [&](Queue *&queue) -> cl_int { return create_queue(context, device, {}, flags, queue); });
}

LW_CL cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                          const cl_properties *properties, cl_int *code) {
  return made<Queue>(code, [&](Queue *&queue) -> cl_int {
    static const cl_enum known[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_SIZE};
    List<cl_properties> kept = {};
    cl_int result = read_properties(properties, known, kept);
    if (result == CL_INVALID_PROPERTY)
      result = CL_INVALID_VALUE;
    cl_bitfield flags = static_cast<cl_bitfield>(property(kept, CL_QUEUE_PROPERTIES));
    if (result == CL_SUCCESS && property(kept, CL_QUEUE_SIZE) && !(flags & CL_QUEUE_ON_DEVICE))
      result = fail(CL_INVALID_VALUE, "a size is for queues on the device");
    if (result == CL_SUCCESS)
      result = create_queue(context, device, kept, flags, queue);
    if (result != CL_SUCCESS)
      kept.release();
    return result;
  });
}

LW_CL cl_int clRetainCommandQueue(cl_command_queue queue) { return retain(queue, CL_INVALID_COMMAND_QUEUE); }

LW_CL cl_int clReleaseCommandQueue(cl_command_queue queue) {
  REQUIRE_SUCCESS(require_queue(queue));
  flush_queue(queue);
  return release(queue, CL_INVALID_COMMAND_QUEUE);
}

LW_CL cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_queue(queue));
  Answer answer = {room, place, size};
  switch (what) {
  case CL_QUEUE_CONTEXT:
    return answer.value(queue->context);
  case CL_QUEUE_DEVICE:
    return answer.value(queue->device);
  case CL_QUEUE_REFERENCE_COUNT:
    return answer.value(references_of(queue));
  case CL_QUEUE_PROPERTIES:
    return answer.value(queue->flags);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return answer.bytes(queue->properties.items, queue->properties.count * sizeof(cl_properties));
  case CL_QUEUE_DEVICE_DEFAULT:
    return answer.value<cl_command_queue>(nullptr);
  case CL_QUEUE_SIZE:
    return fail(CL_INVALID_COMMAND_QUEUE, "only queues on the device have a size");
  default:
    return fail(CL_INVALID_VALUE, "queues have no property 0x%x", what);
  }
}

LW_CL cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_bitfield, cl_bool, cl_bitfield *) {
  REQUIRE_SUCCESS(require_queue(queue));
  return fail(CL_INVALID_OPERATION, "a queue's properties don't change: OpenCL 1.1 took this function away");
}

LW_CL cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device, cl_command_queue) {
  REQUIRE_SUCCESS(require_context(context));
  REQUIRE_SUCCESS(require_devices(context, 1, &device));
  return fail(CL_INVALID_OPERATION, "queues on the device are not supported");
}

LW_CL cl_int clFlush(cl_command_queue queue) {
  REQUIRE_SUCCESS(require_queue(queue));
  flush_queue(queue);
  return CL_SUCCESS;
}

LW_CL cl_int clFinish(cl_command_queue queue) {
  REQUIRE_SUCCESS(require_queue(queue));
  finish_queue(queue);
  return CL_SUCCESS;
}
