// SPDX-License-Identifier: Apache-2.0
// Atomic functions: relaxed and device-wide. Each becomes one atomicrmw or cmpxchg instruction; its scope is read off the
// function's name (scopes.py).
#ifndef LANEWISE_ATOMICS_H
#define LANEWISE_ATOMICS_H

#define __LW_ATOMIC_NAME(name) name
#include "lanewise/atomic_functions.inc"
#undef __LW_ATOMIC_NAME

#endif
