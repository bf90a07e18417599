// SPDX-License-Identifier: Apache-2.0
// Launches: configurations pushed by <<<...>>>, checks, and packed arguments.
#include "api.h"
#include "functions.h"
#include "gpu.h"
#include "kernel_launches.h"
#include "occupancy.h"
#include "streams.h"

namespace lw_cudart {

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};
struct PlainConfiguration { // without constructors
  alignas(Configuration) char bytes[sizeof(Configuration)];
};
// Those of launches within the arguments of launches. Each stays if an argument throws: the oldest give way.
struct Configurations {
  enum { MOST = 32 };
  PlainConfiguration all[MOST];
  unsigned int count;
};
static ThreadMemory<Configurations> configurations;

LW_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st *stream) {
  Configurations *own = configurations.get();
  Configuration given = {grid, block, shared_bytes, stream};
  memcpy(&own->all[own->count++ % Configurations::MOST], &given, sizeof given);
  return 0;
}

LW_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  Configurations *own = configurations.get();
  if (!own->count)
    return record(cudaErrorMissingConfiguration);
  Configuration given;
  memcpy(static_cast<void *>(&given), &own->all[--own->count % Configurations::MOST], sizeof given);
  *grid = given.grid;
  *block = given.block;
  *shared_bytes = given.shared_bytes;
  *static_cast<cudaStream_t *>(stream) = given.stream;
  return cudaSuccess;
}

static cudaError_t check_extents(const dim3 &grid, const dim3 &block, const Function *function) {
  const cudaDeviceProp &limits = properties();
  const unsigned int grids[] = {grid.x, grid.y, grid.z}, blocks[] = {block.x, block.y, block.z};
  for (int i = 0; i < 3; ++i) {
    REQUIRE(grids[i] && grids[i] <= static_cast<unsigned int>(limits.maxGridSize[i]), cudaErrorInvalidConfiguration,
            "kernel %s: a grid of (%u, %u, %u) blocks: %c must be 1 to %d", function->kernel->name, grid.x, grid.y,
            grid.z, "xyz"[i], limits.maxGridSize[i]);
    REQUIRE(blocks[i] && blocks[i] <= static_cast<unsigned int>(limits.maxThreadsDim[i]), cudaErrorInvalidConfiguration,
            "kernel %s: a block of (%u, %u, %u) threads: %c must be 1 to %d", function->kernel->name, block.x, block.y,
            block.z, "xyz"[i], limits.maxThreadsDim[i]);
  }
  uint64_t threads = static_cast<uint64_t>(block.x) * block.y * block.z;
  REQUIRE(threads <= static_cast<uint64_t>(limits.maxThreadsPerBlock), cudaErrorInvalidConfiguration,
          "kernel %s: a block of %u * %u * %u = %llu threads: at most %d", function->kernel->name, block.x, block.y,
          block.z, static_cast<unsigned long long>(threads), limits.maxThreadsPerBlock);
  REQUIRE(threads <= static_cast<uint64_t>(max_threads(function)), cudaErrorLaunchOutOfResources,
          "kernel %s: a block of %llu threads: its __launch_bounds__ allow %d", function->kernel->name,
          static_cast<unsigned long long>(threads), max_threads(function));
  return cudaSuccess;
}

int dynamic_limit(const Function *function) {
  if (function->dynamic_limit >= 0)
    return function->dynamic_limit;
  int left = SHARED_BYTES - static_cast<int>(function->kernel->shared_bytes);
  return left > 0 ? left : 0;
}

static cudaError_t check_launch(const Function *function, const dim3 &grid, const dim3 &block, size_t shared_bytes,
                                uint32_t flags) {
  REQUIRE_SUCCESS(check_extents(grid, block, function));
  REQUIRE(shared_bytes <= static_cast<size_t>(dynamic_limit(function)), cudaErrorInvalidValue,
          "kernel %s: %zu bytes of dynamic shared memory, beside %u static ones: at most %d%s", function->kernel->name,
          shared_bytes, function->kernel->shared_bytes, dynamic_limit(function),
          function->dynamic_limit < 0 ? " unless cudaFuncSetAttribute raises the limit" : "");
  if (flags & LW_COOPERATIVE) {
    uint64_t blocks = static_cast<uint64_t>(grid.x) * grid.y * grid.z;
    int threads = static_cast<int>(block.x * block.y * block.z);
    uint64_t most = static_cast<uint64_t>(active_blocks(function, threads, shared_bytes)) *
                    static_cast<uint64_t>(gpu().multiprocessors);
    REQUIRE(blocks <= most, cudaErrorCooperativeLaunchTooLarge,
            "kernel %s: a cooperative launch of %llu blocks: the device has room for %llu at once",
            function->kernel->name, static_cast<unsigned long long>(blocks), static_cast<unsigned long long>(most));
  }
  return cudaSuccess;
}

