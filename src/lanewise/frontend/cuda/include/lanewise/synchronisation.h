// SPDX-License-Identifier: Apache-2.0
// Barriers of a block and of a warp, and memory fences. __syncthreads() itself is clang's.
#ifndef LANEWISE_SYNCHRONISATION_H
#define LANEWISE_SYNCHRONISATION_H

#include "lanewise/qualifiers.h"

__LW_WARP__ int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__LW_WARP__ int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__LW_WARP__ int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
__LW_WARP__ void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

__LW_DEVICE__ void __threadfence_block() { __nvvm_membar_cta(); }
__LW_DEVICE__ void __threadfence() { __nvvm_membar_gl(); }
__LW_DEVICE__ void __threadfence_system() { __nvvm_membar_sys(); }

#endif
