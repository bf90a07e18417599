// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of ELEMENT by the operation NAME among a work-group (OpenCL C 3.0, 6.15.16): of each sub-group
// first, then of these in order.
#include "sub_group_arithmetic.h"

// Memory of the work-group, 8 bytes for each of its sub-groups. The linked program defines it (kernels.py).
local ulong *__lw_collective(void);

OVERLOAD size_t get_local_linear_id(void);

// Sub-groups before the range is cut off. Those that a cut leaves nothing of count as the identity.
PRIVATE uint number_of_parts(void) { return (whole_size() - 1) / __lw_sub_group_size() + 1; }

PART void clear(local ELEMENT *parts) {
  uint step = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (uint i = get_local_linear_id(); i < number_of_parts(); i += step)
    parts[i] = IDENTITY;
  __syncthreads();
}

// Each sub-group's own reduction, which its last lane has, where all work-items find it until they come to `leave`.
PART local ELEMENT *of_sub_groups(lane_set here, ELEMENT own) {
  local ELEMENT *parts = (local ELEMENT *)__lw_collective();
  if (is_cut())
    clear(parts);
  if ((here & above(own_lane())) == 0)
    parts[own_number()] = own;
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
  lane_set here = present_lanes();
  ELEMENT found = first_of(of_sub_groups(here, reduced(here, x)), number_of_parts());
  leave();
  return found;
}

COLLECTIVE ELEMENT NAME_OF(work_group_scan_inclusive)(ELEMENT x) {
  lane_set here = present_lanes();
  ELEMENT own = scanned(here, x), before = first_of(of_sub_groups(here, own), own_number());
  leave();
  return COMBINE(before, own);
}

COLLECTIVE ELEMENT NAME_OF(work_group_scan_exclusive)(ELEMENT x) {
  lane_set here = present_lanes(), lower = here & below(own_lane());
  ELEMENT own = scanned(here, x), before = first_of(of_sub_groups(here, own), own_number());
  leave();
  ELEMENT previous = of_lane(here, own, highest(lower, own_lane()));
  return lower ? COMBINE(before, previous) : before;
}
