// SPDX-License-Identifier: Apache-2.0
// Host side: launching kernels, by `kernel<<<grid, block, shared, stream>>>(...)` and by function.
#ifndef LANEWISE_HOST_LAUNCH_H
#define LANEWISE_HOST_LAUNCH_H

#include "lanewise/host_device.h"
#include "lanewise/host_streams.h"
#include "lanewise/vector_types.h"

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
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
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
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          __SIZE_TYPE__ shared_bytes);
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

#endif
