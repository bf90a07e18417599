// SPDX-License-Identifier: Apache-2.0
// CUDA arrays: memory with a format and an extent, row after row.
#ifndef LANEWISE_CUDART_ARRAYS_H
#define LANEWISE_CUDART_ARRAYS_H

namespace lw_cudart {

struct Array {
  uint32_t state; // of the handle
  char *memory;
  cudaChannelFormatDesc format;
  cudaExtent extent; // in elements; 0 for dimensions that it lacks
  unsigned int flags;
  size_t element; // bytes
  lw_pitch pitch;
};

Array *array_of(cudaArray_const_t array);
#define REQUIRE_ARRAY(name, handle)                                                                                    \
  Array *name = array_of(handle);                                                                                      \
  REQUIRE(name, cudaErrorInvalidResourceHandle, "array %p does not exist (any more)", (const void *)handle)

cudaError_t element_bytes(cudaArray_const_t array, size_t *bytes);

// The place of an element in an array, if a box from there is within it. `what` names the end of a copy.
cudaError_t end_in_array(cudaArray_const_t array, const cudaPos &position, const cudaExtent &extent, const char *what,
                         void **start, lw_pitch *pitch);

// Bytes of an element; fails for a format that there is not.
cudaError_t bytes_of_format(const cudaChannelFormatDesc &format, size_t *bytes);

} // namespace lw_cudart

#endif
