// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of ELEMENT by the operation NAME, such as add, among lanes of a sub-group.
//
// Values are combined in the order of lanes, in steps whose distance doubles. How they are grouped, by which sums of
// floating-point numbers differ, depends on how many lanes take part, and not on which.
#ifndef LANEWISE_OPENCL_SUB_GROUP_ARITHMETIC_H
#define LANEWISE_OPENCL_SUB_GROUP_ARITHMETIC_H

#include "sub_group_moves.h"

#define COMBINE(x, y) JOIN(COMBINE_, NAME)(x, y)
#define COMBINE_add(x, y) ((ELEMENT)((x) + (y)))
#define COMBINE_mul(x, y) ((ELEMENT)((x) * (y)))
#define COMBINE_min(x, y) ((y) < (x) ? (y) : (x))
#define COMBINE_max(x, y) ((x) < (y) ? (y) : (x))
#define COMBINE_and(x, y) ((ELEMENT)((x) & (y)))
#define COMBINE_or(x, y) ((ELEMENT)((x) | (y)))
#define COMBINE_xor(x, y) ((ELEMENT)((x) ^ (y)))
#define COMBINE_logical_and COMBINE_and
#define COMBINE_logical_or COMBINE_or
#define COMBINE_logical_xor COMBINE_xor

// What comes before the first value.
#define IDENTITY ((ELEMENT)(OF_NAME(IDENTITY_, NAME)))
#define OF_NAME(a, b) OF_NAME_(a, b)
#define OF_NAME_(a, b) a##b
#define IDENTITY_add 0
#define IDENTITY_mul 1
#define IDENTITY_min GREATEST
#define IDENTITY_max LEAST
#define IDENTITY_and -1
#define IDENTITY_or 0
#define IDENTITY_xor 0
#define IDENTITY_logical_and 1
#define IDENTITY_logical_or 0
#define IDENTITY_logical_xor 0

#define GREATEST JOIN(GREATEST_, ELEMENT)
#define GREATEST_char CHAR_MAX
#define GREATEST_uchar UCHAR_MAX
#define GREATEST_short SHRT_MAX
#define GREATEST_ushort USHRT_MAX
#define GREATEST_int INT_MAX
#define GREATEST_uint UINT_MAX
#define GREATEST_long LONG_MAX
#define GREATEST_ulong ULONG_MAX
#define GREATEST_half INFINITY
#define GREATEST_float INFINITY
#define GREATEST_double INFINITY
#define LEAST JOIN(LEAST_, ELEMENT)
#define LEAST_char CHAR_MIN
#define LEAST_uchar 0
#define LEAST_short SHRT_MIN
#define LEAST_ushort 0
#define LEAST_int INT_MIN
#define LEAST_uint 0
#define LEAST_long LONG_MIN
#define LEAST_ulong 0
#define LEAST_half -INFINITY
#define LEAST_float -INFINITY
#define LEAST_double -INFINITY

#ifdef LOGICAL
#define NAME_OF(kind) JOIN(kind##_logical_, LOGICAL)
#define OPERAND(x) ((x) != 0)
#else
#define NAME_OF(kind) JOIN(kind##_, NAME)
#define OPERAND(x) (x)
#endif

#ifdef SUB_GROUPS_OF_64
#define STEPS STEP(1) STEP(2) STEP(4) STEP(8) STEP(16) STEP(32)
#else
#define STEPS STEP(1) STEP(2) STEP(4) STEP(8) STEP(16)
#endif

// The lanes are the first ones, without a gap: in all sub-groups of the warp that are here, which stay together then.
PART bool are_first(lane_set lanes) {
  bool in_own = (lanes & (lanes + 1)) == 0;
#ifdef SUB_GROUPS_OF_64
  return in_own;
#else
  return __lw_sub_group_size() == WARP ? in_own : __nvvm_vote_all_sync(__nvvm_activemask(), in_own);
#endif
}

// -- of lanes without a gap: from a distance that doubles, the same for all

// In the first lane of each cluster of `size` lanes, all values of the cluster.
PART ELEMENT tree_of_close(lane_set here, ELEMENT x, uint size) {
  lane_set following = here >> own_lane() & ones(size - (own_lane() & (size - 1)));
#define STEP(distance)                               \
  if (distance < size) {                             \
    ELEMENT y = from_above(here, x, distance);       \
    x = following >> distance & 1 ? COMBINE(x, y) : x; \
  }
  STEPS
#undef STEP
  return x;
}

// All values up to the own one.
PART ELEMENT scan_of_close(lane_set here, ELEMENT x) {
#define STEP(distance)                                   \
  if (distance < __lw_sub_group_size()) {                \
    ELEMENT y = from_below(here, x, distance);           \
    x = own_lane() >= distance ? COMBINE(y, x) : x;      \
  }
  STEPS
#undef STEP
  return x;
}

// -- of any lanes: each knows one that it has not heard of, or itself, and doubles that distance by asking it

PART ELEMENT tree_of_any(lane_set here, ELEMENT x, lane_set members) {
  uint own = own_lane(), next = __builtin_ctzg(members & above(own), (int)own);
  for (uint left = __builtin_popcountg(here); left > 1; left -= left / 2) {
    ELEMENT y = of_lane(here, x, next);
    uint after = bits_of_lane(here, next, next);
    x = next != own ? COMBINE(x, y) : x;
    next = after != next ? after : own;
  }
  return x;
}

PRIVATE uint highest(lane_set lanes, uint otherwise) { return lanes ? WARP - 1 - __builtin_clzg(lanes) : otherwise; }

PART ELEMENT scan_of_any(lane_set here, ELEMENT x) {
  uint own = own_lane(), previous = highest(here & below(own), own);
  for (uint left = __builtin_popcountg(here); left > 1; left -= left / 2) {
    ELEMENT y = of_lane(here, x, previous);
    uint more = bits_of_lane(here, previous, previous);
    x = previous != own ? COMBINE(y, x) : x;
    previous = more != previous ? more : own;
  }
  return x;
}

// -- of those that are `here`

static COLLECTIVE ELEMENT reduced(lane_set here, ELEMENT x) {
  if (are_first(here))
    return of_lane(here, tree_of_close(here, x, __lw_sub_group_size()), 0);
  return of_lane(here, tree_of_any(here, x, here), __builtin_ctzg(here));
}

static COLLECTIVE ELEMENT scanned(lane_set here, ELEMENT x) {
  return are_first(here) ? scan_of_close(here, x) : scan_of_any(here, x);
}

static COLLECTIVE ELEMENT scanned_before(lane_set here, ELEMENT x) {
  lane_set before = here & below(own_lane());
  if (are_first(here))
    x = from_below(here, scan_of_close(here, x), 1);
  else
    x = of_lane(here, scan_of_any(here, x), highest(before, own_lane()));
  return before ? x : IDENTITY;
}

// Clusters are of ids, which are ranks among the lanes of a sub-group that is cut off.
static COLLECTIVE ELEMENT reduced_in_clusters(lane_set here, ELEMENT x, uint size) {
  uint own = own_lane();
  if (are_first(here))
    return of_lane(here, tree_of_close(here, x, size), own & -size);
  lane_set members = here & lanes_of(ones(size) << (own_id() & -size));
  return of_lane(here, tree_of_any(here, x, members), __builtin_ctzg(members));
}

#endif
