// SPDX-License-Identifier: Apache-2.0
// Memory of a GPU, and of the host's that it accesses.
#include "driver.h"
#include "host.h"

static int32_t gpu_allocate(uint64_t bytes, uint32_t kind, void **memory) {
  uint64_t address = 0;
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  size_t some = bytes > 0 ? bytes : 1;
  if (kind == LW_HOST_MEMORY)
    return DRIVE(cuMemHostAlloc, memory, some, DRIVER_HOST_PORTABLE | DRIVER_HOST_MAPPED);
  result = kind == LW_MANAGED_MEMORY ? DRIVE(cuMemAllocManaged, &address, some, DRIVER_ATTACH_GLOBAL)
                                     : DRIVE(cuMemAlloc_v2, &address, some);
  *memory = (void *)(uintptr_t)address;
  return result;
}

static int32_t gpu_free(void *memory, uint32_t kind) {
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  return kind == LW_HOST_MEMORY ? DRIVE(cuMemFreeHost, memory) : DRIVE(cuMemFree_v2, (uintptr_t)memory);
}

static int32_t gpu_register(void *memory, uint64_t bytes) {
  ENTER_GPU(result);
  return result == LW_SUCCESS
             ? DRIVE(cuMemHostRegister_v2, memory, bytes, DRIVER_HOST_PORTABLE | DRIVER_HOST_MAPPED)
             : result;
}

static int32_t gpu_unregister(void *memory) {
  ENTER_GPU(result);
  return result == LW_SUCCESS ? DRIVE(cuMemHostUnregister, memory) : result;
}
