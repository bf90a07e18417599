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

template <class Kernel>
cudaError_t cudaLaunchKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments, __SIZE_TYPE__ shared_bytes = 0,
                             cudaStream_t stream = 0);
template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                        __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0);
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value);
template <class Kernel> cudaError_t cudaFuncSetCacheConfig(Kernel *kernel, cudaFuncCache config);
template <class Kernel> cudaError_t cudaFuncSetSharedMemConfig(Kernel *kernel, cudaSharedMemConfig config);
template <class Kernel> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel);
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel *kernel, int block_size,
                                                          __SIZE_TYPE__ shared_bytes);
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, Kernel kernel,
                                               __SIZE_TYPE__ shared_bytes = 0, int block_limit = 0);
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *least_grid, int *block_size, Kernel kernel,
                                                        __SIZE_TYPE__ shared_bytes = 0, int block_limit = 0,
                                                        unsigned int flags = 0);
template <class Kernel, class Bytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *least_grid, int *block_size, Kernel kernel,
                                                           Bytes shared_bytes, int block_limit = 0);
template <class Kernel, class Bytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *least_grid, int *block_size, Kernel kernel,
                                                                    Bytes shared_bytes, int block_limit = 0,
                                                                    unsigned int flags = 0);
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel *kernel, int block_size,
                                                                   __SIZE_TYPE__ shared_bytes, unsigned int flags);
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__SIZE_TYPE__ *bytes, Kernel *kernel, int blocks,
                                                      int block_size);
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, Kernel *kernel, const cudaLaunchConfig_t *config);
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveClusters(int *count, Kernel *kernel, const cudaLaunchConfig_t *config);
template <class Kernel> cudaError_t cudaFuncGetName(const char **name, Kernel *kernel);
template <class Kernel> cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, Kernel *kernel);

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Arguments &&...arguments);
template <class Kernel>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, Kernel *kernel, void **arguments);

#endif
