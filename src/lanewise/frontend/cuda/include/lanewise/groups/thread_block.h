// SPDX-License-Identifier: Apache-2.0
// What all groups have, and the group of all threads of a block.
#ifndef LANEWISE_GROUPS_THREAD_BLOCK_H
#define LANEWISE_GROUPS_THREAD_BLOCK_H

#include "cuda_runtime.h"

#define __LW_GROUP__ __attribute__((device, always_inline, nodebug))

namespace cooperative_groups {

// Lanes of a warp as a mask.
namespace __lw_lanes {
static __LW_GROUP__ inline unsigned int own() { return __nvvm_read_ptx_sreg_laneid(); }
static __LW_GROUP__ inline unsigned int rank(unsigned int lanes) {
  return __popc(lanes & __nvvm_read_ptx_sreg_lanemask_lt());
}
// The lane of that rank among `lanes`.
static __LW_GROUP__ inline unsigned int of_rank(unsigned int lanes, unsigned int rank) {
  if (lanes == 0xffffffffu)
    return rank & 31;
  for (; rank; --rank)
    lanes &= lanes - 1;
  return __ffs(lanes) - 1;
}
// The bits of `lanes` in `chosen`, by rank.
static __LW_GROUP__ inline unsigned int packed(unsigned int lanes, unsigned int chosen) {
  if (lanes == 0xffffffffu)
    return chosen;
  unsigned int result = 0;
  for (unsigned int rank = 0; lanes; lanes &= lanes - 1, ++rank)
    result |= (chosen >> (__ffs(lanes) - 1) & 1) << rank;
  return result;
}
// Applies `move`, a shuffle of 32 bits, to each word of a value.
template <class Type, class Move> __LW_GROUP__ Type words(Type value, Move move) {
  static_assert(__is_trivially_copyable(Type) && sizeof(Type) <= 32,
                "a value to shuffle is trivially copyable and has at most 32 bytes");
  constexpr int count = (sizeof(Type) + 3) / 4;
  unsigned int parts[count] = {};
  __builtin_memcpy(parts, &value, sizeof(Type));
#pragma unroll
  for (int i = 0; i < count; ++i)
    parts[i] = move(parts[i]);
  __builtin_memcpy(&value, parts, sizeof(Type));
  return value;
}
} // namespace __lw_lanes

// Makes groups for the functions of this namespace, and looks into them; programs only copy them.
struct __lw_groups {
  template <class Group, class... Arguments> static __LW_GROUP__ Group make(Arguments... arguments) {
    return Group(arguments...);
  }
  template <class Group> static __LW_GROUP__ unsigned int lanes(const Group &group) { return group._lanes; }
  template <class Tile, class Type> static __LW_GROUP__ auto from_warps(const Tile &, const Type &value) {
    return Tile::from_warps(value);
  }
};

// Any group within a block: all of it, or lanes of one warp.
class thread_group {
public:
  __LW_GROUP__ unsigned long long num_threads() const {
    return _lanes ? __popc(_lanes) : blockDim.x * blockDim.y * blockDim.z;
  }
  __LW_GROUP__ unsigned long long size() const { return num_threads(); }
  __LW_GROUP__ unsigned long long thread_rank() const {
    return _lanes ? __lw_lanes::rank(_lanes)
                  : (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __LW_GROUP__ void sync() const {
    if (_lanes)
      __syncwarp(_lanes);
    else
      __syncthreads();
  }
  __LW_GROUP__ bool is_valid() const { return true; }

protected:
  __LW_GROUP__ explicit thread_group(unsigned int lanes, unsigned int rank = 0, unsigned int count = 1)
      : _lanes(lanes), _rank(rank), _count(count) {}

  unsigned int _lanes; // 0: the whole block
  unsigned int _rank;  // of this group among those that its parent was divided into
  unsigned int _count; // of those

  friend struct __lw_groups;
};

class thread_block : public thread_group {
public:
  // Arriving needs nothing: the threads meet where they wait.
  class arrival_token {};

  static __LW_GROUP__ void sync() { __syncthreads(); }
  static __LW_GROUP__ unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __LW_GROUP__ unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __LW_GROUP__ unsigned int size() { return num_threads(); }
  static __LW_GROUP__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __LW_GROUP__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __LW_GROUP__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __LW_GROUP__ dim3 group_dim() { return dim_threads(); }
  static __LW_GROUP__ arrival_token barrier_arrive() { return arrival_token(); }
  static __LW_GROUP__ void barrier_wait(arrival_token &&) { __syncthreads(); }
  static __LW_GROUP__ void barrier_wait() { __syncthreads(); }

private:
  __LW_GROUP__ thread_block() : thread_group(0) {}
  friend struct __lw_groups;
};

static __LW_GROUP__ inline thread_block this_thread_block() { return __lw_groups::make<thread_block>(); }

template <class Group> static __LW_GROUP__ inline void sync(const Group &group) { group.sync(); }
template <class Group> static __LW_GROUP__ inline auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> static __LW_GROUP__ inline auto group_size(const Group &group) { return group.size(); }

} // namespace cooperative_groups

#endif
