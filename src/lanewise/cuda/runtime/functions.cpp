// SPDX-License-Identifier: Apache-2.0
// Attributes of kernels, and how many blocks of one a multiprocessor of the described GPU would hold.
#include "runtime.h"

namespace {

enum { REGISTERS_OF_THREAD = 32 };

size_t shared_limit_of(const lw_kernel_image *kernel) {
  return gpu().shared_of_block > kernel->shared_bytes ? gpu().shared_of_block - kernel->shared_bytes : 0;
}

int threads_limit_of(const lw_kernel_image *kernel) {
  return kernel->max_threads > 0 && kernel->max_threads < THREADS_OF_BLOCK ? static_cast<int>(kernel->max_threads)
                                                                           : static_cast<int>(THREADS_OF_BLOCK);
}

int blocks_of(const lw_kernel_image *kernel, int block_size, size_t shared_bytes) {
  int threads = (block_size + WARP - 1) / WARP * WARP;
  int blocks = gpu().threads_of_multiprocessor / threads;
  int by_registers = REGISTERS / (REGISTERS_OF_THREAD * threads);
  if (by_registers < blocks)
    blocks = by_registers;
  size_t shared = kernel->shared_bytes + shared_bytes + SHARED_RESERVED;
  size_t by_shared = shared_of_multiprocessor() / shared;
  if (by_shared < static_cast<size_t>(blocks))
    blocks = static_cast<int>(by_shared);
  return blocks < gpu().blocks_of_multiprocessor ? blocks : gpu().blocks_of_multiprocessor;
}

} // namespace

CUDART cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  RETURN_IF_STICKY();
  const lw_kernel_image *kernel = kernel_of(function);
  if (attributes == nullptr || kernel == nullptr)
    return done(attributes == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
  memset(attributes, 0, sizeof *attributes);
  attributes->sharedSizeBytes = kernel->shared_bytes;
  attributes->maxThreadsPerBlock = threads_limit_of(kernel);
  attributes->numRegs = REGISTERS_OF_THREAD;
  attributes->ptxVersion = attributes->binaryVersion = 10 * gpu().major + gpu().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(shared_limit_of(kernel));
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

CUDART cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  RETURN_IF_STICKY();
  const lw_kernel_image *kernel = kernel_of(function);
  if (kernel == nullptr)
    return done(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
      (value < 0 || static_cast<size_t>(value) > shared_limit_of(kernel)))
    return done(cudaErrorInvalidValue);
  return cudaSuccess;
}

CUDART cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
  RETURN_IF_STICKY();
  return done(kernel_of(function) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

CUDART cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig) {
  RETURN_IF_STICKY();
  return done(kernel_of(function) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

CUDART cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                          int block_size, size_t shared_bytes,
                                                                          unsigned int) {
  RETURN_IF_STICKY();
  const lw_kernel_image *kernel = kernel_of(function);
  if (blocks == nullptr || block_size < 1)
    return done(cudaErrorInvalidValue);
  if (kernel == nullptr)
    return done(cudaErrorInvalidDeviceFunction);
  bool fits = block_size <= threads_limit_of(kernel) && shared_bytes <= shared_limit_of(kernel);
  *blocks = fits ? blocks_of(kernel, block_size, shared_bytes) : 0;
  return cudaSuccess;
}

CUDART cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                                 size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, 0);
}

CUDART cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                             int block_size) {
  RETURN_IF_STICKY();
  const lw_kernel_image *kernel = kernel_of(function);
  if (bytes == nullptr || blocks < 1 || block_size < 1)
    return done(cudaErrorInvalidValue);
  if (kernel == nullptr)
    return done(cudaErrorInvalidDeviceFunction);
  size_t each = shared_of_multiprocessor() / static_cast<size_t>(blocks);
  size_t taken = kernel->shared_bytes + SHARED_RESERVED;
  size_t left = each > taken ? each - taken : 0;
  *bytes = left < shared_limit_of(kernel) ? left : shared_limit_of(kernel);
  return cudaSuccess;
}
