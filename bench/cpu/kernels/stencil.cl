// SPDX-License-Identifier: Apache-2.0
__kernel void stencil(__global float *out, __global const float *in, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}
