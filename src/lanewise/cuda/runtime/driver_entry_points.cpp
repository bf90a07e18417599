// SPDX-License-Identifier: Apache-2.0
// Functions of the driver API by their names (CUDA Driver API, "Driver Entry Point Access").
#include "api.h"
#include "driver.h"
#include "one_runtime.h"

namespace lw_cudart {

// A name whose form depends on the version of CUDA that a program asks for, from `version` on.
struct LaterForm {
  const char *name;
  int version;
  const char *form;
};
static const LaterForm later_forms[] = {
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
};
enum { FIRST_OF_64_BITS = 3020 }; // functions that have a second form have it since then, or later

static void *function_called(const char *name) {
  for (const NamedEntry *entry = __lwNamedEntries; entry->name; ++entry)
    if (strcmp(entry->name, name) == 0)
      return entry->function;
  return nullptr;
}

static bool has_older_form(const char *name) {
  char second[128];
  snprintf(second, sizeof second, "%s_v2", name);
  return function_called(second);
}

static CUdriverProcAddressQueryResult look_up(const char *name, int version, void **function) {
  const char *form = name;
  for (const LaterForm &later : later_forms)
    if (strcmp(later.name, name) == 0 && version >= later.version)
      form = later.form;
  *function = function_called(form);
  if (!*function)
    return CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (version >= FIRST_OF_64_BITS || form != name || !has_older_form(name))
    return CU_GET_PROC_ADDRESS_SUCCESS;
  *function = nullptr;
  return CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
}

static cudaError_t find(const char *name, void **function, int version, uint64_t flags,
                        CUdriverProcAddressQueryResult *result) {
  REQUIRE_POINTER(name);
  REQUIRE_POINTER(function);
  REQUIRE(version <= CUDA_VERSION, cudaErrorInvalidValue, "version %d is newer than the driver's, %d", version,
          CUDA_VERSION);
  REQUIRE(!(flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM), cudaErrorNotSupported,
          "%s: functions of the driver API have no form with a default stream for each thread", name);
  CUdriverProcAddressQueryResult found = look_up(name, version, function);
  if (result)
    *result = found;
  return cudaSuccess;
}

// The form before CUDA 12, which fails where the later one tells a result.
#undef cuGetProcAddress
LW_API CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return DRIVER_CALL(NOTHING, {
    REQUIRE_SUCCESS(find(name, function, version, flags, nullptr));
    REQUIRE(*function, cudaErrorSymbolNotFound, "there is no function %s in version %d", name, version);
    return cudaSuccess;
  });
}

LW_API CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                                    CUdriverProcAddressQueryResult *result) {
  return DRIVER_CALL(NOTHING, { return find(name, function, version, flags, result); });
}

LW_API cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
                                                    unsigned long long flags, cudaDriverEntryPointQueryResult *result) {
  return PLAIN_CALL({
    CUdriverProcAddressQueryResult found;
    REQUIRE_SUCCESS(find(name, function, static_cast<int>(version), flags, &found));
    if (result)
      *result = static_cast<cudaDriverEntryPointQueryResult>(found);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult *result) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}

} // namespace lw_cudart
