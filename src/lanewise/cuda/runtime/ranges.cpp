// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "ranges.h"

namespace lw_cudart {

// As on a GPU, what lies between the end of an allocation and the next multiple of 256 bytes may be accessed, too.
enum : uint64_t { GRANULARITY = 256 };

cudaError_t place_of(const Range &range, const char *what, Place *place) {
  if (!lw_memory_find(range.address, &place->allocation)) {
    place->kind = 0;
    return cudaSuccess;
  }
  const lw_allocation &found = place->allocation;
  place->kind = found.kind;
  uint64_t offset = reinterpret_cast<uint64_t>(range.address) - reinterpret_cast<uint64_t>(found.address);
  uint64_t room = found.kind == LW_REGISTERED_MEMORY || found.kind == LW_VARIABLE_MEMORY
                      ? found.bytes
                      : (found.bytes + GRANULARITY - 1) / GRANULARITY * GRANULARITY;
  // The host's own memory goes on after what was registered of it.
  REQUIRE((offset <= room && range.bytes <= room - offset) || found.kind == LW_REGISTERED_MEMORY, cudaErrorInvalidValue,
          "%llu bytes from %p: the %s ends after %llu of them", static_cast<unsigned long long>(range.bytes),
          range.address, what, static_cast<unsigned long long>(offset < found.bytes ? found.bytes - offset : 0));
  return cudaSuccess;
}

cudaError_t require_device_memory(const Range &range, const char *what) {
  Place place;
  REQUIRE(range.address, cudaErrorInvalidValue, "the %s is null", what);
  REQUIRE_SUCCESS(place_of(range, what, &place));
  REQUIRE(place.kind, cudaErrorInvalidValue, "the %s, %p, is in no memory of the device", what, range.address);
  return cudaSuccess;
}

uint64_t span(const lw_box &box, const lw_pitch &pitch) {
  if (!box.bytes || !box.rows || !box.planes)
    return 0;
  uint64_t planes, rows, both, all;
  bool is_too_large = __builtin_mul_overflow(box.planes - 1, pitch.plane, &planes);
  is_too_large |= __builtin_mul_overflow(box.rows - 1, pitch.row, &rows);
  is_too_large |= __builtin_add_overflow(planes, rows, &both);
  is_too_large |= __builtin_add_overflow(both, box.bytes, &all);
  return is_too_large ? UINT64_MAX : all;
}

} // namespace lw_cudart
