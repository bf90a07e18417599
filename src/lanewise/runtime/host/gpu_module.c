// SPDX-License-Identifier: Apache-2.0
// Images on a GPU: their PTX is handed to the driver when a kernel or a variable of theirs is first used.
#include "driver.h"
#include "host.h"

#include <stdlib.h>

struct gpu_module {
  const lw_image *image;
  const char *refusal; // of kernels that the PTX lacks, or null
  void *module;
  void **functions; // by the number of the kernel; null: not looked up yet
  uint64_t *variables; // likewise
  struct gpu_module *following;
};
static struct {
  pthread_mutex_t lock;
  struct gpu_module *all;
} gpu_modules = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The newest PTX that the GPU takes; null with an explanation in `result` if there is none.
static const lw_gpu_code *code_for_gpu(const lw_image *image, int32_t *result) {
  const lw_gpu_code *best = NULL;
  for (uint32_t i = 0; i < image->num_gpu_codes; ++i) {
    const lw_gpu_code *each = &image->gpu_codes[i];
    bool fits = each->only ? each->capability == gpu.capability : each->capability <= gpu.capability;
    if (fits && (best == NULL || best->ptx == NULL || (each->ptx != NULL && each->capability >= best->capability)))
      best = each;
  }
  if (best == NULL)
    *result = explain(LW_NO_KERNEL, "%s has no PTX for this GPU: build it with -arch=sm_%u", image->source,
                      gpu.capability);
  else if (best->ptx == NULL)
    *result = explain(LW_NO_KERNEL, "%s has no PTX: %s", image->source, best->refusal);
  return *result == LW_SUCCESS ? best : NULL;
}

