// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory that count arrivals, by PTX's instructions (PTX ISA, "mbarrier").
#ifndef LANEWISE_MBARRIERS_H
#define LANEWISE_MBARRIERS_H

#include "lanewise/address_spaces.h"
#include "lanewise/atomic_operations.h"
#include "lanewise/synchronisation.h"
#include "lanewise/waiting.h"
#include "lanewise/warp.h"

typedef unsigned long long __lw_mbarrier_word;

#define __LW_MBARRIER_MOST ((1 << 20) - 1)

__LW_DEVICE__ void __lw_mbarrier_init(__lw_mbarrier_word *word, unsigned int arrivals) {
  __asm__ volatile("mbarrier.init.b64 [%0], %1;" ::"l"(word), "r"(arrivals) : "memory");
}
__LW_DEVICE__ __lw_mbarrier_word __lw_mbarrier_arrive(__lw_mbarrier_word *word) {
  __lw_mbarrier_word state;
  __asm__ volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(word) : "memory");
  return state;
}
// Several arrivals: all but the last complete no phase.
__LW_DEVICE__ __lw_mbarrier_word __lw_mbarrier_arrive(__lw_mbarrier_word *word, unsigned int arrivals) {
  __lw_mbarrier_word state;
  if (arrivals > 1)
    __asm__ volatile("mbarrier.arrive.noComplete.b64 %0, [%1], %2;"
                     : "=l"(state)
                     : "l"(word), "r"(arrivals - 1)
                     : "memory");
  return __lw_mbarrier_arrive(word);
}
__LW_DEVICE__ __lw_mbarrier_word __lw_mbarrier_drop(__lw_mbarrier_word *word) {
  __lw_mbarrier_word state;
  __asm__ volatile("mbarrier.arrive_drop.b64 %0, [%1];" : "=l"(state) : "l"(word) : "memory");
  return state;
}
__LW_WARP__ bool __lw_mbarrier_test(const __lw_mbarrier_word *word, __lw_mbarrier_word state) {
  unsigned int complete;
  __asm__ volatile("{ .reg .pred %%p; mbarrier.test_wait.b64 %%p, [%1], %2; selp.u32 %0, 1, 0, %%p; }"
                   : "=r"(complete)
                   : "l"(word), "l"(state)
                   : "memory");
  return complete;
}
__LW_WARP__ bool __lw_mbarrier_test_parity(const __lw_mbarrier_word *word, unsigned int parity) {
  unsigned int complete;
  __asm__ volatile("{ .reg .pred %%p; mbarrier.test_wait.parity.b64 %%p, [%1], %2; selp.u32 %0, 1, 0, %%p; }"
                   : "=r"(complete)
                   : "l"(word), "r"(parity)
                   : "memory");
  return complete;
}
// Bytes that the present phase is to wait for besides, on sm_90.
__LW_DEVICE__ void __lw_mbarrier_expect(__lw_mbarrier_word *word, unsigned int bytes) {
  __asm__ volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                   ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(word))), "r"(bytes)
                   : "memory");
}
// Copies from global memory, whose bytes the barrier waits for. Addresses and bytes are multiples of 16.
__LW_DEVICE__ void __lw_bulk_copy_to_shared(void *target, const void *source, unsigned int bytes,
                                            __lw_mbarrier_word *word) {
  __asm__ volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   ::"r"(static_cast<unsigned int>(__cvta_generic_to_shared(target))), "l"(source), "r"(bytes),
                   "r"(static_cast<unsigned int>(__cvta_generic_to_shared(word)))
                   : "memory");
}
__LW_DEVICE__ unsigned int __lw_mbarrier_pending(__lw_mbarrier_word state) {
  unsigned int count;
  __asm__("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}

#endif
