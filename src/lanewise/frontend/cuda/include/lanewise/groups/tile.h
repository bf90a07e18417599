// SPDX-License-Identifier: Apache-2.0
// Tiles: groups of consecutive threads, as many as a power of two that is known to the compiler. Here are those of at most
// a warp, and what makes tiles; large_tile.h has the others. A tile of one thread needs no operation of the warp.
#ifndef LANEWISE_GROUPS_TILE_H
#define LANEWISE_GROUPS_TILE_H

#include "lanewise/groups/thread_block.h"

namespace cooperative_groups {

// What a tile has that depends on its size alone.
template <unsigned int Size, bool IsLarge = (Size > 32)> class __lw_tile;

template <unsigned int Size> class __lw_tile<Size, false> : public thread_group {
public:
  static constexpr __LW_GROUP__ unsigned int num_threads() { return Size; }
  static constexpr __LW_GROUP__ unsigned int size() { return Size; }
  static __LW_GROUP__ unsigned int thread_rank() { return Size == 1 ? 0 : __lw_lanes::own() & (Size - 1); }
  __LW_GROUP__ unsigned int meta_group_rank() const { return _rank; }
  __LW_GROUP__ unsigned int meta_group_size() const { return _count; }

  __LW_GROUP__ void sync() const {
    if constexpr (Size > 1)
      __syncwarp(lanes());
  }

  template <class Type> __LW_GROUP__ Type shfl(Type value, int rank) const {
    if constexpr (Size == 1)
      return value;
    else
      return __lw_lanes::words(value, [=](unsigned int word) { return __shfl_sync(lanes(), word, rank, Size); });
  }
  template <class Type> __LW_GROUP__ Type shfl_down(Type value, unsigned int delta) const {
    if constexpr (Size == 1)
      return value;
    else
      return __lw_lanes::words(value,
                               [=](unsigned int word) { return __shfl_down_sync(lanes(), word, delta, Size); });
  }
  template <class Type> __LW_GROUP__ Type shfl_up(Type value, unsigned int delta) const {
    if constexpr (Size == 1)
      return value;
    else
      return __lw_lanes::words(value, [=](unsigned int word) { return __shfl_up_sync(lanes(), word, delta, Size); });
  }
  template <class Type> __LW_GROUP__ Type shfl_xor(Type value, unsigned int mask) const {
    if constexpr (Size == 1)
      return value;
    else
      return __lw_lanes::words(value, [=](unsigned int word) { return __shfl_xor_sync(lanes(), word, mask, Size); });
  }

  __LW_GROUP__ int any(int predicate) const {
    if constexpr (Size == 1)
      return predicate != 0;
    else
      return __any_sync(lanes(), predicate);
  }
  __LW_GROUP__ int all(int predicate) const {
    if constexpr (Size == 1)
      return predicate != 0;
    else
      return __all_sync(lanes(), predicate);
  }
  __LW_GROUP__ unsigned int ballot(int predicate) const {
    if constexpr (Size == 1)
      return predicate != 0;
    else
      return __ballot_sync(lanes(), predicate) >> first_lane();
  }
  template <class Type> __LW_GROUP__ unsigned int match_any(Type value) const {
    if constexpr (Size == 1)
      return 1;
    else
      return __match_any_sync(lanes(), value) >> first_lane();
  }
  template <class Type> __LW_GROUP__ unsigned int match_all(Type value, int &predicate) const {
    if constexpr (Size == 1)
      return predicate = 1;
    else
      return __match_all_sync(lanes(), value, &predicate) >> first_lane();
  }

protected:
  __LW_GROUP__ __lw_tile(unsigned int rank, unsigned int count) : thread_group(lanes(), rank, count) {}

private:
  static __LW_GROUP__ unsigned int first_lane() { return __lw_lanes::own() & ~(Size - 1); }
  static __LW_GROUP__ unsigned int lanes() { return (0xffffffffu >> (32 - Size)) << first_lane(); }
};

} // namespace cooperative_groups

#include "lanewise/groups/large_tile.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent = void> class thread_block_tile;

template <unsigned int Size> class thread_block_tile<Size, void> : public __lw_tile<Size> {
  static_assert(Size && !(Size & (Size - 1)), "the size of a tile is a power of two");
  static_assert(Size <= 1024, "a tile has at most 1024 threads");

protected:
  __LW_GROUP__ thread_block_tile(unsigned int rank, unsigned int count) : __lw_tile<Size>(rank, count) {}

  friend struct __lw_groups;
};

// A tile that remembers what it is a part of.
template <unsigned int Size, class Parent> class thread_block_tile : public thread_block_tile<Size, void> {
private:
  __LW_GROUP__ thread_block_tile(unsigned int rank, unsigned int count)
      : thread_block_tile<Size, void>(rank, count) {}

  friend struct __lw_groups;
};

template <unsigned int Size>
static __LW_GROUP__ inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
  return __lw_groups::make<thread_block_tile<Size, thread_block>>(
      thread_block::thread_rank() / Size, (thread_block::num_threads() + Size - 1) / Size);
}

template <unsigned int Size, unsigned int Whole, class Grandparent>
static __LW_GROUP__ inline thread_block_tile<Size, thread_block_tile<Whole, Grandparent>>
tiled_partition(const thread_block_tile<Whole, Grandparent> &parent) {
  static_assert(Size <= Whole, "a tile is no larger than what it is a part of");
  return __lw_groups::make<thread_block_tile<Size, thread_block_tile<Whole, Grandparent>>>(
      parent.thread_rank() / Size, Whole / Size);
}

static __LW_GROUP__ inline thread_block_tile<1, void> this_thread() {
  return __lw_groups::make<thread_block_tile<1, void>>(0u, 1u);
}

// Scratch memory that CUDA wants for tiles of more than one warp; here they have their own.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {};
template <unsigned int MaxBlockSize>
static __LW_GROUP__ inline thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}

} // namespace cooperative_groups

#endif
