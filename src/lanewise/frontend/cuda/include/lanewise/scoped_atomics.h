// SPDX-License-Identifier: Apache-2.0
// The atomic functions of the other scopes: block-wide (_block) and system-wide (_system).
#ifndef LANEWISE_SCOPED_ATOMICS_H
#define LANEWISE_SCOPED_ATOMICS_H

#define __LW_ATOMIC_NAME(name) name##_block
#include "lanewise/atomic_functions.inc"
#undef __LW_ATOMIC_NAME

#define __LW_ATOMIC_NAME(name) name##_system
#include "lanewise/atomic_functions.inc"
#undef __LW_ATOMIC_NAME

#endif
