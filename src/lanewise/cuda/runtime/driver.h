// SPDX-License-Identifier: Apache-2.0
// The driver API over the runtime API: its contexts, and what each of its functions does around its own work.
#ifndef LANEWISE_CUDART_DRIVER_H
#define LANEWISE_CUDART_DRIVER_H

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace lw_cudart {

// The function of the driver API that the thread is in; null if in none.
const char *driver_function();

// The result for an error of the runtime API. Those above 100 have the same numbers.
CUresult result_of(cudaError_t error);
const char *name_of_result(CUresult result);

enum Needs { NOTHING, INITIALISED, CONTEXT };

// Fails unless cuInit has been called, and there is a context. The runtime API makes both.
cudaError_t require(Needs needs);

// While it lives, the thread is in a function.
struct DriverFunction {
  const char *before;
  explicit DriverFunction(const char *name);
  ~DriverFunction();
};

template <class Body> inline CUresult driver_call(const char *name, Needs needs, Body body) {
  DriverFunction scope(name);
  reason()[0] = 0;
  cudaError_t error = require(needs);
  if (error == cudaSuccess)
    error = body();
  if (error != cudaSuccess)
    explain(name, error);
  return result_of(error);
}

#define DRIVER_CALL(needs, ...) driver_call(__func__, needs, [&]()->cudaError_t __VA_ARGS__)

// The text of a file, which the caller frees.
cudaError_t read_file(const char *path, char **text);

inline void *pointer_of(CUdeviceptr memory) { return reinterpret_cast<void *>(memory); }

} // namespace lw_cudart

#endif
