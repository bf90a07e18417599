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

typedef struct cudaFuncAttributes {
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
  int reserved[16];
} cudaFuncAttributes;

typedef enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15
} cudaFuncAttribute;

typedef enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
} cudaSharedCarveout;

__LW_BEGIN_C
// Clang looks up one of these two functions to check the <<<...>>> of a launch.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, __SIZE_TYPE__ shared_bytes __LW_OR(0),
                              cudaStream_t stream __LW_OR(0));
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, __SIZE_TYPE__ shared_bytes __LW_OR(0),
                                         struct CUstream_st *stream __LW_OR(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, __SIZE_TYPE__ *shared_bytes, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, __SIZE_TYPE__ shared_bytes,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        __SIZE_TYPE__ shared_bytes, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, cudaSharedMemConfig config);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaSetDoubleForDevice(double *number);
cudaError_t cudaSetDoubleForHost(double *number);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          __SIZE_TYPE__ shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int block_size,
                                                                   __SIZE_TYPE__ shared_bytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__SIZE_TYPE__ *bytes, const void *kernel, int blocks,
                                                      int block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxActiveClusters(int *count, const void *kernel, const cudaLaunchConfig_t *config);
__LW_END_C

#endif
