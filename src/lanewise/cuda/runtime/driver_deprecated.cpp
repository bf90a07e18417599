// SPDX-License-Identifier: Apache-2.0
// What the driver API had before CUDA 4: programs that open the driver by a list of all its functions need these, too.
// A function's block, shared memory and arguments are set one after another before its launch.
#include "api.h"
#include "driver.h"
#include "functions.h"
#include "gpu.h"

namespace lw_cudart {

struct OldLaunch {
  CUfunction function;
  unsigned int block[3];
  unsigned int shared_bytes;
  size_t bytes;                         // of arguments
  alignas(16) unsigned char values[4096]; // of arguments
};
static List<OldLaunch *> old_launches;
static Lock old_launches_lock;

// What is set of a function.
static cudaError_t find_launch(CUfunction function, OldLaunch **found) {
  Function *known;
  REQUIRE_SUCCESS(find_function(function, &known));
  Held held(old_launches_lock);
  for (OldLaunch *launch : old_launches)
    if (launch->function == function) {
      *found = launch;
      return cudaSuccess;
    }
  OldLaunch *made = static_cast<OldLaunch *>(calloc(1, sizeof *made));
  if (made)
    made->function = function;
  bool kept = made && old_launches.add(made);
  if (!kept)
    free(made);
  REQUIRE(kept, cudaErrorMemoryAllocation, "no memory for a launch");
  *found = made;
  return cudaSuccess;
}

LW_API CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return DRIVER_CALL(CONTEXT, {
    OldLaunch *launch;
    REQUIRE_SUCCESS(find_launch(function, &launch));
    const int extents[] = {x, y, z};
    for (int i = 0; i < 3; ++i)
      launch->block[i] = static_cast<unsigned int>(extents[i]);
    return cudaSuccess;
  });
}

LW_API CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return DRIVER_CALL(CONTEXT, {
    OldLaunch *launch;
    REQUIRE_SUCCESS(find_launch(function, &launch));
    launch->shared_bytes = bytes;
    return cudaSuccess;
  });
}

static cudaError_t require_room(size_t offset, size_t bytes) {
  REQUIRE(offset <= sizeof OldLaunch::values && bytes <= sizeof OldLaunch::values - offset, cudaErrorInvalidValue,
          "%zu bytes at %zu are more than a kernel takes", bytes, offset);
  return cudaSuccess;
}

LW_API CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  return DRIVER_CALL(CONTEXT, {
    OldLaunch *launch;
    REQUIRE_SUCCESS(find_launch(function, &launch));
    REQUIRE_SUCCESS(require_room(0, bytes));
    launch->bytes = bytes;
    return cudaSuccess;
  });
}

static cudaError_t set_argument(CUfunction function, int offset, const void *value, size_t bytes) {
  OldLaunch *launch;
  REQUIRE_POINTER(value);
  REQUIRE_SUCCESS(find_launch(function, &launch));
  REQUIRE_SUCCESS(require_room(static_cast<size_t>(offset), bytes));
  memcpy(launch->values + offset, value, bytes);
  return cudaSuccess;
}

LW_API CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return DRIVER_CALL(CONTEXT, { return set_argument(function, offset, &value, sizeof value); });
}
LW_API CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return DRIVER_CALL(CONTEXT, { return set_argument(function, offset, &value, sizeof value); });
}
LW_API CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes) {
  return DRIVER_CALL(CONTEXT, { return set_argument(function, offset, value, bytes); });
}

static cudaError_t launch_old(CUfunction function, int width, int height, CUstream stream) {
  OldLaunch *launch;
  REQUIRE_SUCCESS(find_launch(function, &launch));
  const unsigned int *block = launch->block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch->values, CU_LAUNCH_PARAM_BUFFER_SIZE, &launch->bytes,
                   CU_LAUNCH_PARAM_END};
  return launch_function(function, dim3(static_cast<unsigned int>(width), static_cast<unsigned int>(height), 1),
                         dim3(block[0], block[1], block[2]), launch->shared_bytes, stream, nullptr, extra);
}

LW_API CUresult cuLaunch(CUfunction function) {
  return DRIVER_CALL(CONTEXT, { return launch_old(function, 1, 1, nullptr); });
}
LW_API CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return DRIVER_CALL(CONTEXT, { return launch_old(function, width, height, nullptr); });
}
LW_API CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return launch_old(function, width, height, stream); });
}

LW_API CUresult cuDeviceGetProperties(CUdevprop *found, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(found);
    REQUIRE_SUCCESS(require_device(device));
    const cudaDeviceProp &known = properties();
    found->maxThreadsPerBlock = known.maxThreadsPerBlock;
    for (int i = 0; i < 3; ++i) {
      found->maxThreadsDim[i] = known.maxThreadsDim[i];
      found->maxGridSize[i] = known.maxGridSize[i];
    }
    found->sharedMemPerBlock = static_cast<int>(known.sharedMemPerBlock);
    found->totalConstantMemory = static_cast<int>(known.totalConstMem);
    found->SIMDWidth = known.warpSize;
    found->memPitch = static_cast<int>(known.memPitch);
    found->regsPerBlock = known.regsPerBlock;
    found->clockRate = known.clockRate;
    found->textureAlign = static_cast<int>(known.textureAlignment);
    return cudaSuccess;
  });
}

LW_API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) { return cuModuleLoadData(module, image); }

LW_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}
LW_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  return DRIVER_CALL(CONTEXT, {
    cudaSharedMemConfig found;
    REQUIRE_POINTER(config);
    REQUIRE_SUCCESS(cudaDeviceGetSharedMemConfig(&found));
    *config = static_cast<CUsharedconfig>(found);
    return cudaSuccess;
  });
}
LW_API CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return DRIVER_CALL(CONTEXT,
                     { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}

LW_API CUresult cuProfilerStart() {
  return DRIVER_CALL(CONTEXT, { return cudaSuccess; });
}
LW_API CUresult cuProfilerStop() {
  return DRIVER_CALL(CONTEXT, { return cudaSuccess; });
}

} // namespace lw_cudart
