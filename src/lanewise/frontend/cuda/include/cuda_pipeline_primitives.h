// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a thread to shared memory: each is done at once, so that waiting has nothing to wait for.
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "lanewise/qualifiers.h"

// Copy `bytes` (4, 8 or 16), of which the last `zeros` are zeros rather than read.
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ target,
                                                              const void *__restrict__ source, __SIZE_TYPE__ bytes,
                                                              __SIZE_TYPE__ zeros = 0) {
  typedef unsigned int __attribute__((may_alias)) word;
  if ((zeros | bytes) % sizeof(word) == 0) {
    for (__SIZE_TYPE__ i = 0; i < bytes / sizeof(word); ++i)
      static_cast<word *>(target)[i] = i < (bytes - zeros) / sizeof(word) ? static_cast<const word *>(source)[i] : 0;
  } else {
    for (__SIZE_TYPE__ i = 0; i < bytes; ++i)
      static_cast<unsigned char *>(target)[i] = i < bytes - zeros ? static_cast<const unsigned char *>(source)[i] : 0;
  }
}

static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(__SIZE_TYPE__) {}

#endif
