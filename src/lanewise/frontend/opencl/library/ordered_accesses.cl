// SPDX-License-Identifier: Apache-2.0
// Atomic loads, stores and exchanges of ELEMENT, and the first value of an atomic object.
#include "ordered_atomics.h"

#define ACCESSES(space)                                                                                              \
  OVERLOAD void atomic_init(volatile space ATOMIC *place, ELEMENT x) { *ELEMENT_AT(volatile space, place) = x; }     \
                                                                                                                     \
  OVERLOAD ELEMENT atomic_load_explicit(volatile space ATOMIC *place, memory_order order, memory_scope scope) {      \
    return AS_ELEMENT(__scoped_atomic_load_n(WORD_AT(space, place), order, __MEMORY_SCOPE_SYSTEM));                  \
  }                                                                                                                  \
  OVERLOAD ELEMENT atomic_load_explicit(volatile space ATOMIC *place, memory_order order) {                          \
    return atomic_load_explicit(place, order, memory_scope_device);                                                  \
  }                                                                                                                  \
  OVERLOAD ELEMENT atomic_load(volatile space ATOMIC *place) {                                                       \
    return atomic_load_explicit(place, memory_order_seq_cst, memory_scope_device);                                   \
  }                                                                                                                  \
                                                                                                                     \
  OVERLOAD void atomic_store_explicit(volatile space ATOMIC *place, ELEMENT x, memory_order order,                   \
                                      memory_scope scope) {                                                          \
    __scoped_atomic_store_n(WORD_AT(space, place), AS_WORD(x), order, __MEMORY_SCOPE_SYSTEM);                        \
  }                                                                                                                  \
  OVERLOAD void atomic_store_explicit(volatile space ATOMIC *place, ELEMENT x, memory_order order) {                 \
    atomic_store_explicit(place, x, order, memory_scope_device);                                                     \
  }                                                                                                                  \
  OVERLOAD void atomic_store(volatile space ATOMIC *place, ELEMENT x) {                                              \
    atomic_store_explicit(place, x, memory_order_seq_cst, memory_scope_device);                                      \
  }                                                                                                                  \
                                                                                                                     \
  OVERLOAD ELEMENT atomic_exchange_explicit(volatile space ATOMIC *place, ELEMENT x, memory_order order,             \
                                            memory_scope scope) {                                                    \
    return AS_ELEMENT(                                                                                               \
        __scoped_atomic_exchange_n(WORD_AT(space, place), AS_WORD(x), order, __MEMORY_SCOPE_SYSTEM));                \
  }                                                                                                                  \
  OVERLOAD ELEMENT atomic_exchange_explicit(volatile space ATOMIC *place, ELEMENT x, memory_order order) {           \
    return atomic_exchange_explicit(place, x, order, memory_scope_device);                                           \
  }                                                                                                                  \
  OVERLOAD ELEMENT atomic_exchange(volatile space ATOMIC *place, ELEMENT x) {                                        \
    return atomic_exchange_explicit(place, x, memory_order_seq_cst, memory_scope_device);                            \
  }

IN_EACH_MEMORY(ACCESSES)
