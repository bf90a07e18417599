// SPDX-License-Identifier: Apache-2.0
// Memory that is allocated and freed in the order of a stream, and pools of it. There is one pool: it keeps nothing.
#include "runtime.h"

struct CUmemPoolHandle_st {
  uint64_t release_threshold;
};

namespace {

CUmemPoolHandle_st device_pool;

int32_t free_memory(void *memory) {
  lw_memory_free(memory, LW_DEVICE_MEMORY);
  return 0;
}

bool is_device(int device) { return device == 0; }

} // namespace

CUDART cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream) {
  RETURN_IF_STICKY();
  if (queue_of(stream) == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  return done(allocate(memory, bytes, LW_DEVICE_MEMORY, 0, "cudaMallocAsync"));
}

CUDART cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return pool == nullptr ? done(cudaErrorInvalidValue) : cudaMallocAsync(memory, bytes, stream);
}

CUDART cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  lw_allocation found;
  if (queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  if (!lw_memory_find(memory, &found) || found.address != memory || found.kind != LW_DEVICE_MEMORY)
    return done(cudaErrorInvalidValue);
  return done(from_host(lw_queue_call(queue, free_memory, nullptr, memory), "cudaFreeAsync"));
}

CUDART cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (pool == nullptr || !is_device(device))
    return done(pool == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
  *pool = &device_pool;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

CUDART cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return done(!is_device(device) ? cudaErrorInvalidDevice : pool == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

CUDART cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  RETURN_IF_STICKY();
  if (pool == nullptr || properties == nullptr)
    return done(cudaErrorInvalidValue);
  *pool = static_cast<cudaMemPool_t>(calloc(1, sizeof **pool));
  return done(*pool != nullptr ? cudaSuccess : cudaErrorMemoryAllocation);
}

CUDART cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == nullptr || pool == &device_pool)
    return done(cudaErrorInvalidValue);
  free(pool);
  return cudaSuccess;
}

CUDART cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return done(pool != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  if (pool == nullptr || value == nullptr)
    return done(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold)
    pool->release_threshold = *static_cast<uint64_t *>(value);
  return cudaSuccess;
}

CUDART cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  if (pool == nullptr || value == nullptr)
    return done(cudaErrorInvalidValue);
  switch (attribute) {
  case cudaMemPoolAttrReleaseThreshold:
    *static_cast<uint64_t *>(value) = pool->release_threshold;
    break;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemCurrent:
  case cudaMemPoolAttrUsedMemHigh:
    *static_cast<uint64_t *>(value) = lw_memory_used();
    break;
  default:
    *static_cast<int *>(value) = 1;
  }
  return cudaSuccess;
}

CUDART cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *, size_t) {
  return done(pool != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}
