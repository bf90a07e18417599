// SPDX-License-Identifier: Apache-2.0
// Ranges of work-items, and their work-groups.
#ifndef LANEWISE_OPENCL_RANGES_H
#define LANEWISE_OPENCL_RANGES_H

#include "types.h"

namespace lw_opencl {

struct Range {
  cl_uint dimensions;
  uint64_t offset[3], size[3];
  uint32_t local[3], groups[3];
  bool is_even;
  bool is_along_y; // neighbours in memory are groups along y

  bool is_plain(const KernelText *text) const {
    cl_uint apparent = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
    bool shows = !text->asks_dimensions || dimensions == apparent;
    return is_even && shows && !offset[0] && !offset[1] && !offset[2];
  }
};

// A launch may choose groups that are smaller at the end where the kernel doesn't see them; a local size that is
// suggested is for a call that names it.
enum class Local { LAUNCHED, SUGGESTED };

// The range of a launch, checked; without `local`, with a local size of the kernel's or a chosen one.
cl_int read_range(const Kernel *kernel, const Device *device, cl_uint dimensions, const size_t *offset,
                  const size_t *size, const size_t *local, Local use, Range &range);

inline bool is_empty(const Range &range) { return !range.size[0] || !range.size[1] || !range.size[2]; }

} // namespace lw_opencl

#endif
