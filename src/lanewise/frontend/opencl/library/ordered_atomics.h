// SPDX-License-Identifier: Apache-2.0
// What the atomic functions with orders have in common (OpenCL C 3.0, 6.15.12). Whatever the scope, operations are
// those of the whole system. Functions without an order are sequentially consistent.
#ifndef LANEWISE_OPENCL_ORDERED_ATOMICS_H
#define LANEWISE_OPENCL_ORDERED_ATOMICS_H

#include "types.h"

#define ATOMIC JOIN(atomic_, ELEMENT)
#define WORD UNSIGNED
#define AS_WORD JOIN(as_, UNSIGNED)
#define AS_ELEMENT JOIN(as_, ELEMENT)

// The bits of an atomic object, and what a plain integer operation works on.
#define WORD_AT(space, place) ((space WORD *)(place))
#define ELEMENT_AT(space, place) ((space ELEMENT *)(place))

// macro(space) for each memory that an atomic object is in; without a name for it, any.
#define IN_EACH_MEMORY(macro) macro(global) macro(local) macro()

#endif
