// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::reduce, for tiles and coalesced groups.
#ifndef _CG_REDUCE_H
#define _CG_REDUCE_H

#include "cooperative_groups.h"

#include "lanewise/groups/operators.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent, class Type, class Operator>
static __LW_GROUP__ inline Type reduce(const thread_block_tile<Size, Parent> &tile, const Type &value, Operator operate) {
  if constexpr (Size > 32) {
    auto warps = __lw_groups::from_warps(tile, reduce(__lw_groups::make<thread_block_tile<32>>(0u, 1u), value, operate));
    Type result = warps.values[0];
#pragma unroll
    for (unsigned int i = 1; i < Size / 32; ++i)
      result = operate(result, warps.values[i]);
    return result;
  } else {
    Type result = value;
#pragma unroll
    for (unsigned int distance = Size / 2; distance; distance /= 2)
      result = operate(result, tile.shfl_xor(result, distance));
    return result;
  }
}

template <class Type, class Operator>
static __LW_GROUP__ inline Type reduce(const coalesced_group &group, const Type &value, Operator operate) {
  unsigned int rank = group.thread_rank(), count = group.num_threads();
  Type result = value;
  for (unsigned int distance = 1; distance < count; distance *= 2) {
    Type other = group.shfl_down(result, distance);
    if (rank % (2 * distance) == 0 && rank + distance < count)
      result = operate(result, other);
  }
  return group.shfl(result, 0);
}

// `target` is a cuda::atomic or cuda::atomic_ref; what is said to be asynchronous has happened on return.
template <class Group, class Atomic, class Type, class Operator>
static __LW_GROUP__ inline void reduce_update_async(const Group &group, Atomic &target, const Type &value,
                                                    Operator operate) {
  Type result = reduce(group, value, operate);
  if (group.thread_rank() == 0)
    __lw_update(target, result, operate);
}

template <class Group, class Atomic, class Type, class Operator>
static __LW_GROUP__ inline void reduce_store_async(const Group &group, Atomic &target, const Type &value,
                                                   Operator operate) {
  Type result = reduce(group, value, operate);
  if (group.thread_rank() == 0)
    target.store(result);
}

} // namespace cooperative_groups

#endif
