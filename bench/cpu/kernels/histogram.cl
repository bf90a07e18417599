// SPDX-License-Identifier: Apache-2.0
#define BINS 256

__kernel void histogram(__global uint *counts, __global const uint *in, int n) {
  __local uint bins[BINS];
  for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
    bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&bins[in[i] & (BINS - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < BINS; i += get_local_size(0))
    atomic_add(&counts[i], bins[i]);
}