cudaError_t prepare_launch(Function *function, const dim3 &grid, const dim3 &block, size_t shared_bytes, uint32_t flags,
                           Launch *launch) {
  REQUIRE(!function->kernel->refusal || lw_is_gpu(), cudaErrorNoKernelImageForDevice, "kernel %s can't run on the CPU: %s",
          function->kernel->name, function->kernel->refusal);
  REQUIRE_SUCCESS(check_launch(function, grid, block, shared_bytes, flags));
  launch->function = function;
  launch->request = {function->kernel,
                     nullptr,
                     {grid.x, grid.y, grid.z},
                     {block.x, block.y, block.z},
                     static_cast<uint32_t>(shared_bytes),
                     flags};
  return cudaSuccess;
}

cudaError_t pack(const lw_kernel_image *kernel, void **arguments, void *packed) {
  REQUIRE(arguments || !kernel->num_parameters, cudaErrorInvalidValue, "kernel %s: no arguments were given",
          kernel->name);
  for (uint32_t i = 0; i < kernel->num_parameters; ++i) {
    const lw_parameter &parameter = kernel->parameters[i];
    REQUIRE(arguments[i], cudaErrorInvalidValue, "kernel %s: the address of argument %u is null", kernel->name, i);
    memcpy(static_cast<char *>(packed) + parameter.offset, arguments[i], parameter.bytes);
  }
  return cudaSuccess;
}

// An argument that points to no memory of the device fails as the kernel would: not the launch, but what follows it.
static cudaError_t launched(cudaError_t error) {
  if (__builtin_expect(error != cudaErrorIllegalAddress, 1))
    return error;
  bool was_freed = strstr(reason(), "has been freed") != nullptr;
  say("%s%s (cudaErrorIllegalAddress)", reason(),
      was_freed ? ""
                : "; copy the data to memory from cudaMalloc by cudaMemcpy, or allow kernels to use the host's memory "
                  "by LANEWISE_HOST_POINTERS=1");
  reason()[0] = 0;
  set_sticky_error(cudaErrorIllegalAddress);
  return cudaSuccess;
}

cudaError_t launch_kernel(Function *function, const dim3 &grid, const dim3 &block, void **arguments,
                          size_t shared_bytes, cudaStream_t handle, uint32_t flags) {
  REQUIRE_STREAM(stream, handle);
  prepare_for_launches();
  Launch launch;
  REQUIRE_SUCCESS(prepare_launch(function, grid, block, shared_bytes, flags, &launch));
  alignas(64) char room[1024];
  const lw_kernel_image *kernel = function->kernel;
  char *packed = room;
  if (__builtin_expect(kernel->args_bytes > sizeof room, 0)) {
    packed = static_cast<char *>(aligned_alloc(64, (kernel->args_bytes + 63u) / 64 * 64));
    REQUIRE(packed, cudaErrorMemoryAllocation, "kernel %s: no memory for its arguments", kernel->name);
  }
  cudaError_t error = pack(kernel, arguments, packed);
  launch.request.args = packed;
  if (error == cudaSuccess)
    error = launched(submit(stream, launch));
  if (packed != room)
    free(packed);
  return error;
}

LW_API cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                    cudaStream_t stream) {
  return CALL({
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    return launch_kernel(function, grid, block, arguments, shared_bytes, stream, 0);
  });
}

LW_API cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared_bytes, cudaStream_t stream) {
  return CALL({
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    return launch_kernel(function, grid, block, arguments, shared_bytes, stream, LW_COOPERATIVE);
  });
}

LW_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  return CALL({
    REQUIRE_POINTER(config);
    REQUIRE(config->attrs || !config->numAttrs, cudaErrorInvalidValue, "attrs is null");
    uint32_t flags = 0;
    for (unsigned int i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute &attribute = config->attrs[i];
      if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative)
        flags |= LW_COOPERATIVE;
      const auto &cluster = attribute.val.clusterDim;
      REQUIRE(attribute.id != cudaLaunchAttributeClusterDimension || (uint64_t)cluster.x * cluster.y * cluster.z <= 1,
              cudaErrorNotSupported, "clusters of blocks are not supported");
    }
    Function *function;
    REQUIRE_SUCCESS(find_function(kernel, &function));
    return launch_kernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                         config->stream, flags);
  });
}

LW_API cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  return CALL({
    REQUIRE(!__cudaPushCallConfiguration(grid, block, shared_bytes, stream), cudaErrorMissingConfiguration,
            "too many launches within one another");
    return cudaSuccess;
  });
}

} // namespace lw_cudart
