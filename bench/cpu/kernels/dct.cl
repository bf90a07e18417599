// SPDX-License-Identifier: Apache-2.0
// The discrete cosine transform of blocks, one block a work-group: matrix * block * transposed matrix, in two steps.
// The width of a block is an argument, so that the loops can't be unrolled.
__kernel void dct(__global float *out, __global const float *in, __global const float *matrix,
                  __local float *between, int width, int block_width, int inverse) {
  int group_x = get_group_id(0), group_y = get_group_id(1);
  int x = get_local_id(0), y = get_local_id(1);
  int index = (group_y * block_width + y) * width + group_x * block_width + x;

  float sum = 0.0f;
  for (int k = 0; k < block_width; k++) {
    int of_matrix = inverse ? x * block_width + k : k * block_width + x;
    int of_block = (group_y * block_width + y) * width + group_x * block_width + k;
    sum += matrix[of_matrix] * in[of_block];
  }
  between[y * block_width + x] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);

  sum = 0.0f;
  for (int k = 0; k < block_width; k++) {
    int of_matrix = inverse ? y * block_width + k : k * block_width + y;
    sum += between[k * block_width + x] * matrix[of_matrix];
  }
  out[index] = sum;
}
