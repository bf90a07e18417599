// SPDX-License-Identifier: Apache-2.0
// Reads and writes of blocks (cl_intel_subgroups): the sub-group's words side by side, a row for each component.
#include "sub_groups.h"

OVERLOAD uint intel_sub_group_block_read(const global uint *from) { return from[own_id()]; }

OVERLOAD uint2 intel_sub_group_block_read2(const global uint *from) {
  uint id = own_id(), size = greatest_size();
  return (uint2)(from[id], from[size + id]);
}

OVERLOAD uint4 intel_sub_group_block_read4(const global uint *from) {
  return (uint4)(intel_sub_group_block_read2(from), intel_sub_group_block_read2(from + 2 * greatest_size()));
}

OVERLOAD uint8 intel_sub_group_block_read8(const global uint *from) {
  return (uint8)(intel_sub_group_block_read4(from), intel_sub_group_block_read4(from + 4 * greatest_size()));
}

OVERLOAD void intel_sub_group_block_write(global uint *to, uint x) { to[own_id()] = x; }

OVERLOAD void intel_sub_group_block_write2(global uint *to, uint2 x) {
  uint id = own_id(), size = greatest_size();
  to[id] = x.x;
  to[size + id] = x.y;
}

OVERLOAD void intel_sub_group_block_write4(global uint *to, uint4 x) {
  intel_sub_group_block_write2(to, x.lo);
  intel_sub_group_block_write2(to + 2 * greatest_size(), x.hi);
}

OVERLOAD void intel_sub_group_block_write8(global uint *to, uint8 x) {
  intel_sub_group_block_write4(to, x.lo);
  intel_sub_group_block_write4(to + 4 * greatest_size(), x.hi);
}
