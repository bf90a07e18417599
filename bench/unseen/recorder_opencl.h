// SPDX-License-Identifier: Apache-2.0
// What recorder.c calls of the implementation: OpenCL's numbers, the table of functions, and queries.
#pragma once
#include <stdint.h>
#include <stdlib.h>

typedef int32_t code; // cl_int
typedef void *handle; // cl_mem, cl_kernel and so on

// Places in the table of cl_khr_icd. The names are those of the functions without "cl".
enum {
  GetCommandQueueInfo = 12,
  CreateBuffer = 14,
  CreateImage2D = 15,
  CreateImage3D = 16,
  GetMemObjectInfo = 20,
  CreateProgramWithSource = 26,
  RetainProgram = 28,
  GetProgramInfo = 32,
  GetProgramBuildInfo = 33,
  SetKernelArg = 38,
  GetKernelInfo = 39,
  WaitForEvents = 41,
  Finish = 47,
  EnqueueReadBuffer = 48,
  EnqueueNDRangeKernel = 59,
  EnqueueTask = 60,
  CreateSubBuffer = 82,
  CreateUserEvent = 84,
  SetUserEventStatus = 85,
  CreateImage = 96,
  GetKernelArgInfo = 101,
  SetKernelArgSVMPointer = 134,
  CreateBufferWithProperties = 146,
  CreateImageWithProperties = 147,
  MOST_FUNCTIONS = 256,
};
enum { // OpenCL's numbers
  NO_ERROR = 0,
  MEMORY_BUFFER = 0x10F0,
  MEMORY_TYPE = 0x1100,
  MEMORY_SIZE = 0x1102,
  MEMORY_PARENT = 0x1107,
  MEMORY_OFFSET = 0x1108,
  HOST_ACCESS = 1 << 7 | 1 << 8 | 1 << 9, // flags: the host does not read, or does not write
  PROGRAM_SOURCE = 0x1164,
  BUILD_OPTIONS = 0x1182,
  KERNEL_NAME = 0x1190,
  KERNEL_ARGUMENTS = 0x1191,
  KERNEL_PROGRAM = 0x1194,
  ARGUMENT_ADDRESS = 0x1196,
  ADDRESS_LOCAL = 0x119C,
  QUEUE_DEVICE = 0x1091,
  LAYER_VERSION = 0x4240,
  LAYER_NAME = 0x4241,
};

static void (*next[MOST_FUNCTIONS])(void), (*ours[MOST_FUNCTIONS])(void);

// Calls the implementation's function.
#define NEXT(result, name, ...) ((result(*)(__VA_ARGS__))next[name])
typedef code get_info(handle, uint32_t, size_t, void *, size_t *);
#define INFO(name) ((get_info *)next[name])

// What an object says of itself as text, to be freed; NULL if it says nothing.
static char *text_of(get_info *get, handle object, uint32_t what) {
  size_t size = 0;
  if (get(object, what, 0, NULL, &size) != NO_ERROR || size == 0)
    return NULL;
  char *text = calloc(size + 1, 1);
  if (text && get(object, what, size, text, NULL) != NO_ERROR)
    text[0] = 0;
  return text;
}

static char *options_of(handle program, handle queue) {
  handle device = NULL;
  INFO(GetCommandQueueInfo)(queue, QUEUE_DEVICE, sizeof device, &device, NULL);
  size_t size = 0;
  code (*get)(handle, handle, uint32_t, size_t, void *, size_t *) =
      (code(*)(handle, handle, uint32_t, size_t, void *, size_t *))next[GetProgramBuildInfo];
  get(program, device, BUILD_OPTIONS, 0, NULL, &size);
  char *text = calloc(size + 1, 1);
  if (text && size)
    get(program, device, BUILD_OPTIONS, size, text, NULL);
  return text;
}

static size_t size_of(handle memory) {
  size_t size = 0;
  INFO(GetMemObjectInfo)(memory, MEMORY_SIZE, sizeof size, &size, NULL);
  return size;
}

// Whether an argument without a value is local memory, as far as the implementation says: else it is a NULL pointer.
static int is_local(handle kernel, uint32_t place) {
  uint32_t address = ADDRESS_LOCAL;
  code (*get)(handle, uint32_t, uint32_t, size_t, void *, size_t *) =
      (code(*)(handle, uint32_t, uint32_t, size_t, void *, size_t *))next[GetKernelArgInfo];
  return !get || get(kernel, place, ARGUMENT_ADDRESS, sizeof address, &address, NULL) != NO_ERROR ||
         address == ADDRESS_LOCAL;
}
