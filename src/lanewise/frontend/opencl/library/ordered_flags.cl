// SPDX-License-Identifier: Apache-2.0
// Atomic flags, and fences with an order.
#include "ordered_atomics.h"

#define FLAGS(space)                                                                                                 \
  OVERLOAD bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *flag, memory_order order,              \
                                                  memory_scope scope) {                                              \
    return __scoped_atomic_exchange_n((space uint *)flag, 1u, order, __MEMORY_SCOPE_SYSTEM) != 0;                    \
  }                                                                                                                  \
  OVERLOAD bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *flag, memory_order order) {            \
    return atomic_flag_test_and_set_explicit(flag, order, memory_scope_device);                                      \
  }                                                                                                                  \
  OVERLOAD bool atomic_flag_test_and_set(volatile space atomic_flag *flag) {                                         \
    return atomic_flag_test_and_set_explicit(flag, memory_order_seq_cst, memory_scope_device);                       \
  }                                                                                                                  \
  OVERLOAD void atomic_flag_clear_explicit(volatile space atomic_flag *flag, memory_order order,                     \
                                           memory_scope scope) {                                                     \
    __scoped_atomic_store_n((space uint *)flag, 0u, order, __MEMORY_SCOPE_SYSTEM);                                   \
  }                                                                                                                  \
  OVERLOAD void atomic_flag_clear_explicit(volatile space atomic_flag *flag, memory_order order) {                   \
    atomic_flag_clear_explicit(flag, order, memory_scope_device);                                                    \
  }                                                                                                                  \
  OVERLOAD void atomic_flag_clear(volatile space atomic_flag *flag) {                                                \
    atomic_flag_clear_explicit(flag, memory_order_seq_cst, memory_scope_device);                                     \
  }

IN_EACH_MEMORY(FLAGS)

OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (order == memory_order_relaxed || scope == memory_scope_work_item)
    return;
  if (scope >= memory_scope_device)
    __nvvm_membar_gl();
  else
    __nvvm_membar_cta();
}
