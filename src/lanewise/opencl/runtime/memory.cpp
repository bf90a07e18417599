// SPDX-License-Identifier: Apache-2.0
// Memory objects: buffers and parts of them. The processor's memory is the host's: what the host gives is used in place.
#include "gpu_commands.h"
#include "memory.h"
#include "scheduler.h"
#include "svm.h"

namespace lw_opencl {

enum : size_t { BASE_ALIGNMENT = 128 };

static bool has_two(cl_bitfield bits) { return bits & (bits - 1); }

cl_int require_flags(cl_bitfield flags, cl_bitfield allowed) {
  REQUIRE(!(flags & ~allowed), CL_INVALID_VALUE, "memory flags of 0x%llx", static_cast<unsigned long long>(flags));
  REQUIRE(!has_two(flags & KERNEL_ACCESS), CL_INVALID_VALUE, "kernels' access is given twice");
  REQUIRE(!has_two(flags & HOST_ACCESS), CL_INVALID_VALUE, "the host's access is given twice");
  REQUIRE(!(flags & CL_MEM_USE_HOST_PTR) || !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_VALUE,
          "CL_MEM_USE_HOST_PTR with CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR");
  return CL_SUCCESS;
}

cl_bitfield with_access(cl_bitfield flags) { return flags & KERNEL_ACCESS ? flags : flags | CL_MEM_READ_WRITE; }

cl_int take_memory(Memory *memory, void *host) {
  if (memory->flags & CL_MEM_USE_HOST_PTR) {
    memory->data = static_cast<char *>(host);
    memory->host = host;
    // Where it is known already, or overlaps what is, a pointer to it is accepted all the same.
    memory->is_registered = lw_memory_register(host, memory->bytes, LW_REGISTERED_MEMORY, 0) == LW_SUCCESS;
    return is_on_gpu(memory) ? make_on_gpu(memory, host) : CL_SUCCESS;
  }
  void *data;
  int32_t result = lw_memory_allocate(memory->bytes, LW_HOST_MEMORY, 0, &data);
  REQUIRE(result == LW_SUCCESS, CL_MEM_OBJECT_ALLOCATION_FAILURE, "%zu bytes of memory: %s", memory->bytes,
          lw_explanation());
  memory->data = static_cast<char *>(data);
  memory->is_allocated = true;
  if (is_on_gpu(memory))
    return make_on_gpu(memory, host);
  if (memory->flags & CL_MEM_COPY_HOST_PTR)
    memcpy(data, host, memory->bytes);
  return CL_SUCCESS;
}

static cl_int create_buffer(Context *context, cl_bitfield flags, size_t bytes, void *host, Memory *&made) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE_SUCCESS(require_flags(flags, KERNEL_ACCESS | HOST_POINTER | HOST_ACCESS));
  uint64_t most = 0;
  for (const Device *each : context->devices)
    most = most < most_bytes_of_buffer(each) ? most_bytes_of_buffer(each) : most;
  REQUIRE(bytes && bytes <= most, CL_INVALID_BUFFER_SIZE, "a buffer of %zu bytes; it has 1 to %llu", bytes,
          static_cast<unsigned long long>(most));
  REQUIRE(!host == !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_HOST_PTR,
          "memory of the host and flags don't go together");
  bool is_shared = host && is_svm(context, host, 1);
  REQUIRE(!is_shared || is_svm(context, host, bytes), CL_INVALID_BUFFER_SIZE,
          "a buffer of %zu bytes passes the end of its memory from clSVMAlloc", bytes);
  made = created<Memory>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many memory objects");
  made->context = use(context);
  made->flags = with_access(flags);
  made->bytes = bytes;
  pthread_mutex_init(&made->lock, nullptr);
  pthread_mutex_init(&made->moving, nullptr);
  cl_int result = take_memory(made, host);
  if (result != CL_SUCCESS)
    release(made, CL_INVALID_MEM_OBJECT);
  return result;
}

