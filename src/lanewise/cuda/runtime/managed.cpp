// SPDX-License-Identifier: Apache-2.0
// Hints about managed memory: checked, remembered, and without effect where host and device share their memory.
#include "api.h"
#include "gpu.h"
#include "hints.h"
#include "ranges.h"
#include "streams.h"

namespace lw_cudart {

static cudaError_t require_managed(const void *memory, size_t bytes) {
  REQUIRE_POINTER(memory);
  REQUIRE(bytes, cudaErrorInvalidValue, "0 bytes");
  Place place;
  REQUIRE_SUCCESS(place_of({memory, bytes}, "memory", &place));
  REQUIRE(place.kind && is_managed(place.allocation), cudaErrorInvalidValue,
          "%p is no managed memory", memory);
  return cudaSuccess;
}

static cudaError_t require_place(int device) {
  return device == cudaCpuDeviceId ? cudaSuccess : require_device(device);
}

LW_API cudaError_t cudaMemPrefetchAsync(const void *memory, size_t bytes, int device, cudaStream_t handle) {
  return CALL({
    REQUIRE_SUCCESS(require_place(device));
    REQUIRE_SUCCESS(require_managed(memory, bytes));
    REQUIRE_STREAM(stream, handle);
    (void)stream;
    remember_hint(memory, bytes, PREFETCHED, device);
    return cudaSuccess;
  });
}

static void remember_advice(const void *memory, size_t bytes, cudaMemoryAdvise advice, int device) {
  HintKind accessed = device == cudaCpuDeviceId ? ACCESSED_BY_HOST : ACCESSED_BY_DEVICE;
  switch (advice) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    return remember_hint(memory, bytes, READ_MOSTLY, advice == cudaMemAdviseSetReadMostly);
  case cudaMemAdviseSetPreferredLocation:
    return remember_hint(memory, bytes, PREFERRED, device);
  case cudaMemAdviseUnsetPreferredLocation:
    return remember_hint(memory, bytes, PREFERRED, cudaInvalidDeviceId);
  case cudaMemAdviseSetAccessedBy:
  case cudaMemAdviseUnsetAccessedBy:
    return remember_hint(memory, bytes, accessed, advice == cudaMemAdviseSetAccessedBy);
  }
}

LW_API cudaError_t cudaMemAdvise(const void *memory, size_t bytes, cudaMemoryAdvise advice, int device) {
  return CALL({
    REQUIRE(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy, cudaErrorInvalidValue,
            "there is no advice %d", advice);
    if (advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
        advice != cudaMemAdviseUnsetPreferredLocation)
      REQUIRE_SUCCESS(require_place(device));
    REQUIRE_SUCCESS(require_managed(memory, bytes));
    remember_advice(memory, bytes, advice, device);
    return cudaSuccess;
  });
}

static int device_of(const cudaMemLocation &location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

LW_API cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t bytes, cudaMemLocation location, unsigned int,
                                           cudaStream_t stream) {
  return cudaMemPrefetchAsync(memory, bytes, device_of(location), stream);
}

LW_API cudaError_t cudaMemAdvise_v2(const void *memory, size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location) {
  return cudaMemAdvise(memory, bytes, advice, device_of(location));
}

static cudaError_t range_attribute(void *data, size_t data_bytes, cudaMemRangeAttribute attribute, const void *memory,
                                   size_t bytes) {
  REQUIRE_POINTER(data);
  REQUIRE(data_bytes >= sizeof(int) && data_bytes % sizeof(int) == 0, cudaErrorInvalidValue,
          "%zu bytes are no array of int", data_bytes);
  REQUIRE(attribute >= cudaMemRangeAttributeReadMostly && attribute <= cudaMemRangeAttributeLastPrefetchLocation,
          cudaErrorInvalidValue, "there is no attribute %d", attribute);
  int *values = static_cast<int *>(data);
  size_t count = data_bytes / sizeof(int), known = 0;
  if (attribute == cudaMemRangeAttributeReadMostly) {
    values[known++] = hint_of(memory, bytes, READ_MOSTLY, 0);
  } else if (attribute == cudaMemRangeAttributeAccessedBy) {
    if (hint_of(memory, bytes, ACCESSED_BY_DEVICE, 0))
      values[known++] = 0;
    if (known < count && hint_of(memory, bytes, ACCESSED_BY_HOST, 0))
      values[known++] = cudaCpuDeviceId;
  } else {
    HintKind kind = attribute == cudaMemRangeAttributePreferredLocation ? PREFERRED : PREFETCHED;
    values[known++] = hint_of(memory, bytes, kind, cudaInvalidDeviceId);
  }
  while (known < count)
    values[known++] = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
  return cudaSuccess;
}

LW_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                            const void *memory, size_t bytes) {
  return CALL({
    REQUIRE_SUCCESS(require_managed(memory, bytes));
    return range_attribute(data, data_bytes, attribute, memory, bytes);
  });
}

LW_API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_bytes, cudaMemRangeAttribute *attributes,
                                             size_t count, const void *memory, size_t bytes) {
  return CALL({
    REQUIRE_SUCCESS(require_managed(memory, bytes));
    REQUIRE(data && data_bytes && attributes, cudaErrorInvalidValue, "an array is null");
    for (size_t i = 0; i < count; ++i)
      REQUIRE_SUCCESS(range_attribute(data[i], data_bytes[i], attributes[i], memory, bytes));
    return cudaSuccess;
  });
}

} // namespace lw_cudart
