// SPDX-License-Identifier: Apache-2.0
// Host side: launching kernels, by `kernel<<<grid, block, shared, stream>>>(...)` and by function.
#ifndef LANEWISE_HOST_LAUNCH_H
#define LANEWISE_HOST_LAUNCH_H

#include "lanewise/host_device.h"
#include "lanewise/host_launch_attributes.h"
#include "lanewise/host_streams.h"
#include "lanewise/vector_types.h"

typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUlib_st *cudaLibrary_t;

#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

struct cudaFuncAttributes {
  __SIZE_TYPE__ sharedSizeBytes;
  __SIZE_TYPE__ constSizeBytes;
  __SIZE_TYPE__ localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth;
  int requiredClusterHeight;
  int requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};

enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};

extern "C" {
// Clang looks this function up to check the <<<...>>> of a launch.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0);

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, __SIZE_TYPE__ shared_bytes,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        __SIZE_TYPE__ shared_bytes, cudaStream_t stream);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, cudaSharedMemConfig config);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          __SIZE_TYPE__ shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_size,
                                                                   __SIZE_TYPE__ shared_bytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__SIZE_TYPE__ *bytes, const void *kernel, int blocks,
                                                      int block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxActiveClusters(int *count, const void *kernel, const cudaLaunchConfig_t *config);
}

// The forms of C++, which take kernels of any type.
#define __LW_OF_KERNEL(kernel) (reinterpret_cast<const void *>(kernel))
template <class Kernel>
inline cudaError_t cudaLaunchKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                    __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(__LW_OF_KERNEL(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class Kernel>
inline cudaError_t cudaLaunchCooperativeKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                               __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(__LW_OF_KERNEL(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class Kernel> inline cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(__LW_OF_KERNEL(kernel), attribute, value);
}
template <class Kernel> inline cudaError_t cudaFuncSetCacheConfig(Kernel *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(__LW_OF_KERNEL(kernel), config);
}
template <class Kernel> inline cudaError_t cudaFuncSetSharedMemConfig(Kernel *kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(__LW_OF_KERNEL(kernel), config);
}
template <class Kernel> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel) {
  return cudaFuncGetAttributes(attributes, __LW_OF_KERNEL(kernel));
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel *kernel, int block_size,
                                                                 __SIZE_TYPE__ shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, __LW_OF_KERNEL(kernel), block_size, shared_bytes);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel *kernel, int block_size,
                                                                          __SIZE_TYPE__ shared_bytes,
                                                                          unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, __LW_OF_KERNEL(kernel), block_size,
                                                                shared_bytes, flags);
}
template <class Kernel>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__SIZE_TYPE__ *bytes, Kernel *kernel, int blocks,
                                                             int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, __LW_OF_KERNEL(kernel), blocks, block_size);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, Kernel *kernel, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(size, __LW_OF_KERNEL(kernel), config);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveClusters(int *count, Kernel *kernel, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(count, __LW_OF_KERNEL(kernel), config);
}
template <class Kernel> inline cudaError_t cudaFuncGetName(const char **name, Kernel *kernel) {
  return cudaFuncGetName(name, __LW_OF_KERNEL(kernel));
}
template <class Kernel> inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, Kernel *kernel) {
  return cudaGetFuncBySymbol(function, __LW_OF_KERNEL(kernel));
}
template <class Kernel>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, Kernel *kernel, void **arguments) {
  return cudaLaunchKernelExC(config, __LW_OF_KERNEL(kernel), arguments);
}

// The block of the most threads, and as many blocks as then run at once on all multiprocessors.
template <class Kernel, class Bytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *least_grid, int *block_size,
                                                                           Kernel kernel, Bytes shared_bytes,
                                                                           int block_limit = 0,
                                                                           unsigned int flags = 0) {
  cudaFuncAttributes attributes;
  int device = 0, processors = 0, best = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, __LW_OF_KERNEL(kernel));
  if (error == cudaSuccess)
    error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error != cudaSuccess)
    return error;
  int most = attributes.maxThreadsPerBlock;
  if (block_limit > 0 && block_limit < most)
    most = block_limit;
  for (int size = most; size > 0; size = size > 32 ? (size - 1) / 32 * 32 : 0) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, __LW_OF_KERNEL(kernel), size,
                                                                   shared_bytes(size), flags);
    if (error != cudaSuccess)
      return error;
    if (blocks * size > best) {
      best = blocks * size;
      *block_size = size;
      *least_grid = blocks * processors;
    }
  }
  return cudaSuccess;
}
template <class Kernel, class Bytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *least_grid, int *block_size, Kernel kernel,
                                                                  Bytes shared_bytes, int block_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(least_grid, block_size, kernel, shared_bytes,
                                                                 block_limit);
}
struct __lw_same_bytes {
  __SIZE_TYPE__ bytes;
  __SIZE_TYPE__ operator()(int) const { return bytes; }
};
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *least_grid, int *block_size, Kernel kernel,
                                                               __SIZE_TYPE__ shared_bytes = 0, int block_limit = 0,
                                                               unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      least_grid, block_size, kernel, __lw_same_bytes{shared_bytes}, block_limit, flags);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, Kernel kernel,
                                                      __SIZE_TYPE__ shared_bytes = 0, int block_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(least_grid, block_size, kernel, shared_bytes, block_limit);
}

// Arguments are converted to the types of the parameters, which live until the launch has copied them.
template <class... Parameters>
inline cudaError_t __lw_launch(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Parameters... arguments) {
  void *places[sizeof...(Parameters) + 1] = {
      const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(arguments)))...};
  return cudaLaunchKernelExC(config, __LW_OF_KERNEL(kernel), places);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                      Arguments &&...arguments) {
  return __lw_launch<Parameters...>(config, kernel, static_cast<Arguments &&>(arguments)...);
}

#endif
