// SPDX-License-Identifier: Apache-2.0
// Memory, copies and fills of the driver API.
#include "api.h"
#include "copies.h"
#include "driver.h"
#include "ranges.h"
#include "streams.h"

namespace lw_cudart {

LW_API CUresult cuMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  return DRIVER_CALL(CONTEXT, { return cudaMemGetInfo(free_bytes, total_bytes); });
}

LW_API CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(memory);
    REQUIRE(bytes, cudaErrorInvalidValue, "0 bytes");
    return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
  });
}

LW_API CUresult cuMemAllocPitch(CUdeviceptr *memory, size_t *pitch, size_t width, size_t height,
                                unsigned int element_bytes) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(memory);
    REQUIRE(element_bytes == 4 || element_bytes == 8 || element_bytes == 16, cudaErrorInvalidValue,
            "elements of %u bytes: 4, 8 or 16 are allowed", element_bytes);
    return cudaMallocPitch(reinterpret_cast<void **>(memory), pitch, width, height);
  });
}

LW_API CUresult cuMemAllocHost(void **memory, size_t bytes) {
  return DRIVER_CALL(CONTEXT, { return cudaMallocHost(memory, bytes); });
}

LW_API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaHostAlloc(memory, bytes, flags); });
}

LW_API CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags); });
}

LW_API CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t bytes, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaMallocManaged(reinterpret_cast<void **>(memory), bytes, flags); });
}

LW_API CUresult cuMemFree(CUdeviceptr memory) {
  return DRIVER_CALL(CONTEXT, { return cudaFree(pointer_of(memory)); });
}

LW_API CUresult cuMemFreeHost(void *memory) {
  return DRIVER_CALL(CONTEXT, { return cudaFreeHost(memory); });
}

LW_API CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaMallocAsync(reinterpret_cast<void **>(memory), bytes, stream); });
}

LW_API CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaFreeAsync(pointer_of(memory), stream); });
}

LW_API CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *bytes, CUdeviceptr memory) {
  return DRIVER_CALL(CONTEXT, {
    lw_allocation found;
    REQUIRE(lw_memory_find(pointer_of(memory), &found), cudaErrorSymbolNotFound, "%p is in no memory that is allocated",
            pointer_of(memory));
    if (start)
      *start = reinterpret_cast<CUdeviceptr>(found.address);
    if (bytes)
      *bytes = found.bytes;
    return cudaSuccess;
  });
}

LW_API CUresult cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return DRIVER_CALL(CONTEXT, { return cudaMemcpy(pointer_of(target), pointer_of(source), bytes, cudaMemcpyDefault); });
}

LW_API CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t bytes) {
  return DRIVER_CALL(CONTEXT, { return cudaMemcpy(pointer_of(target), source, bytes, cudaMemcpyHostToDevice); });
}

LW_API CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t bytes) {
  return DRIVER_CALL(CONTEXT, { return cudaMemcpy(target, pointer_of(source), bytes, cudaMemcpyDeviceToHost); });
}

LW_API CUresult cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return DRIVER_CALL(CONTEXT,
                     { return cudaMemcpy(pointer_of(target), pointer_of(source), bytes, cudaMemcpyDeviceToDevice); });
}

// All contexts share the device.
LW_API CUresult cuMemcpyPeer(CUdeviceptr target, CUcontext, CUdeviceptr source, CUcontext, size_t bytes) {
  return cuMemcpyDtoD(target, source, bytes);
}

LW_API CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return DRIVER_CALL(
      CONTEXT, { return cudaMemcpyAsync(pointer_of(target), pointer_of(source), bytes, cudaMemcpyDefault, stream); });
}

LW_API CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void *source, size_t bytes, CUstream stream) {
  return DRIVER_CALL(CONTEXT,
                     { return cudaMemcpyAsync(pointer_of(target), source, bytes, cudaMemcpyHostToDevice, stream); });
}

LW_API CUresult cuMemcpyDtoHAsync(void *target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return DRIVER_CALL(CONTEXT,
                     { return cudaMemcpyAsync(target, pointer_of(source), bytes, cudaMemcpyDeviceToHost, stream); });
}

LW_API CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return DRIVER_CALL(CONTEXT, {
    return cudaMemcpyAsync(pointer_of(target), pointer_of(source), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}

// Elements of 1, 2 or 4 bytes, by a stream; `now`: as cudaMemset does.
static cudaError_t fill_elements(CUdeviceptr memory, uint32_t value, uint32_t element, size_t count, CUstream handle,
                                 bool now) {
  REQUIRE(memory % element == 0, cudaErrorInvalidValue, "%p is no multiple of %u", pointer_of(memory), element);
  REQUIRE_STREAM(stream, handle);
  uint64_t bytes = product(count, element);
  Fill fill = {pointer_of(memory), {bytes, bytes}, value, element, {bytes, bytes ? 1u : 0u, 1}};
  REQUIRE_SUCCESS(check_fill(fill));
  if (bytes)
    REQUIRE_SUCCESS(submit(stream, fill));
  return now ? synchronize(stream) : cudaSuccess;
}

#define FILL(bits, type, bytes)                                                                                        \
  LW_API CUresult cuMemsetD##bits(CUdeviceptr memory, type value, size_t count) {                                      \
    return DRIVER_CALL(CONTEXT, { return fill_elements(memory, value, bytes, count, nullptr, true); });                \
  }                                                                                                                    \
  LW_API CUresult cuMemsetD##bits##Async(CUdeviceptr memory, type value, size_t count, CUstream stream) {              \
    return DRIVER_CALL(CONTEXT, { return fill_elements(memory, value, bytes, count, stream, false); });                \
  }
FILL(8, unsigned char, 1)
FILL(16, unsigned short, 2)
FILL(32, unsigned int, 4)
#undef FILL

LW_API CUresult cuMemHostGetFlags(unsigned int *flags, void *host) {
  return DRIVER_CALL(CONTEXT, { return cudaHostGetFlags(flags, host); });
}

LW_API CUresult cuMemHostRegister(void *memory, size_t bytes, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaHostRegister(memory, bytes, flags); });
}

LW_API CUresult cuMemHostUnregister(void *memory) {
  return DRIVER_CALL(CONTEXT, { return cudaHostUnregister(memory); });
}

LW_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return DRIVER_CALL(INITIALISED, { return cudaDeviceGetDefaultMemPool(pool, device); });
}

LW_API CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolCreate(pool, properties); });
}

LW_API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolDestroy(pool); });
}

LW_API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolTrimTo(pool, bytes); });
}

LW_API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolSetAttribute(pool, attribute, value); });
}

LW_API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolGetAttribute(pool, attribute, value); });
}

LW_API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *descriptions, size_t count) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolSetAccess(pool, descriptions, count); });
}

LW_API CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
  return DRIVER_CALL(INITIALISED, { return cudaMemPoolGetAccess(flags, pool, location); });
}

LW_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return DRIVER_CALL(CONTEXT,
                     { return cudaMallocFromPoolAsync(reinterpret_cast<void **>(memory), bytes, pool, stream); });
}

} // namespace lw_cudart
