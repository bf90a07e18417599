// SPDX-License-Identifier: Apache-2.0
// Limits and preferences of the device: they are kept, and change nothing on a CPU.
#include "api.h"
#include "reset.h"

namespace lw_cudart {

static const size_t default_limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
enum { NUM_LIMITS = sizeof limits / sizeof *limits };
static cudaFuncCache cache = cudaFuncCachePreferNone;
static cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;

void reset_limits() {
  memcpy(limits, default_limits, sizeof limits);
  cache = cudaFuncCachePreferNone;
  banks = cudaSharedMemBankSizeFourByte;
}

static cudaError_t require_limit(cudaLimit limit) {
  REQUIRE(static_cast<unsigned int>(limit) < NUM_LIMITS, cudaErrorUnsupportedLimit, "there is no limit %d", limit);
  return cudaSuccess;
}

LW_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return CALL({
    REQUIRE_SUCCESS(require_limit(limit));
    limits[limit] = value;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_SUCCESS(require_limit(limit));
    *value = limits[limit];
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
LW_API cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }

LW_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return CALL({
    REQUIRE((unsigned int)config <= cudaFuncCachePreferEqual, cudaErrorInvalidValue, "there is no preference %d",
            config);
    cache = config;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  return CALL({
    REQUIRE_POINTER(config);
    *config = cache;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
LW_API cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) { return cudaDeviceGetCacheConfig(config); }

LW_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return CALL({
    REQUIRE((unsigned int)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue,
            "there are no banks of kind %d", config);
    banks = config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : config;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  return CALL({
    REQUIRE_POINTER(config);
    *config = banks;
    return cudaSuccess;
  });
}

} // namespace lw_cudart
