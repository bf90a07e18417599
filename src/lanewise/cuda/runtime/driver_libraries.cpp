// SPDX-License-Identifier: Apache-2.0
// Libraries of kernels, which belong to no context. As all contexts share the one device, a library is a module, and a
// kernel of it a function.
#include "api.h"
#include "driver.h"
#include "functions.h"
#include "memory.h"

namespace lw_cudart {

static CUmodule module_of(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
static CUfunction function_of(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

LW_API CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *, void **, unsigned int,
                                  CUlibraryOption *, void **, unsigned int) {
  return DRIVER_CALL(INITIALISED, { return load_image(reinterpret_cast<CUmodule *>(library), code); });
}

LW_API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *, void **, unsigned int,
                                      CUlibraryOption *, void **, unsigned int) {
  return DRIVER_CALL(INITIALISED, { return load_file(reinterpret_cast<CUmodule *>(library), path); });
}

LW_API CUresult cuLibraryUnload(CUlibrary library) {
  return DRIVER_CALL(INITIALISED, { return unload_module(module_of(library)); });
}

LW_API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(module);
    REQUIRE_SUCCESS(require_module(module_of(library)));
    *module = module_of(library);
    return cudaSuccess;
  });
}

LW_API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return DRIVER_CALL(
      INITIALISED, { return find_in_module(reinterpret_cast<CUfunction *>(kernel), module_of(library), name); });
}

LW_API CUresult cuLibraryGetGlobal(CUdeviceptr *memory, size_t *bytes, CUlibrary library, const char *name) {
  return DRIVER_CALL(CONTEXT, { return find_variable(memory, bytes, module_of(library), name); });
}

// PTX says that a variable is managed by `.attribute(.managed)`, which front ends write for `__managed__` alone.
LW_API CUresult cuLibraryGetManaged(CUdeviceptr *memory, size_t *bytes, CUlibrary library, const char *name) {
  return DRIVER_CALL(CONTEXT, {
    CUdeviceptr found;
    REQUIRE_SUCCESS(find_variable(&found, bytes, module_of(library), name));
    lw_allocation allocation;
    REQUIRE(lw_memory_find(pointer_of(found), &allocation) && is_managed(allocation), cudaErrorSymbolNotFound,
            "the variable %s is not managed", name);
    if (memory)
      *memory = found;
    return cudaSuccess;
  });
}

LW_API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(function);
    Function *found;
    REQUIRE_SUCCESS(find_function(kernel, &found));
    *function = function_of(kernel);
    return cudaSuccess;
  });
}

LW_API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(library);
    Function *found;
    REQUIRE_SUCCESS(find_function(kernel, &found));
    CUmodule module = module_with(found);
    REQUIRE(module, cudaErrorInvalidResourceHandle, "the kernel %s belongs to no library", found->symbol);
    *library = reinterpret_cast<CUlibrary>(module);
    return cudaSuccess;
  });
}

LW_API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(name);
    Function *found;
    REQUIRE_SUCCESS(find_function(kernel, &found));
    *name = found->symbol;
    return cudaSuccess;
  });
}

LW_API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE(device == 0, cudaErrorInvalidDevice, "there is no device %d", device);
    return get_attribute(value, attribute, function_of(kernel));
  });
}

LW_API CUresult cuFuncLoad(CUfunction function) {
  return DRIVER_CALL(CONTEXT, {
    Function *found;
    return find_function(function, &found);
  });
}

} // namespace lw_cudart
