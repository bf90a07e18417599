// SPDX-License-Identifier: Apache-2.0
#define COLUMNS 16 // of the product, by each work-item
#define DEPTH 16
#define WIDTH 16 // of a work-group
#define HEIGHT 4

// The product of two matrices that are stored by columns. Work-items are along a column, each with elements of several
// columns; of b a work-group has a tile in local memory. The pointer to a moves several times between two barriers.
__kernel void panels(__global float *c, __global const float *a, __global const float *b, int n) {
  __local float tile[DEPTH][COLUMNS + 1];
  int x = get_local_id(0);
  int y = get_local_id(1);
  int row = get_group_id(0) * WIDTH * HEIGHT + y * WIDTH + x;
  int first = get_group_id(1) * COLUMNS;
  __global const float *left = a + row;
  __global const float *right = b + (first + y) * n + x;
  float sums[COLUMNS];
  for (int j = 0; j < COLUMNS; j++)
    sums[j] = 0;
  for (int k = 0; k < n; k += DEPTH) {
    for (int j = 0; j < COLUMNS; j += HEIGHT)
      tile[x][y + j] = right[j * n];
    right += DEPTH;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < DEPTH; i += 4) {
      float ahead[4];
      for (int d = 0; d < 4; d++)
        ahead[d] = left[d * n];
      left += 4 * n;
      for (int d = 0; d < 4; d++)
        for (int j = 0; j < COLUMNS; j++)
          sums[j] += ahead[d] * tile[i + d][j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int j = 0; j < COLUMNS; j++)
    c[(first + j) * n + row] = sums[j];
}
