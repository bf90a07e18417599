// SPDX-License-Identifier: Apache-2.0

// The median of three by three bytes. The image has a border of one pixel.
__kernel void median(__global uchar *out, __global const uchar *in, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar near[9];
  for (int i = 0; i < 9; i++)
    near[i] = in[(y + i / 3) * (size + 2) + x + i % 3];
  for (int i = 0; i < 5; i++)
    for (int j = i + 1; j < 9; j++) {
      uchar less = min(near[i], near[j]);
      near[j] = max(near[i], near[j]);
      near[i] = less;
    }
  out[y * size + x] = near[4];
}
