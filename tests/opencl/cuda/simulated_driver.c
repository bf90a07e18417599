// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 for machines without a GPU: each function is that of the driver library $SIMULATED_DRIVER, which runs
// PTX on the processor. SIMULATED_DRIVER_FAILS=cuMemAlloc_v2=2 makes a function give an error; with
// SIMULATED_DRIVER_DEVICES=0 there is no GPU, with SIMULATED_DRIVER_CAPABILITY=90 it has compute capability 9.0. With
// SIMULATED_DRIVER_LATER_THREADS=64 a block has at most 64 threads, but for the first function that is asked about.
// SIMULATED_DRIVER_CONTEXT=own makes launches fail in another context than the device's primary one. With
// SIMULATED_DRIVER_MEETING=2 each load of PTX waits until two are there, for 5 s at most. What the library lacks gives
// CUDA_ERROR_NOT_SUPPORTED.
#include "../../../src/lanewise/runtime/host/driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Callers clean up what they have passed, so that one function stands for any.
static int32_t fail(void) { return atoi(strchr(getenv("SIMULATED_DRIVER_FAILS"), '=') + 1); }

static int32_t refuse(void) { return 801; }

static int32_t count_none(int32_t *count) {
  *count = 0;
  return DRIVER_SUCCESS;
}

static int32_t (*attribute_of_device)(int32_t *value, int32_t attribute, int32_t device);

static int32_t attribute_of_newer(int32_t *value, int32_t attribute, int32_t device) {
  int capability = atoi(getenv("SIMULATED_DRIVER_CAPABILITY"));
  int32_t result = attribute_of_device(value, attribute, device);
  if (attribute == DRIVER_CAPABILITY_MAJOR || attribute == DRIVER_CAPABILITY_MINOR)
    *value = attribute == DRIVER_CAPABILITY_MAJOR ? capability / 10 : capability % 10;
  return result;
}

static int32_t threads_of_later(int32_t *value, int32_t attribute, void *function) {
  static void *first;
  (void)attribute; // nothing else is asked
  first = first != NULL ? first : function;
  *value = function == first ? 1024 : atoi(getenv("SIMULATED_DRIVER_LATER_THREADS"));
  return DRIVER_SUCCESS;
}

static int32_t (*launch)(void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, void *, void **,
                         void **);

static int32_t launch_in_own(void *function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                             uint32_t block_y, uint32_t block_z, uint32_t shared_bytes, void *stream, void **parameters,
                             void **extra) {
  enum { INVALID_CONTEXT = 201 };
  void *library = dlopen(getenv("SIMULATED_DRIVER"), RTLD_NOW | RTLD_LOCAL), *current = NULL, *own = NULL;
  int32_t (*get)(void **) = (int32_t(*)(void **))dlsym(library, "cuCtxGetCurrent");
  int32_t (*retain)(void **, int32_t) = (int32_t(*)(void **, int32_t))dlsym(library, "cuDevicePrimaryCtxRetain");
  if (get(&current) != DRIVER_SUCCESS || retain(&own, 0) != DRIVER_SUCCESS || current != own)
    return INVALID_CONTEXT;
  return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, parameters, extra);
}

static int32_t (*load)(void **, const void *, uint32_t, int32_t *, void **);

static int32_t load_together(void **module, const void *ptx, uint32_t count, int32_t *options, void **values) {
  static int there;
  __atomic_add_fetch(&there, 1, __ATOMIC_SEQ_CST);
  for (int tries = 0; __atomic_load_n(&there, __ATOMIC_SEQ_CST) < atoi(getenv("SIMULATED_DRIVER_MEETING")); ++tries) {
    if (tries == 500)
      return 999;
    usleep(10000);
  }
  return load(module, ptx, count, options, values);
}

static void *function_named(const char *name) {
  const char *fails = getenv("SIMULATED_DRIVER_FAILS");
  size_t length = strlen(name);
  if (fails != NULL && strncmp(fails, name, length) == 0 && fails[length] == '=')
    return (void *)fail;
  if (getenv("SIMULATED_DRIVER_DEVICES") != NULL && strcmp(name, "cuDeviceGetCount") == 0)
    return (void *)count_none;
  if (getenv("SIMULATED_DRIVER_LATER_THREADS") != NULL && strcmp(name, "cuFuncGetAttribute") == 0)
    return (void *)threads_of_later;
  void *library = dlopen(getenv("SIMULATED_DRIVER"), RTLD_NOW | RTLD_LOCAL);
  void *found = library != NULL ? dlsym(library, name) : NULL;
  if (getenv("SIMULATED_DRIVER_CAPABILITY") != NULL && strcmp(name, "cuDeviceGetAttribute") == 0) {
    *(void **)&attribute_of_device = found;
    found = (void *)attribute_of_newer;
  }
  if (getenv("SIMULATED_DRIVER_CONTEXT") != NULL && strcmp(name, "cuLaunchKernel") == 0) {
    *(void **)&launch = found;
    found = (void *)launch_in_own;
  }
  if (getenv("SIMULATED_DRIVER_MEETING") != NULL && strcmp(name, "cuModuleLoadDataEx") == 0) {
    *(void **)&load = found;
    found = (void *)load_together;
  }
  return found != NULL ? found : (void *)refuse;
}

#define FORWARD(name, parameters)                                                                                      \
  static void *find_##name(void) { return function_named(#name); }                                                     \
  __attribute__((ifunc("find_" #name), visibility("default"))) int32_t name parameters;
DRIVER_FUNCTIONS(FORWARD)
