// SPDX-License-Identifier: Apache-2.0
// Barriers of a block and of a warp, and memory fences. __syncthreads() itself is clang's.
#ifndef LANEWISE_SYNCHRONISATION_H
#define LANEWISE_SYNCHRONISATION_H

#include "lanewise/qualifiers.h"

__LW_WARP__ int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__LW_WARP__ int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__LW_WARP__ int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
__LW_WARP__ void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

// Barriers by number, for a part of the block.
__LW_WARP__ void __barrier_sync(unsigned int barrier) {
  __asm__ volatile("barrier.sync %0;" ::"r"(barrier) : "memory");
}
__LW_WARP__ void __barrier_sync_count(unsigned int barrier, unsigned int threads) {
  __asm__ volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__LW_NOT_IN_HOST_CODE(__syncthreads) void __syncthreads();
__LW_NOT_IN_HOST_CODE(__syncthreads_count) int __syncthreads_count(int predicate);
__LW_NOT_IN_HOST_CODE(__syncthreads_and) int __syncthreads_and(int predicate);
__LW_NOT_IN_HOST_CODE(__syncthreads_or) int __syncthreads_or(int predicate);
__LW_NOT_IN_HOST_CODE(__syncwarp) void __syncwarp(unsigned int mask = 0xffffffffu);

__LW_DEVICE__ void __threadfence_block() { __nvvm_membar_cta(); }
__LW_DEVICE__ void __threadfence() { __nvvm_membar_gl(); }
__LW_DEVICE__ void __threadfence_system() { __nvvm_membar_sys(); }

#endif
