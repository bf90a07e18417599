// SPDX-License-Identifier: Apache-2.0
// Launches of kernels.
#include "runtime.h"

namespace {

enum { MOST_ARGUMENT_BYTES = 32764 }; // CUDA's limit, compute capability 7.0 and up

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

// Those of launches inside the arguments of launches.
struct ConfigurationStack {
  enum { MOST = 16 };
  Configuration all[MOST];
  int count;
};
thread_local ConfigurationStack configurations __attribute__((tls_model("initial-exec")));

// The arguments as the kernel has them, in `packed`.
void pack(const lw_kernel_image *kernel, void **arguments, char *packed) {
  for (uint32_t i = 0; i < kernel->num_parameters; ++i)
    memcpy(packed + kernel->parameters[i].offset, arguments[i], kernel->parameters[i].bytes);
}

lw_kernel_launch launch_of(const lw_kernel_image *kernel, dim3 grid, dim3 block, size_t shared_bytes, uint32_t flags,
                           const char *packed) {
  lw_kernel_launch launch = {};
  launch.kernel = kernel;
  launch.args = packed;
  launch.grid[0] = grid.x, launch.grid[1] = grid.y, launch.grid[2] = grid.z;
  launch.block[0] = block.x, launch.block[1] = block.y, launch.block[2] = block.z;
  launch.dynamic_shared = shared_bytes > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(shared_bytes);
  launch.flags = flags;
  return launch;
}

cudaError_t launch_kernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                          cudaStream_t stream, uint32_t flags, const char *function) {
  const lw_kernel_image *kernel = kernel_of(stub);
  if (kernel == nullptr)
    return objected(cudaErrorInvalidDeviceFunction, function, "the function is no kernel of this program");
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return cudaErrorInvalidResourceHandle;
  if (kernel->args_bytes > MOST_ARGUMENT_BYTES || (arguments == nullptr && kernel->num_parameters > 0))
    return cudaErrorInvalidValue;
  alignas(64) char packed[MOST_ARGUMENT_BYTES];
  pack(kernel, arguments, packed);
  lw_kernel_launch launch = launch_of(kernel, grid, block, shared_bytes, flags, packed);
  int32_t result = lw_queue_launch(queue, &launch);
  if (result == LW_BAD_POINTER) {
    cudaError_t error = from_host(result, function);
    tell_once(function, "a kernel can't access memory of the host: allocate it by cudaMalloc and copy by cudaMemcpy, "
                        "or allocate it by cudaMallocManaged; LANEWISE_HOST_POINTERS=1 allows it");
    return error;
  }
  if (result == LW_BAD_GEOMETRY && flags & LW_COOPERATIVE && strstr(lw_explanation(), "cooperative") != nullptr)
    return objected(cudaErrorCooperativeLaunchTooLarge, function, lw_explanation());
  return from_host(result, function);
}

} // namespace

CUDART unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
  ConfigurationStack &stack = configurations;
  if (stack.count == ConfigurationStack::MOST)
    return 1;
  stack.all[stack.count++] = {grid, block, shared_bytes, static_cast<cudaStream_t>(stream)};
  return 0;
}

CUDART unsigned int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  ConfigurationStack &stack = configurations;
  if (stack.count == 0)
    return cudaErrorMissingConfiguration;
  const Configuration &top = stack.all[--stack.count];
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  return 0;
}

CUDART cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                                    cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(launch_kernel(kernel, grid, block, arguments, shared_bytes, stream, 0, "cudaLaunchKernel"));
}

CUDART cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared_bytes, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(launch_kernel(kernel, grid, block, arguments, shared_bytes, stream, LW_COOPERATIVE,
                            "cudaLaunchCooperativeKernel"));
}

CUDART cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
  RETURN_IF_STICKY();
  if (config == nullptr)
    return done(cudaErrorInvalidValue);
  uint32_t flags = 0;
  for (unsigned int i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeCooperative && config->attrs[i].val.cooperative != 0)
      flags |= LW_COOPERATIVE;
  return done(launch_kernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                            config->stream, flags, "cudaLaunchKernelEx"));
}

CUDART cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
  const lw_kernel_image *found = kernel_of(kernel);
  if (name == nullptr || found == nullptr)
    return done(name == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
  *name = found->symbol;
  return cudaSuccess;
}
