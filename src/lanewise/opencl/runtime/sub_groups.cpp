// SPDX-License-Identifier: Apache-2.0
// What kernels are asked of their sub-groups: work-items in linear order, as many for each as the kernel has.
#include "devices.h"
#include "kernel.h"

namespace lw_opencl {

static cl_uint sub_groups_of(size_t items, size_t size) { return static_cast<cl_uint>((items + size - 1) / size); }

// Work-items of a group whose local size comes as input.
static cl_int read_items(size_t bytes, const void *input, size_t &items) {
  size_t extents[3], count = bytes / sizeof(size_t);
  REQUIRE(input && count >= 1 && count <= 3 && bytes % sizeof(size_t) == 0, CL_INVALID_VALUE,
          "a local size of %zu bytes", bytes);
  memcpy(extents, input, bytes);
  items = 1;
  for (size_t i = 0; i < count; ++i)
    REQUIRE(!__builtin_mul_overflow(items, extents[i], &items) && items, CL_INVALID_VALUE, "a local size of 0, or too large");
  return CL_SUCCESS;
}

// A local size, along as many axes as `answer` has room for, that has so many sub-groups; zeros if none has.
static cl_int local_size_for(size_t sub_groups, size_t size, size_t most_items, const Answer &answer) {
  size_t axes = answer.place ? answer.room / sizeof(size_t) : 3, local[3] = {0, 0, 0};
  REQUIRE(axes >= 1 && axes <= 3 && (!answer.place || answer.room % sizeof(size_t) == 0), CL_INVALID_VALUE,
          "room of %zu bytes for a local size", answer.room);
  if (sub_groups && sub_groups <= most_items / size) {
    local[0] = sub_groups * size;
    local[1] = local[2] = 1;
  }
  return answer.bytes(local, axes * sizeof(size_t));
}

static cl_int sub_group_info(const Kernel *kernel, const Device *device, cl_enum what, size_t bytes, const void *input,
                             const Answer &answer) {
  const KernelText *text = kernel->text;
  size_t size = text->sub_group_size, most = most_items(kernel, device);
  size_t items;
  switch (what) {
  case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    REQUIRE_SUCCESS(read_items(bytes, input, items));
    return answer.value(items < size ? items : size);
  case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
    REQUIRE_SUCCESS(read_items(bytes, input, items));
    return answer.value<size_t>(sub_groups_of(items, size));
  case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
    REQUIRE(input && bytes == sizeof(size_t), CL_INVALID_VALUE, "a number of sub-groups of %zu bytes", bytes);
    return local_size_for(*static_cast<const size_t *>(input), size, most, answer);
  case CL_KERNEL_MAX_NUM_SUB_GROUPS:
    return answer.value<size_t>(sub_groups_of(most, size));
  case CL_KERNEL_COMPILE_NUM_SUB_GROUPS: // the source can't require a number
    return answer.value<size_t>(0);
  case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    return answer.value<size_t>(text->requires_sub_group_size ? size : 0);
  default:
    return fail(CL_INVALID_VALUE, "kernels have no property 0x%x of sub-groups", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_enum what, size_t bytes,
                                     const void *input, size_t room, void *place, size_t *size) {
  REQUIRE(lives(kernel), CL_INVALID_KERNEL, "%p is no kernel", static_cast<const void *>(kernel));
  const Device *found;
  REQUIRE_SUCCESS(find_device(kernel, device, found));
  return sub_group_info(kernel, found, what, bytes, input, {room, place, size});
}

LW_CL cl_int clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_enum what, size_t bytes,
                                        const void *input, size_t room, void *place, size_t *size) {
  return clGetKernelSubGroupInfo(kernel, device, what, bytes, input, room, place, size);
}
