// SPDX-License-Identifier: Apache-2.0
// Values of ELEMENT from one work-item of the sub-group to others: broadcasts (cl_khr_subgroups,
// cl_khr_subgroup_extended_types, cl_khr_subgroup_ballot), shuffles (cl_khr_subgroup_shuffle,
// cl_khr_subgroup_shuffle_relative), rotations (cl_khr_subgroup_rotate), and whether all have the same
// (cl_khr_subgroup_non_uniform_vote). Where the source is no work-item of the sub-group that is active, the result is
// undefined.
#include "sub_group_moves.h"

#define WITH_VECTORS(t)                                                                                          \
  COLLECTIVE t sub_group_broadcast(t x, uint id) { return of_lane(whole(), x, lane_of(id)); }                    \
  COLLECTIVE t sub_group_non_uniform_broadcast(t x, uint id) { return of_lane(active_lanes(), x, lane_of(id)); } \
  COLLECTIVE t intel_sub_group_shuffle(t x, uint id) { return of_lane(active_lanes(), x, lane_of(id)); }         \
  COLLECTIVE t intel_sub_group_shuffle_xor(t x, uint mask) { return id_across(x, mask); }                        \
  COLLECTIVE t intel_sub_group_shuffle_down(t current, t next, uint delta) {                                     \
    uint place = own_id() + delta;                                                                               \
    return of_row(current, next, place, place >= greatest_size());                                               \
  }                                                                                                              \
  COLLECTIVE t intel_sub_group_shuffle_up(t previous, t current, uint delta) {                                   \
    uint place = own_id() + greatest_size() - delta;                                                             \
    return of_row(previous, current, place, place >= greatest_size());                                           \
  }

// Where ids are lanes, there is an instruction for how far the source is.
#define PARTS(t)                                                                          \
  PART t id_across(t x, uint mask) {                                                      \
    lane_set here = active_lanes();                                                       \
    return is_cut() ? of_lane(here, x, lane_of(own_id() ^ mask)) : across(here, x, mask); \
  }                                                                                       \
  PART t of_row(t low, t high, uint place, bool is_high) {                                \
    lane_set here = active_lanes();                                                       \
    uint lane = lane_of(is_high ? place - greatest_size() : place);                       \
    t from_low = of_lane(here, low, lane), from_high = of_lane(here, high, lane);         \
    return is_high ? from_high : from_low;                                                \
  }

// Those of cl_intel_subgroups that take two values take them as a row, twice as long as the sub-group.
WIDTHS(PARTS, ELEMENT)
WIDTHS(WITH_VECTORS, ELEMENT)

COLLECTIVE ELEMENT sub_group_broadcast_first(ELEMENT x) {
  lane_set here = active_lanes();
  return of_lane(here, x, __builtin_ctzg(here));
}

COLLECTIVE int sub_group_non_uniform_all_equal(ELEMENT x) {
  lane_set here = active_lanes();
  return all_among(here, x == of_lane(here, x, __builtin_ctzg(here)));
}

COLLECTIVE ELEMENT sub_group_shuffle(ELEMENT x, uint id) { return of_lane(active_lanes(), x, lane_of(id)); }

COLLECTIVE ELEMENT sub_group_shuffle_xor(ELEMENT x, uint mask) { return id_across(x, mask); }

COLLECTIVE ELEMENT sub_group_shuffle_up(ELEMENT x, uint delta) {
  lane_set here = active_lanes();
  return is_cut() ? of_lane(here, x, lane_of(own_id() - delta)) : from_below(here, x, delta);
}

COLLECTIVE ELEMENT sub_group_shuffle_down(ELEMENT x, uint delta) {
  lane_set here = active_lanes();
  return is_cut() ? of_lane(here, x, lane_of(own_id() + delta)) : from_above(here, x, delta);
}

COLLECTIVE ELEMENT sub_group_rotate(ELEMENT x, int delta) {
  int size = greatest_size(), place = ((int)own_id() + delta % size + size) % size;
  return of_lane(active_lanes(), x, lane_of(place));
}

COLLECTIVE ELEMENT sub_group_clustered_rotate(ELEMENT x, int delta, uint size) {
  uint id = own_id(), place = id & (size - 1);
  return of_lane(active_lanes(), x, lane_of(id - place + ((place + (uint)delta) & (size - 1))));
}
