// SPDX-License-Identifier: Apache-2.0
// Memory in stream order, and pools of it. A pool counts; its memory comes from the same place as all other.
#include "api.h"
#include "gpu.h"
#include "graph_memory.h"
#include "memory.h"
#include "reset.h"

namespace lw_cudart {

struct Pool {
  uint32_t state; // of the handle
  int reuse[3];
  uint64_t threshold;
  uint64_t used, high;
  cudaMemAccessFlags access;
};

struct Pooled {
  void *memory;
  uint64_t bytes;
  Pool *pool;
};

static Handles<Pool, 4096> pools;
static Lock pools_lock;
static Pool *default_pool, *current_pool;
static List<Pooled> pooled;

static Pool *create_pool() {
  Pool *pool = pools.create();
  if (pool) {
    pool->reuse[0] = pool->reuse[1] = pool->reuse[2] = 1;
    pool->access = cudaMemAccessFlagsProtReadWrite;
  }
  return pool;
}

static Pool *the_default_pool() {
  Held held(pools_lock);
  if (!default_pool)
    default_pool = current_pool = create_pool();
  return default_pool;
}

#define REQUIRE_POOL(name, handle)                                                                                     \
  Pool *name = pools.find(handle);                                                                                     \
  REQUIRE(name, cudaErrorInvalidValue, "memory pool %p does not exist (any more)", (void *)handle)

static cudaError_t allocate_from(Pool *pool, void **memory, size_t bytes, Stream *stream) {
  REQUIRE_POINTER(memory);
  REQUIRE(bytes, cudaErrorInvalidValue, "0 bytes");
  if (stream->capture)
    return capture_allocation(stream, bytes, memory);
  REQUIRE_SUCCESS(allocate(memory, bytes, LW_DEVICE_MEMORY, 0));
  Held held(pools_lock);
  pooled.add({*memory, bytes, pool});
  pool->used += bytes;
  if (pool->used > pool->high)
    pool->high = pool->used;
  return cudaSuccess;
}

void forget_pooled(void *memory) {
  Held held(pools_lock);
  for (size_t i = pooled.count; i-- > 0;)
    if (pooled[i].memory == memory) {
      pooled[i].pool->used -= pooled[i].bytes;
      pooled[i] = pooled[--pooled.count];
      return;
    }
}

void destroy_pools() {
  Held held(pools_lock);
  pooled.clear();
  default_pool = current_pool = nullptr;
  pools.each([](Pool *pool) { pools.destroy(pool); });
}

LW_API cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t handle) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    the_default_pool();
    return allocate_from(current_pool, memory, bytes, stream);
  });
}

LW_API cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t pool_handle,
                                           cudaStream_t handle) {
  return CALL({
    REQUIRE_POOL(pool, pool_handle);
    REQUIRE_STREAM(stream, handle);
    return allocate_from(pool, memory, bytes, stream);
  });
}

static void free_now(void *memory) {
  tell_if_freed(memory); // by a call that was still to come
  release(memory, LW_DEVICE_MEMORY);
  __atomic_sub_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
}

static int32_t free_in_order(void *memory) {
  free_now(memory);
  return 0;
}

LW_API cudaError_t cudaFreeAsync(void *memory, cudaStream_t handle) {
  return CALL({
    REQUIRE_STREAM(stream, handle);
    if (!memory)
      return cudaSuccess;
    if (stream->capture) // memory that no graph allocates can't be freed by one
      return capture_free(stream, memory);
    if (is_graph_memory(memory))
      return free_graph_memory(memory, stream);
    lw_allocation found;
    tell_if_freed(memory);
    REQUIRE(lw_memory_find(memory, &found) && found.address == memory && found.kind == LW_DEVICE_MEMORY,
            cudaErrorInvalidValue, "%p is not the start of memory of cudaMallocAsync or cudaMalloc", memory);
    forget_pooled(memory);
    if (lw_is_gpu()) { // functions in the driver's streams must not call the driver
      REQUIRE_SUCCESS(synchronize(stream));
      return release(memory, LW_DEVICE_MEMORY);
    }
    __atomic_add_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
    cudaError_t error = submit_call(stream, free_in_order, free_now, memory, nullptr);
    if (error != cudaSuccess)
      __atomic_sub_fetch(&frees_to_come, 1, __ATOMIC_RELEASE);
    return error;
  });
}

