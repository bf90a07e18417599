// SPDX-License-Identifier: Apache-2.0
// Ranges of work-items: whether a device and a kernel allow them, and local sizes for those that name none.
#include "ranges.h"
#include "devices.h"

namespace lw_opencl {

enum : uint32_t { WANTED_ITEMS = 256, LEAST_ITEMS = 64, LEAST_IN_LINE = 16 };

static uint32_t largest_divisor(uint64_t number, uint32_t most) {
  for (uint32_t part = number < most ? static_cast<uint32_t>(number) : most; part > 1; --part)
    if (number % part == 0)
      return part;
  return 1;
}

// The work-items that a group of a launch is to have: fewer for a small launch, so that each thread gets a group, but no
// fewer than lanes take. A GPU's groups are as large as any.
static uint32_t wanted_items(const Range &range, const Device *device) {
  if (device->kind->has_own_memory)
    return WANTED_ITEMS;
  uint64_t most = static_cast<uint64_t>(WANTED_ITEMS) * threads_of(device), all = 1;
  for (uint64_t size : range.size)
    all = size && all < most ? all * (size < most ? size : most) : all;
  uint32_t wanted = WANTED_ITEMS;
  while (wanted > LEAST_ITEMS && all < static_cast<uint64_t>(wanted) * threads_of(device))
    wanted /= 2;
  return wanted;
}

// A local size for a range that was given none: as many work-items along x as divide it, then along y and z; along y
// first if the kernel wishes it. Where few divide it along the first axis, it needn't if groups may be smaller at the
// end.
static void choose_local(Range &range, const Kernel *kernel, const Device *device, bool may_be_smaller) {
  size_t most = most_items(kernel, device);
  uint32_t wanted = wanted_items(range, device);
  uint32_t left = most < wanted ? static_cast<uint32_t>(most) : wanted;
  int first = kernel->text->goes_along_y && range.size[1] >= LEAST_IN_LINE ? 1 : 0;
  const int order[] = {first, 1 - first, 2};
  for (int axis : order) {
    uint32_t along_z = static_cast<uint32_t>(device->kind->most_along_z);
    uint32_t part = largest_divisor(range.size[axis], axis == 2 && along_z < left ? along_z : left);
    if (axis == first && may_be_smaller && part < LEAST_IN_LINE && range.size[axis] >= LEAST_IN_LINE)
      part = range.size[axis] < left ? static_cast<uint32_t>(range.size[axis]) : left;
    range.local[axis] = part;
    left /= part;
  }
}

static cl_int take_local(Range &range, const Kernel *kernel, const Device *device, const size_t *local) {
  uint64_t items = 1;
  for (cl_uint axis = 0; axis < 3; ++axis) {
    uint64_t extent = axis < range.dimensions ? local[axis] : 1;
    REQUIRE(extent, CL_INVALID_WORK_GROUP_SIZE, "a local size of 0");
    size_t most = axis == 2 ? device->kind->most_along_z : device->kind->most_work_items;
    REQUIRE(extent <= most, CL_INVALID_WORK_ITEM_SIZE, "a local size of %llu; it is at most %zu",
            static_cast<unsigned long long>(extent), most);
    range.local[axis] = static_cast<uint32_t>(extent);
    items *= extent;
  }
  size_t most = most_items(kernel, device);
  REQUIRE(items <= most, CL_INVALID_WORK_GROUP_SIZE, "a work-group of %llu work-items; kernel %s allows %zu",
          static_cast<unsigned long long>(items), kernel->text->name, most);
  return CL_SUCCESS;
}

cl_int read_range(const Kernel *kernel, const Device *device, cl_uint dimensions, const size_t *offset,
                  const size_t *size, const size_t *local, Local use, Range &range) {
  const KernelText *text = kernel->text;
  REQUIRE(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION, "%u dimensions", dimensions);
  range = {};
  range.dimensions = dimensions;
  for (cl_uint axis = 0; axis < 3; ++axis) {
    range.size[axis] = axis >= dimensions ? 1 : size ? size[axis] : 0; // 0: nothing is done, and that succeeds
    range.offset[axis] = axis < dimensions && offset ? offset[axis] : 0;
    REQUIRE(range.offset[axis] <= UINT64_MAX - range.size[axis], CL_INVALID_GLOBAL_OFFSET,
            "offset and global size pass 2^64");
  }
  bool is_required = text->local[0] != 0;
  if (local)
    REQUIRE_SUCCESS(take_local(range, kernel, device, local));
  else if (is_required)
    memcpy(range.local, text->local, sizeof range.local);
  else
    choose_local(range, kernel, device, !text->is_uniform || (use == Local::LAUNCHED && !text->sees_groups));
  REQUIRE(!is_required || memcmp(range.local, text->local, sizeof range.local) == 0, CL_INVALID_WORK_GROUP_SIZE,
          "kernel %s requires a local size of (%u, %u, %u)", text->name, text->local[0], text->local[1],
          text->local[2]);
  bool is_chosen = !local && !is_required;
  // A kernel that sees its groups may expect earlier ones to begin first.
  range.is_along_y = is_chosen && range.local[0] == 1 && range.local[1] > 1 && !text->sees_groups;
  range.is_even = true;
  for (int axis = 0; axis < 3; ++axis) {
    uint64_t groups = (range.size[axis] + range.local[axis] - 1) / range.local[axis];
    range.is_even &= range.size[axis] % range.local[axis] == 0;
    REQUIRE(range.is_even || !text->is_uniform || is_chosen, CL_INVALID_WORK_GROUP_SIZE,
            "a local size of %u doesn't divide %llu work-items: kernel %s was compiled for uniform groups",
            range.local[axis], static_cast<unsigned long long>(range.size[axis]), text->name);
    REQUIRE(groups <= (axis ? device->kind->most_groups : INT32_MAX), CL_INVALID_GLOBAL_WORK_SIZE,
            "%llu work-groups along an axis",
            static_cast<unsigned long long>(groups));
    range.groups[axis] = static_cast<uint32_t>(groups);
  }
  return CL_SUCCESS;
}

} // namespace lw_opencl
