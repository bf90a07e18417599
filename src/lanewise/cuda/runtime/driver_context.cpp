// SPDX-License-Identifier: Apache-2.0
// Initialisation and contexts of the driver API. All contexts share the one device and its memory; each thread has a
// stack of them (CUDA Driver API, "Context Management").
#include "api.h"
#include "driver.h"
#include "gpu.h"
#include "reset.h"

namespace lw_cudart {

enum { MOST_CONTEXTS = 64 }; // on the stack of a thread

struct Context {
  uint32_t state; // of the handle
  unsigned int flags;
};
struct ContextStack {
  CUcontext all[MOST_CONTEXTS];
  unsigned int count;
};

static bool is_initialised;
static Handles<Context, 4096> contexts;
static Context primary = {1, 0};
static unsigned int primary_users;
static ThreadMemory<ContextStack> stacks;
static thread_local const char *function_name;
bool runtime_is_used;

void note_use_of_runtime() {
  if (!function_name)
    __atomic_store_n(&runtime_is_used, true, __ATOMIC_RELAXED);
}

void forget_use_of_runtime() { __atomic_store_n(&runtime_is_used, false, __ATOMIC_RELAXED); }

const char *driver_function() { return function_name; }

DriverFunction::DriverFunction(const char *name) : before(function_name) { function_name = name; }
DriverFunction::~DriverFunction() { function_name = before; }

static CUcontext primary_context() { return reinterpret_cast<CUcontext>(&primary); }

static bool runtime_used() { return __atomic_load_n(&runtime_is_used, __ATOMIC_RELAXED); }

static CUcontext current() {
  const ContextStack *stack = stacks.get();
  if (stack->count)
    return stack->all[stack->count - 1];
  return runtime_used() ? primary_context() : nullptr;
}

cudaError_t require(Needs needs) {
  bool ready = __atomic_load_n(&is_initialised, __ATOMIC_ACQUIRE) || runtime_used();
  REQUIRE(needs == NOTHING || ready, cudaErrorInitializationError, "cuInit has not been called");
  REQUIRE(needs != CONTEXT || current(), cudaErrorDeviceUninitialized,
          "the thread has no context: cuCtxCreate, or cuDevicePrimaryCtxRetain and cuCtxSetCurrent, give it one");
  return cudaSuccess;
}

static cudaError_t require_context(CUcontext context) {
  REQUIRE(context == primary_context() || contexts.find(context), cudaErrorDeviceUninitialized,
          "context %p does not exist (any more)", (void *)context);
  return cudaSuccess;
}

static cudaError_t push(CUcontext context) {
  ContextStack *stack = stacks.get();
  REQUIRE(stack->count < MOST_CONTEXTS, cudaErrorInvalidValue, "the thread has %d contexts already", MOST_CONTEXTS);
  stack->all[stack->count++] = context;
  return cudaSuccess;
}

LW_API CUresult cuInit(unsigned int flags) {
  return DRIVER_CALL(NOTHING, {
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    REQUIRE_SUCCESS(open_device());
    __atomic_store_n(&is_initialised, true, __ATOMIC_RELEASE);
    return cudaSuccess;
  });
}

LW_API CUresult cuDriverGetVersion(int *version) {
  return DRIVER_CALL(NOTHING, { return cudaDriverGetVersion(version); });
}

static cudaError_t create_context(CUcontext *context, unsigned int flags, CUdevice device) {
  REQUIRE_POINTER(context);
  REQUIRE_SUCCESS(require_device(device));
  Context *made = contexts.create();
  REQUIRE(made, cudaErrorMemoryAllocation, "there are too many contexts");
  made->flags = flags;
  *context = reinterpret_cast<CUcontext>(made);
  return push(*context);
}

LW_API CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  return DRIVER_CALL(INITIALISED, { return create_context(context, flags, device); });
}

LW_API CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *, int count, unsigned int flags,
                               CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE(!count, cudaErrorNotSupported, "contexts can't have a part of the device");
    return create_context(context, flags, device);
  });
}

