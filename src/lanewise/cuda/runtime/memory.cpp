// SPDX-License-Identifier: Apache-2.0
// Memory: device, pinned and managed.
#include "api.h"
#include "gpu.h"
#include "graph_memory.h"
#include "hints.h"
#include "memory.h"
#include "ranges.h"
#include "streams.h"

namespace lw_cudart {

unsigned int frees_to_come;

static cudaError_t try_to_allocate(void **memory, size_t bytes, uint32_t kind, unsigned int flags) {
  if (kind != LW_HOST_MEMORY) {
    size_t total = properties().totalGlobalMem, used = lw_memory_used();
    REQUIRE(used <= total && bytes <= total - used, cudaErrorMemoryAllocation,
            "%zu bytes of memory: %zu of %zu are free", bytes, used < total ? total - used : 0, total);
  }
  return error_of(lw_memory_allocate(bytes, kind, flags, memory));
}

cudaError_t allocate(void **memory, size_t bytes, uint32_t kind, unsigned int flags) {
  REQUIRE_POINTER(memory);
  if (!bytes) {
    *memory = nullptr;
    return cudaSuccess;
  }
  cudaError_t error = try_to_allocate(memory, bytes, kind, flags);
  if (error != cudaErrorMemoryAllocation || !__atomic_load_n(&frees_to_come, __ATOMIC_ACQUIRE))
    return error;
  lw_synchronize(); // memory of cudaFreeAsync is given back when its stream comes to it
  reason()[0] = 0;
  return try_to_allocate(memory, bytes, kind, flags);
}

cudaError_t release(void *memory, uint32_t kind) {
  lw_allocation known;
  if (kind == LW_MANAGED_MEMORY && lw_memory_find(memory, &known))
    forget_hints(memory, known.bytes);
  int32_t result = lw_memory_free(memory, kind);
  if (result == LW_LAUNCH_FAILED) { // somebody has written beside it
    set_sticky_error(cudaErrorIllegalAddress);
    return fail(cudaErrorIllegalAddress, "%s", lw_explanation());
  }
  return error_of(result);
}

void tell_if_freed(void *memory) {
  if (lw_memory_was_freed(memory))
    lw_check_found("freed", "memory that has been freed is freed again");
}

// The start of an allocation of one of two kinds.
static cudaError_t require_start(void *memory, uint32_t kind, uint32_t other, const char *call, uint32_t *found_kind) {
  lw_allocation found;
  tell_if_freed(memory);
  REQUIRE(lw_memory_find(memory, &found), cudaErrorInvalidValue, "%p is in %s", memory,
          lw_memory_was_freed(memory) ? "memory that has been freed already" : "no memory that is allocated");
  REQUIRE(found.kind == kind || found.kind == other, cudaErrorInvalidValue, "%p is not memory of %s", memory, call);
  REQUIRE(found.address == memory, cudaErrorInvalidValue, "%p is not the start of its memory, which is %p", memory,
          found.address);
  *found_kind = found.kind;
  return cudaSuccess;
}

LW_API cudaError_t cudaMalloc(void **memory, size_t bytes) {
  return CALL({
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    return allocate(memory, bytes, LW_DEVICE_MEMORY, 0);
  });
}

LW_API cudaError_t cudaFree(void *memory) {
  return CALL({
    if (!memory)
      return cudaSuccess;
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    if (is_graph_memory(memory)) {
      REQUIRE_SUCCESS(synchronize_device());
      return free_graph_memory(memory, nullptr);
    }
    uint32_t kind;
    REQUIRE_SUCCESS(require_start(memory, LW_DEVICE_MEMORY, LW_MANAGED_MEMORY, "cudaMalloc", &kind));
    REQUIRE_SUCCESS(synchronize_device());
    forget_pooled(memory);
    return release(memory, kind);
  });
}

LW_API cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  return CALL({
    REQUIRE_POINTER(memory);
    REQUIRE_POINTER(pitch);
    REQUIRE(width <= 2147483647, cudaErrorInvalidValue, "rows of %zu bytes are too wide", width);
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(memory, product(*pitch, height), LW_DEVICE_MEMORY, 0);
  });
}

