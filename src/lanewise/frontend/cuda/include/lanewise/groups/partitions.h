// SPDX-License-Identifier: Apache-2.0
// Groups divided at run time: by a size, by a label, by a condition.
#ifndef LANEWISE_GROUPS_PARTITIONS_H
#define LANEWISE_GROUPS_PARTITIONS_H

#include "lanewise/groups/coalesced.h"

namespace cooperative_groups {

// Tiles of `size` threads, a power of two of at most 32.
static __LW_GROUP__ inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
  unsigned int rank = parent.thread_rank(), first = rank & ~(size - 1);
  unsigned int lanes = __lw_groups::lanes(parent), own = 0;
  for (unsigned int at = 0; lanes; lanes &= lanes - 1, ++at)
    if (at >= first && at - first < size)
      own |= lanes & -lanes;
  return __lw_groups::make<coalesced_group>(own, first / size, (parent.num_threads() + size - 1) / size);
}

static __LW_GROUP__ inline thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  unsigned int lanes = __lw_groups::lanes(parent);
  if (lanes)
    return tiled_partition(__lw_groups::make<coalesced_group>(lanes), size);
  lanes = (0xffffffffu >> (32 - size)) << (__lw_lanes::own() & ~(size - 1));
  unsigned int rank = thread_block::thread_rank() / size;
  return __lw_groups::make<thread_group>(lanes, rank, (thread_block::num_threads() + size - 1) / size);
}

// The group of the lanes `own`, one of the parts of a group of the lanes `members`. Parts are numbered by their first
// lanes.
static __LW_GROUP__ inline coalesced_group __lw_part(unsigned int members, unsigned int own) {
  unsigned int first = own & -own;
  unsigned int firsts = __ballot_sync(members, first == 1u << __lw_lanes::own());
  return __lw_groups::make<coalesced_group>(own, static_cast<unsigned int>(__popc(firsts & (first - 1))),
                                            static_cast<unsigned int>(__popc(firsts)));
}

// Those with equal labels, which are integers. Groups are tiles and coalesced groups.
template <class Group, class Label>
static __LW_GROUP__ inline coalesced_group labeled_partition(const Group &group, Label label) {
  unsigned int members = __lw_groups::lanes(group);
  return __lw_part(members, __match_any_sync(members, label));
}

template <class Group> static __LW_GROUP__ inline coalesced_group binary_partition(const Group &group, bool condition) {
  unsigned int members = __lw_groups::lanes(group);
  unsigned int chosen = __ballot_sync(members, condition);
  return __lw_part(members, condition ? chosen : members & ~chosen);
}

} // namespace cooperative_groups

#endif
