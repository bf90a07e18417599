// SPDX-License-Identifier: Apache-2.0
__kernel void reduction(__global float *sums, __global const float *in, __local float *tree, int n) {
  int own = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  tree[own] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (own < half_size)
      tree[own] += tree[own + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (own == 0)
    sums[get_group_id(0)] = tree[0];
}
