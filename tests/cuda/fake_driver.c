// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVIDIA's libcuda.so.1 without a GPU: memory is the host's, work is done at once, each call is a line of
// the file $FAKE_DRIVER_LOG. It runs no PTX, but one kernel that it knows by its name: add_one(int *, int).
// FAKE_DRIVER_FAILS=cuMemAlloc_v2=2 makes a function fail with a CUresult; FAKE_DRIVER_DEVICES is their number.
#include "../../src/lanewise/runtime/host/driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL(name) __attribute__((visibility("default"))) int32_t name
#define BEGIN(name, ...)                                                                                               \
  int32_t error = begin(name, __VA_ARGS__);                                                                            \
  if (error != 0)                                                                                                      \
    return error

static _Thread_local void *current; // the thread's context

// CUDA_ERROR_INVALID_CONTEXT in a thread without one, except for functions that need none.
static int32_t begin(const char *name, const char *format, ...) {
  if (current == NULL && strcmp(name, "cuInit") != 0 && strncmp(name, "cuDevice", 8) != 0)
    return 201;
  const char *path = getenv("FAKE_DRIVER_LOG");
  FILE *log = path != NULL ? fopen(path, "a") : NULL;
  if (log != NULL) {
    va_list values;
    va_start(values, format);
    fprintf(log, "%s", name);
    fprintf(log, *format != '\0' ? " " : "");
    vfprintf(log, format, values);
    fprintf(log, "\n");
    va_end(values);
    fclose(log);
  }
  const char *fails = getenv("FAKE_DRIVER_FAILS");
  size_t length = strlen(name);
  return fails != NULL && strncmp(fails, name, length) == 0 && fails[length] == '=' ? atoi(fails + length + 1) : 0;
}

static char *at(uint64_t address) { return (char *)(uintptr_t)address; }

