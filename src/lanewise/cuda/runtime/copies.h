// SPDX-License-Identifier: Apache-2.0
// Copies in all directions, and fills: checked, then handed to a stream.
#ifndef LANEWISE_CUDART_COPIES_H
#define LANEWISE_CUDART_COPIES_H

#include "streams.h"

namespace lw_cudart {

// Fails if an end of the copy is not what `kind` says, or leaves its allocation.
cudaError_t check_copy(const Copy &copy, cudaMemcpyKind kind);

// Checks a copy, does it, and waits for it where NVIDIA's runtime does.
cudaError_t copy_now(const Copy &copy, cudaMemcpyKind kind);
cudaError_t copy_later(const Copy &copy, cudaMemcpyKind kind, cudaStream_t stream);

inline Copy one_row(void *target, const void *source, size_t bytes) {
  return {target, {bytes, bytes}, source, {bytes, bytes}, {bytes, 1, 1}};
}

// The copy that `parameters` describe, of memory and arrays.
cudaError_t box_copy(const cudaMemcpy3DParms *parameters, Copy *copy, cudaMemcpyKind *kind);

cudaError_t check_fill(const Fill &fill);
Fill byte_fill(void *memory, int value, const lw_pitch &pitch, const lw_box &box);

} // namespace lw_cudart

#endif
