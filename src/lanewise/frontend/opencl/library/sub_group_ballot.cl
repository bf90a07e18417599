// SPDX-License-Identifier: Apache-2.0
// Ballots (cl_khr_subgroup_ballot) but for broadcasts: sets of ids, of which a sub-group needs the first 32 or 64 bits.
#include "sub_groups.h"

#ifdef SUB_GROUPS_OF_64
PRIVATE uint4 ballot_of(lane_set ids) { return (uint4)((uint)ids, (uint)(ids >> 32), 0, 0); }
PRIVATE lane_set ids_in(uint4 value) { return (lane_set)value.y << 32 | value.x; }
#else
PRIVATE uint4 ballot_of(lane_set ids) { return (uint4)(ids, 0, 0, 0); }
PRIVATE lane_set ids_in(uint4 value) { return value.x; }
#endif

COLLECTIVE uint4 sub_group_ballot(int predicate) {
  return ballot_of(ids_of(ballot_among(active_lanes(), predicate != 0)));
}

OVERLOAD int sub_group_inverse_ballot(uint4 value) { return ids_in(value) >> own_id() & 1; }

OVERLOAD int sub_group_ballot_bit_extract(uint4 value, uint index) {
  uint word = index < 32 ? value.x : index < 64 ? value.y : index < 96 ? value.z : value.w;
  return word >> index % 32 & 1;
}

PRIVATE lane_set within(uint4 value) { return ids_in(value) & ones(greatest_size()); }

OVERLOAD uint sub_group_ballot_bit_count(uint4 value) { return __builtin_popcountg(within(value)); }

OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 value) {
  return __builtin_popcountg(ids_in(value) & ~above(own_id()));
}

OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 value) {
  return __builtin_popcountg(ids_in(value) & below(own_id()));
}

// Of an empty set, one more than any id and one less than any.
OVERLOAD uint sub_group_ballot_find_lsb(uint4 value) { return __builtin_ctzg(within(value), (int)WARP); }
OVERLOAD uint sub_group_ballot_find_msb(uint4 value) {
  return (int)WARP - 1 - __builtin_clzg(within(value), (int)WARP);
}

OVERLOAD uint4 get_sub_group_eq_mask(void) { return ballot_of((lane_set)1 << own_id()); }
OVERLOAD uint4 get_sub_group_lt_mask(void) { return ballot_of(below(own_id())); }
OVERLOAD uint4 get_sub_group_le_mask(void) { return ballot_of(~above(own_id())); }
OVERLOAD uint4 get_sub_group_gt_mask(void) { return ballot_of(above(own_id()) & ones(greatest_size())); }
OVERLOAD uint4 get_sub_group_ge_mask(void) { return ballot_of(~below(own_id()) & ones(greatest_size())); }
