// SPDX-License-Identifier: Apache-2.0

#define GROUP 64

// The numbers of each group below a limit, one after the other, and how many there are.
__kernel void compact(__global uint *out, __global uint *counts, __global const uint *in, uint limit) {
  __local uint sums[GROUP];
  int local_id = get_local_id(0);
  uint value = in[get_global_id(0)];
  sums[local_id] = value < limit;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < GROUP; distance *= 2) {
    uint before = local_id >= distance ? sums[local_id - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[local_id] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (value < limit)
    out[get_group_id(0) * GROUP + sums[local_id] - 1] = value;
  if (local_id == GROUP - 1)
    counts[get_group_id(0)] = sums[local_id];
}
