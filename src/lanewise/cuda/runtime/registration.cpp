// SPDX-License-Identifier: Apache-2.0
// What a program's start-up code says of itself: its fat binaries, kernels and variables. Clang makes these calls before
// main; their names are fixed.
#include "runtime.h"

namespace {

struct FatBinary {
  char magic[8]; // LWFATBIN
  uint32_t version;
  uint32_t reserved;
  uint8_t id[LW_IMAGE_ID_BYTES];
};

struct Wrapper {
  int magic;
  int version;
  const FatBinary *data;
  void *unused;
};

pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t registry_lock = PTHREAD_RWLOCK_INITIALIZER;
PointerMap kernels_by_stub;   // lw_kernel_image
PointerMap variables_by_host; // lw_variable_image

void *find_registered(const PointerMap &map, const void *key) {
  pthread_rwlock_rdlock(&registry_lock);
  void *found = map.find(key);
  pthread_rwlock_unlock(&registry_lock);
  return found;
}

void enter(PointerMap &map, const void *key, const void *value) {
  pthread_rwlock_wrlock(&registry_lock);
  map.insert(key, const_cast<void *>(value));
  pthread_rwlock_unlock(&registry_lock);
}

const lw_kernel_image *kernel_of(const void *stub) {
  return static_cast<const lw_kernel_image *>(find_registered(kernels_by_stub, stub));
}

const lw_variable_image *variable_of(const void *host) {
  return static_cast<const lw_variable_image *>(find_registered(variables_by_host, host));
}

} // namespace

CUDART void **__cudaRegisterFatBinary(void *wrapper) {
  Lock lock(registering);
  lw_set_failure_hook(on_failure);
  lw_set_stray_hook(on_stray);
  const FatBinary *binary = static_cast<const Wrapper *>(wrapper)->data;
  const lw_image *image =
      memcmp(binary->magic, "LWFATBIN", sizeof binary->magic) == 0 ? lw_image_find(binary->id) : nullptr;
  if (image == nullptr)
    tell("%s", "the program has device code that another compiler made: build it with lanewise nvcc");
  void **handle = static_cast<void **>(malloc(sizeof *handle));
  if (handle != nullptr)
    *handle = const_cast<lw_image *>(image);
  return handle;
}

CUDART void __cudaRegisterFatBinaryEnd(void **) {}

CUDART void __cudaUnregisterFatBinary(void **handle) { free(handle); }

CUDART void __cudaRegisterFunction(void **handle, const char *stub, char *, const char *symbol, int, void *, void *,
                                   void *, void *, int *) {
  const lw_image *image = handle != nullptr ? static_cast<const lw_image *>(*handle) : nullptr;
  const lw_kernel_image *kernel = image != nullptr ? lw_image_kernel(image, symbol) : nullptr;
  if (kernel != nullptr)
    enter(kernels_by_stub, stub, kernel);
}

namespace {
void register_variable(void **handle, const void *host, const char *symbol) {
  const lw_image *image = handle != nullptr ? static_cast<const lw_image *>(*handle) : nullptr;
  const lw_variable_image *variable = image != nullptr ? lw_image_variable(image, symbol) : nullptr;
  if (variable != nullptr)
    enter(variables_by_host, host, variable);
}
} // namespace

CUDART void __cudaRegisterVar(void **handle, char *host, char *, const char *symbol, int, size_t, int, int) {
  register_variable(handle, host, symbol);
}

CUDART void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *symbol, size_t, unsigned) {
  register_variable(handle, host, symbol);
  const lw_variable_image *variable = variable_of(host);
  if (variable != nullptr)
    *host = variable->address;
}

CUDART void __cudaRegisterTexture(void **handle, const void *host, const void **, const char *symbol, int, int, int) {
  register_variable(handle, host, symbol);
}

CUDART void __cudaRegisterSurface(void **handle, const void *host, const void **, const char *symbol, int, int) {
  register_variable(handle, host, symbol);
}

CUDART void __cudaInitModule(void **) {}