static int32_t load_ptx(const lw_image *image, struct gpu_module *made) {
  for (uint32_t i = 0; i < image->num_variables; ++i)
    if (image->variables[i].flags & LW_VARIABLE_MANAGED)
      return explain(LW_NOT_SUPPORTED, "%s: managed variables are not supported on a GPU", image->variables[i].name);
  int32_t result = LW_SUCCESS;
  const lw_gpu_code *code = code_for_gpu(image, &result);
  if (code == NULL)
    return result;
  made->refusal = code->refusal;
  char log[384] = "";
  int32_t options[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  result = DRIVE(cuModuleLoadDataEx, &made->module, code->ptx, 2, options, values);
  return result != LW_SUCCESS && log[0] != '\0' ? explain(result, "%s: the driver refuses its PTX: %s", image->source, log)
                                                : result;
}

static struct gpu_module *known_module_of(const lw_image *image) {
  for (struct gpu_module *each = gpu_modules.all; each != NULL; each = each->following)
    if (each->image == image)
      return each;
  return NULL;
}

static void free_module(struct gpu_module *module) {
  if (module->module != NULL)
    gpu.cuModuleUnload(module->module);
  free(module->functions);
  free(module->variables);
  free(module);
}

static int32_t load_module(const lw_image *image, struct gpu_module **loaded) {
  struct gpu_module *made = calloc(1, sizeof *made);
  if (made == NULL)
    return explain(LW_NO_MEMORY, "no memory for a module");
  made->image = image;
  made->functions = calloc(image->num_kernels + 1, sizeof *made->functions);
  made->variables = calloc(image->num_variables + 1, sizeof *made->variables);
  int32_t result = made->functions != NULL && made->variables != NULL ? LW_SUCCESS
                                                                      : explain(LW_NO_MEMORY, "no memory for a module");
  if (result == LW_SUCCESS)
    result = load_ptx(image, made);
  if (result == LW_SUCCESS)
    *loaded = made;
  else
    free_module(made);
  return result;
}

// The image's module, which is loaded unless it is there. Under the lock, in a thread with the GPU's context. The lock is
// free while the driver compiles, so that other kernels can be launched: of two threads that load one image, the second
// one's module is dropped.
static int32_t gpu_module_of(const lw_image *image, struct gpu_module **found) {
  if ((*found = known_module_of(image)) != NULL)
    return LW_SUCCESS;
  struct gpu_module *made = NULL;
  pthread_mutex_unlock(&gpu_modules.lock);
  int32_t result = load_module(image, &made);
  pthread_mutex_lock(&gpu_modules.lock);
  if (result != LW_SUCCESS)
    return result;
  if ((*found = known_module_of(image)) != NULL) {
    free_module(made);
    return LW_SUCCESS;
  }
  made->following = gpu_modules.all;
  *found = gpu_modules.all = made;
  return LW_SUCCESS;
}

static int32_t gpu_function(const lw_kernel_image *kernel, void **function) {
  const lw_image *image = image_of_kernel(kernel);
  if (image == NULL)
    return explain(LW_NO_KERNEL, "kernel %s is in no image", kernel->name);
  pthread_mutex_lock(&gpu_modules.lock);
  struct gpu_module *module;
  int32_t result = gpu_module_of(image, &module);
  if (result == LW_SUCCESS) {
    void **known = &module->functions[kernel - image->kernels];
    if (*known == NULL)
      result = DRIVE(cuModuleGetFunction, known, module->module, kernel->symbol);
    if (result == LW_DRIVER_ERROR + DRIVER_NOT_FOUND && module->refusal != NULL)
      result = explain(LW_NO_KERNEL, "kernel %s has no PTX: %s", kernel->name, module->refusal);
    *function = *known;
  }
  pthread_mutex_unlock(&gpu_modules.lock);
  return result;
}

int32_t lw_gpu_most_threads(const lw_kernel_image *kernel, uint32_t *most) {
  void *function = NULL;
  int32_t found = 0;
  ENTER_GPU(result);
  if (result == LW_SUCCESS)
    result = gpu_function(kernel, &function);
  if (result == LW_SUCCESS)
    result = DRIVE(cuFuncGetAttribute, &found, DRIVER_FUNCTION_MOST_THREADS, function);
  *most = (uint32_t)found;
  return result;
}

// Has the driver load an image's PTX now, not at its first use.
static int32_t gpu_load_image(const lw_image *image) {
  struct gpu_module *module;
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  pthread_mutex_lock(&gpu_modules.lock);
  result = gpu_module_of(image, &module);
  pthread_mutex_unlock(&gpu_modules.lock);
  return result;
}

int32_t lw_variable_address(const lw_image *image, const lw_variable_image *variable, void **address) {
  *address = variable->address;
  if (!gpu.on)
    return LW_SUCCESS;
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    return result;
  pthread_mutex_lock(&gpu_modules.lock);
  struct gpu_module *module;
  result = gpu_module_of(image, &module);
  if (result == LW_SUCCESS) {
    uint64_t *known = &module->variables[variable - image->variables];
    size_t bytes = 0;
    if (*known == 0)
      result = DRIVE(cuModuleGetGlobal_v2, known, &bytes, module->module, variable->symbol);
    if (bytes > 0)
      result = remember((void *)(uintptr_t)*known, bytes, LW_VARIABLE_MEMORY, variable->flags);
    *address = (void *)(uintptr_t)*known;
  }
  pthread_mutex_unlock(&gpu_modules.lock);
  return result;
}

static void gpu_forget_image(const lw_image *image) {
  pthread_mutex_lock(&gpu_modules.lock);
  struct gpu_module **place = &gpu_modules.all;
  while (*place != NULL && (*place)->image != image)
    place = &(*place)->following;
  struct gpu_module *found = *place;
  if (found != NULL)
    *place = found->following;
  pthread_mutex_unlock(&gpu_modules.lock);
  if (found == NULL)
    return;
  for (uint32_t i = 0; i < image->num_variables; ++i)
    if (found->variables[i] != 0)
      forget((void *)(uintptr_t)found->variables[i], is_of_kind, LW_VARIABLE_MEMORY);
  ENTER_GPU(result);
  if (result != LW_SUCCESS)
    found->module = NULL;
  free_module(found);
}
