// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::inclusive_scan and exclusive_scan, for tiles and coalesced groups.
#ifndef _CG_SCAN_H
#define _CG_SCAN_H

#include "cooperative_groups.h"

#include "lanewise/groups/operators.h"

namespace cooperative_groups {

// True for a tile of more than one warp, which has no shuffles.
template <class Group> struct __lw_is_large {
  static constexpr bool value = false;
};
template <unsigned int Size, class Parent> struct __lw_is_large<thread_block_tile<Size, Parent>> {
  static constexpr bool value = Size > 32;
};

// That of the lanes of one warp.
template <class Group, class Type, class Operator>
static __LW_GROUP__ inline Type __lw_scan_of_lanes(const Group &group, const Type &value, Operator operate) {
  unsigned int rank = group.thread_rank(), count = group.num_threads();
  Type result = value;
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    Type below = group.shfl_up(result, distance);
    if (rank >= distance)
      result = operate(below, result);
  }
  return result;
}

// The scan of a large tile. `includes`: with the thread's own value.
template <class Tile, class Type, class Operator>
static __LW_GROUP__ inline Type __lw_scan_of_warps(const Tile &tile, const Type &value, Operator operate, bool includes) {
  auto warp = __lw_groups::make<thread_block_tile<32>>(0u, 1u);
  Type sum = __lw_scan_of_lanes(warp, value, operate), below = warp.shfl_up(sum, 1);
  auto warps = __lw_groups::from_warps(tile, sum);
  Type result = includes ? sum : below;
  bool has_values = includes || warp.thread_rank() > 0;
  if (warps.warp > 0) {
    Type before = warps.values[0];
    for (unsigned int i = 1; i < warps.warp; ++i)
      before = operate(before, warps.values[i]);
    result = has_values ? operate(before, result) : before;
    has_values = true;
  }
  return has_values ? result : Type();
}

template <class Group, class Type, class Operator>
static __LW_GROUP__ inline Type inclusive_scan(const Group &group, const Type &value, Operator operate) {
  if constexpr (__lw_is_large<Group>::value)
    return __lw_scan_of_warps(group, value, operate, true);
  else
    return __lw_scan_of_lanes(group, value, operate);
}
template <class Group, class Type>
static __LW_GROUP__ inline Type inclusive_scan(const Group &group, const Type &value) {
  return inclusive_scan(group, value, plus<Type>());
}

// The first thread gets Type().
template <class Group, class Type, class Operator>
static __LW_GROUP__ inline Type exclusive_scan(const Group &group, const Type &value, Operator operate) {
  if constexpr (__lw_is_large<Group>::value) {
    return __lw_scan_of_warps(group, value, operate, false);
  } else {
    Type below = group.shfl_up(__lw_scan_of_lanes(group, value, operate), 1);
    return group.thread_rank() == 0 ? Type() : below;
  }
}
template <class Group, class Type>
static __LW_GROUP__ inline Type exclusive_scan(const Group &group, const Type &value) {
  return exclusive_scan(group, value, plus<Type>());
}

// Scans that go on from an atomic object, to which the sum of the whole group is added.
template <class Group, class Atomic, class Type, class Operator>
static __LW_GROUP__ inline Type inclusive_scan_update(const Group &group, Atomic &target, const Type &value,
                                                      Operator operate) {
  unsigned int last = group.num_threads() - 1;
  Type result = inclusive_scan(group, value, operate);
  Type before{};
  if (group.thread_rank() == last)
    before = __lw_update(target, result, operate);
  return operate(group.shfl(before, last), result);
}
template <class Group, class Atomic, class Type>
static __LW_GROUP__ inline Type inclusive_scan_update(const Group &group, Atomic &target, const Type &value) {
  return inclusive_scan_update(group, target, value, plus<Type>());
}

template <class Group, class Atomic, class Type, class Operator>
static __LW_GROUP__ inline Type exclusive_scan_update(const Group &group, Atomic &target, const Type &value,
                                                      Operator operate) {
  unsigned int rank = group.thread_rank(), last = group.num_threads() - 1;
  Type result = inclusive_scan(group, value, operate);
  Type before{};
  if (rank == last)
    before = __lw_update(target, result, operate);
  before = group.shfl(before, last);
  Type below = group.shfl_up(result, 1);
  return rank == 0 ? before : operate(before, below);
}
template <class Group, class Atomic, class Type>
static __LW_GROUP__ inline Type exclusive_scan_update(const Group &group, Atomic &target, const Type &value) {
  return exclusive_scan_update(group, target, value, plus<Type>());
}

} // namespace cooperative_groups

#endif
