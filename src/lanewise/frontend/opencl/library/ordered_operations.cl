// SPDX-License-Identifier: Apache-2.0
// Atomic operations of ELEMENT by the operation NAME, such as add.
#include "ordered_atomics.h"

#define FUNCTION JOIN(atomic_fetch_, NAME)
#define EXPLICIT JOIN(FUNCTION, _explicit)
#define BUILTIN JOIN(__scoped_atomic_fetch_, NAME)

#define OPERATION(space, operand)                                                                                    \
  OVERLOAD ELEMENT EXPLICIT(volatile space ATOMIC *place, operand x, memory_order order, memory_scope scope) {       \
    return BUILTIN(ELEMENT_AT(space, place), (ELEMENT)x, order, __MEMORY_SCOPE_SYSTEM);                              \
  }                                                                                                                  \
  OVERLOAD ELEMENT EXPLICIT(volatile space ATOMIC *place, operand x, memory_order order) {                           \
    return BUILTIN(ELEMENT_AT(space, place), (ELEMENT)x, order, __MEMORY_SCOPE_SYSTEM);                              \
  }                                                                                                                  \
  OVERLOAD ELEMENT FUNCTION(volatile space ATOMIC *place, operand x) {                                               \
    return BUILTIN(ELEMENT_AT(space, place), (ELEMENT)x, __ATOMIC_SEQ_CST, __MEMORY_SCOPE_SYSTEM);                   \
  }

#define OF_ELEMENT(space) OPERATION(space, ELEMENT)
IN_EACH_MEMORY(OF_ELEMENT)

// atomic_uintptr_t is atomic_ulong, and its operands are of ptrdiff_t.
#define IS_ulong 1
#if JOIN(IS_, ELEMENT)
#define OF_DIFFERENCE(space) OPERATION(space, long)
IN_EACH_MEMORY(OF_DIFFERENCE)
#endif