LW_API cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent) {
  return CALL({
    REQUIRE_POINTER(memory);
    REQUIRE(extent.width <= 2147483647, cudaErrorInvalidValue, "rows of %zu bytes are too wide", extent.width);
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    memory->pitch = (extent.width + PITCH - 1) / PITCH * PITCH;
    memory->xsize = extent.width;
    memory->ysize = extent.height;
    return allocate(&memory->ptr, product(memory->pitch, product(extent.height, extent.depth)), LW_DEVICE_MEMORY, 0);
  });
}

LW_API cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags) {
  return CALL({
    REQUIRE(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost, cudaErrorInvalidValue,
            "flags of %u are neither cudaMemAttachGlobal nor cudaMemAttachHost", flags);
    REQUIRE(bytes, cudaErrorInvalidValue, "0 bytes");
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    return allocate(memory, bytes, LW_MANAGED_MEMORY, flags);
  });
}

LW_API cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  return CALL({
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    return allocate(memory, bytes, LW_HOST_MEMORY, 0);
  });
}

LW_API cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  return CALL({
    REQUIRE(!(flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)),
            cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    return allocate(memory, bytes, LW_HOST_MEMORY, flags);
  });
}

LW_API cudaError_t cudaFreeHost(void *memory) {
  return CALL({
    if (!memory)
      return cudaSuccess;
    uint32_t kind;
    REQUIRE_SUCCESS(require_no_unsafe_capture());
    REQUIRE_SUCCESS(require_start(memory, LW_HOST_MEMORY, LW_HOST_MEMORY, "cudaMallocHost or cudaHostAlloc", &kind));
    REQUIRE_SUCCESS(synchronize_device());
    return release(memory, kind);
  });
}

LW_API cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(memory);
    REQUIRE(bytes, cudaErrorInvalidValue, "0 bytes");
    REQUIRE(!(flags & ~0xfu), cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    REQUIRE(!(flags & cudaHostRegisterIoMemory), cudaErrorNotSupported, "memory of other devices is not supported");
    int32_t result = lw_memory_register(memory, bytes, LW_REGISTERED_MEMORY, flags);
    REQUIRE(result != LW_INVALID, cudaErrorHostMemoryAlreadyRegistered,
            "some of the %zu bytes from %p are known already", bytes, memory);
    return error_of(result);
  });
}

LW_API cudaError_t cudaHostUnregister(void *memory) {
  return CALL({
    REQUIRE_POINTER(memory);
    REQUIRE_SUCCESS(synchronize_device());
    int32_t result = lw_memory_unregister(memory);
    REQUIRE(result != LW_INVALID, cudaErrorHostMemoryNotRegistered, "%p was not registered", memory);
    return error_of(result);
  });
}

static cudaError_t require_pinned(void *host, lw_allocation *found) {
  REQUIRE(lw_memory_find(host, found) && found->kind != LW_DEVICE_MEMORY && found->kind != LW_VARIABLE_MEMORY,
          cudaErrorInvalidValue, "%p is in no memory of cudaHostAlloc or cudaHostRegister", host);
  return cudaSuccess;
}

LW_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(device);
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    lw_allocation found;
    REQUIRE_SUCCESS(require_pinned(host, &found));
    *device = host;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  return CALL({
    REQUIRE_POINTER(flags);
    lw_allocation found;
    REQUIRE_SUCCESS(require_pinned(host, &found));
    *flags = found.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  return CALL({
    REQUIRE_POINTER(free_bytes);
    REQUIRE_POINTER(total_bytes);
    if (lw_is_gpu())
      return error_of(lw_gpu_memory(free_bytes, total_bytes));
    size_t used = lw_memory_used();
    *total_bytes = properties().totalGlobalMem;
    *free_bytes = used < *total_bytes ? *total_bytes - used : 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
  return CALL({
    REQUIRE_POINTER(attributes);
    lw_allocation found;
    void *address = const_cast<void *>(memory);
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
    if (!lw_memory_find(memory, &found))
      return cudaSuccess;
    if (is_managed(found))
      *attributes = {cudaMemoryTypeManaged, 0, address, address};
    else if (found.kind == LW_DEVICE_MEMORY || found.kind == LW_VARIABLE_MEMORY)
      *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    else
      *attributes = {cudaMemoryTypeHost, 0, address, address};
    return cudaSuccess;
  });
}

} // namespace lw_cudart
