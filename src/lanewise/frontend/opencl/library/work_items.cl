// SPDX-License-Identifier: Apache-2.0
// Work-item functions (6.12.1; OpenCL C 2.0, 6.13.1). Where the launch stands in a larger range, the linked program says: it defines
//   __lw_global_offset  where the range starts
//   __lw_range          where it ends, or else `whole`, if all work-groups are of one size
//   __lw_work_dim       of how many dimensions the launch is
#include "types.h"

ulong __lw_global_offset(uint dimension);
ulong __lw_range(uint dimension, ulong whole);
uint __lw_work_dim(void);

#define ALONG_AXIS(query, beyond)                         \
  (dimension == 0   ? __lw_read_##query##_x()  \
   : dimension == 1 ? __lw_read_##query##_y()  \
   : dimension == 2 ? __lw_read_##query##_z()  \
                    : beyond)

// Before the range is cut off.
PRIVATE ulong group_start(uint dimension) { return (ulong)ALONG_AXIS(ctaid, 0) * ALONG_AXIS(ntid, 1); }

OVERLOAD uint get_work_dim(void) { return __lw_work_dim(); }

OVERLOAD size_t get_local_id(uint dimension) { return ALONG_AXIS(tid, 0); }

OVERLOAD size_t get_group_id(uint dimension) { return ALONG_AXIS(ctaid, 0); }

OVERLOAD size_t get_num_groups(uint dimension) { return ALONG_AXIS(nctaid, 1); }

OVERLOAD size_t get_global_offset(uint dimension) { return dimension < 3 ? __lw_global_offset(dimension) : 0; }

OVERLOAD size_t get_global_id(uint dimension) {
  return get_global_offset(dimension) + group_start(dimension) + get_local_id(dimension);
}

OVERLOAD size_t get_global_size(uint dimension) {
  if (dimension >= 3)
    return 1;
  return __lw_range(dimension, (ulong)ALONG_AXIS(nctaid, 1) * ALONG_AXIS(ntid, 1));
}

OVERLOAD size_t get_local_size(uint dimension) {
  if (dimension >= 3)
    return 1;
  ulong whole = ALONG_AXIS(ntid, 1), start = group_start(dimension);
  ulong left = __lw_range(dimension, start + whole) - start;
  return left < whole ? left : whole;
}

OVERLOAD size_t get_enqueued_local_size(uint dimension) { return ALONG_AXIS(ntid, 1); }

OVERLOAD size_t get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

PRIVATE size_t place_in_range(uint dimension) { return group_start(dimension) + get_local_id(dimension); }

OVERLOAD size_t get_global_linear_id(void) {
  return (place_in_range(2) * get_global_size(1) + place_in_range(1)) * get_global_size(0) + place_in_range(0);
}
