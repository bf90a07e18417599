// SPDX-License-Identifier: Apache-2.0
// Memory of the device, pinned memory of the host, and managed memory.
#include "runtime.h"

namespace {

enum : size_t { PITCH_UNIT = 512 };

cudaError_t allocate(void **memory, size_t bytes, uint32_t kind, uint32_t flags, const char *function) {
  if (memory == nullptr)
    return cudaErrorInvalidValue;
  *memory = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  if (kind == LW_DEVICE_MEMORY && lw_memory_used() + bytes > total_memory())
    return objected(cudaErrorMemoryAllocation, function, "more memory than the device has");
  return from_host(lw_memory_allocate(bytes, kind, flags, memory), function);
}

// Work that is in progress may use the memory.
cudaError_t give_back(void *memory, bool (*accepts)(uint32_t kind), cudaError_t otherwise, const char *function) {
  if (memory == nullptr)
    return cudaSuccess;
  lw_allocation found;
  if (!lw_memory_find(memory, &found) || found.address != memory || !accepts(found.kind))
    return otherwise;
  int32_t waited = lw_synchronize();
  flush_printed();
  int32_t result = lw_memory_free(memory, found.kind);
  if (sticky() != cudaSuccess)
    return sticky();
  if (result == LW_LAUNCH_FAILED) { // somebody has written beside it
    set_sticky(cudaErrorIllegalAddress);
    return objected(cudaErrorIllegalAddress, function, lw_explanation());
  }
  return from_host(waited != LW_SUCCESS ? waited : result, function);
}

bool is_of_device(uint32_t kind) { return kind == LW_DEVICE_MEMORY || kind == LW_MANAGED_MEMORY; }
bool is_of_host(uint32_t kind) { return kind == LW_HOST_MEMORY; }

} // namespace

CUDART cudaError_t cudaMalloc(void **memory, size_t bytes) {
  RETURN_IF_STICKY();
  return done(allocate(memory, bytes, LW_DEVICE_MEMORY, 0, "cudaMalloc"));
}

CUDART cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned int flags) {
  RETURN_IF_STICKY();
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return done(cudaErrorInvalidValue);
  return done(allocate(memory, bytes, LW_MANAGED_MEMORY, flags, "cudaMallocManaged"));
}

CUDART cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  RETURN_IF_STICKY();
  if (pitch == nullptr)
    return done(cudaErrorInvalidValue);
  *pitch = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
  if (*pitch != 0 && height > SIZE_MAX / *pitch)
    return done(cudaErrorMemoryAllocation);
  return done(allocate(memory, *pitch * height, LW_DEVICE_MEMORY, 0, "cudaMallocPitch"));
}

CUDART cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent) {
  RETURN_IF_STICKY();
  if (memory == nullptr)
    return done(cudaErrorInvalidValue);
  size_t pitch = (extent.width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
  *memory = {nullptr, pitch, extent.width, extent.height};
  if (pitch != 0 && extent.height != 0 && extent.depth > SIZE_MAX / pitch / extent.height)
    return done(cudaErrorMemoryAllocation);
  return done(allocate(&memory->ptr, pitch * extent.height * extent.depth, LW_DEVICE_MEMORY, 0, "cudaMalloc3D"));
}

CUDART cudaError_t cudaFree(void *memory) {
  RETURN_IF_STICKY();
  return done(give_back(memory, is_of_device, cudaErrorInvalidValue, "cudaFree"));
}

CUDART cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  RETURN_IF_STICKY();
  return done(allocate(memory, bytes, LW_HOST_MEMORY, 0, "cudaMallocHost"));
}

CUDART cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  RETURN_IF_STICKY();
  if (flags & ~7u)
    return done(cudaErrorInvalidValue);
  return done(allocate(memory, bytes, LW_HOST_MEMORY, flags, "cudaHostAlloc"));
}

CUDART cudaError_t cudaFreeHost(void *memory) {
  RETURN_IF_STICKY();
  return done(give_back(memory, is_of_host, cudaErrorInvalidValue, "cudaFreeHost"));
}

CUDART cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned int flags) {
  RETURN_IF_STICKY();
  if (memory == nullptr || bytes == 0)
    return done(cudaErrorInvalidValue);
  int32_t result = lw_memory_register(memory, bytes, LW_REGISTERED_MEMORY, flags);
  return done(result == LW_INVALID ? cudaErrorHostMemoryAlreadyRegistered : from_host(result, "cudaHostRegister"));
}

CUDART cudaError_t cudaHostUnregister(void *memory) {
  RETURN_IF_STICKY();
  lw_synchronize();
  lw_allocation found;
  bool known = lw_memory_find(memory, &found) && found.kind == LW_REGISTERED_MEMORY && found.address == memory;
  return done(known ? from_host(lw_memory_unregister(memory), "cudaHostUnregister")
                    : cudaErrorHostMemoryNotRegistered);
}

CUDART cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
  RETURN_IF_STICKY();
  lw_allocation found;
  if (device == nullptr || flags != 0 || !lw_memory_find(host, &found))
    return done(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

CUDART cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  RETURN_IF_STICKY();
  lw_allocation found;
  if (flags == nullptr || !lw_memory_find(host, &found) || found.kind != LW_HOST_MEMORY)
    return done(cudaErrorInvalidValue);
  *flags = found.flags | cudaHostAllocMapped;
  return cudaSuccess;
}

CUDART cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  RETURN_IF_STICKY();
  if (available == nullptr || total == nullptr)
    return done(cudaErrorInvalidValue);
  size_t used = lw_memory_used();
  *total = total_memory();
  *available = used < *total ? *total - used : 0;
  return cudaSuccess;
}

CUDART cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory) {
  RETURN_IF_STICKY();
  if (attributes == nullptr)
    return done(cudaErrorInvalidValue);
  lw_allocation found;
  void *pointer = const_cast<void *>(memory);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, pointer};
  if (!lw_memory_find(memory, &found))
    return cudaSuccess;
  switch (found.kind) {
  case LW_HOST_MEMORY:
  case LW_REGISTERED_MEMORY:
    *attributes = {cudaMemoryTypeHost, 0, pointer, pointer};
    break;
  case LW_MANAGED_MEMORY:
    *attributes = {cudaMemoryTypeManaged, 0, pointer, pointer};
    break;
  default:
    *attributes = {cudaMemoryTypeDevice, 0, pointer, nullptr};
  }
  return cudaSuccess;
}

CUDART cudaError_t cudaMemAdvise(const void *memory, size_t, cudaMemoryAdvise, int) {
  RETURN_IF_STICKY();
  lw_allocation found;
  return done(lw_memory_find(memory, &found) ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART cudaError_t cudaMemPrefetchAsync(const void *memory, size_t, int, cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_allocation found;
  if (queue_of(stream) == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  return done(lw_memory_find(memory, &found) ? cudaSuccess : cudaErrorInvalidValue);
}
