// SPDX-License-Identifier: Apache-2.0

// An image turned and scaled: each pixel is put together of four of the other image's; outside it is black.
__kernel void warp_affine(__global float *out, __global const uchar *in, int size, float xx, float xy, float x0,
                          float yx, float yy, float y0) {
  int x = get_global_id(0), y = get_global_id(1);
  float u = xx * x + xy * y + x0, v = yx * x + yy * y + y0;
  int i = (int)floor(u), j = (int)floor(v);
  float value = 0;
  if (i >= 0 && j >= 0 && i + 1 < size && j + 1 < size) {
    float a = u - i, b = v - j;
    __global const uchar *at = in + j * size + i;
    value = (1 - b) * ((1 - a) * at[0] + a * at[1]) + b * ((1 - a) * at[size] + a * at[size + 1]);
  }
  out[y * size + x] = value;
}
