// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory, in C (CUDA C++ Programming Guide, "Asynchronous barriers", primitives interface).
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "lanewise/mbarriers.h"

typedef __lw_mbarrier_word __mbarrier_t;
typedef __lw_mbarrier_word __mbarrier_token_t;

__LW_DEVICE__ unsigned int __mbarrier_maximum_count() { return __LW_MBARRIER_MOST; }
__LW_DEVICE__ void __mbarrier_init(__mbarrier_t *barrier, unsigned int expected) {
  __lw_mbarrier_init(barrier, expected);
}
__LW_DEVICE__ void __mbarrier_inval(__mbarrier_t *barrier) {
  __asm__ volatile("mbarrier.inval.b64 [%0];" ::"l"(barrier) : "memory");
}
__LW_DEVICE__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) { return __lw_mbarrier_arrive(barrier); }
__LW_DEVICE__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  return __lw_mbarrier_drop(barrier);
}
__LW_DEVICE__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return __lw_mbarrier_pending(token);
}
__LW_WARP__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  return __lw_mbarrier_test(barrier, token);
}
__LW_WARP__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  return __lw_mbarrier_test_parity(barrier, parity);
}
// A test that may wait for some time first: it doesn't.
__LW_WARP__ bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, unsigned int = 0) {
  return __lw_mbarrier_test(barrier, token);
}
__LW_WARP__ bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, unsigned int = 0) {
  return __lw_mbarrier_test_parity(barrier, parity);
}

#endif
