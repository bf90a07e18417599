// SPDX-License-Identifier: Apache-2.0
// Host side: device, pinned and managed memory, and copies between them.
#ifndef LANEWISE_HOST_MEMORY_H
#define LANEWISE_HOST_MEMORY_H

#include "lanewise/host_errors.h"
#include "lanewise/host_streams.h"

typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
} cudaMemoryAdvise;

typedef enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
} cudaMemoryType;

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

typedef struct cudaPitchedPtr {
  void *ptr;
  __SIZE_TYPE__ pitch;
  __SIZE_TYPE__ xsize;
  __SIZE_TYPE__ ysize;
} cudaPitchedPtr;
typedef struct cudaExtent {
  __SIZE_TYPE__ width;
  __SIZE_TYPE__ height;
  __SIZE_TYPE__ depth;
} cudaExtent;
typedef struct cudaPos {
  __SIZE_TYPE__ x, y, z;
} cudaPos;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
} cudaMemcpy3DParms;
typedef struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
} cudaMemcpy3DPeerParms;
typedef enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation = 2,
  cudaMemRangeAttributeAccessedBy = 3,
  cudaMemRangeAttributeLastPrefetchLocation = 4
} cudaMemRangeAttribute;
typedef struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
} cudaPointerAttributes;

static inline cudaPitchedPtr make_cudaPitchedPtr(void *data, __SIZE_TYPE__ pitch, __SIZE_TYPE__ width,
                                                 __SIZE_TYPE__ height) {
  cudaPitchedPtr made = {data, pitch, width, height};
  return made;
}
static inline cudaExtent make_cudaExtent(__SIZE_TYPE__ width, __SIZE_TYPE__ height, __SIZE_TYPE__ depth) {
  cudaExtent made = {width, height, depth};
  return made;
}
static inline cudaPos make_cudaPos(__SIZE_TYPE__ x, __SIZE_TYPE__ y, __SIZE_TYPE__ z) {
  cudaPos made = {x, y, z};
  return made;
}

__LW_BEGIN_C
cudaError_t cudaMalloc(void **memory, __SIZE_TYPE__ bytes);
cudaError_t cudaMallocPitch(void **memory, __SIZE_TYPE__ *pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height);
cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent);
cudaError_t cudaMallocManaged(void **memory, __SIZE_TYPE__ bytes, unsigned int flags __LW_OR(cudaMemAttachGlobal));
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, __SIZE_TYPE__ bytes);
cudaError_t cudaHostAlloc(void **memory, __SIZE_TYPE__ bytes, unsigned int flags);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, __SIZE_TYPE__ bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaMemGetInfo(__SIZE_TYPE__ *free_bytes, __SIZE_TYPE__ *total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);
cudaError_t cudaMallocAsync(void **memory, __SIZE_TYPE__ bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);

cudaError_t cudaMemset(void *memory, int value, __SIZE_TYPE__ bytes);
cudaError_t cudaMemset2D(void *memory, __SIZE_TYPE__ pitch, int value, __SIZE_TYPE__ width, __SIZE_TYPE__ height);
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);
cudaError_t cudaMemsetAsync(void *memory, int value, __SIZE_TYPE__ bytes, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemset2DAsync(void *memory, __SIZE_TYPE__ pitch, int value, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                              cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream __LW_OR(0));

cudaError_t cudaMemcpy(void *target, const void *source, __SIZE_TYPE__ bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *target, __SIZE_TYPE__ target_pitch, const void *source, __SIZE_TYPE__ source_pitch,
                         __SIZE_TYPE__ width, __SIZE_TYPE__ height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device,
                           __SIZE_TYPE__ bytes);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters);
