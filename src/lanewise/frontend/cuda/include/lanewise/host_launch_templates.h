// SPDX-License-Identifier: Apache-2.0
// Host side: what C++ programs call of launches and occupancy, with kernels of any type.
#ifndef LANEWISE_HOST_LAUNCH_TEMPLATES_H
#define LANEWISE_HOST_LAUNCH_TEMPLATES_H

#include "lanewise/host_launch.h"

#ifdef __cplusplus

template <class Kernel>
inline cudaError_t cudaLaunchKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                    __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class Kernel>
inline cudaError_t cudaLaunchCooperativeKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                               __SIZE_TYPE__ shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class Kernel>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, Kernel *kernel, void **arguments) {
  return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
}
template <class Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class Kernel> inline cudaError_t cudaFuncSetCacheConfig(Kernel *kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class Kernel> inline cudaError_t cudaFuncSetSharedMemConfig(Kernel *kernel, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class Kernel> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel) {
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class Kernel> inline cudaError_t cudaFuncGetName(const char **name, Kernel *kernel) {
  return cudaFuncGetName(name, (const void *)kernel);
}
template <class Kernel> inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, Kernel *kernel) {
  return cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel *kernel, int block_size,
                                                                 __SIZE_TYPE__ shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size, shared_bytes);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel *kernel, int block_size,
                                                                          __SIZE_TYPE__ shared_bytes,
                                                                          unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block_size, shared_bytes,
                                                                flags);
}
template <class Kernel>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(__SIZE_TYPE__ *bytes, Kernel *kernel, int blocks,
                                                             int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, block_size);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, Kernel *kernel, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveClusters(int *count, Kernel *kernel, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(count, (const void *)kernel, config);
}

// The block size with the most threads at once on a multiprocessor, the largest of them; the grid that fills the GPU.
template <class Kernel, class Bytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *least_grid, int *block_size,
                                                                           Kernel kernel, Bytes shared_bytes,
                                                                           int block_limit = 0,
                                                                           unsigned int flags = 0) {
  if (!least_grid || !block_size || !kernel)
    return cudaErrorInvalidValue;
  int device, multiprocessors, threads, most = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess)
    error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
  if (error != cudaSuccess)
    return error;
  int limit = attributes.maxThreadsPerBlock;
  if (block_limit > 0 && block_limit < limit)
    limit = block_limit;
  *least_grid = *block_size = 0;
  for (int size = (limit + 31) / 32 * 32; size > 0 && most < threads; size -= 32) {
    int blocks, tried = size < limit ? size : limit;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)kernel, tried,
                                                                   shared_bytes(tried), flags);
    if (error != cudaSuccess)
      return error;
    if (blocks * tried > most) {
      most = blocks * tried;
      *block_size = tried;
      *least_grid = blocks * multiprocessors;
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
  __lw_same_bytes same = {shared_bytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(least_grid, block_size, kernel, same, block_limit,
                                                                 flags);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, Kernel kernel,
                                                      __SIZE_TYPE__ shared_bytes = 0, int block_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(least_grid, block_size, kernel, shared_bytes, block_limit);
}

// Arguments are converted to the kernel's parameters, whose addresses are what the launch takes.
template <class... Parameters> struct __lw_launch_with {
  static cudaError_t of(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), Parameters... parameters) {
    void *addresses[sizeof...(Parameters) + 1] = {(void *)&parameters..., (void *)0};
    return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
  }
};
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                      Arguments &&...arguments) {
  return __lw_launch_with<Parameters...>::of(config, kernel, static_cast<Arguments &&>(arguments)...);
}

#endif

#endif
