// SPDX-License-Identifier: Apache-2.0
// What clang and Lanewise make of a translation unit with kernels, written by hand: stubs with the addresses that
// launches name, an image with group functions, and the constructors that make both known.
#ifndef KERNELS_H
#define KERNELS_H

#include "check.h"
#include "../../../../src/lanewise/runtime/host/lanewise.h"

static int device_total = 5;
static float device_weights[4] = {1, 2, 3, 4};
static int *managed_pointer; // what host code sees of a managed variable
static int managed_memory = 7;
static int device_handle[2]; // what kernels see of a texture reference
static textureReference reference;

#define FOR_THREADS(l)                                                                                                 \
  for (uint32_t tz = 0; tz < l->block[2]; ++tz)                                                                        \
    for (uint32_t ty = 0; ty < l->block[1]; ++ty)                                                                      \
      for (uint32_t tx = 0; tx < l->block[0]; ++tx)

struct ScaleArgs {
  float *data;
  float by;
  int count;
};
static void run_scale(const lw_launch *l, char *, uint32_t gx, uint32_t, uint32_t) {
  const ScaleArgs &a = *(const ScaleArgs *)l->args;
  FOR_THREADS(l) {
    int i = (int)(gx * l->block[0] + tx);
    if (i < a.count)
      a.data[i] *= a.by;
  }
}
struct AddArgs {
  int *data;
  int value;
};
static void run_add(const lw_launch *l, char *, uint32_t, uint32_t, uint32_t) {
  const AddArgs &a = *(const AddArgs *)l->args;
  FOR_THREADS(l) a.data[tx] += a.value;
}
static void run_total(const lw_launch *l, char *, uint32_t, uint32_t, uint32_t) {
  **(int **)l->args = device_total + (int)device_weights[3] + managed_memory;
}
static void run_hello(const lw_launch *l, char *, uint32_t, uint32_t, uint32_t) {
  l->services->vprintf(l, "hello %d\n", l->args);
}
static void run_trap(const lw_launch *l, char *, uint32_t x, uint32_t y, uint32_t z) {
  l->services->trap(l, x, y, z, 3, 0, 0);
}
static void run_assert(const lw_launch *l, char *, uint32_t x, uint32_t y, uint32_t z) {
  l->services->assert_fail(l, x, y, z, 1, 0, 0, "n > 0", "k.cu", 12, "void f(int)");
}
static void run_write(const lw_launch *l, char *, uint32_t, uint32_t, uint32_t) {
  char **data = (char **)l->args;
  long offset = ((long *)l->args)[1];
  *(volatile char *)(*data + offset) = 1;
}
static void run_divide(const lw_launch *l, char *, uint32_t, uint32_t, uint32_t) {
  volatile int *values = *(int *const *)l->args;
  values[0] = values[1] / values[2];
}
static void run_nothing(const lw_launch *, char *, uint32_t, uint32_t, uint32_t) {}

static const lw_parameter scale_parameters[] = {
    {"data", 0, 8, LW_POINTER, 0}, {"by", 8, 4, LW_VALUE, 0}, {"count", 12, 4, LW_VALUE, 0}};
static const lw_parameter add_parameters[] = {{"data", 0, 8, LW_POINTER, 0}, {"value", 8, 4, LW_VALUE, 0}};
static const lw_parameter one_pointer[] = {{"result", 0, 8, LW_POINTER, 0}};
static const lw_parameter one_number[] = {{"number", 0, 4, LW_VALUE, 0}};
static const lw_parameter write_parameters[] = {{"data", 0, 8, LW_POINTER, 0}, {"offset", 8, 8, LW_VALUE, 0}};

#define CODE(name) static const lw_code code_##name = {run_##name, 1024, 0, {0, 0, 0}, 0, 0, 0, nullptr}
CODE(scale);
CODE(add);
CODE(total);
CODE(hello);
CODE(trap);
CODE(assert);
CODE(write);
CODE(divide);
CODE(nothing);

