// SPDX-License-Identifier: Apache-2.0
// Unified shared memory of Intel's extension: allocations for the host, for a device, or for both. All are the host's
// memory here, and kernels follow any pointer, so that commands are those of shared virtual memory.
//
// Source: The OpenCL Extension Specification, cl_intel_unified_shared_memory 1.2.0.
#include "unified_memory.h"
#include "devices.h"
#include "extensions.h"
#include "fork.h"
#include "kernel.h"
#include "transfers.h"

namespace lw_opencl {

struct UnifiedAllocation {
  char *start;
  size_t bytes;
  Context *context;
  Device *device; // null: of no one
  cl_enum type;
  cl_bitfield flags;
};

static struct {
  pthread_mutex_t lock;
  List<UnifiedAllocation> all;
} unified_memory = {PTHREAD_MUTEX_INITIALIZER, {}};

pthread_mutex_t &lock_of_unified_memory() { return unified_memory.lock; }

static const char *const NONE = "no device has unified shared memory";

static cl_int read_flags(const cl_properties *properties, bool has_placement, cl_bitfield &flags) {
  flags = 0;
  bool is_given = false;
  for (const cl_properties *at = properties; at && *at; at += 2) {
    REQUIRE(*at == CL_MEM_ALLOC_FLAGS_INTEL && !is_given, CL_INVALID_PROPERTY,
            "allocations have no property 0x%llx, or it is given twice", static_cast<unsigned long long>(*at));
    flags = static_cast<cl_bitfield>(at[1]);
    is_given = true;
  }
  const cl_bitfield placements = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
  cl_bitfield known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (has_placement ? placements : 0);
  REQUIRE(!(flags & ~known) && (flags & placements) != placements, CL_INVALID_PROPERTY, "allocation flags of 0x%llx",
          static_cast<unsigned long long>(flags));
  return CL_SUCCESS;
}

// The most bytes of an allocation: of its device, or without one of those that share memory.
static uint64_t most_bytes(const UnifiedAllocation &made) {
  uint64_t most = UINT64_MAX;
  for (const Device *each : made.context->devices) {
    bool is_meant = made.device ? each == made.device : each->kind->svm != 0;
    if (is_meant && most_bytes_of_buffer(each) < most)
      most = most_bytes_of_buffer(each);
  }
  return most;
}

// `made` is what to allocate: its address is what this finds.
static cl_int allocate_unified(UnifiedAllocation &made, const cl_properties *properties, cl_uint alignment) {
  enum : cl_uint { MOST_ALIGNMENT = 128 }; // of long16
  REQUIRE_SUCCESS(require_context(made.context));
  bool needs_device = made.type == CL_MEM_TYPE_DEVICE_INTEL;
  REQUIRE(made.device ? made.context->has(made.device) : !needs_device, CL_INVALID_DEVICE,
          "%p is no device of the context", static_cast<const void *>(made.device));
  REQUIRE(made.device ? made.device->kind->svm : some_has_svm(made.context->devices), CL_INVALID_OPERATION, "%s", NONE);
  REQUIRE(alignment <= MOST_ALIGNMENT && !(alignment & (alignment - 1)), CL_INVALID_VALUE,
          "an alignment of %u bytes; it is a power of 2 up to %u", alignment, MOST_ALIGNMENT);
  REQUIRE_SUCCESS(read_flags(properties, made.type == CL_MEM_TYPE_SHARED_INTEL, made.flags));
  REQUIRE(made.bytes && made.bytes <= most_bytes(made), CL_INVALID_BUFFER_SIZE,
          "%zu bytes of unified memory", made.bytes);
  void *address = nullptr;
  int32_t result = lw_memory_allocate(made.bytes, LW_HOST_MEMORY, 0, &address);
  REQUIRE(result == LW_SUCCESS, CL_OUT_OF_HOST_MEMORY, "%zu bytes of memory: %s", made.bytes, lw_explanation());
  made.start = static_cast<char *>(address);
  Held held(unified_memory.lock);
  if (unified_memory.all.add(made))
    return CL_SUCCESS;
  lw_memory_free(address, LW_HOST_MEMORY);
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for an allocation");
}

static void *allocated(UnifiedAllocation made, const cl_properties *properties, cl_uint alignment, cl_int *code) {
  cl_int result = allocate_unified(made, properties, alignment);
  if (code)
    *code = result;
  return result == CL_SUCCESS ? made.start : nullptr;
}

// Takes an allocation out of the list, with its lock held.
static void *taken(size_t place) {
  void *start = unified_memory.all[place].start;
  unified_memory.all[place] = unified_memory.all[unified_memory.all.count - 1];
  --unified_memory.all.count;
  return start;
}

// Some allocation of the context, out of the list; null: it has none.
static void *taken_of(const Context *context) {
  Held held(unified_memory.lock);
  for (size_t i = 0; i < unified_memory.all.count; ++i)
    if (unified_memory.all[i].context == context)
      return taken(i);
  return nullptr;
}

void free_unified_memory_of(const Context *context) {
  while (void *start = taken_of(context))
    lw_memory_free(start, LW_HOST_MEMORY);
}

static cl_int free_unified(const Context *context, void *address) {
  REQUIRE_SUCCESS(require_context(context));
  if (!address)
    return CL_SUCCESS;
  {
    Held held(unified_memory.lock);
    size_t found = 0;
    while (found < unified_memory.all.count &&
           (unified_memory.all[found].start != address || unified_memory.all[found].context != context))
      ++found;
    REQUIRE(found < unified_memory.all.count, CL_INVALID_VALUE, "%p is no allocation of this context", address);
    taken(found);
  }
  lw_memory_free(address, LW_HOST_MEMORY);
  return CL_SUCCESS;
}

// The first queue that isn't gone at or after a place among all queues, which then is used; null: there is none.
static Queue *used_queue(size_t &place) {
  Held held(pool<Queue>.lock);
  for (; place < pool<Queue>.used; ++place) {
    Queue *queue = &pool<Queue>.first[place];
    uint32_t uses = __atomic_load_n(&queue->uses, __ATOMIC_RELAXED);
    while (uses)
      if (__atomic_compare_exchange_n(&queue->uses, &uses, uses + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return queue;
  }
  return nullptr;
}

// Waits for all commands of the context: any of them may use the memory.
static void finish_queues(const Context *context) {
  size_t place = 0;
  while (Queue *queue = used_queue(place)) {
    ++place;
    if (queue->context == context)
      finish_queue(queue);
    drop(queue);
  }
}

static cl_int unified_info(const Context *context, const void *address, cl_enum what, const Answer &answer) {
  REQUIRE_SUCCESS(require_context(context));
  UnifiedAllocation found = {nullptr, 0, nullptr, nullptr, CL_MEM_TYPE_UNKNOWN_INTEL, 0};
  {
    Held held(unified_memory.lock);
    const char *at = static_cast<const char *>(address);
    for (const UnifiedAllocation &each : unified_memory.all)
      if (each.context == context && at >= each.start && at < each.start + each.bytes)
        found = each;
  }
  switch (what) {
  case CL_MEM_ALLOC_TYPE_INTEL:
    return answer.value(found.type);
  case CL_MEM_ALLOC_BASE_PTR_INTEL:
    return answer.value(found.start);
  case CL_MEM_ALLOC_SIZE_INTEL:
    return answer.value(found.bytes);
  case CL_MEM_ALLOC_DEVICE_INTEL:
    return answer.value(found.device);
  case CL_MEM_ALLOC_FLAGS_INTEL:
    return answer.value(found.flags);
  default:
    return fail(CL_INVALID_VALUE, "allocations have no property 0x%x", what);
  }
}

// A command that has nothing to do: the memory is where all can use it.
static cl_int enqueue_hint(const Request &request) {
  REQUIRE(request.queue->device->kind->svm, CL_INVALID_OPERATION, "%s", NONE);
  return submit(request, nullptr);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL void *clHostMemAllocINTEL(cl_context context, const cl_properties *properties, size_t bytes, cl_uint alignment,
                                cl_int *code) {
  return allocated({nullptr, bytes, context, nullptr, CL_MEM_TYPE_HOST_INTEL, 0}, properties, alignment, code);
}

LW_CL void *clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_properties *properties,
                                  size_t bytes, cl_uint alignment, cl_int *code) {
  return allocated({nullptr, bytes, context, device, CL_MEM_TYPE_DEVICE_INTEL, 0}, properties, alignment, code);
}

LW_CL void *clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_properties *properties,
                                  size_t bytes, cl_uint alignment, cl_int *code) {
  return allocated({nullptr, bytes, context, device, CL_MEM_TYPE_SHARED_INTEL, 0}, properties, alignment, code);
}

LW_CL cl_int clMemFreeINTEL(cl_context context, void *address) { return free_unified(context, address); }

LW_CL cl_int clMemBlockingFreeINTEL(cl_context context, void *address) {
  REQUIRE_SUCCESS(require_context(context));
  if (address)
    finish_queues(context);
  return free_unified(context, address);
}

LW_CL cl_int clGetMemAllocInfoINTEL(cl_context context, const void *address, cl_enum what, size_t room, void *place,
                                    size_t *size) {
  return unified_info(context, address, what, {room, place, size});
}

LW_CL cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint number, const void *value) {
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  return set_pointer(kernel, number, value);
}

LW_CL cl_int clEnqueueMemFillINTEL(cl_command_queue queue, void *target, const void *pattern, size_t pattern_bytes,
                                   size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  return fill_shared({queue, CL_COMMAND_MEMFILL_INTEL, {count, events}, event, false}, target, pattern, pattern_bytes,
                     bytes);
}

LW_CL cl_int clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                  size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  return copy_shared({queue, CL_COMMAND_MEMCPY_INTEL, {count, events}, event, blocking != 0}, target, source, bytes);
}

LW_CL cl_int clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *, size_t, cl_bitfield flags, cl_uint count,
                                      const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)), CL_INVALID_VALUE,
          "migration flags of 0x%llx", static_cast<unsigned long long>(flags));
  return enqueue_hint({queue, CL_COMMAND_MIGRATEMEM_INTEL, {count, events}, event, false});
}

LW_CL cl_int clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *, size_t, cl_enum advice, cl_uint count,
                                     const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(!advice, CL_INVALID_VALUE, "advice 0x%x: none is defined", advice);
  return enqueue_hint({queue, CL_COMMAND_MEMADVISE_INTEL, {count, events}, event, false});
}
