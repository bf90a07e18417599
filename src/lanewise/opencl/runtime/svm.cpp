// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory. The device's memory is the host's, and the processor keeps it coherent: every pointer of the
// host is one of kernels, too (fine-grain system), and their atomic operations are one another's.
#include "svm.h"
#include "devices.h"
#include "fork.h"
#include "kernel.h"
#include "memory.h"
#include "transfers.h"
#include "unified_memory.h"

namespace lw_opencl {

// ---- Allocations ---------------------------------------------------------------------------------------------

struct Allocation {
  char *start;
  size_t bytes;
  Context *context;
};

static struct {
  pthread_mutex_t lock;
  List<Allocation> all;
} shared_memory = {PTHREAD_MUTEX_INITIALIZER, {}};

static const Allocation *allocation_of(const Context *context, const void *address, size_t bytes) {
  const char *start = static_cast<const char *>(address);
  for (const Allocation &each : shared_memory.all)
    if ((!context || each.context == context) && start >= each.start && start < each.start + each.bytes)
      return bytes <= each.bytes - static_cast<size_t>(start - each.start) ? &each : nullptr;
  return nullptr;
}

bool is_svm(const Context *context, const void *address, size_t bytes) {
  Held held(shared_memory.lock);
  return allocation_of(context, address, bytes) != nullptr;
}

pthread_mutex_t &lock_of_shared_memory() { return shared_memory.lock; }

static cl_int allocate(Context *context, cl_bitfield flags, size_t bytes, cl_uint alignment, void *&made) {
  enum : cl_uint { MOST_ALIGNMENT = 128 }; // of long16
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE(some_has_svm(context->devices), CL_INVALID_OPERATION, "no device of the context has shared virtual memory");
  cl_bitfield access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
  cl_bitfield grain = flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
  REQUIRE(flags == (access | grain) && !(access & (access - 1)) && grain != CL_MEM_SVM_ATOMICS, CL_INVALID_VALUE,
          "memory flags of 0x%llx", static_cast<unsigned long long>(flags));
  REQUIRE(bytes && bytes <= most_bytes_of_buffer(&root_devices[0]), CL_INVALID_BUFFER_SIZE,
          "%zu bytes of shared memory", bytes);
  REQUIRE(alignment <= MOST_ALIGNMENT && !(alignment & (alignment - 1)), CL_INVALID_VALUE,
          "an alignment of %u bytes; it is a power of 2 up to %u", alignment, MOST_ALIGNMENT);
  int32_t result = lw_memory_allocate(bytes, LW_HOST_MEMORY, 0, &made);
  REQUIRE(result == LW_SUCCESS, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes of memory: %s", bytes, lw_explanation());
  Held held(shared_memory.lock);
  if (shared_memory.all.add({static_cast<char *>(made), bytes, context}))
    return CL_SUCCESS;
  lw_memory_free(made, LW_HOST_MEMORY);
  return fail(CL_OUT_OF_HOST_MEMORY, "no memory for an allocation");
}

// Frees what clSVMAlloc gave; anything else is left alone.
static void free_svm(const Context *context, void *address) {
  {
    Held held(shared_memory.lock);
    const Allocation *found = address ? allocation_of(context, address, 1) : nullptr;
    if (!found || found->start != address) {
      if (address)
        fail(CL_INVALID_VALUE, "%p is not from clSVMAlloc of this context", address);
      return;
    }
    Allocation &last = shared_memory.all[shared_memory.all.count - 1];
    shared_memory.all[static_cast<size_t>(found - shared_memory.all.begin())] = last;
    --shared_memory.all.count;
  }
  lw_memory_free(address, LW_HOST_MEMORY);
}

// ---- Commands ------------------------------------------------------------------------------------------------

typedef void (*cl_svm_free)(cl_command_queue, cl_uint, void **, void *);

struct Freeing : Work {
  Queue *queue; // which the event holds
  Context *context;
  cl_uint count;
  void **addresses; // behind this struct
  cl_svm_free notify;
  void *data;
};

static cl_int run_freeing(Work *work, Event *) {
  Freeing &freeing = *static_cast<Freeing *>(work);
  if (freeing.notify) {
    freeing.notify(freeing.queue, freeing.count, freeing.addresses, freeing.data);
    return CL_COMPLETE;
  }
  for (cl_uint i = 0; i < freeing.count; ++i)
    free_svm(freeing.context, freeing.addresses[i]);
  return CL_COMPLETE;
}

static void release_plain(Work *work) { free(work); }

struct PlainCopy : Work {
  void *target;
  const void *source;
  size_t bytes;
};

static cl_int run_plain_copy(Work *work, Event *) {
  const PlainCopy &copy = *static_cast<PlainCopy *>(work);
  memcpy(copy.target, copy.source, copy.bytes);
  return CL_COMPLETE;
}

struct PlainFill : Work {
  char *start;
  size_t bytes, pattern_bytes;
  char pattern[MOST_PATTERN_BYTES];
};

static cl_int run_plain_fill(Work *work, Event *) {
  const PlainFill &fill = *static_cast<PlainFill *>(work);
  fill_bytes(fill.start, fill.bytes, fill.pattern, fill.pattern_bytes);
  return CL_COMPLETE;
}

static cl_int enqueue_work(const Request &request, Work *work) {
  return submit(request, work);
}

// A queue whose device has shared virtual memory.
static cl_int require_svm_queue(const Queue *queue) {
  REQUIRE_SUCCESS(require_queue(queue));
  REQUIRE(queue->device->kind->svm, CL_INVALID_OPERATION, "the queue's device has no shared virtual memory");
  return CL_SUCCESS;
}

cl_int copy_shared(const Request &request, void *target, const void *source, size_t bytes) {
  REQUIRE_SUCCESS(require_svm_queue(request.queue));
  REQUIRE(target && source, CL_INVALID_VALUE, "a copy from %p to %p", source, target);
  const char *from = static_cast<const char *>(source), *to = static_cast<const char *>(target);
  REQUIRE(from >= to + bytes || to >= from + bytes, CL_MEM_COPY_OVERLAP, "source and target overlap");
  PlainCopy *copy = new_work<PlainCopy>(run_plain_copy, release_plain);
  REQUIRE(copy, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  copy->target = target;
  copy->source = source;
  copy->bytes = bytes;
  return enqueue_work(request, copy);
}

cl_int fill_shared(const Request &request, void *target, const void *pattern, size_t pattern_bytes,
                   size_t bytes) {
  REQUIRE_SUCCESS(require_svm_queue(request.queue));
  REQUIRE(target, CL_INVALID_VALUE, "no memory to fill");
  REQUIRE_SUCCESS(require_pattern(pattern, pattern_bytes));
  REQUIRE(reinterpret_cast<uintptr_t>(target) % pattern_bytes == 0 && bytes % pattern_bytes == 0, CL_INVALID_VALUE,
          "%zu bytes at %p are not whole patterns of %zu", bytes, target, pattern_bytes);
  PlainFill *fill = new_work<PlainFill>(run_plain_fill, release_plain);
  REQUIRE(fill, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  fill->start = static_cast<char *>(target);
  fill->bytes = bytes;
  fill->pattern_bytes = pattern_bytes;
  memcpy(fill->pattern, pattern, pattern_bytes);
  return enqueue_work(request, fill);
}

static cl_int require_migration(const Context *context, cl_uint count, const void *const *addresses,
                                const size_t *sizes, cl_bitfield flags) {
  REQUIRE(count && addresses, CL_INVALID_VALUE, "nothing to migrate");
  REQUIRE(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)), CL_INVALID_VALUE,
          "migration flags of 0x%llx", static_cast<unsigned long long>(flags));
  for (cl_uint i = 0; i < count; ++i)
    REQUIRE(is_svm(context, addresses[i], sizes ? sizes[i] : 0), CL_INVALID_VALUE,
            "%p is not in memory from clSVMAlloc of this context", addresses[i]);
  return CL_SUCCESS;
}

cl_int set_exec_info(const Kernel *kernel, cl_enum what, size_t bytes, const void *value) {
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  REQUIRE(some_has_svm(kernel->program->context->devices), CL_INVALID_OPERATION, "no device has shared virtual memory");
  bool is_list = what == CL_KERNEL_EXEC_INFO_SVM_PTRS || what == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
  bool forgets = is_list && !value && !bytes; // what was set before
  REQUIRE(value || forgets, CL_INVALID_VALUE, "no value");
  switch (what) {
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
  case CL_KERNEL_EXEC_INFO_SVM_PTRS: // kernels use all memory as it is: nothing to prepare
    REQUIRE(bytes % sizeof(void *) == 0, CL_INVALID_VALUE, "%zu bytes of pointers", bytes);
    return CL_SUCCESS;
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    REQUIRE(bytes == sizeof(cl_bool), CL_INVALID_VALUE, "a cl_bool of %zu bytes", bytes);
    return CL_SUCCESS;
  default:
    return fail(CL_INVALID_VALUE, "kernels take no information 0x%x", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL void *clSVMAlloc(cl_context context, cl_bitfield flags, size_t bytes, cl_uint alignment) {
  void *made = nullptr;
  return allocate(context, flags, bytes, alignment, made) == CL_SUCCESS ? made : nullptr;
}

LW_CL void clSVMFree(cl_context context, void *address) {
  if (lives(context))
    free_svm(context, address);
}

LW_CL cl_int clEnqueueSVMFree(cl_command_queue queue, cl_uint num_addresses, void **addresses, cl_svm_free notify,
                              void *data, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_svm_queue(queue));
  REQUIRE(!num_addresses == !addresses, CL_INVALID_VALUE, "%u pointers at %p", num_addresses,
          static_cast<const void *>(addresses));
  for (cl_uint i = 0; i < num_addresses; ++i)
    REQUIRE(addresses[i], CL_INVALID_VALUE, "pointer %u is null", i);
  size_t bytes = num_addresses * sizeof(void *);
  Freeing *freeing = static_cast<Freeing *>(calloc(1, sizeof(Freeing) + bytes));
  REQUIRE(freeing, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  freeing->run = run_freeing;
  freeing->release = release_plain;
  freeing->queue = queue;
  freeing->context = queue->context;
  freeing->count = num_addresses;
  freeing->addresses = reinterpret_cast<void **>(freeing + 1);
  freeing->notify = notify;
  freeing->data = data;
  if (bytes)
    memcpy(freeing->addresses, addresses, bytes);
  return enqueue_work({queue, CL_COMMAND_SVM_FREE, {count, events}, event, false}, freeing);
}

LW_CL cl_int clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  return copy_shared({queue, CL_COMMAND_SVM_MEMCPY, {count, events}, event, blocking != 0}, target, source,
                            bytes);
}

LW_CL cl_int clEnqueueSVMMemFill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_bytes,
                                 size_t bytes, cl_uint count, const cl_event *events, cl_event *event) {
  return fill_shared({queue, CL_COMMAND_SVM_MEMFILL, {count, events}, event, false}, target, pattern, pattern_bytes,
                     bytes);
}

LW_CL cl_int clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_bitfield flags, void *address, size_t bytes,
                             cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_svm_queue(queue));
  REQUIRE(address && bytes, CL_INVALID_VALUE, "%zu bytes at %p", bytes, address);
  REQUIRE_SUCCESS(require_map_flags(flags));
  return enqueue_work({queue, CL_COMMAND_SVM_MAP, {count, events}, event, blocking != 0}, nullptr);
}

LW_CL cl_int clEnqueueSVMUnmap(cl_command_queue queue, void *address, cl_uint count, const cl_event *events,
                               cl_event *event) {
  REQUIRE_SUCCESS(require_svm_queue(queue));
  REQUIRE(address, CL_INVALID_VALUE, "a null pointer");
  return enqueue_work({queue, CL_COMMAND_SVM_UNMAP, {count, events}, event, false}, nullptr);
}

LW_CL cl_int clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint num_addresses, const void **addresses,
                                    const size_t *sizes, cl_bitfield flags, cl_uint count, const cl_event *events,
                                    cl_event *event) {
  REQUIRE_SUCCESS(require_svm_queue(queue));
  REQUIRE_SUCCESS(require_migration(queue->context, num_addresses, addresses, sizes, flags));
  return enqueue_work({queue, CL_COMMAND_SVM_MIGRATE_MEM, {count, events}, event, false}, nullptr);
}

LW_CL cl_int clSetKernelExecInfo(cl_kernel kernel, cl_enum what, size_t bytes, const void *value) {
  return set_exec_info(kernel, what, bytes, value);
}
