// SPDX-License-Identifier: Apache-2.0
#define SIZE 7

// The image has a margin of SIZE / 2 elements on all sides.
__kernel void convolution(__global float *out, __global const float *in, __constant float *filter, int width) {
  int x = get_global_id(0), y = get_global_id(1);
  int padded = width + SIZE - 1;
  float sum = 0.0f;
  for (int j = 0; j < SIZE; j++)
    for (int i = 0; i < SIZE; i++)
      sum += filter[j * SIZE + i] * in[(y + j) * padded + x + i];
  out[y * width + x] = sum;
}
