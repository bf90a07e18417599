// SPDX-License-Identifier: Apache-2.0
// A turn of a loop that waits for other threads.
#ifndef LANEWISE_WAITING_H
#define LANEWISE_WAITING_H

#include "lanewise/atomic_operations.h"
#include "lanewise/qualifiers.h"

// They are of the block, or any.
extern "C" __attribute__((device, convergent, nothrow)) void __lw_await_warps();
template <__lw_scope Scope> __LW_WARP__ void __lw_wait_a_turn() {
  if constexpr (Scope == __lw_scope_block)
    __lw_await_warps();
  __nvvm_nanosleep(20);
}

#endif
