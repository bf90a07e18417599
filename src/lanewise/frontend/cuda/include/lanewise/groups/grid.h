// SPDX-License-Identifier: Apache-2.0
// The group of all threads of a grid, for cooperative launches; clusters and several grids are refused.
#ifndef LANEWISE_GROUPS_GRID_H
#define LANEWISE_GROUPS_GRID_H

#include "lanewise/groups/thread_block.h"

// Waits until one thread of each block has come here. What runs the kernel provides it.
extern "C" __device__ __attribute__((convergent)) void __lw_grid_sync();
// Whether the launch is a cooperative one.
extern "C" __device__ __attribute__((const, nothrow)) bool __lw_grid_is_cooperative();

namespace cooperative_groups {

class grid_group {
public:
  // Arriving needs nothing: the threads meet where they wait.
  class arrival_token {};

  static __LW_GROUP__ bool is_valid() { return __lw_grid_is_cooperative(); }
  static __LW_GROUP__ void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0)
      __lw_grid_sync();
    __syncthreads();
  }
  static __LW_GROUP__ arrival_token barrier_arrive() { return arrival_token(); }
  static __LW_GROUP__ void barrier_wait(arrival_token &&) { sync(); }

  static __LW_GROUP__ unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static __LW_GROUP__ unsigned long long size() { return num_threads(); }
  static __LW_GROUP__ unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static __LW_GROUP__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __LW_GROUP__ unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static __LW_GROUP__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __LW_GROUP__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __LW_GROUP__ dim3 group_dim() { return dim_blocks(); }

private:
  __LW_GROUP__ grid_group() {}
  friend struct __lw_groups;
};

static __LW_GROUP__ inline grid_group this_grid() { return __lw_groups::make<grid_group>(); }

class __attribute__((unavailable("thread block clusters are not supported"))) cluster_group {};
__attribute__((device, unavailable("thread block clusters are not supported"))) int this_cluster();
class __attribute__((unavailable("launches on several devices are not supported"))) multi_grid_group {};
__attribute__((device, unavailable("launches on several devices are not supported"))) int this_multi_grid();

} // namespace cooperative_groups

#endif
