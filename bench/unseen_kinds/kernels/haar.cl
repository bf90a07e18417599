// SPDX-License-Identifier: Apache-2.0

// One level of the two-dimensional Haar wavelet: each work-item has a square of two by two pixels. Averages go into the
// top left quarter of the result, differences along x, y and both into the others.
__kernel void haar(__global float *out, __global const float *in, int size) {
  int x = get_global_id(0), y = get_global_id(1), half_size = size / 2;
  float a = in[2 * y * size + 2 * x], b = in[2 * y * size + 2 * x + 1];
  float c = in[(2 * y + 1) * size + 2 * x], d = in[(2 * y + 1) * size + 2 * x + 1];
  out[y * size + x] = (a + b + c + d) * 0.5f;
  out[y * size + x + half_size] = (a - b + c - d) * 0.5f;
  out[(y + half_size) * size + x] = (a + b - c - d) * 0.5f;
  out[(y + half_size) * size + x + half_size] = (a - b - c + d) * 0.5f;
}
