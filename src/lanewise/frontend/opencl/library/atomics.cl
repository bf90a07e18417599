// SPDX-License-Identifier: Apache-2.0
// Atomic functions on 32-bit integers and float (6.12.11), and their older names of
// cl_khr_{global,local}_int32_*_atomics; on 64-bit integers those of cl_khr_int64_*_atomics. They order no other memory
// accesses.
#include "types.h"

#define OPERATION(name, space, t, operation)                                                                     \
  OVERLOAD t name(volatile space t *place, t operand) {                                                          \
    return __scoped_atomic_##operation((space t *)place, operand, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);      \
  }
#define STEP(name, space, t, operation)                                                                          \
  OVERLOAD t name(volatile space t *place) {                                                                     \
    return __scoped_atomic_##operation((space t *)place, (t)1, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);         \
  }
#define COMPARE(name, space, t)                                                                                  \
  OVERLOAD t name(volatile space t *place, t expected, t operand) {                                              \
    __scoped_atomic_compare_exchange_n((space t *)place, &expected, operand, false, __ATOMIC_RELAXED,            \
                                       __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);                                 \
    return expected;                                                                                             \
  }
#define FAMILY(prefix, space, t)                        \
  OPERATION(prefix##_add, space, t, fetch_add)          \
  OPERATION(prefix##_sub, space, t, fetch_sub)          \
  OPERATION(prefix##_xchg, space, t, exchange_n)        \
  OPERATION(prefix##_min, space, t, fetch_min)          \
  OPERATION(prefix##_max, space, t, fetch_max)          \
  OPERATION(prefix##_and, space, t, fetch_and)          \
  OPERATION(prefix##_or, space, t, fetch_or)            \
  OPERATION(prefix##_xor, space, t, fetch_xor)          \
  STEP(prefix##_inc, space, t, fetch_add)               \
  STEP(prefix##_dec, space, t, fetch_sub)               \
  COMPARE(prefix##_cmpxchg, space, t)

#define EXCHANGE_FLOAT(space)                                                                                    \
  OVERLOAD float atomic_xchg(volatile space float *place, float operand) {                                       \
    return as_float(__scoped_atomic_exchange_n((space uint *)place, as_uint(operand), __ATOMIC_RELAXED,          \
                                               __MEMORY_SCOPE_SYSTEM));                                          \
  }

FAMILY(atom, global, ELEMENT)
FAMILY(atom, local, ELEMENT)
#if BITS == 32
FAMILY(atomic, global, ELEMENT)
FAMILY(atomic, local, ELEMENT)
#if IS_SIGNED
EXCHANGE_FLOAT(global)
EXCHANGE_FLOAT(local)
#endif
#endif