LW_API CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE(!parameters || (!parameters->numExecAffinityParams && !parameters->cigParams), cudaErrorNotSupported,
            "contexts can't have a part of the device, or share it with graphics");
    return create_context(context, flags, device);
  });
}

LW_API CUresult cuCtxDestroy(CUcontext context) {
  return DRIVER_CALL(INITIALISED, {
    Context *found = contexts.find(context);
    REQUIRE(found, cudaErrorDeviceUninitialized, "context %p does not exist (any more)", (void *)context);
    ContextStack *stack = stacks.get();
    if (stack->count && stack->all[stack->count - 1] == context)
      --stack->count;
    contexts.destroy(found);
    return cudaSuccess;
  });
}

cudaError_t current_context(CUcontext *context) {
  *context = current();
  return cudaSuccess;
}

LW_API CUresult cuCtxGetCurrent(CUcontext *context) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(context);
    *context = current();
    return cudaSuccess;
  });
}

LW_API CUresult cuCtxSetCurrent(CUcontext context) {
  return DRIVER_CALL(INITIALISED, {
    ContextStack *stack = stacks.get();
    if (context)
      REQUIRE_SUCCESS(require_context(context));
    if (stack->count)
      --stack->count;
    return context ? push(context) : cudaSuccess;
  });
}

LW_API CUresult cuCtxPushCurrent(CUcontext context) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_SUCCESS(require_context(context));
    return push(context);
  });
}

LW_API CUresult cuCtxPopCurrent(CUcontext *context) {
  return DRIVER_CALL(INITIALISED, {
    ContextStack *stack = stacks.get();
    REQUIRE(stack->count, cudaErrorDeviceUninitialized, "the thread has no context");
    --stack->count;
    if (context)
      *context = stack->all[stack->count];
    return cudaSuccess;
  });
}

LW_API CUresult cuCtxGetDevice(CUdevice *device) {
  return DRIVER_CALL(CONTEXT, { return cudaGetDevice(device); });
}

LW_API CUresult cuCtxSynchronize() {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceSynchronize(); });
}

LW_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(context);
    REQUIRE_SUCCESS(require_device(device));
    __atomic_add_fetch(&primary_users, 1, __ATOMIC_RELAXED);
    *context = primary_context();
    return cudaSuccess;
  });
}

LW_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE(__atomic_load_n(&primary_users, __ATOMIC_RELAXED), cudaErrorDeviceUninitialized,
            "the primary context is not retained");
    __atomic_sub_fetch(&primary_users, 1, __ATOMIC_RELAXED);
    return cudaSuccess;
  });
}

LW_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(flags);
    REQUIRE_POINTER(active);
    REQUIRE_SUCCESS(require_device(device));
    *flags = 0;
    *active = __atomic_load_n(&primary_users, __ATOMIC_RELAXED) || runtime_used();
    return cudaSuccess;
  });
}

LW_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_SUCCESS(require_device(device));
    return cudaDeviceReset();
  });
}

LW_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_SUCCESS(require_device(device));
    return cudaSetDeviceFlags(flags);
  });
}

LW_API CUresult cuCtxGetFlags(unsigned int *flags) {
  return DRIVER_CALL(CONTEXT, {
    REQUIRE_POINTER(flags);
    const Context *made = contexts.find(current());
    if (!made)
      return cudaGetDeviceFlags(flags);
    *flags = made->flags;
    return cudaSuccess;
  });
}

LW_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  enum { FIRST_WITH_CONTEXTS = 3020 }; // the interface's version, not the driver's
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(version);
    CUcontext asked = context ? context : current();
    REQUIRE_SUCCESS(require_context(asked));
    *version = FIRST_WITH_CONTEXTS;
    return cudaSuccess;
  });
}

LW_API CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceSetLimit(limit, value); });
}

LW_API CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceGetLimit(value, limit); });
}

LW_API CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceSetCacheConfig(config); });
}

LW_API CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceGetCacheConfig(config); });
}

LW_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return DRIVER_CALL(CONTEXT, { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

} // namespace lw_cudart
