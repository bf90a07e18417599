// SPDX-License-Identifier: Apache-2.0
// Attributes of kernels, and how many of their blocks the described GPU holds.
#include "api.h"
#include "functions.h"
#include "gpu.h"
#include "kernel_launches.h"
#include "occupancy.h"

namespace lw_cudart {

int max_threads(const Function *function) {
  uint32_t bound = function->kernel->max_threads;
  return bound && bound < 1024 ? static_cast<int>(bound) : 1024;
}

int active_blocks(const Function *function, int threads, size_t dynamic_shared) {
  const cudaDeviceProp &p = properties();
  if (threads < 1 || threads > max_threads(function))
    return 0;
  int warps = (threads + 31) / 32;
  int blocks = p.maxThreadsPerMultiProcessor / 32 / warps;
  int by_registers = REGISTERS / (warps * 32 * REGISTERS_OF_A_THREAD);
  size_t shared = function->kernel->shared_bytes + dynamic_shared + p.reservedSharedMemPerBlock;
  size_t by_shared = shared ? p.sharedMemPerMultiprocessor / shared : static_cast<size_t>(blocks);
  if (blocks > by_registers)
    blocks = by_registers;
  if (static_cast<size_t>(blocks) > by_shared)
    blocks = static_cast<int>(by_shared);
  return blocks < p.maxBlocksPerMultiProcessor ? blocks : p.maxBlocksPerMultiProcessor;
}

LW_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel) {
  return CALL({
    REQUIRE_POINTER(attributes);
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = function->kernel->shared_bytes;
    attributes->maxThreadsPerBlock = max_threads(function);
    attributes->numRegs = REGISTERS_OF_A_THREAD;
    attributes->ptxVersion = attributes->binaryVersion = 10 * gpu().major + gpu().minor;
    attributes->maxDynamicSharedSizeBytes = dynamic_limit(function);
    attributes->preferredShmemCarveout = function->carveout;
    return cudaSuccess;
  });
}

static cudaError_t set_dynamic_limit(Function *function, int value) {
  int most = static_cast<int>(properties().sharedMemPerBlockOptin) - static_cast<int>(function->kernel->shared_bytes);
  REQUIRE(value >= 0 && value <= most, cudaErrorInvalidValue,
          "kernel %s: %d bytes of dynamic shared memory beside %u static ones: at most %d", function->kernel->name,
          value, function->kernel->shared_bytes, most);
  function->dynamic_limit = value;
  return cudaSuccess;
}

LW_API cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
  return CALL({
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return set_dynamic_limit(function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      REQUIRE(value >= -1 && value <= 100, cudaErrorInvalidValue, "a carveout of %d: it must be -1 to 100", value);
      function->carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue, "attribute %d can't be set", attribute);
    }
  });
}

LW_API cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config) {
  return CALL({
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    REQUIRE((unsigned int)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue, "there is no preference %d",
            config);
    function->cache = config;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, cudaSharedMemConfig config) {
  return CALL({
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    REQUIRE((unsigned int)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue,
            "there are no banks of kind %d", config);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
  return CALL({
    REQUIRE_POINTER(name);
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    *name = function->symbol;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *kernel) {
  return CALL({
    REQUIRE_POINTER(handle);
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    *handle = reinterpret_cast<cudaFunction_t>(const_cast<void *>(kernel));
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                          int block_size, size_t shared_bytes,
                                                                          unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(blocks);
    REQUIRE(block_size > 0, cudaErrorInvalidValue, "a block of %d threads", block_size);
    REQUIRE(flags <= cudaOccupancyDisableCachingOverride, cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    *blocks = active_blocks(function, block_size, shared_bytes);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                                 size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size, shared_bytes, 0);
}

LW_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                             int block_size) {
  return CALL({
    REQUIRE_POINTER(bytes);
    REQUIRE(blocks > 0 && block_size > 0, cudaErrorInvalidValue, "%d blocks of %d threads", blocks, block_size);
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    const cudaDeviceProp &p = properties();
    REQUIRE(active_blocks(function, block_size, 0) >= blocks, cudaErrorInvalidValue,
            "%d blocks of %d threads don't fit on a multiprocessor", blocks, block_size);
    size_t each = p.sharedMemPerMultiprocessor / static_cast<size_t>(blocks);
    size_t taken = function->kernel->shared_bytes + p.reservedSharedMemPerBlock;
    size_t left = each > taken ? each - taken : 0, most = p.sharedMemPerBlockOptin - function->kernel->shared_bytes;
    *bytes = left < most ? left : most;
    return cudaSuccess;
  });
}

static cudaError_t no_clusters() { return fail(cudaErrorNotSupported, "clusters of blocks are not supported"); }

LW_API cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *, const cudaLaunchConfig_t *) {
  return CALL({ return no_clusters(); });
}

LW_API cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *, const cudaLaunchConfig_t *) {
  return CALL({ return no_clusters(); });
}

LW_API cudaError_t cudaSetDoubleForDevice(double *) {
  return CALL({ return cudaSuccess; });
}
LW_API cudaError_t cudaSetDoubleForHost(double *) {
  return CALL({ return cudaSuccess; });
}

} // namespace lw_cudart
