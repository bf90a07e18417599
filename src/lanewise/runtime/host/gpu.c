// SPDX-License-Identifier: Apache-2.0
// The GPU of a process, through the driver's library: all work of one with LANEWISE_DEVICE=cuda, or that of some queues.
#include "driver.h"
#include "host.h"

#include <stdlib.h>
#include <string.h>

#define MEMBER(name, parameters) int32_t(*name) parameters;
static struct {
  bool on; // all work is the GPU's: set before there is any, or never
  pthread_once_t once;
  const char *asked_by; // as messages name who wants a GPU
  int32_t opened;       // the result of opening it, and the reason
  char why_not[512];
  int32_t result; // of lw_device_open, and the reason
  char reason[512];
  int32_t device;
  uint32_t capability; // as 80
  void *context;
  DRIVER_FUNCTIONS(MEMBER)
} gpu = {.once = PTHREAD_ONCE_INIT, .opened = LW_NOT_READY};
#undef MEMBER

// True in a thread for which the GPU's context is the current one and stays so: where all work is the GPU's. Otherwise the
// program may call the driver itself, so each function has the context only while it runs.
static _Thread_local bool has_context __attribute__((tls_model("initial-exec")));

// The result of a driver's function, explained.
static int32_t driver_result(int32_t error, const char *function) {
  if (error == DRIVER_SUCCESS)
    return LW_SUCCESS;
  if (error == DRIVER_NOT_READY)
    return explain(LW_NOT_READY, "there is work");
  const char *name = NULL;
  if (gpu.cuGetErrorName(error, &name) != DRIVER_SUCCESS || name == NULL)
    name = "an unknown error";
  return explain(LW_DRIVER_ERROR + error, "the driver's %s says %s", function, name);
}
#define DRIVE(name, ...) driver_result(gpu.name(__VA_ARGS__), #name)

// A thread's stay in the GPU's context, among other functions of the driver.
struct gpu_visit {
  bool changed;
  void *before; // the thread's own context, which it gets back
};

static int32_t enter_gpu(struct gpu_visit *visit) {
  if (has_context)
    return LW_SUCCESS;
  if (gpu.opened != LW_SUCCESS)
    return explain(LW_NOT_SUPPORTED, "no GPU has been opened");
  int32_t result = gpu.on ? LW_SUCCESS : DRIVE(cuCtxGetCurrent, &visit->before);
  if (result != LW_SUCCESS || visit->before == gpu.context)
    return result;
  result = DRIVE(cuCtxSetCurrent, gpu.context);
  has_context = gpu.on && result == LW_SUCCESS;
  visit->changed = !gpu.on && result == LW_SUCCESS;
  return result;
}

static void leave_gpu(struct gpu_visit *visit) {
  if (visit->changed)
    gpu.cuCtxSetCurrent(visit->before);
}

// Defines `result`: what entering the GPU gives. The thread leaves it at the end of the block.
#define ENTER_GPU_BY(enter, result)                                                                                    \
  __attribute__((cleanup(leave_gpu))) struct gpu_visit visit = {false, NULL};                                          \
  int32_t result = enter(&visit)
#define ENTER_GPU(result) ENTER_GPU_BY(enter_gpu, result)

static int32_t load_driver(void) {
  void *library = has_loader() ? dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL)
    return explain(LW_DRIVER_ERROR + ERROR_INSUFFICIENT_DRIVER,
                   "%s needs NVIDIA's driver, which is not there: %s", gpu.asked_by,
                   has_loader() ? dlerror() : "the program is linked without libdl");
  if (dlsym(library, "__lwRegisterImage") != NULL)
    return explain(LW_DRIVER_ERROR + ERROR_INSUFFICIENT_DRIVER,
                   "%s needs NVIDIA's driver, and the libcuda.so.1 that is found is Lanewise's: take its folder from "
                   "LD_LIBRARY_PATH", gpu.asked_by);
