// SPDX-License-Identifier: Apache-2.0
// Ranges of memory that calls are given, held against the allocations that there are.
#ifndef LANEWISE_CUDART_RANGES_H
#define LANEWISE_CUDART_RANGES_H

namespace lw_cudart {

// Memory that a call reads or writes: `bytes` from `address`, with all rows and planes of a box in between.
struct Range {
  const void *address;
  uint64_t bytes;
};

// Memory that host code and kernels use alike.
inline bool is_managed(const lw_allocation &memory) {
  return memory.kind == LW_MANAGED_MEMORY || (memory.kind == LW_VARIABLE_MEMORY && (memory.flags & LW_VARIABLE_MANAGED));
}

// The allocation that a range is in; `kind` is 0 for the host's own memory, of which nothing is known.
struct Place {
  uint32_t kind;
  lw_allocation allocation;
  bool only_on_device() const {
    return kind == LW_DEVICE_MEMORY || (kind == LW_VARIABLE_MEMORY && !is_managed(allocation));
  }
  bool pageable() const { return !kind; }
};

// Fails if the range leaves its allocation. `what` is the range's name in the message.
cudaError_t place_of(const Range &range, const char *what, Place *place);

// Fails unless the range is in memory that the device accesses.
cudaError_t require_device_memory(const Range &range, const char *what);

// A product, or the largest number if that is less.
inline uint64_t product(uint64_t a, uint64_t b) {
  uint64_t made;
  return __builtin_mul_overflow(a, b, &made) ? UINT64_MAX : made;
}

// Bytes from the first to the last of a box; the largest number if there are more.
uint64_t span(const lw_box &box, const lw_pitch &pitch);

} // namespace lw_cudart

#endif