cl_int require_flags_of_part(const Memory *parent, cl_bitfield flags) {
  REQUIRE(!(parent->flags & CL_MEM_WRITE_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)), CL_INVALID_VALUE,
          "a part of a write-only buffer can't be read");
  REQUIRE(!(parent->flags & CL_MEM_READ_ONLY) || !(flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)), CL_INVALID_VALUE,
          "a part of a read-only buffer can't be written");
  REQUIRE(!(parent->flags & CL_MEM_HOST_WRITE_ONLY) || !(flags & CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE,
          "the host may only write the buffer");
  REQUIRE(!(parent->flags & CL_MEM_HOST_READ_ONLY) || !(flags & CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE,
          "the host may only read the buffer");
  REQUIRE(!(parent->flags & CL_MEM_HOST_NO_ACCESS) || !(flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)),
          CL_INVALID_VALUE, "the host has no access to the buffer");
  return CL_SUCCESS;
}

cl_bitfield flags_of_part(const Memory *parent, cl_bitfield flags) {
  cl_bitfield inherited = parent->flags & HOST_POINTER;
  inherited |= flags & KERNEL_ACCESS ? 0 : parent->flags & KERNEL_ACCESS;
  inherited |= flags & HOST_ACCESS ? 0 : parent->flags & HOST_ACCESS;
  return flags | inherited;
}

static cl_int create_part(Memory *parent, cl_bitfield flags, const cl_buffer_region *region, Memory *&made) {
  REQUIRE_SUCCESS(require_flags(flags, KERNEL_ACCESS | HOST_ACCESS));
  REQUIRE_SUCCESS(require_flags_of_part(parent, flags));
  REQUIRE(region, CL_INVALID_VALUE, "no region");
  REQUIRE(region->size, CL_INVALID_BUFFER_SIZE, "a region of 0 bytes");
  REQUIRE(region->origin <= parent->bytes && region->size <= parent->bytes - region->origin, CL_INVALID_VALUE,
          "%zu bytes from byte %zu of a buffer of %zu", region->size, region->origin, parent->bytes);
  REQUIRE(region->origin % BASE_ALIGNMENT == 0, CL_MISALIGNED_SUB_BUFFER_OFFSET, "byte %zu is no multiple of %zu",
          region->origin, BASE_ALIGNMENT);
  made = created<Memory>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many memory objects");
  made->context = use(parent->context);
  made->parent = use(parent);
  made->flags = flags_of_part(parent, flags);
  made->bytes = region->size;
  made->origin = region->origin;
  made->data = parent->data + region->origin;
  made->host = parent->host ? static_cast<char *>(parent->host) + region->origin : nullptr;
  pthread_mutex_init(&made->lock, nullptr);
  return CL_SUCCESS;
}

void Memory::finish() {
  while (at_end.count) {
    MemoryCallback last = at_end[--at_end.count];
    last.notify(this, last.data);
  }
  if (is_allocated)
    lw_memory_free(data, LW_HOST_MEMORY);
  if (gpu_data)
    lw_memory_free(gpu_data, LW_DEVICE_MEMORY);
  if (driver_data)
    lw_memory_free(driver_data, LW_GPU_MEMORY);
  if (is_registered)
    lw_memory_unregister(data);
  free(picture);
  at_end.release();
  mappings.release();
  written_by_host.release();
  properties.release();
  if (parent)
    drop(parent);
  drop(context);
}

cl_int require_memory(const Memory *memory) {
  REQUIRE(lives(memory), CL_INVALID_MEM_OBJECT, "%p is no memory object", static_cast<const void *>(memory));
  return CL_SUCCESS;
}

cl_int require_buffer(const Memory *memory) {
  REQUIRE_SUCCESS(require_memory(memory));
  REQUIRE(!memory->picture, CL_INVALID_MEM_OBJECT, "an image is no buffer");
  return CL_SUCCESS;
}

