// SPDX-License-Identifier: Apache-2.0
// What constructors of CUDA objects call before main, in any order: nothing here needs to be initialised, and images
// are looked up when they are first needed.
#include "api.h"
#include "functions.h"
#include "registry.h"
#include "reset.h"

namespace lw_cudart {

enum { FAT_BINARY_MAGIC = 0x466243b1 };

struct FatBinary {
  int magic;
  int version;
  const char *data; // "LWFATBIN", a version, a reserved word, the id of the image, and what this library doesn't need
  void *unused;
};

static Registry<Function> functions;
static Registry<Variable> variables;

// The tables of kernels and variables that an object file has beside its fat binary.
LW_API void __lwRegisterImage(const lw_image *image) {
  if (lw_image_add(image) != LW_SUCCESS)
    say("%s: %s", image->source, lw_explanation());
}

LW_API void __lwUnregisterImage(const lw_image *image) { lw_image_remove(image); }

LW_API void **__cudaRegisterFatBinary(void *wrapper) {
  Module *module = static_cast<Module *>(calloc(1, sizeof(Module)));
  const FatBinary *binary = static_cast<const FatBinary *>(wrapper);
  if (module && binary && binary->magic == FAT_BINARY_MAGIC && binary->data &&
      memcmp(binary->data, "LWFATBIN\1\0\0\0", 12) == 0)
    module->id = reinterpret_cast<const uint8_t *>(binary->data) + 16;
  return reinterpret_cast<void **>(module);
}

LW_API void __cudaRegisterFatBinaryEnd(void **) {}

LW_API void __cudaUnregisterFatBinary(void **handle) {
  Module *module = reinterpret_cast<Module *>(handle);
  if (!module)
    return;
  functions.forget(module);
  variables.forget(module);
  // The record stays: a launch on its way may still look at it.
}

static void forget_attributes(Function *function) {
  function->dynamic_limit = -1;
  function->carveout = -1;
  function->cache = cudaFuncCachePreferNone;
}

Function *add_function(const void *host, Module *module, const char *symbol) {
  Function *function = static_cast<Function *>(calloc(1, sizeof(Function)));
  if (!function)
    return nullptr;
  function->host = host ? host : function;
  function->module = module;
  function->symbol = symbol;
  forget_attributes(function);
  functions.add(function->host, function);
  return function;
}

void forget_functions(const Module *module) { functions.forget(module); }

LW_API void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int, uint3 *, uint3 *,
                                   dim3 *, dim3 *, int *) {
  add_function(host, reinterpret_cast<Module *>(handle), name);
}

const lw_image *image_of(const Module *module) {
  if (module && module->image)
    return module->image;
  return module && module->id ? lw_image_find(module->id) : nullptr;
}

static void register_variable(void **handle, const void *host, const char *name, size_t bytes, void **managed) {
  Variable *variable = static_cast<Variable *>(calloc(1, sizeof(Variable)));
  if (!variable)
    return;
  variable->host = host;
  variable->module = reinterpret_cast<Module *>(handle);
  variable->symbol = name;
  variable->bytes = bytes;
  variable->managed = managed;
  variables.add(host, variable);
}

// Clang has an object of the host's for each variable of the device, for its address. That of a managed one is its memory.
LW_API void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int, size_t bytes, int, int) {
  register_variable(handle, host, name, bytes, nullptr);
  const lw_image *image = image_of(reinterpret_cast<Module *>(handle));
  const lw_variable_image *variable = image ? lw_image_variable(image, name) : nullptr;
  if (variable && (variable->flags & LW_VARIABLE_MANAGED))
    lw_variable_move(image, name, host);
}

// The host's variable is a pointer, which host code reads; it is filled in by __cudaInitModule, or on first use.
LW_API void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name, int, size_t bytes, int,
                                     int) {
  register_variable(handle, host, name, bytes, host);
}

LW_API void __cudaRegisterTexture(void **handle, const textureReference *host, const void **, const char *name, int,
                                  int, int) {
  register_variable(handle, host, name, sizeof(uint64_t), nullptr);
}

LW_API void __cudaRegisterSurface(void **handle, const surfaceReference *host, const void **, const char *name, int,
                                  int) {
  register_variable(handle, host, name, sizeof(uint64_t), nullptr);
}

LW_API char __cudaInitModule(void **handle) {
  variables.each([&](Variable *variable) {
    void *address;
    uint64_t bytes;
    if (variable->managed && variable->module == reinterpret_cast<Module *>(handle))
      find_variable(variable->host, &address, &bytes);
  });
  return 1;
}

// The program's own modules: their variables have their initial values, may have others, or are to get the initial ones
// again, which may take long and so comes with their next use.
enum ModuleState { FRESH, IN_USE, STALE };
static int module_state;
static Lock module_lock;

static void use_modules() {
  if (__builtin_expect(__atomic_load_n(&module_state, __ATOMIC_ACQUIRE) == IN_USE, 1))
    return;
  Held held(module_lock);
  if (module_state == STALE)
    lw_variables_restore(0);
  __atomic_store_n(&module_state, IN_USE, __ATOMIC_RELEASE);
}

// Managed variables get their values at once: the host uses them without a call.
void reset_modules() {
  Held held(module_lock);
  lw_variables_restore(1);
  if (module_state == IN_USE)
    __atomic_store_n(&module_state, STALE, __ATOMIC_RELEASE);
  functions.each(forget_attributes);
}

cudaError_t find_function(const void *host, Function **found) {
  Function *function = functions.find(host);
  REQUIRE(function, cudaErrorInvalidDeviceFunction, "%p is no kernel of this program", host);
  use_modules();
  if (__builtin_expect(!__atomic_load_n(&function->kernel, __ATOMIC_ACQUIRE), 0)) {
    const lw_image *image = image_of(function->module);
    REQUIRE(image, cudaErrorNoKernelImageForDevice,
            "kernel %s has no machine code for the CPU: its object was not "
            "compiled by `lanewise nvcc`",
            function->symbol);
    const lw_kernel_image *kernel = lw_image_kernel(image, function->symbol);
    REQUIRE(kernel, cudaErrorInvalidDeviceFunction, "the program has no kernel %s", function->symbol);
    __atomic_store_n(&function->kernel, kernel, __ATOMIC_RELEASE);
  }
  *found = function;
  return cudaSuccess;
}

cudaError_t find_variable(const void *host, void **address, uint64_t *bytes) {
  REQUIRE(host, cudaErrorInvalidSymbol, "the symbol is null");
  Variable *variable = variables.find(host);
  REQUIRE(variable, cudaErrorInvalidSymbol, "%p is no variable of the device", host);
  use_modules();
  if (!__atomic_load_n(&variable->variable, __ATOMIC_ACQUIRE)) {
    const lw_image *image = image_of(variable->module);
    const lw_variable_image *known = image ? lw_image_variable(image, variable->symbol) : nullptr;
    REQUIRE(known, cudaErrorInvalidSymbol, "the program has no variable %s for the CPU", variable->symbol);
    if (variable->managed)
      *variable->managed = known->address;
    __atomic_store_n(&variable->variable, known, __ATOMIC_RELEASE);
  }
  if (lw_is_gpu())
    REQUIRE_SUCCESS(error_of(lw_variable_address(image_of(variable->module), variable->variable, address)));
  else
    *address = variable->variable->address;
  *bytes = variable->variable->bytes;
  return cudaSuccess;
}

} // namespace lw_cudart
