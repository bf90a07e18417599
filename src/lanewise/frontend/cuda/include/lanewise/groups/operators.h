// SPDX-License-Identifier: Apache-2.0
// The operators of reductions and scans.
#ifndef LANEWISE_GROUPS_OPERATORS_H
#define LANEWISE_GROUPS_OPERATORS_H

#include "lanewise/groups/thread_block.h"

namespace cooperative_groups {

#define __LW_OPERATOR(name, result)                                                                              \
  template <class Type> struct name {                                                                            \
    __LW_GROUP__ Type operator()(Type a, Type b) const { return result; }                                        \
  };
__LW_OPERATOR(plus, a + b)
__LW_OPERATOR(less, b < a ? b : a)
__LW_OPERATOR(greater, a < b ? b : a)
__LW_OPERATOR(bit_and, a &b)
__LW_OPERATOR(bit_or, a | b)
__LW_OPERATOR(bit_xor, a ^ b)
#undef __LW_OPERATOR

// Combines `value` into an atomic object; gives what was there.
template <class Atomic, class Type, class Operator>
static __LW_GROUP__ inline Type __lw_update(Atomic &target, Type value, Operator operate) {
  Type old = target.load();
  while (!target.compare_exchange_weak(old, operate(old, value))) {
  }
  return old;
}

} // namespace cooperative_groups

#endif