cl_int require_range(const Memory *memory, const Context *context, size_t offset, size_t bytes) {
  REQUIRE_SUCCESS(require_buffer(memory));
  REQUIRE(memory->context == context, CL_INVALID_CONTEXT, "the buffer is of another context");
  REQUIRE(bytes && offset <= memory->bytes && bytes <= memory->bytes - offset, CL_INVALID_VALUE,
          "%zu bytes from byte %zu of a buffer of %zu", bytes, offset, memory->bytes);
  return CL_SUCCESS;
}

static cl_uint map_count(Memory *memory) {
  Held held(memory->lock);
  return static_cast<cl_uint>(memory->mappings.count);
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_mem clCreateBuffer(cl_context context, cl_bitfield flags, size_t bytes, void *host, cl_int *code) {
  return made<Memory>(code,
                      [&](Memory *&memory) -> cl_int { return create_buffer(context, flags, bytes, host, memory); });
}

LW_CL cl_mem clCreateBufferWithProperties(cl_context context, const cl_properties *properties, cl_bitfield flags,
                                          size_t bytes, void *host, cl_int *code) {
  return made<Memory>(code, [&](Memory *&memory) -> cl_int {
    REQUIRE(!properties || !*properties, CL_INVALID_PROPERTY, "unknown property 0x%llx",
            static_cast<unsigned long long>(*properties));
    REQUIRE_SUCCESS(create_buffer(context, flags, bytes, host, memory));
    if (properties)
      memory->properties.add(0);
    return CL_SUCCESS;
  });
}

LW_CL cl_mem clCreateSubBuffer(cl_mem parent, cl_bitfield flags, cl_enum type, const void *region, cl_int *code) {
  return made<Memory>(code, [&](Memory *&memory) -> cl_int {
    REQUIRE_SUCCESS(require_buffer(parent));
    REQUIRE(!parent->parent, CL_INVALID_MEM_OBJECT, "a part of a buffer has no parts");
    REQUIRE(type == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, "0x%x is no kind of part", type);
    return create_part(parent, flags, static_cast<const cl_buffer_region *>(region), memory);
  });
}

LW_CL cl_int clRetainMemObject(cl_mem memory) { return retain(memory, CL_INVALID_MEM_OBJECT); }
LW_CL cl_int clReleaseMemObject(cl_mem memory) { return release(memory, CL_INVALID_MEM_OBJECT); }

LW_CL cl_int clSetMemObjectDestructorCallback(cl_mem memory, void (*notify)(cl_mem, void *), void *data) {
  REQUIRE_SUCCESS(require_memory(memory));
  REQUIRE(notify, CL_INVALID_VALUE, "no callback");
  Held held(memory->lock);
  REQUIRE(memory->at_end.add({notify, data}), CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
  return CL_SUCCESS;
}

LW_CL cl_int clGetMemObjectInfo(cl_mem memory, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_memory(memory));
  Answer answer = {room, place, size};
  switch (what) {
  case CL_MEM_TYPE:
    return answer.value<cl_enum>(memory->picture ? memory->picture->type : CL_MEM_OBJECT_BUFFER);
  case CL_MEM_FLAGS:
    return answer.value(memory->flags);
  case CL_MEM_SIZE:
    return answer.value(memory->bytes);
  case CL_MEM_HOST_PTR:
    return answer.value(memory->host);
  case CL_MEM_MAP_COUNT:
    return answer.value(map_count(memory));
  case CL_MEM_REFERENCE_COUNT:
    return answer.value(references_of(memory));
  case CL_MEM_CONTEXT:
    return answer.value(memory->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return answer.value(memory->parent);
  case CL_MEM_OFFSET:
    return answer.value(memory->origin);
  case CL_MEM_USES_SVM_POINTER:
    return answer.value<cl_bool>(memory->host && is_svm(memory->context, memory->host, 1));
  case CL_MEM_PROPERTIES:
    return answer.bytes(memory->properties.items, memory->properties.count * sizeof(cl_properties));
  default:
    return fail(CL_INVALID_VALUE, "memory objects have no property 0x%x", what);
  }
}
