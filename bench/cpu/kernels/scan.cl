// SPDX-License-Identifier: Apache-2.0
// After G. Blelloch, Prefix Sums and Their Applications (1990): sums up a tree, then down again.
__kernel void scan(__global int *out, __global const int *in, __local int *tree) {
  int own = get_local_id(0), size = get_local_size(0);
  int first = get_group_id(0) * 2 * size;
  tree[2 * own] = in[first + 2 * own];
  tree[2 * own + 1] = in[first + 2 * own + 1];

  int distance = 1;
  for (int active = size; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < active)
      tree[distance * (2 * own + 2) - 1] += tree[distance * (2 * own + 1) - 1];
    distance *= 2;
  }
  if (own == 0)
    tree[2 * size - 1] = 0;
  for (int active = 1; active <= size; active *= 2) {
    distance /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < active) {
      int left = distance * (2 * own + 1) - 1, right = distance * (2 * own + 2) - 1;
      int sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + 2 * own] = tree[2 * own];
  out[first + 2 * own + 1] = tree[2 * own + 1];
}
