// SPDX-License-Identifier: Apache-2.0
// What the driver API says about a pointer.
#include "api.h"
#include "driver.h"
#include "memory.h"

namespace lw_cudart {

// Sets `value`, whose type depends on the attribute. cudaErrorInvalidValue for memory that is not CUDA's, and for one
// that the memory doesn't have.
static cudaError_t get_pointer_attribute(void *value, CUpointer_attribute attribute, CUdeviceptr memory) {
  lw_allocation found;
  REQUIRE(lw_memory_find(pointer_of(memory), &found), cudaErrorInvalidValue, "%p is in no memory that is allocated",
          pointer_of(memory));
  bool managed = is_managed(found);
  bool device = found.kind == LW_DEVICE_MEMORY || found.kind == LW_VARIABLE_MEMORY;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return current_context(static_cast<CUcontext *>(value));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<unsigned int *>(value) = device || managed ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<CUdeviceptr *>(value) = memory;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    REQUIRE(managed || !device, cudaErrorInvalidValue, "%p is memory of the device, without an address of the host's",
            pointer_of(memory));
    *static_cast<void **>(value) = pointer_of(memory);
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<unsigned int *>(value) = managed;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int *>(value) = 0;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    *static_cast<CUdeviceptr *>(value) = reinterpret_cast<CUdeviceptr>(found.address);
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    *static_cast<size_t *>(value) = found.bytes;
    return cudaSuccess;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<unsigned char *>(value) = 1;
    return cudaSuccess;
  default:
    return fail(cudaErrorNotSupported, "the attribute %d of a pointer is not known", attribute);
  }
}

LW_API CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr memory) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(value);
    return get_pointer_attribute(value, attribute, memory);
  });
}

// Attributes that the memory doesn't have are left 0, which is no error here.
LW_API CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **values,
                                       CUdeviceptr memory) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(attributes);
    REQUIRE_POINTER(values);
    for (unsigned int i = 0; i < count; i++) {
      REQUIRE_POINTER(values[i]);
      CUpointer_attribute attribute = attributes[i];
      cudaError_t error = get_pointer_attribute(values[i], attribute, memory);
      if (error == cudaErrorNotSupported)
        return error;
      if (error == cudaSuccess)
        continue;
      bool is_word = attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
                     attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
      size_t bytes = attribute == CU_POINTER_ATTRIBUTE_MAPPED ? 1 : is_word ? 4 : 8;
      memset(values[i], 0, bytes);
      if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        *static_cast<int *>(values[i]) = -2; // CU_DEVICE_INVALID
      reason()[0] = 0;
    }
    return cudaSuccess;
  });
}

} // namespace lw_cudart
