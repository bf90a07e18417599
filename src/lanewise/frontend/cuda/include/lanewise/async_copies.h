// SPDX-License-Identifier: Apache-2.0
// Copies of a group of threads that the program takes to go on meanwhile. They are done at once.
#ifndef LANEWISE_ASYNC_COPIES_H
#define LANEWISE_ASYNC_COPIES_H

#include "lanewise/aligned_size.h"
#include "lanewise/qualifiers.h"

namespace cuda {

enum class async_contract_fulfillment { none, async };

// The thread number `rank` of `step` copies its part of `bytes`.
static __attribute__((device, always_inline, nodebug)) inline async_contract_fulfillment
__lw_async_copy(__SIZE_TYPE__ rank, __SIZE_TYPE__ step, void *target, const void *source, __SIZE_TYPE__ bytes) {
  typedef unsigned int __attribute__((may_alias)) word;
  __SIZE_TYPE__ together = reinterpret_cast<__SIZE_TYPE__>(target) | reinterpret_cast<__SIZE_TYPE__>(source) | bytes;
  if (together % sizeof(word) == 0) {
    for (__SIZE_TYPE__ i = rank; i < bytes / sizeof(word); i += step)
      static_cast<word *>(target)[i] = static_cast<const word *>(source)[i];
  } else {
    for (__SIZE_TYPE__ i = rank; i < bytes; i += step)
      static_cast<unsigned char *>(target)[i] = static_cast<const unsigned char *>(source)[i];
  }
  return async_contract_fulfillment::none;
}

} // namespace cuda

#endif