CALL(cuInit)(uint32_t flags) {
  BEGIN("cuInit", "%u", flags);
  return 0;
}
CALL(cuGetErrorName)(int32_t error, const char **name) {
  static char text[32];
  snprintf(text, sizeof text, "CUDA_ERROR_%d", error);
  *name = text;
  return 0;
}
CALL(cuDeviceGetCount)(int32_t *count) {
  const char *devices = getenv("FAKE_DRIVER_DEVICES");
  *count = devices != NULL ? atoi(devices) : 1;
  return 0;
}
CALL(cuDeviceGet)(int32_t *device, int32_t number) {
  *device = number;
  return 0;
}
CALL(cuDeviceGetAttribute)(int32_t *value, int32_t attribute, int32_t device) {
  (void)device;
  static const struct {
    int32_t attribute, value;
  } known[] = {
      {DRIVER_CAPABILITY_MAJOR, 8}, {DRIVER_CAPABILITY_MINOR, 6},
      {1, 1024},  // threads of a block
      {16, 28},   // multiprocessors
      {39, 1536}, // threads of one
      {81, 100 << 10}, // its shared memory
      {97, 99 << 10},  // the most of it that a block may have
      {106, 16},  // its blocks
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].attribute == attribute) {
      *value = known[i].value;
      return 0;
    }
  return 1;
}
CALL(cuDeviceGetName)(char *name, int32_t bytes, int32_t device) {
  (void)device;
  snprintf(name, (size_t)bytes, "Fake GPU");
  return 0;
}
CALL(cuDeviceGetUuid)(uint8_t *uuid, int32_t device) {
  memset(uuid, 7 + device, 16);
  return 0;
}
CALL(cuDeviceTotalMem_v2)(size_t *bytes, int32_t device) {
  (void)device;
  *bytes = 3 << 20;
  return 0;
}
CALL(cuDevicePrimaryCtxRetain)(void **context, int32_t device) {
  BEGIN("cuDevicePrimaryCtxRetain", "%d", device);
  *context = &begin;
  return 0;
}
CALL(cuCtxGetCurrent)(void **context) {
  *context = current;
  return 0;
}
CALL(cuCtxSetCurrent)(void *context) {
  current = context;
  return context == NULL || context == (void *)&begin ? 0 : 201;
}
CALL(cuCtxSynchronize)(void) {
  BEGIN("cuCtxSynchronize", "");
  return 0;
}
CALL(cuMemGetInfo_v2)(size_t *left, size_t *total) {
  *left = 1 << 20;
  *total = 3 << 20;
  return 0;
}
CALL(cuMemAlloc_v2)(uint64_t *memory, size_t bytes) {
  BEGIN("cuMemAlloc_v2", "%zu", bytes);
  *memory = (uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  return 0;
}
CALL(cuMemFree_v2)(uint64_t memory) {
  BEGIN("cuMemFree_v2", "");
  free(at(memory));
  return 0;
}
CALL(cuMemAllocManaged)(uint64_t *memory, size_t bytes, uint32_t flags) {
  BEGIN("cuMemAllocManaged", "%zu %u", bytes, flags);
  *memory = (uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  return 0;
}
CALL(cuMemHostAlloc)(void **memory, size_t bytes, uint32_t flags) {
  BEGIN("cuMemHostAlloc", "%zu %u", bytes, flags);
  *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  return 0;
}
CALL(cuMemFreeHost)(void *memory) {
  BEGIN("cuMemFreeHost", "");
  free(memory);
  return 0;
}
CALL(cuMemHostRegister_v2)(void *memory, size_t bytes, uint32_t flags) {
  BEGIN("cuMemHostRegister_v2", "%zu %u", bytes, flags);
  return memory == NULL;
}
CALL(cuMemHostUnregister)(void *memory) {
  BEGIN("cuMemHostUnregister", "");
  return memory == NULL;
}
CALL(cuStreamCreateWithPriority)(void **stream, uint32_t flags, int32_t priority) {
  BEGIN("cuStreamCreateWithPriority", "%u %d", flags, priority);
  *stream = malloc(1);
  return 0;
}
CALL(cuStreamDestroy_v2)(void *stream) {
  BEGIN("cuStreamDestroy_v2", "");
  free(stream);
  return 0;
}
static const char *name_of(const void *stream) { return stream == DRIVER_LEGACY_STREAM ? "legacy" : "own"; }
CALL(cuStreamSynchronize)(void *stream) {
  BEGIN("cuStreamSynchronize", "%s", name_of(stream));
  return 0;
}
CALL(cuStreamQuery)(void *stream) {
  BEGIN("cuStreamQuery", "%s", name_of(stream));
  return 0;
}
CALL(cuStreamWaitEvent)(void *stream, void *event, uint32_t flags) {
  BEGIN("cuStreamWaitEvent", "%s %u", name_of(stream), flags);
  return event == NULL;
}
CALL(cuEventCreate)(void **event, uint32_t flags) {
  BEGIN("cuEventCreate", "%u", flags);
  *event = malloc(1);
  return 0;
}
CALL(cuEventDestroy_v2)(void *event) {
  BEGIN("cuEventDestroy_v2", "");
  free(event);
  return 0;
}
CALL(cuEventRecord)(void *event, void *stream) {
  BEGIN("cuEventRecord", "%s", name_of(stream));
  return event == NULL;
}
CALL(cuEventQuery)(void *event) {
  BEGIN("cuEventQuery", "");
  return event == NULL;
}
CALL(cuEventSynchronize)(void *event) {
  BEGIN("cuEventSynchronize", "");
  return event == NULL;
}
CALL(cuEventElapsedTime)(float *milliseconds, void *start, void *end) {
  BEGIN("cuEventElapsedTime", "");
  *milliseconds = 2.5f;
  return start == NULL || end == NULL;
}
CALL(cuMemcpyAsync)(uint64_t target, uint64_t source, size_t bytes, void *stream) {
  BEGIN("cuMemcpyAsync", "%zu %s", bytes, name_of(stream));
  memmove(at(target), at(source), bytes);
  return 0;
}
static char *start_of(const struct driver_copy_end *end) {
  char *base = end->memory_type == DRIVER_MEMORY_HOST ? end->host : at(end->device);
  return base + end->z * end->height * end->pitch + end->y * end->pitch + end->x_bytes;
}
CALL(cuMemcpy3DAsync_v2)(const struct driver_copy *copy, void *stream) {
  BEGIN("cuMemcpy3DAsync_v2", "%u to %u, %zu x %zu x %zu, pitches %zu and %zu, %s", copy->source.memory_type,
        copy->target.memory_type, copy->width_bytes, copy->height, copy->depth, copy->source.pitch, copy->target.pitch,
        name_of(stream));
  for (size_t z = 0; z < copy->depth; ++z)
    for (size_t y = 0; y < copy->height; ++y)
      memcpy(start_of(&copy->target) + (z * copy->target.height + y) * copy->target.pitch,
             start_of(&copy->source) + (z * copy->source.height + y) * copy->source.pitch, copy->width_bytes);
  return 0;
}
#define FILL(bits)                                                                                                     \
  CALL(cuMemsetD2D##bits##Async)                                                                                       \
  (uint64_t memory, size_t pitch, uint##bits##_t value, size_t width, size_t height, void *stream) {                  \
    BEGIN("cuMemsetD2D" #bits "Async", "%u, %zu x %zu, %s", (unsigned)value, width, height, name_of(stream));         \
    for (size_t y = 0; y < height; ++y)                                                                                \
      for (size_t x = 0; x < width; ++x)                                                                               \
        ((uint##bits##_t *)(at(memory) + y * pitch))[x] = value;                                                       \
    return 0;                                                                                                          \
  }
FILL(8)
FILL(16)
FILL(32)

// A module has its PTX; a function is the place of its name there, and so is a variable of 8 bytes.
CALL(cuModuleLoadDataEx)(void **module, const void *ptx, uint32_t count, int32_t *options, void **values) {
  const char *target = strstr(ptx, ".target ");
  BEGIN("cuModuleLoadDataEx", "%.13s, %u options", target, count);
  if (options[0] != DRIVER_JIT_ERROR_LOG || options[1] != DRIVER_JIT_ERROR_LOG_BYTES)
    return 1;
  (void)values;
  *module = strdup(ptx);
  return 0;
}
CALL(cuModuleUnload)(void *module) {
  BEGIN("cuModuleUnload", "");
  free(module);
  return 0;
}
static char *kernel_at(char *ptx, const char *name) {
  char wanted[256];
  snprintf(wanted, sizeof wanted, ".entry %s(", name);
  char *found = strstr(ptx, wanted);
  return found != NULL ? found + strlen(".entry ") : NULL;
}
CALL(cuModuleGetFunction)(void **function, void *module, const char *name) {
  BEGIN("cuModuleGetFunction", "%s", name);
  *function = kernel_at(module, name);
  return *function == NULL ? 500 : 0;
}
CALL(cuModuleGetGlobal_v2)(uint64_t *memory, size_t *bytes, void *module, const char *name) {
  static uint64_t variables[8];
  static size_t count;
  BEGIN("cuModuleGetGlobal_v2", "%s", name);
  *memory = (uintptr_t)&variables[count++ % 8];
  *bytes = sizeof(uint32_t);
  return strstr(module, name) == NULL ? 500 : 0;
}
CALL(cuFuncGetAttribute)(int32_t *value, int32_t attribute, void *function) {
  BEGIN("cuFuncGetAttribute", "%d", attribute);
  *value = attribute == DRIVER_FUNCTION_MOST_THREADS ? 1024 : 0;
  return function == NULL;
}
CALL(cuFuncSetAttribute)(void *function, int32_t attribute, int32_t value) {
  BEGIN("cuFuncSetAttribute", "%d %d", attribute, value);
  return function == NULL;
}
static void run(const char *kernel, void **parameters) {
  if (strncmp(kernel, "_Z7add_onePii(", 14) != 0)
    return;
  int *values = *(int **)parameters[0];
  for (int i = 0; i < *(int *)parameters[1]; ++i)
    ++values[i];
}
static int32_t launch(const char *name, void *function, const uint32_t *extents, uint32_t shared, void *stream,
                      void **parameters) {
  int length = (int)strcspn(function, "(");
  BEGIN(name, "%.*s (%u, %u, %u) (%u, %u, %u) %u %s", length, (char *)function, extents[0], extents[1], extents[2],
        extents[3], extents[4], extents[5], shared, name_of(stream));
  run(function, parameters);
  return 0;
}
CALL(cuLaunchKernel)(void *function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                     uint32_t shared, void *stream, void **parameters, void **extra) {
  uint32_t extents[] = {gx, gy, gz, bx, by, bz};
  return extra != NULL ? 1 : launch("cuLaunchKernel", function, extents, shared, stream, parameters);
}
CALL(cuLaunchCooperativeKernel)(void *function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                                uint32_t bz, uint32_t shared, void *stream, void **parameters) {
  uint32_t extents[] = {gx, gy, gz, bx, by, bz};
  return launch("cuLaunchCooperativeKernel", function, extents, shared, stream, parameters);
}
CALL(cuLaunchHostFunc)(void *stream, void (*function)(void *data), void *data) {
  BEGIN("cuLaunchHostFunc", "%s", name_of(stream));
  function(data);
  return 0;
}
