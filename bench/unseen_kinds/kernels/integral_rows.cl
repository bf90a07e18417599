// SPDX-License-Identifier: Apache-2.0

// Sums along each row, of which each work-item has one.
__kernel void integral_rows(__global uint *out, __global const uchar *in, int width) {
  int row = get_global_id(0);
  uint sum = 0;
  for (int x = 0; x < width; x++) {
    sum += in[row * width + x];
    out[row * width + x] = sum;
  }
}
