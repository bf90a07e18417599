// SPDX-License-Identifier: Apache-2.0
// NVIDIA's GPU as a device: what its driver says of it.
#include "cuda_device.h"
#include "devices.h"

namespace lw_opencl {

DeviceKind cuda_kind;
static lw_gpu cuda_gpu;

// CUdevice_attribute
enum : int32_t {
  MOST_THREADS = 1,
  MOST_THREADS_Z = 4,
  MOST_BLOCKS_Y = 6,
  SHARED_BYTES_OF_BLOCK = 8,
  CLOCK_KHZ = 13,
  MULTIPROCESSORS = 16,
  IS_INTEGRATED = 18,
  CORRECTS_ERRORS = 32,
  CACHE_BYTES = 38,
};

enum : cl_uint { NVIDIA = 0x10DE, CACHE_LINE_BYTES = 128 };

static uint32_t attribute(int32_t number) {
  int32_t value = 0;
  return lw_gpu_attribute(number, &value) == LW_SUCCESS && value > 0 ? static_cast<uint32_t>(value) : 0;
}

static bool describe_cuda_device() {
  if (lw_gpu_open("LANEWISE_OPENCL_DEVICES=cuda") != LW_SUCCESS || lw_gpu_describe(&cuda_gpu) != LW_SUCCESS)
    return false;
  root_devices[NUM_KINDS - 1].threads = attribute(MULTIPROCESSORS);
  // Static local memory is never more than what a block has without having asked for it.
  cuda_kind = {"cuda", CL_DEVICE_TYPE_GPU, false, true, true, false,
               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
               0, attribute(MOST_THREADS), attribute(MOST_THREADS_Z), attribute(SHARED_BYTES_OF_BLOCK),
               attribute(MOST_BLOCKS_Y)};
  return true;
}

bool open_cuda_device() { return cuda_kind.most_work_items || describe_cuda_device(); }

uint64_t bytes_of_cuda_device() { return cuda_gpu.memory_bytes; }

cl_int cuda_device_info(cl_enum what, const Answer &answer, bool &is_known) {
  switch (what) {
  case CL_DEVICE_NAME: {
    char name[sizeof cuda_gpu.name + 16];
    snprintf(name, sizeof name, "lanewise-cuda: %s", cuda_gpu.name);
    return answer.text(name);
  }
  case CL_DEVICE_VENDOR:
    return answer.text("NVIDIA Corporation");
  case CL_DEVICE_VENDOR_ID:
    return answer.value<cl_uint>(NVIDIA);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    size_t sizes[3] = {cuda_kind.most_work_items, cuda_kind.most_work_items, cuda_kind.most_along_z};
    return answer.value(sizes);
  }
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return answer.value<cl_uint>(attribute(CLOCK_KHZ) / 1000);
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return answer.value<cl_ulong>(cuda_gpu.memory_bytes);
  case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    return answer.value<cl_ulong>(attribute(CACHE_BYTES));
  case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
    return answer.value<cl_uint>(CACHE_LINE_BYTES);
  case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
    return answer.value<cl_bool>(attribute(CORRECTS_ERRORS) != 0);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
    return answer.value<cl_bool>(attribute(IS_INTEGRATED) != 0);
  case CL_DEVICE_UUID_KHR:
    return answer.value(cuda_gpu.uuid);
  default:
    is_known = false;
    return CL_SUCCESS;
  }
}

} // namespace lw_opencl
