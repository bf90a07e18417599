// SPDX-License-Identifier: Apache-2.0
// The functions of NVIDIA's driver library that the runtime calls, declared from the documentation of the driver API.
// They are found by name when a process asks for a GPU; nothing is linked.
#ifndef LANEWISE_DRIVER_H
#define LANEWISE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

// CUresult
enum { DRIVER_SUCCESS = 0, DRIVER_NOT_FOUND = 500, DRIVER_NOT_READY = 600 };
// Those that the runtime reports itself, as cudaError_t has them.
enum { ERROR_INSUFFICIENT_DRIVER = 35, ERROR_NO_DEVICE = 100 };

enum { DRIVER_MEMORY_HOST = 1, DRIVER_MEMORY_DEVICE = 2 };                     // CUmemorytype
enum { DRIVER_HOST_PORTABLE = 1, DRIVER_HOST_MAPPED = 2 };                     // CU_MEMHOSTALLOC_*
enum { DRIVER_ATTACH_GLOBAL = 1 };                                             // CU_MEM_ATTACH_GLOBAL
enum { DRIVER_STREAM_NON_BLOCKING = 1, DRIVER_EVENT_NO_TIMING = 2 };           // CU_STREAM_*, CU_EVENT_*
enum { DRIVER_CAPABILITY_MAJOR = 75, DRIVER_CAPABILITY_MINOR = 76 };           // CUdevice_attribute
enum { DRIVER_FUNCTION_MOST_THREADS = 0, DRIVER_FUNCTION_DYNAMIC_SHARED = 8 }; // CUfunction_attribute
enum { DRIVER_JIT_ERROR_LOG = 5, DRIVER_JIT_ERROR_LOG_BYTES = 6 };             // CUjit_option
#define DRIVER_LEGACY_STREAM ((void *)1)                                       // CU_STREAM_LEGACY

// CUDA_MEMCPY3D
struct driver_copy_end {
  size_t x_bytes, y, z, level;
  uint32_t memory_type; // DRIVER_MEMORY_*
  void *host;
  uint64_t device;
  void *array, *reserved;
  size_t pitch, height;
};
struct driver_copy {
  struct driver_copy_end source, target;
  size_t width_bytes, height, depth;
};

// X(name, parameters). Each returns a CUresult. Handles are `void *`; a CUdeviceptr is 64 bits wide.
#define DRIVER_FUNCTIONS(X)                                                                                            \
  X(cuInit, (uint32_t flags))                                                                                          \
  X(cuGetErrorName, (int32_t error, const char **name))                                                                \
  X(cuDeviceGetCount, (int32_t *count))                                                                                \
  X(cuDeviceGet, (int32_t *device, int32_t number))                                                                    \
  X(cuDeviceGetAttribute, (int32_t *value, int32_t attribute, int32_t device))                                         \
  X(cuDeviceGetName, (char *name, int32_t bytes, int32_t device))                                                      \
  X(cuDeviceGetUuid, (uint8_t *uuid, int32_t device))                                                                  \
  X(cuDeviceTotalMem_v2, (size_t *bytes, int32_t device))                                                              \
  X(cuDevicePrimaryCtxRetain, (void **context, int32_t device))                                                        \
  X(cuCtxGetCurrent, (void **context))                                                                                 \
  X(cuCtxSetCurrent, (void *context))                                                                                  \
  X(cuCtxSynchronize, (void))                                                                                          \
  X(cuMemGetInfo_v2, (size_t *left, size_t *total))                                                                    \
  X(cuMemAlloc_v2, (uint64_t *memory, size_t bytes))                                                                   \
  X(cuMemFree_v2, (uint64_t memory))                                                                                   \
  X(cuMemAllocManaged, (uint64_t *memory, size_t bytes, uint32_t flags))                                               \
  X(cuMemHostAlloc, (void **memory, size_t bytes, uint32_t flags))                                                     \
  X(cuMemFreeHost, (void *memory))                                                                                     \
  X(cuMemHostRegister_v2, (void *memory, size_t bytes, uint32_t flags))                                                \
  X(cuMemHostUnregister, (void *memory))                                                                               \
  X(cuStreamCreateWithPriority, (void **stream, uint32_t flags, int32_t priority))                                     \
  X(cuStreamDestroy_v2, (void *stream))                                                                                \
  X(cuStreamSynchronize, (void *stream))                                                                               \
  X(cuStreamQuery, (void *stream))                                                                                     \
  X(cuStreamWaitEvent, (void *stream, void *event, uint32_t flags))                                                    \
  X(cuEventCreate, (void **event, uint32_t flags))                                                                     \
  X(cuEventDestroy_v2, (void *event))                                                                                  \
  X(cuEventRecord, (void *event, void *stream))                                                                        \
  X(cuEventQuery, (void *event))                                                                                       \
  X(cuEventSynchronize, (void *event))                                                                                 \
  X(cuEventElapsedTime, (float *milliseconds, void *start, void *end))                                                 \
  X(cuMemcpyAsync, (uint64_t target, uint64_t source, size_t bytes, void *stream))                                     \
  X(cuMemcpy3DAsync_v2, (const struct driver_copy *copy, void *stream))                                                \
  X(cuMemsetD2D8Async, (uint64_t memory, size_t pitch, uint8_t value, size_t width, size_t height, void *stream))      \
  X(cuMemsetD2D16Async, (uint64_t memory, size_t pitch, uint16_t value, size_t width, size_t height, void *stream))    \
  X(cuMemsetD2D32Async, (uint64_t memory, size_t pitch, uint32_t value, size_t width, size_t height, void *stream))    \
  X(cuLaunchKernel,                                                                                                    \
    (void *function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x, uint32_t block_y,            \
     uint32_t block_z, uint32_t shared_bytes, void *stream, void **parameters, void **extra))                          \
  X(cuLaunchCooperativeKernel,                                                                                         \
    (void *function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x, uint32_t block_y,            \
     uint32_t block_z, uint32_t shared_bytes, void *stream, void **parameters))                                        \
  X(cuLaunchHostFunc, (void *stream, void (*function)(void *data), void *data))                                        \
  X(cuModuleLoadDataEx, (void **module, const void *ptx, uint32_t count, int32_t *options, void **values))             \
  X(cuModuleUnload, (void *module))                                                                                    \
  X(cuModuleGetFunction, (void **function, void *module, const char *name))                                            \
  X(cuModuleGetGlobal_v2, (uint64_t *memory, size_t *bytes, void *module, const char *name))                           \
  X(cuFuncGetAttribute, (int32_t *value, int32_t attribute, void *function))                                           \
  X(cuFuncSetAttribute, (void *function, int32_t attribute, int32_t value))

#endif
