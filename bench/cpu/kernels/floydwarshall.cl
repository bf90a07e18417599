// SPDX-License-Identifier: Apache-2.0
__kernel void floydwarshall(__global int *lengths, int n, int by_way_of) {
  int to = get_global_id(0), from = get_global_id(1);
  int direct = lengths[from * n + to];
  int around = lengths[from * n + by_way_of] + lengths[by_way_of * n + to];
  if (around < direct)
    lengths[from * n + to] = around;
}
