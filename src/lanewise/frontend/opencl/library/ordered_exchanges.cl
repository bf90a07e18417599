// SPDX-License-Identifier: Apache-2.0
// Atomic comparisons with exchange of ELEMENT: never without a cause, the weak ones too. Any order but the relaxed one
// counts as the strongest.
#include "ordered_atomics.h"

#define EXCHANGE_IF(space, expected_space, order)                                                                    \
  __scoped_atomic_compare_exchange_n(WORD_AT(space, place), &found, AS_WORD(x), false, order, order,                 \
                                     __MEMORY_SCOPE_SYSTEM)

#define COMPARE(name, space, expected_space)                                                                         \
  OVERLOAD bool name##_explicit(volatile space ATOMIC *place, expected_space ELEMENT *expected, ELEMENT x,           \
                                memory_order success, memory_order failure, memory_scope scope) {                    \
    WORD found = AS_WORD(*expected);                                                                                 \
    bool is_relaxed = success == memory_order_relaxed && failure == memory_order_relaxed;                            \
    bool same = is_relaxed ? EXCHANGE_IF(space, expected_space, __ATOMIC_RELAXED)                                    \
                           : EXCHANGE_IF(space, expected_space, __ATOMIC_SEQ_CST);                                   \
    if (!same)                                                                                                       \
      *expected = AS_ELEMENT(found);                                                                                 \
    return same;                                                                                                     \
  }                                                                                                                  \
  OVERLOAD bool name##_explicit(volatile space ATOMIC *place, expected_space ELEMENT *expected, ELEMENT x,           \
                                memory_order success, memory_order failure) {                                        \
    return name##_explicit(place, expected, x, success, failure, memory_scope_device);                               \
  }                                                                                                                  \
  OVERLOAD bool name(volatile space ATOMIC *place, expected_space ELEMENT *expected, ELEMENT x) {                    \
    return name##_explicit(place, expected, x, memory_order_seq_cst, memory_order_seq_cst, memory_scope_device);     \
  }

// A value in private memory is one in any: pointers to both have one name.
#define STRONG(space)                                           \
  COMPARE(atomic_compare_exchange_strong, space, global)        \
  COMPARE(atomic_compare_exchange_strong, space, local)         \
  COMPARE(atomic_compare_exchange_strong, space, )
#define WEAK(space)                                             \
  COMPARE(atomic_compare_exchange_weak, space, global)          \
  COMPARE(atomic_compare_exchange_weak, space, local)           \
  COMPARE(atomic_compare_exchange_weak, space, )

IN_EACH_MEMORY(STRONG)
IN_EACH_MEMORY(WEAK)
