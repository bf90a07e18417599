// SPDX-License-Identifier: Apache-2.0
#define TILE 16

__kernel void matmul_tiled(__global float *c, __global const float *a, __global const float *b, int n) {
  __local float left[TILE][TILE], right[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += TILE) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k++)
      sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
