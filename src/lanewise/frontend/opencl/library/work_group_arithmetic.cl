// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of ELEMENT by the operation NAME among a work-group (OpenCL C 3.0, 6.15.16): of each sub-group
// first, then of these in order.
#include "sub_group_arithmetic.h"

// Memory of the work-group, 8 bytes for each of its sub-groups. The linked program defines it (kernels.py).
local ulong *__lw_collective(void);

OVERLOAD uint get_num_sub_groups(void);
OVERLOAD uint get_sub_group_id(void);

// Each sub-group's own reduction, where all work-items find it until they come to `leave`.
PART local ELEMENT *of_sub_groups(ELEMENT x) {
  local ELEMENT *parts = (local ELEMENT *)__lw_collective();
  ELEMENT own = reduced(present_lanes(), x);
  if (own_id() == 0)
    parts[get_sub_group_id()] = own;
  __syncthreads();
  return parts;
}

PART void leave(void) { __syncthreads(); }

PRIVATE ELEMENT first_of(local ELEMENT *parts, uint count) {
  ELEMENT found = IDENTITY;
  for (uint i = 0; i < count; ++i)
    found = COMBINE(found, parts[i]);
  return found;
}

COLLECTIVE ELEMENT NAME_OF(work_group_reduce)(ELEMENT x) {
  ELEMENT found = first_of(of_sub_groups(x), get_num_sub_groups());
  leave();
  return found;
}

COLLECTIVE ELEMENT NAME_OF(work_group_scan_inclusive)(ELEMENT x) {
  ELEMENT before = first_of(of_sub_groups(x), get_sub_group_id());
  leave();
  ELEMENT own = scanned(present_lanes(), x);
  return COMBINE(before, own);
}

COLLECTIVE ELEMENT NAME_OF(work_group_scan_exclusive)(ELEMENT x) {
  ELEMENT before = first_of(of_sub_groups(x), get_sub_group_id());
  leave();
  ELEMENT own = scanned_before(present_lanes(), x);
  return COMBINE(before, own);
}
