// SPDX-License-Identifier: Apache-2.0
// What the functions of sub-groups have in common. A sub-group is a warp, 32 work-items in linear order, x fastest, or
// 8 or 16 neighbours in one; the last one of a work-group has what is left. Its ids are lanes, counted from its first
// one, but in a work-group that the end of the range cuts off: there lanes are missing, which returned at once, and ids
// count those that there are. Sets of lanes are bits, the sub-group's first lane the lowest.
//
// With -DSUB_GROUPS_OF_64 a warp has 64 lanes, and its operations are the kernel IR's own (lw.wide).
#ifndef LANEWISE_OPENCL_SUB_GROUPS_H
#define LANEWISE_OPENCL_SUB_GROUPS_H

#include "types.h"

// Work-items of a full sub-group: 8, 16, 32 or 64. The linked program defines it (kernels.py).
__attribute__((const)) uint __lw_sub_group_size(void);

#ifdef SUB_GROUPS_OF_64
#define WARP 64u
typedef ulong lane_set;
#else
#define WARP 32u
typedef uint lane_set;
#endif

// Functions that work-items execute together, and what those are made of.
#define COLLECTIVE __attribute__((overloadable, convergent))
#define PART static inline __attribute__((overloadable, always_inline, convergent))

OVERLOAD size_t get_local_size(uint dimension);

// `count` bits, from the lowest; at least one.
PRIVATE lane_set ones(uint count) {
  return ~(lane_set)0 >> (WARP - __builtin_elementwise_min(count, WARP));
}
PRIVATE lane_set below(uint lane) { return ((lane_set)1 << lane) - 1; }
PRIVATE lane_set above(uint lane) { return ~(lane_set)1 << lane; }

// The place of a work-item in the work-group, in linear order.
PRIVATE uint own_place(void) {
  uint row = __lw_read_tid_z() * __lw_read_ntid_y() + __lw_read_tid_y();
  return row * __lw_read_ntid_x() + __lw_read_tid_x();
}

// For functions that all work-items of the sub-group come to: lanes that there are not, or that have returned, take no
// part, and nobody waits for them.
PRIVATE lane_set whole(void) { return ones(__lw_sub_group_size()); }

#ifdef SUB_GROUPS_OF_64

#define WIDE(type, name, ...) \
  __attribute__((convergent)) type __lw_wide_##name(__VA_ARGS__) __asm("lw.wide." #name ".sync");
__attribute__((convergent)) ulong __lw_wide_active(void) __asm("lw.wide.active");
WIDE(ulong, ballot, ulong here, bool x)
WIDE(void, barrier, ulong here)
WIDE(uint, up, ulong here, uint x, uint by)
WIDE(uint, down, ulong here, uint x, uint by)
WIDE(uint, across, ulong here, uint x, uint by)
WIDE(uint, lane, ulong here, uint x, uint lane)

PRIVATE uint own_lane(void) { return own_place() & (WARP - 1); }

PART lane_set ballot_among(lane_set here, bool x) { return __lw_wide_ballot(here, x); }
PART bool all_among(lane_set here, bool x) { return __lw_wide_ballot(here, !x) == 0; }
PART bool any_among(lane_set here, bool x) { return __lw_wide_ballot(here, x) != 0; }
PART void meet(void) { __lw_wide_barrier(whole()); }

// The lanes that execute this together.
PART lane_set active_lanes(void) { return __lw_wide_active(); }

#else

// The lane of the warp that is the first of the sub-group.
PRIVATE uint first_lane(void) { return __nvvm_read_ptx_sreg_laneid() & -__lw_sub_group_size(); }

PRIVATE uint own_lane(void) { return __nvvm_read_ptx_sreg_laneid() & (__lw_sub_group_size() - 1); }

// A set of lanes as a member mask of the warp, and back.
PRIVATE uint mask_of(lane_set lanes) { return lanes << first_lane(); }
PRIVATE lane_set lanes_of_mask(uint mask) { return mask >> first_lane() & whole(); }

PART lane_set ballot_among(lane_set here, bool x) { return lanes_of_mask(__nvvm_vote_ballot_sync(mask_of(here), x)); }
PART bool all_among(lane_set here, bool x) { return __nvvm_vote_all_sync(mask_of(here), x); }
PART bool any_among(lane_set here, bool x) { return __nvvm_vote_any_sync(mask_of(here), x); }
PART void meet(void) { __nvvm_bar_warp_sync(mask_of(whole())); }

