// SPDX-License-Identifier: Apache-2.0
// Answers that are arrays.
#ifndef LANEWISE_CUDART_LISTS_H
#define LANEWISE_CUDART_LISTS_H

#include "../../runtime/host/list.h"

namespace lw_cudart {

using lw_host::List;

// Answers a call that asks for an array or, with a null one, for its length.
template <class T> cudaError_t answer(const List<T> &found, T *array, size_t *count) {
  if (!array) {
    *count = found.count;
    return cudaSuccess;
  }
  for (size_t i = 0; i < *count; ++i)
    array[i] = i < found.count ? found.items[i] : T();
  if (*count > found.count)
    *count = found.count;
  return cudaSuccess;
}

} // namespace lw_cudart

#endif
