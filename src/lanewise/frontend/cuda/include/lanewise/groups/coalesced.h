// SPDX-License-Identifier: Apache-2.0
// Coalesced groups: any lanes of one warp, by rank.
#ifndef LANEWISE_GROUPS_COALESCED_H
#define LANEWISE_GROUPS_COALESCED_H

#include "lanewise/groups/tile.h"

namespace cooperative_groups {

class coalesced_group : public thread_group {
public:
  __LW_GROUP__ unsigned int num_threads() const { return __popc(_lanes); }
  __LW_GROUP__ unsigned int size() const { return num_threads(); }
  __LW_GROUP__ unsigned int thread_rank() const { return __lw_lanes::rank(_lanes); }
  __LW_GROUP__ unsigned int meta_group_rank() const { return _rank; }
  __LW_GROUP__ unsigned int meta_group_size() const { return _count; }
  __LW_GROUP__ void sync() const { __syncwarp(_lanes); }

  template <class Type> __LW_GROUP__ Type shfl(Type value, unsigned int rank) const {
    return from_lane(value, __lw_lanes::of_rank(_lanes, rank));
  }
  // A rank outside of the group gives the thread's own value.
  template <class Type> __LW_GROUP__ Type shfl_down(Type value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    return from_lane(value, rank < num_threads() ? __lw_lanes::of_rank(_lanes, rank) : __lw_lanes::own());
  }
  template <class Type> __LW_GROUP__ Type shfl_up(Type value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return from_lane(value, rank >= delta ? __lw_lanes::of_rank(_lanes, rank - delta) : __lw_lanes::own());
  }

  __LW_GROUP__ int any(int predicate) const { return __any_sync(_lanes, predicate); }
  __LW_GROUP__ int all(int predicate) const { return __all_sync(_lanes, predicate); }
  __LW_GROUP__ unsigned int ballot(int predicate) const {
    return __lw_lanes::packed(_lanes, __ballot_sync(_lanes, predicate));
  }
  template <class Type> __LW_GROUP__ unsigned int match_any(Type value) const {
    return __lw_lanes::packed(_lanes, __match_any_sync(_lanes, value));
  }
  template <class Type> __LW_GROUP__ unsigned int match_all(Type value, int &predicate) const {
    return __lw_lanes::packed(_lanes, __match_all_sync(_lanes, value, &predicate));
  }

private:
  __LW_GROUP__ explicit coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int count = 1)
      : thread_group(lanes, rank, count) {}

  template <class Type> __LW_GROUP__ Type from_lane(Type value, unsigned int lane) const {
    unsigned int lanes = _lanes;
    return __lw_lanes::words(value, [=](unsigned int word) { return __shfl_sync(lanes, word, lane); });
  }

  friend struct __lw_groups;
};

static __LW_GROUP__ inline coalesced_group coalesced_threads() {
  return __lw_groups::make<coalesced_group>(__activemask());
}

} // namespace cooperative_groups

#endif