#define FIND(name, parameters)                                                                                         \
  if ((*(void **)&gpu.name = dlsym(library, #name)) == NULL)                                                           \
    return explain(LW_DRIVER_ERROR + ERROR_INSUFFICIENT_DRIVER, "NVIDIA's driver is too old: it has no " #name);
  DRIVER_FUNCTIONS(FIND)
#undef FIND
  return LW_SUCCESS;
}

static int32_t open_first_device(void) {
  int32_t count = 0, major = 0, minor = 0;
  int32_t result = DRIVE(cuInit, 0);
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceGetCount, &count);
  if (result == LW_SUCCESS && count == 0)
    result = explain(LW_DRIVER_ERROR + ERROR_NO_DEVICE, "%s needs a GPU: the driver knows none",
                     gpu.asked_by);
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceGet, &gpu.device, 0);
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceGetAttribute, &major, DRIVER_CAPABILITY_MAJOR, gpu.device);
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceGetAttribute, &minor, DRIVER_CAPABILITY_MINOR, gpu.device);
  gpu.capability = (uint32_t)(10 * major + minor);
  return result == LW_SUCCESS ? DRIVE(cuDevicePrimaryCtxRetain, &gpu.context, gpu.device) : result;
}

static void open_driver(void) {
  int32_t result = load_driver();
  if (result == LW_SUCCESS)
    result = open_first_device();
  if (result != LW_SUCCESS)
    strncpy(gpu.why_not, lw_explanation(), sizeof gpu.why_not - 1);
  gpu.opened = result;
}

int32_t lw_gpu_open(const char *asked_by) {
  static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&first);
  gpu.asked_by = gpu.asked_by != NULL ? gpu.asked_by : asked_by;
  pthread_mutex_unlock(&first);
  pthread_once(&gpu.once, open_driver);
  return gpu.opened == LW_SUCCESS ? LW_SUCCESS : explain(gpu.opened, "%s", gpu.why_not);
}

static void open_wanted_device(void) {
  const char *wanted = getenv("LANEWISE_DEVICE");
  if (wanted == NULL || *wanted == '\0' || strcmp(wanted, "cpu") == 0)
    return;
  if (strcmp(wanted, "cuda") != 0)
    gpu.result = explain(LW_INVALID, "LANEWISE_DEVICE=%s: CUDA programs run on cpu or cuda", wanted);
  else
    gpu.result = lw_gpu_open("LANEWISE_DEVICE=cuda");
  gpu.on = gpu.result == LW_SUCCESS;
  if (!gpu.on)
    strncpy(gpu.reason, lw_explanation(), sizeof gpu.reason - 1);
}

int32_t lw_device_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_wanted_device);
  return gpu.result == LW_SUCCESS ? LW_SUCCESS : explain(gpu.result, "%s", gpu.reason);
}

int32_t lw_is_gpu(void) { return gpu.on; }

int32_t lw_gpu_describe(lw_gpu *described) {
  memset(described, 0, sizeof *described);
  int32_t result = DRIVE(cuDeviceGetName, described->name, sizeof described->name, gpu.device);
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceGetUuid, described->uuid, gpu.device);
  size_t bytes = 0;
  if (result == LW_SUCCESS)
    result = DRIVE(cuDeviceTotalMem_v2, &bytes, gpu.device);
  described->memory_bytes = bytes;
  return result;
}

int32_t lw_gpu_attribute(int32_t attribute, int32_t *value) {
  return DRIVE(cuDeviceGetAttribute, value, attribute, gpu.device);
}

int32_t lw_gpu_memory(uint64_t *left, uint64_t *total) {
  size_t found_left = 0, found_total = 0;
  ENTER_GPU(result);
  if (result == LW_SUCCESS)
    result = DRIVE(cuMemGetInfo_v2, &found_left, &found_total);
  *left = found_left;
  *total = found_total;
  return result;
}

// LW_NOT_SUPPORTED for what only the CPU does.
static int32_t refuse_on_gpu(const char *what) {
  return gpu.on ? explain(LW_NOT_SUPPORTED, "%s are not supported on a GPU", what) : LW_SUCCESS;
}
