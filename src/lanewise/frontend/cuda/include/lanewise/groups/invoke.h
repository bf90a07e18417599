// SPDX-License-Identifier: Apache-2.0
// A function called by one thread of a group.
#ifndef LANEWISE_GROUPS_INVOKE_H
#define LANEWISE_GROUPS_INVOKE_H

#include "lanewise/groups/thread_block.h"

namespace cooperative_groups {

template <class Group, class Function, class... Arguments>
static __LW_GROUP__ inline void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}

// For tiles and coalesced groups: all of their threads get the result.
template <class Group, class Function, class... Arguments>
static __LW_GROUP__ inline auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...)) {
  decltype(static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0)
    result = static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
