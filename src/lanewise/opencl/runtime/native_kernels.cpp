// SPDX-License-Identifier: Apache-2.0
// Native kernels: functions of the program that queues call.
#include "devices.h"
#include "memory.h"
#include "residence.h"
#include "scheduler.h"

namespace lw_opencl {

struct Native : Work {
  void (*function)(void *);
  Memory **memories;
  size_t num_memories;
  char *args; // null: the function gets a null pointer
};

static cl_int run_native(Work *work, Event *) {
  Native &native = *static_cast<Native *>(work);
  for (size_t i = 0; i < native.num_memories; ++i)
    bring_to_host(native.memories[i]);
  native.function(native.args);
  for (size_t i = 0; i < native.num_memories; ++i)
    note_written_on_host(native.memories[i]);
  return CL_COMPLETE;
}

static void release_native(Work *work) {
  Native &native = *static_cast<Native *>(work);
  for (size_t i = 0; i < native.num_memories; ++i)
    drop(native.memories[i]);
  free(native.memories);
  free(native.args);
  free(work);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clEnqueueNativeKernel(cl_command_queue queue, void (*function)(void *), void *args, size_t args_bytes,
                                   cl_uint num_memories, const cl_mem *memories, const void **places, cl_uint count,
                                   const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(!queue->device->kind->has_own_memory, CL_INVALID_OPERATION, "the device runs no native kernels");
  REQUIRE(function, CL_INVALID_VALUE, "no function");
  REQUIRE(!args == !args_bytes, CL_INVALID_VALUE, "%zu bytes of arguments at %p", args_bytes, args);
  REQUIRE(!num_memories == !memories && !num_memories == !places && (args || !num_memories), CL_INVALID_VALUE,
          "%u memory objects", num_memories);
  for (cl_uint i = 0; i < num_memories; ++i)
    REQUIRE_SUCCESS(require_buffer(memories[i]));
  Native *native = static_cast<Native *>(calloc(1, sizeof(Native)));
  REQUIRE(native, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  native->run = run_native;
  native->release = release_native;
  native->function = function;
  native->memories = static_cast<Memory **>(calloc(num_memories + 1, sizeof(Memory *)));
  native->args = args ? static_cast<char *>(malloc(args_bytes)) : nullptr;
  if (!native->memories || (args && !native->args)) {
    release_native(native);
    return fail(CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  }
  if (args)
    memcpy(native->args, args, args_bytes);
  for (cl_uint i = 0; i < num_memories; ++i) {
    native->memories[native->num_memories++] = use(memories[i]);
    size_t at = static_cast<size_t>(static_cast<const char *>(places[i]) - static_cast<char *>(args));
    if (args_bytes >= sizeof(char *) && at <= args_bytes - sizeof(char *))
      memcpy(native->args + at, &memories[i]->data, sizeof(char *));
  }
  return enqueue(queue, CL_COMMAND_NATIVE_KERNEL, native, {count, events}, event);
}
