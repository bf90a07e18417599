// SPDX-License-Identifier: Apache-2.0
// Reductions and scans (cl_khr_subgroups, cl_khr_subgroup_extended_types, cl_khr_subgroup_non_uniform_arithmetic,
// cl_khr_subgroup_clustered_reduce) of ELEMENT by the operation NAME, such as add.
#include "sub_group_arithmetic.h"

COLLECTIVE ELEMENT NAME_OF(sub_group_non_uniform_reduce)(ELEMENT x) { return reduced(active_lanes(), OPERAND(x)); }
COLLECTIVE ELEMENT NAME_OF(sub_group_non_uniform_scan_inclusive)(ELEMENT x) {
  return scanned(active_lanes(), OPERAND(x));
}
COLLECTIVE ELEMENT NAME_OF(sub_group_non_uniform_scan_exclusive)(ELEMENT x) {
  return scanned_before(active_lanes(), OPERAND(x));
}
COLLECTIVE ELEMENT NAME_OF(sub_group_clustered_reduce)(ELEMENT x, uint size) {
  return reduced_in_clusters(active_lanes(), OPERAND(x), size);
}

#ifndef LOGICAL
COLLECTIVE ELEMENT NAME_OF(sub_group_reduce)(ELEMENT x) { return reduced(present_lanes(), x); }
COLLECTIVE ELEMENT NAME_OF(sub_group_scan_inclusive)(ELEMENT x) { return scanned(present_lanes(), x); }
COLLECTIVE ELEMENT NAME_OF(sub_group_scan_exclusive)(ELEMENT x) { return scanned_before(present_lanes(), x); }
#endif
