// SPDX-License-Identifier: Apache-2.0
// cuda::aligned_size_t: a number of bytes that is known to be a multiple of an alignment.
#ifndef LANEWISE_ALIGNED_SIZE_H
#define LANEWISE_ALIGNED_SIZE_H

#include "lanewise/qualifiers.h"

namespace cuda {
template <__SIZE_TYPE__ Alignment> struct aligned_size_t {
  static constexpr __SIZE_TYPE__ align = Alignment;
  __SIZE_TYPE__ value;
  constexpr explicit __host__ __device__ aligned_size_t(__SIZE_TYPE__ size) : value(size) {}
  constexpr __host__ __device__ operator __SIZE_TYPE__() const { return value; }
};
} // namespace cuda

#endif
