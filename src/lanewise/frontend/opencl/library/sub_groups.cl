// SPDX-License-Identifier: Apache-2.0
// Where a work-item stands among sub-groups, their barrier, and votes without values (cl_khr_subgroups,
// cl_khr_subgroup_non_uniform_vote).
#include "sub_groups.h"

typedef enum memory_scope {
  memory_scope_work_item,
  memory_scope_sub_group,
  memory_scope_work_group,
  memory_scope_device,
  memory_scope_all_svm_devices
} memory_scope;

OVERLOAD uint get_sub_group_size(void) { return __builtin_popcountg(own_members()); }

OVERLOAD uint get_max_sub_group_size(void) { return greatest_size(); }

OVERLOAD uint get_enqueued_num_sub_groups(void) { return (whole_size() - 1) / __lw_sub_group_size() + 1; }

OVERLOAD uint get_num_sub_groups(void) { return sub_groups_before(get_enqueued_num_sub_groups()); }

OVERLOAD uint get_sub_group_id(void) { return sub_groups_before(own_number()); }

OVERLOAD uint get_sub_group_local_id(void) { return own_id(); }

// It orders all memory among the sub-group, whatever its flags.
COLLECTIVE void sub_group_barrier(cl_mem_fence_flags flags) { meet(); }

COLLECTIVE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope >= memory_scope_device)
    __nvvm_membar_gl();
  else if (scope == memory_scope_work_group)
    __nvvm_membar_cta();
  meet();
}

COLLECTIVE int sub_group_all(int predicate) { return all_among(whole(), predicate != 0); }
COLLECTIVE int sub_group_any(int predicate) { return any_among(whole(), predicate != 0); }

COLLECTIVE int sub_group_non_uniform_all(int predicate) {
  return all_among(active_lanes(), predicate != 0);
}
COLLECTIVE int sub_group_non_uniform_any(int predicate) {
  return any_among(active_lanes(), predicate != 0);
}
COLLECTIVE int sub_group_elect(void) { return (active_lanes() & below(own_lane())) == 0; }
