// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 to 1024 threads: whole warps, which exchange values through shared memory. All tiles of a block meet
// together, since they meet at the barrier of the block.
#ifndef LANEWISE_GROUPS_LARGE_TILE_H
#define LANEWISE_GROUPS_LARGE_TILE_H

#include "lanewise/groups/thread_block.h"

namespace cooperative_groups {

template <unsigned int Size> class __lw_tile<Size, true> {
public:
  static constexpr __LW_GROUP__ unsigned int num_threads() { return Size; }
  static constexpr __LW_GROUP__ unsigned int size() { return Size; }
  static __LW_GROUP__ unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  __LW_GROUP__ unsigned int meta_group_rank() const { return _rank; }
  __LW_GROUP__ unsigned int meta_group_size() const { return _count; }
  static __LW_GROUP__ bool is_valid() { return true; }

  static __LW_GROUP__ void sync() { __syncthreads(); }

  static __LW_GROUP__ int any(int predicate) {
    auto [values, warp] = from_warps(__any_sync(0xffffffffu, predicate));
    int result = 0;
#pragma unroll
    for (unsigned int i = 0; i < Size / 32; ++i)
      result |= values[i];
    return result;
  }
  static __LW_GROUP__ int all(int predicate) { return !any(!predicate); }

protected:
  __LW_GROUP__ __lw_tile(unsigned int rank, unsigned int count) : _rank(rank), _count(count) {}

private:
  template <class Type> struct Values {
    const Type *values; // one for each warp of the tile, until any tile of the block makes the next exchange
    unsigned int warp;  // number of the thread's own
  };

  // Exchanges a value of each warp, that of its last lane.
  template <class Type> static __LW_GROUP__ Values<Type> from_warps(const Type &value) {
    static_assert(__is_trivially_copyable(Type) && sizeof(Type) <= 32,
                  "a value to exchange is trivially copyable and has at most 32 bytes");
    __shared__ alignas(Type) unsigned char room[32 * sizeof(Type)]; // for a block's warps
    Type *values = reinterpret_cast<Type *>(room);
    unsigned int own = thread_block::thread_rank() / 32, warp = own % (Size / 32);
    sync(); // what the last exchange left has been read
    if (__lw_lanes::own() == 31)
      __builtin_memcpy(&values[own], &value, sizeof(Type));
    sync();
    return {values + own - warp, warp};
  }

  unsigned int _rank;  // of this tile among those that its parent was divided into
  unsigned int _count; // of those

  friend struct __lw_groups;
};

} // namespace cooperative_groups

#endif
