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

// What the functions of modules do, and those of libraries with them.
struct Function;
cudaError_t load_image(CUmodule *module, const void *image);
cudaError_t load_file(CUmodule *module, const char *path);
cudaError_t require_module(CUmodule module);
cudaError_t unload_module(CUmodule module);
cudaError_t find_in_module(CUfunction *function, CUmodule module, const char *name);
cudaError_t find_variable(CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name);
cudaError_t get_attribute(int *value, CUfunction_attribute attribute, CUfunction function);

// Launches a kernel. Without `parameters`, `extra` has the place of the arguments in one buffer.
cudaError_t launch_function(CUfunction function, const dim3 &grid, const dim3 &block, unsigned int shared_bytes,
                            CUstream stream, void **parameters, void **extra, uint32_t flags = 0);

// The module that a kernel comes from; null for one of the program.
CUmodule module_with(const Function *function);

cudaError_t current_context(CUcontext *context);

inline void *pointer_of(CUdeviceptr memory) { return reinterpret_cast<void *>(memory); }

} // namespace lw_cudart

#endif