// The lanes that execute this together.
PART lane_set active_lanes(void) { return lanes_of_mask(__nvvm_activemask()); }

#endif

// The lanes that have not returned. All of these wait for one another.
PART lane_set present_lanes(void) { return ballot_among(whole(), 1); }

// -- the work-group, before the range is cut off

PRIVATE uint whole_size(void) {
  return __lw_read_ntid_x() * __lw_read_ntid_y() * __lw_read_ntid_z();
}

PRIVATE uint own_number(void) { return own_place() / __lw_sub_group_size(); }

PRIVATE uint greatest_size(void) {
  uint size = __lw_sub_group_size();
  return whole_size() < size ? whole_size() : size;
}

// -- and after

PRIVATE bool is_cut(void) {
  return get_local_size(0) != __lw_read_ntid_x() || get_local_size(1) != __lw_read_ntid_y() ||
         get_local_size(2) != __lw_read_ntid_z();
}

// What only a work-group needs that is cut off stays in functions, of which programs for plain launches call none.
#define FOR_CUTS static __attribute__((noinline))

// The place of the first work-item of a row in the whole work-group; rows that there are, one after another.
PRIVATE uint row_start(uint row) {
  uint rows = get_local_size(1);
  return (row / rows * __lw_read_ntid_y() + row % rows) * __lw_read_ntid_x();
}

// Which lanes the own sub-group has.
FOR_CUTS lane_set members_in_cut(void) {
  lane_set members = 0;
  uint start = __lw_sub_group_size() * own_number(), end = start + __lw_sub_group_size();
  uint length = get_local_size(0), rows = get_local_size(1) * get_local_size(2);
  for (uint row = 0; row < rows; ++row) {
    uint first = row_start(row), past = first + length;
    uint low = first > start ? first : start, high = past < end ? past : end;
    if (low < high)
      members |= ones(high - low) << (low - start);
  }
  return members;
}

// How many sub-groups before the one of this number have any.
FOR_CUTS uint sub_groups_in_cut(uint number) {
  uint size = __lw_sub_group_size(), seen = 0, count = 0;
  uint length = get_local_size(0), rows = get_local_size(1) * get_local_size(2);
  for (uint row = 0; row < rows; ++row) {
    uint first = row_start(row), from = first / size, to = (first + length - 1) / size + 1;
    from = from > seen ? from : seen;
    to = to < number ? to : number;
    if (from < to) {
      count += to - from;
      seen = to;
    }
  }
  return count;
}

FOR_CUTS uint lane_in_cut(uint id) {
  lane_set members = members_in_cut();
  for (; id; --id)
    members &= members - 1;
  return __builtin_ctzg(members, (int)WARP - 1) & (__lw_sub_group_size() - 1);
}

FOR_CUTS lane_set ids_in_cut(lane_set lanes) {
  lane_set ids = 0, members = members_in_cut();
  for (uint id = 0; members; members &= members - 1, ++id)
    ids |= (lanes >> __builtin_ctzg(members) & 1) << id;
  return ids;
}

FOR_CUTS lane_set lanes_in_cut(lane_set ids) {
  lane_set lanes = 0;
  for (lane_set members = members_in_cut(); members; members &= members - 1, ids >>= 1)
    lanes |= ids & 1 ? members & -members : 0;
  return lanes;
}

// -- ids and lanes

PRIVATE uint sub_groups_before(uint number) { return is_cut() ? sub_groups_in_cut(number) : number; }

// The lanes that the sub-group has.
PRIVATE lane_set own_members(void) {
  return is_cut() ? members_in_cut() : ones(whole_size() - own_number() * __lw_sub_group_size()) & whole();
}

PRIVATE uint own_id(void) {
  return is_cut() ? (uint)__builtin_popcountg(members_in_cut() & below(own_lane())) : own_lane();
}

// The lane of an id; any where there is none.
PRIVATE uint lane_of(uint id) {
  id &= __lw_sub_group_size() - 1;
  return is_cut() ? lane_in_cut(id) : id;
}

// A set of lanes as one of ids, and back.
PRIVATE lane_set ids_of(lane_set lanes) { return is_cut() ? ids_in_cut(lanes) : lanes; }
PRIVATE lane_set lanes_of(lane_set ids) { return is_cut() ? lanes_in_cut(ids) : ids; }

#endif
