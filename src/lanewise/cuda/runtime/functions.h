// SPDX-License-Identifier: Apache-2.0
// Kernels and variables, by the addresses that host code knows them by.
#ifndef LANEWISE_CUDART_FUNCTIONS_H
#define LANEWISE_CUDART_FUNCTIONS_H

namespace lw_cudart {

// An executable's or a library's fat binary.
struct Module {
  const uint8_t *id; // null if it is none of ours
  const lw_image *image; // of a module of the driver API, which has no fat binary; else null
};

struct Function {
  const void *host; // address of the stub, the launch's key
  Module *module;
  const char *symbol;
  const lw_kernel_image *kernel; // as soon as somebody has asked
  int dynamic_limit;             // bytes of dynamic shared memory that launches may ask for
  int carveout;
  cudaFuncCache cache;
};

struct Variable {
  const void *host; // address of the shadow variable
  Module *module;
  const char *symbol;
  const lw_variable_image *variable; // as soon as somebody has asked
  void **managed;                    // pointer of the host's to fill in; null unless it is managed
  uint64_t bytes;
};

// The registered kernel whose stub is at `host`, with its machine code: cudaErrorInvalidDeviceFunction or
// cudaErrorNoKernelImageForDevice if there is none.
cudaError_t find_function(const void *host, Function **found);

// The registered variable: cudaErrorInvalidSymbol if there is none.
cudaError_t find_variable(const void *host, void **address, uint64_t *bytes);

// The image of a module; null if there is none.
const lw_image *image_of(const Module *module);

// Makes a kernel of a module known at an address of host code, or, with null, at that of its record. Null if there is
// no memory.
Function *add_function(const void *host, Module *module, const char *symbol);
void forget_functions(const Module *module);

// Most threads of a block.
int max_threads(const Function *function);

} // namespace lw_cudart

#endif