LW_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *handle, const cudaMemPoolProps *properties) {
  return CALL({
    REQUIRE_POINTER(handle);
    REQUIRE_POINTER(properties);
    REQUIRE(properties->allocType == cudaMemAllocationTypePinned, cudaErrorInvalidValue, "allocType must be pinned");
    REQUIRE(properties->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported,
            "pools can't be shared with other processes");
    if (properties->location.type == cudaMemLocationTypeDevice)
      REQUIRE_SUCCESS(require_device(properties->location.id));
    Pool *pool = create_pool();
    REQUIRE(pool, cudaErrorMemoryAllocation, "there are too many pools");
    *handle = reinterpret_cast<cudaMemPool_t>(pool);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return CALL({
    REQUIRE_POOL(pool, handle);
    REQUIRE(pool != the_default_pool(), cudaErrorInvalidValue, "the default pool can't be destroyed");
    Held held(pools_lock);
    // Memory that is still in use stays; it is the default pool's from now on.
    for (Pooled &entry : pooled)
      if (entry.pool == pool) {
        entry.pool = default_pool;
        default_pool->used += entry.bytes;
      }
    if (current_pool == pool)
      current_pool = default_pool;
    pools.destroy(pool);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t) {
  return CALL({
    REQUIRE_POOL(pool, handle);
    (void)pool;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_POOL(pool, handle);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->reuse[attribute - 1] = *static_cast<int *>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool->threshold = *static_cast<uint64_t *>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      REQUIRE(*static_cast<uint64_t *>(value) == 0, cudaErrorInvalidValue, "a high-water mark can only be set to 0");
      pool->high = pool->used;
      return cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue, "attribute %d can't be set", attribute);
    }
  });
}

LW_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void *value) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_POOL(pool, handle);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int *>(value) = pool->reuse[attribute - 1];
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<uint64_t *>(value) = pool->threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *static_cast<uint64_t *>(value) = pool->used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *static_cast<uint64_t *>(value) = pool->high;
      return cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue, "there is no attribute %d", attribute);
    }
  });
}

LW_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc *descriptions, size_t count) {
  return CALL({
    REQUIRE_POOL(pool, handle);
    REQUIRE(descriptions || !count, cudaErrorInvalidValue, "descriptions is null");
    for (size_t i = 0; i < count; ++i) {
      REQUIRE_SUCCESS(require_device(descriptions[i].location.id));
      pool->access = descriptions[i].flags;
    }
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t handle, cudaMemLocation *location) {
  return CALL({
    REQUIRE_POINTER(flags);
    REQUIRE_POINTER(location);
    REQUIRE_POOL(pool, handle);
    REQUIRE_SUCCESS(require_device(location->id));
    *flags = pool->access;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return CALL({
    REQUIRE_POINTER(pool);
    REQUIRE_SUCCESS(require_device(device));
    *pool = reinterpret_cast<cudaMemPool_t>(the_default_pool());
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return CALL({
    REQUIRE_POINTER(pool);
    REQUIRE_SUCCESS(require_device(device));
    the_default_pool();
    *pool = reinterpret_cast<cudaMemPool_t>(current_pool);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  return CALL({
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE_POOL(pool, handle);
    the_default_pool();
    current_pool = pool;
    return cudaSuccess;
  });
}

static cudaError_t no_sharing() { return fail(cudaErrorNotSupported, "pools can't be shared with other processes"); }

LW_API cudaError_t cudaMemPoolExportToShareableHandle(void *, cudaMemPool_t, cudaMemAllocationHandleType,
                                                      unsigned int) {
  return CALL({ return no_sharing(); });
}
LW_API cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *, void *, cudaMemAllocationHandleType,
                                                        unsigned int) {
  return CALL({ return no_sharing(); });
}
LW_API cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *, void *) {
  return CALL({ return no_sharing(); });
}
LW_API cudaError_t cudaMemPoolImportPointer(void **, cudaMemPool_t, cudaMemPoolPtrExportData *) {
  return CALL({ return no_sharing(); });
}

} // namespace lw_cudart