static const lw_kernel_image kernel_images[] = {
    {"_Z5scalePffi", "scale", nullptr, scale_parameters, &code_scale, 3, 1, 16, 0, 0, 0},
    {"_Z3addPii", "add", nullptr, add_parameters, &code_add, 2, 1, 12, 0, 0, 0},
    {"_Z5totalPi", "total", nullptr, one_pointer, &code_total, 1, 1, 8, 0, 0, 0},
    {"_Z5helloi", "hello", nullptr, one_number, &code_hello, 1, 1, 4, 0, 0, 0},
    {"_Z4trapv", "trapping", nullptr, nullptr, &code_trap, 0, 1, 0, 0, 0, 0},
    {"_Z6assertv", "asserting", nullptr, nullptr, &code_assert, 0, 1, 0, 0, 0, 0},
    {"_Z5writePcl", "writing", nullptr, write_parameters, &code_write, 2, 1, 16, 0, 0, 0},
    {"_Z6dividePi", "dividing", nullptr, one_pointer, &code_divide, 1, 1, 8, 0, 0, 0},
    {"_Z7boundedv", "bounded", nullptr, nullptr, &code_nothing, 0, 1, 0, 64, 0, 0},
    {"_Z6sharedv", "shared", nullptr, nullptr, &code_nothing, 0, 1, 0, 0, 16384, 0},
    {"_Z7refusedv", "refused", "it launches kernels", nullptr, nullptr, 0, 0, 0, 0, 0, 0},
};
static lw_variable_image variable_images[] = {
    {"device_total", "total", &device_total, sizeof device_total, 0, 0},
    {"device_weights", "weights", device_weights, sizeof device_weights, LW_VARIABLE_CONSTANT, 0},
    {"managed", "managed", &managed_memory, sizeof managed_memory, LW_VARIABLE_MANAGED, 0},
    {"reference", "reference", device_handle, sizeof device_handle, 0, 0},
};
static const lw_image image = {
    LW_IMAGE_VERSION, sizeof kernel_images / sizeof *kernel_images, 4, 0, {1, 2, 3}, "test.cu", "", kernel_images,
    variable_images, nullptr, nullptr, 0, 0, 0, nullptr};

// Stubs: launches name them by their addresses.
#define STUB(name)                                                                                                     \
  static void name() { __asm__ volatile("# " #name); }
STUB(scale)
STUB(add)
STUB(total)
STUB(hello)
STUB(trapping)
STUB(asserting)
STUB(writing)
STUB(dividing)
STUB(bounded)
STUB(shared)
STUB(refused)
STUB(forgotten) // the image has no such kernel
STUB(foreign)   // of a fat binary that is none of ours
#define KERNEL(name) ((const void *)name)

static int host_total, host_reference_of_nothing; // shadow variables
static float host_weights[4];

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
                              int constant, int global);
void __cudaRegisterTexture(void **handle, const textureReference *host, const void **device, const char *name,
                           int dimensions, int normalised, int external);
char __cudaInitModule(void **handle);
}

struct Wrapper {
  int magic, version;
  const void *data;
  void *unused;
};
static const char fat_binary[32] = "LWFATBIN\1\0\0\0\0\0\0\0\1\2\3";
static const Wrapper wrapper = {0x466243b1, 1, fat_binary, nullptr};
static const char foreign_binary[32] = "PTX of another compiler";
static const Wrapper foreign_wrapper = {0x466243b1, 1, foreign_binary, nullptr};
static void **module;

static void register_kernel(void **handle, const void *stub, const char *symbol) {
  __cudaRegisterFunction(handle, (const char *)stub, (char *)symbol, symbol, -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
}

// The fat binary comes first, and the image later: no order of constructors is promised.
__attribute__((constructor(201))) static void register_all() {
  module = __cudaRegisterFatBinary((void *)&wrapper);
  register_kernel(module, KERNEL(scale), "_Z5scalePffi");
  register_kernel(module, KERNEL(add), "_Z3addPii");
  register_kernel(module, KERNEL(total), "_Z5totalPi");
  register_kernel(module, KERNEL(hello), "_Z5helloi");
  register_kernel(module, KERNEL(trapping), "_Z4trapv");
  register_kernel(module, KERNEL(asserting), "_Z6assertv");
  register_kernel(module, KERNEL(writing), "_Z5writePcl");
  register_kernel(module, KERNEL(dividing), "_Z6dividePi");
  register_kernel(module, KERNEL(bounded), "_Z7boundedv");
  register_kernel(module, KERNEL(shared), "_Z6sharedv");
  register_kernel(module, KERNEL(refused), "_Z7refusedv");
  register_kernel(module, KERNEL(forgotten), "_Z9forgottenv");
  __cudaRegisterVar(module, (char *)&host_total, (char *)"", "device_total", 0, sizeof host_total, 0, 0);
  __cudaRegisterVar(module, (char *)host_weights, (char *)"", "device_weights", 0, sizeof host_weights, 1, 0);
  __cudaRegisterManagedVar(module, (void **)&managed_pointer, (char *)"", "managed", 0, sizeof(int), 0, 0);
  __cudaRegisterTexture(module, &reference, nullptr, "reference", 2, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  void **other = __cudaRegisterFatBinary((void *)&foreign_wrapper);
  register_kernel(other, KERNEL(foreign), "_Z7foreignv");
  __cudaRegisterFatBinaryEnd(other);
}
__attribute__((constructor(202))) static void add_image() { lw_image_add(&image); }

// Launches as programs without <<<...>>> write them.
template <class... Types>
static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, cudaStream_t stream, Types... arguments) {
  void *addresses[] = {(void *)&arguments..., nullptr};
  return cudaLaunchKernel(kernel, grid, block, addresses, 0, stream);
}
static cudaError_t launch_bare(const void *kernel, dim3 grid, dim3 block, size_t shared_bytes = 0) {
  return cudaLaunchKernel(kernel, grid, block, nullptr, shared_bytes, nullptr);
}

static inline void use_all() {
  (void)host_reference_of_nothing;
  (void)kernel_images;
}

#endif
