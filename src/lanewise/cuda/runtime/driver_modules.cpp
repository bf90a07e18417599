// SPDX-License-Identifier: Apache-2.0
// Modules of PTX, which the compile service makes machine code of, and launches of their kernels. A kernel's handle is
// that of its record, which the runtime API knows, too.
#include "api.h"
#include "driver.h"
#include "functions.h"
#include "jit_log.h"
#include "kernel_launches.h"
#include "occupancy.h"
#include "reset.h"
#include "streams.h"

namespace lw_cudart {

struct LoadedModule {
  uint32_t state; // of the handle
  Module module;
  lw_library *library;
  List<Function *> functions;
};

static Handles<LoadedModule, 4096> loaded_modules;
static Lock modules_lock;

static cudaError_t load_text(CUmodule *handle, const char *text) {
  REQUIRE_POINTER(handle);
  LoadedModule *loaded = loaded_modules.create();
  REQUIRE(loaded, cudaErrorMemoryAllocation, "there are too many modules");
  const lw_image *image;
  int32_t result = lw_ptx_open(text, &image, &loaded->library);
  if (result != LW_SUCCESS) {
    loaded_modules.destroy(loaded);
    const char *words = lw_explanation();
    return result == LW_INVALID     ? fail(cudaErrorInvalidPtx, "%s", words)
           : result == LW_NO_KERNEL ? fail(cudaErrorJitCompilerNotFound, "%s", words)
                                    : error_of(result);
  }
  loaded->module.image = image;
  *handle = reinterpret_cast<CUmodule>(loaded);
  return cudaSuccess;
}

// PTX is text that begins with comments and `.version`; cubins and fat binaries are for GPUs.
cudaError_t load_image(CUmodule *handle, const void *image) {
  REQUIRE_POINTER(image);
  REQUIRE(memcmp(image, "\177ELF", 4) != 0 && memcmp(image, "\x50\xed\x55\xba", 4) != 0,
          cudaErrorNoKernelImageForDevice, "machine code of a GPU: the CPU takes PTX");
  return load_text(handle, static_cast<const char *>(image));
}

LW_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return DRIVER_CALL(CONTEXT, { return load_image(module, image); });
}

LW_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                                   void **values) {
  return DRIVER_CALL(CONTEXT, {
    JitLog log;
    REQUIRE_SUCCESS(open_log(&log, count, options, values));
    cudaError_t error = load_image(module, image);
    write_log(log, error);
    return error;
  });
}

cudaError_t read_file(const char *path, char **text) {
  FILE *file = fopen(path, "re");
  REQUIRE(file, cudaErrorFileNotFound, "%s can't be opened", path);
  size_t room = 1 << 16, used = 0;
  char *data = static_cast<char *>(malloc(room + 1));
  while (data) {
    used += fread(data + used, 1, room - used, file);
    if (used < room)
      break;
    char *larger = static_cast<char *>(realloc(data, 2 * room + 1));
    if (!larger)
      free(data);
    data = larger;
    room *= 2;
  }
  fclose(file);
  REQUIRE(data, cudaErrorMemoryAllocation, "no memory for %s", path);
  data[used] = 0;
  *text = data;
  return cudaSuccess;
}

cudaError_t load_file(CUmodule *module, const char *path) {
  REQUIRE_POINTER(path);
  char *text;
  REQUIRE_SUCCESS(read_file(path, &text));
  cudaError_t error = load_image(module, text);
  free(text);
  return error;
}

LW_API CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return DRIVER_CALL(CONTEXT, { return load_file(module, path); });
}

#define REQUIRE_MODULE(name, handle)                                                                                   \
  LoadedModule *name = loaded_modules.find(handle);                                                                    \
  REQUIRE(name, cudaErrorInvalidResourceHandle, "module %p does not exist (any more)", (void *)handle)

cudaError_t require_module(CUmodule handle) {
  REQUIRE_MODULE(loaded, handle);
  return cudaSuccess;
}

static void unload(LoadedModule *loaded) {
  Held held(modules_lock);
  forget_functions(&loaded->module);
  lw_library_close(loaded->module.image, loaded->library);
  for (Function *function : loaded->functions)
    free(function);
  loaded->functions.release();
  loaded_modules.destroy(loaded);
}

void unload_modules() { loaded_modules.each(unload); }

cudaError_t unload_module(CUmodule handle) {
  REQUIRE_MODULE(loaded, handle);
  REQUIRE_SUCCESS(synchronize_device());
  unload(loaded);
  return cudaSuccess;
}

LW_API CUresult cuModuleUnload(CUmodule handle) {
  return DRIVER_CALL(CONTEXT, { return unload_module(handle); });
}

cudaError_t find_in_module(CUfunction *handle, CUmodule module, const char *name) {
  REQUIRE_POINTER(handle);
  REQUIRE_POINTER(name);
  REQUIRE_MODULE(loaded, module);
  const lw_kernel_image *kernel = lw_image_kernel(loaded->module.image, name);
  REQUIRE(kernel, cudaErrorSymbolNotFound, "the module has no kernel %s", name);
  Held held(modules_lock);
  for (Function *known : loaded->functions)
    if (known->kernel == kernel) {
      *handle = reinterpret_cast<CUfunction>(known);
      return cudaSuccess;
    }
  Function *function = add_function(nullptr, &loaded->module, kernel->symbol);
  REQUIRE(function, cudaErrorMemoryAllocation, "no memory for a kernel");
  function->kernel = kernel;
  loaded->functions.add(function);
  *handle = reinterpret_cast<CUfunction>(function);
  return cudaSuccess;
}