cudaError_t cudaMemcpyAsync(void *target, const void *source, __SIZE_TYPE__ bytes, cudaMemcpyKind kind,
                            cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpy2DAsync(void *target, __SIZE_TYPE__ target_pitch, const void *source,
                              __SIZE_TYPE__ source_pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height,
                              cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device,
                                __SIZE_TYPE__ bytes, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream __LW_OR(0));

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, __SIZE_TYPE__ bytes,
                               __SIZE_TYPE__ offset __LW_OR(0), cudaMemcpyKind kind __LW_OR(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, __SIZE_TYPE__ bytes, __SIZE_TYPE__ offset __LW_OR(0),
                                 cudaMemcpyKind kind __LW_OR(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, __SIZE_TYPE__ bytes, __SIZE_TYPE__ offset,
                                    cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, __SIZE_TYPE__ bytes, __SIZE_TYPE__ offset,
                                      cudaMemcpyKind kind, cudaStream_t stream __LW_OR(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(__SIZE_TYPE__ *bytes, const void *symbol);

cudaError_t cudaMemPrefetchAsync(const void *memory, __SIZE_TYPE__ bytes, int device, cudaStream_t stream __LW_OR(0));
cudaError_t cudaMemAdvise(const void *memory, __SIZE_TYPE__ bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemRangeGetAttribute(void *data, __SIZE_TYPE__ data_bytes, cudaMemRangeAttribute attribute,
                                     const void *memory, __SIZE_TYPE__ bytes);
cudaError_t cudaMemRangeGetAttributes(void **data, __SIZE_TYPE__ *data_bytes, cudaMemRangeAttribute *attributes,
                                      __SIZE_TYPE__ count, const void *memory, __SIZE_TYPE__ bytes);
__LW_END_C

#ifdef __cplusplus
// The forms that C++ programs use: pointers to any type, and variables themselves for symbols.
inline cudaError_t cudaMallocHost(void **memory, __SIZE_TYPE__ bytes, unsigned int flags) {
  return cudaHostAlloc(memory, bytes, flags);
}
template <class Type> inline cudaError_t cudaMalloc(Type **memory, __SIZE_TYPE__ bytes) {
  return cudaMalloc((void **)(void *)memory, bytes);
}
template <class Type> inline cudaError_t cudaMallocAsync(Type **memory, __SIZE_TYPE__ bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)memory, bytes, stream);
}
template <class Type>
inline cudaError_t cudaMallocManaged(Type **memory, __SIZE_TYPE__ bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)memory, bytes, flags);
}
template <class Type> inline cudaError_t cudaMallocHost(Type **memory, __SIZE_TYPE__ bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)(void *)memory, bytes, flags);
}
template <class Type> inline cudaError_t cudaHostAlloc(Type **memory, __SIZE_TYPE__ bytes, unsigned int flags) {
  return cudaHostAlloc((void **)(void *)memory, bytes, flags);
}
template <class Type>
inline cudaError_t cudaMallocPitch(Type **memory, __SIZE_TYPE__ *pitch, __SIZE_TYPE__ width, __SIZE_TYPE__ height) {
  return cudaMallocPitch((void **)(void *)memory, pitch, width, height);
}
template <class Type> inline cudaError_t cudaHostGetDevicePointer(Type **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class Type>
inline cudaError_t cudaMemcpyToSymbol(const Type &symbol, const void *source, __SIZE_TYPE__ bytes,
                                      __SIZE_TYPE__ offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, source, bytes, offset, kind);
}
template <class Type>
inline cudaError_t cudaMemcpyFromSymbol(void *target, const Type &symbol, __SIZE_TYPE__ bytes,
                                        __SIZE_TYPE__ offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(target, (const void *)&symbol, bytes, offset, kind);
}
template <class Type>
inline cudaError_t cudaMemcpyToSymbolAsync(const Type &symbol, const void *source, __SIZE_TYPE__ bytes,
                                           __SIZE_TYPE__ offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, source, bytes, offset, kind, stream);
}
template <class Type>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *target, const Type &symbol, __SIZE_TYPE__ bytes,
                                             __SIZE_TYPE__ offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(target, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class Type> inline cudaError_t cudaGetSymbolAddress(void **address, const Type &symbol) {
  return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <class Pointer, class Type> inline cudaError_t cudaGetSymbolAddress(Pointer **address, const Type &symbol) {
  return cudaGetSymbolAddress((void **)(void *)address, (const void *)&symbol);
}
template <class Type> inline cudaError_t cudaGetSymbolSize(__SIZE_TYPE__ *bytes, const Type &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
#endif

#endif
