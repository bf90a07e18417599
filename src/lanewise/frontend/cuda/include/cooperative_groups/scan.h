// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::inclusive_scan and exclusive_scan, for tiles and coalesced groups.
#ifndef _CG_SCAN_H
#define _CG_SCAN_H

#include "cooperative_groups.h"

#include "lanewise/groups/operators.h"

namespace cooperative_groups {

template <class Group, class Type, class Operator>
static __LW_GROUP__ inline Type inclusive_scan(const Group &group, const Type &value, Operator operate) {
  unsigned int rank = group.thread_rank(), count = group.num_threads();
  Type result = value;
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    Type below = group.shfl_up(result, distance);
    if (rank >= distance)
      result = operate(below, result);
  }
  return result;
}
template <class Group, class Type>
static __LW_GROUP__ inline Type inclusive_scan(const Group &group, const Type &value) {
  return inclusive_scan(group, value, plus<Type>());
}

// The first thread gets Type().
template <class Group, class Type, class Operator>
static __LW_GROUP__ inline Type exclusive_scan(const Group &group, const Type &value, Operator operate) {
  Type below = group.shfl_up(inclusive_scan(group, value, operate), 1);
  return group.thread_rank() == 0 ? Type() : below;
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