LW_API CUresult cuModuleGetFunction(CUfunction *handle, CUmodule module, const char *name) {
  return DRIVER_CALL(CONTEXT, { return find_in_module(handle, module, name); });
}

CUmodule module_with(const Function *function) {
  LoadedModule *found = nullptr;
  loaded_modules.each([&](LoadedModule *loaded) {
    if (&loaded->module == function->module)
      found = loaded;
  });
  return reinterpret_cast<CUmodule>(found);
}

cudaError_t find_variable(CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name) {
  REQUIRE_POINTER(name);
  REQUIRE_MODULE(loaded, module);
  const lw_variable_image *variable = lw_image_variable(loaded->module.image, name);
  REQUIRE(variable, cudaErrorSymbolNotFound, "the module has no variable %s", name);
  if (memory)
    *memory = reinterpret_cast<CUdeviceptr>(variable->address);
  if (bytes)
    *bytes = variable->bytes;
  return cudaSuccess;
}

LW_API CUresult cuModuleGetGlobal(CUdeviceptr *memory, size_t *bytes, CUmodule module, const char *name) {
  return DRIVER_CALL(CONTEXT, { return find_variable(memory, bytes, module, name); });
}

// The arguments of a launch that packs them itself: `extra` has the buffer's address and size.
static cudaError_t unpack(const Function *function, void **extra, void **arguments) {
  char *buffer = nullptr;
  for (void **word = extra; *word != CU_LAUNCH_PARAM_END; word += 2)
    if (*word == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char *>(word[1]);
  REQUIRE(buffer, cudaErrorInvalidValue, "extra has no CU_LAUNCH_PARAM_BUFFER_POINTER");
  for (uint32_t i = 0; i < function->kernel->num_parameters; ++i)
    arguments[i] = buffer + function->kernel->parameters[i].offset;
  return cudaSuccess;
}

cudaError_t launch_function(CUfunction handle, const dim3 &grid, const dim3 &block, unsigned int shared_bytes,
                            CUstream stream, void **parameters, void **extra, uint32_t flags) {
  enum { MOST_PARAMETERS = 4096 }; // a byte each
  Function *function;
  void *arguments[MOST_PARAMETERS];
  REQUIRE_SUCCESS(find_function(handle, &function));
  if (!parameters && extra) {
    REQUIRE_SUCCESS(unpack(function, extra, arguments));
    parameters = arguments;
  }
  return launch_kernel(function, grid, block, parameters, shared_bytes, stream, flags);
}

LW_API CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                               unsigned int block_x, unsigned int block_y, unsigned int block_z,
                               unsigned int shared_bytes, CUstream stream, void **parameters, void **extra) {
  return DRIVER_CALL(CONTEXT, {
    cudaError_t broken = sticky_error();
    if (broken != cudaSuccess)
      return broken;
    dim3 grid(grid_x, grid_y, grid_z), block(block_x, block_y, block_z);
    return launch_function(function, grid, block, shared_bytes, stream, parameters, extra);
  });
}

LW_API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                          unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                          unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                          void **parameters) {
  return DRIVER_CALL(CONTEXT, {
    cudaError_t broken = sticky_error();
    if (broken != cudaSuccess)
      return broken;
    dim3 grid(grid_x, grid_y, grid_z), block(block_x, block_y, block_z);
    return launch_function(function, grid, block, shared_bytes, stream, parameters, nullptr, LW_COOPERATIVE);
  });
}

cudaError_t get_attribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  REQUIRE_POINTER(value);
  cudaFuncAttributes found;
  REQUIRE_SUCCESS(cudaFuncGetAttributes(&found, function));
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = found.maxThreadsPerBlock;
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = static_cast<int>(found.sharedSizeBytes);
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    *value = static_cast<int>(found.constSizeBytes);
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = static_cast<int>(found.localSizeBytes);
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = found.numRegs;
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = found.maxDynamicSharedSizeBytes;
    return cudaSuccess;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = found.preferredShmemCarveout;
    return cudaSuccess;
  }
  return fail(cudaErrorInvalidValue, "there is no attribute %d", attribute);
}

LW_API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  return DRIVER_CALL(CONTEXT, { return get_attribute(value, attribute, function); });
}

LW_API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return DRIVER_CALL(
      CONTEXT, { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}

LW_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                            size_t shared_bytes) {
  return DRIVER_CALL(
      CONTEXT, { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes); });
}

LW_API CUresult cuOccupancyMaxPotentialBlockSize(int *least_grid, int *block_size, CUfunction function,
                                                 CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                                 int block_limit) {
  return DRIVER_CALL(CONTEXT, {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        least_grid, block_size, function,
        [=](int size) { return shared_bytes_of ? shared_bytes_of(size) : shared_bytes; }, block_limit);
  });
}

LW_API CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return DRIVER_CALL(CONTEXT, { return cudaFuncSetCacheConfig(function, config); });
}

} // namespace lw_cudart
