// SPDX-License-Identifier: Apache-2.0
// Host side: places of memory, pools of it, and handles for other processes.
#ifndef LANEWISE_HOST_MEMORY_POOLS_H
#define LANEWISE_HOST_MEMORY_POOLS_H

#include "lanewise/host_memory.h"

typedef enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
} cudaMemLocationType;
typedef struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
} cudaMemLocation;
typedef enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3
} cudaMemAccessFlags;
typedef struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
} cudaMemAccessDesc;
typedef enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeMax = 0x7fffffff
} cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0,
  cudaMemHandleTypePosixFileDescriptor = 1,
  cudaMemHandleTypeWin32 = 2,
  cudaMemHandleTypeWin32Kmt = 4,
  cudaMemHandleTypeFabric = 8
} cudaMemAllocationHandleType;
typedef struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void *win32SecurityAttributes;
  __SIZE_TYPE__ maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} cudaMemPoolProps;
typedef enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8
} cudaMemPoolAttr;
typedef struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
} cudaMemPoolPtrExportData;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;

#define cudaIpcMemLazyEnablePeerAccess 0x01
typedef struct cudaIpcMemHandle_st {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
  char reserved[64];
} cudaIpcEventHandle_t;

__LW_BEGIN_C
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, __SIZE_TYPE__ bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *descriptions, __SIZE_TYPE__ count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool, cudaMemLocation *location);
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle, cudaMemAllocationHandleType type,
                                                 unsigned int flags);
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *data, void *memory);
cudaError_t cudaMemPoolImportPointer(void **memory, cudaMemPool_t pool, cudaMemPoolPtrExportData *data);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMallocFromPoolAsync(void **memory, __SIZE_TYPE__ bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaMemPrefetchAsync_v2(const void *memory, __SIZE_TYPE__ bytes, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemAdvise_v2(const void *memory, __SIZE_TYPE__ bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location);

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory);
cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *memory);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
__LW_END_C

#ifdef __cplusplus
template <class Type>
inline cudaError_t cudaMallocFromPoolAsync(Type **memory, __SIZE_TYPE__ bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)memory, bytes, pool, stream);
}
inline cudaError_t cudaMallocAsync(void **memory, __SIZE_TYPE__ bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}
template <class Type>
inline cudaError_t cudaMallocAsync(Type **memory, __SIZE_TYPE__ bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)memory, bytes, pool, stream);
}

// CUDA 13's forms, which name a place instead of a device's number.
inline cudaError_t cudaMemPrefetchAsync(const void *memory, __SIZE_TYPE__ bytes, cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(memory, bytes, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void *memory, __SIZE_TYPE__ bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise_v2(memory, bytes, advice, location);
}
#endif

#endif
