// SPDX-License-Identifier: Apache-2.0

// One step of following edges: a weak pixel (1) beside a strong one (2) becomes strong. The image has a border of 0.
__kernel void hysteresis(__global uchar *out, __global const uchar *in, int size) {
  int x = get_global_id(0), y = get_global_id(1), pitch = size + 2;
  __global const uchar *at = in + (y + 1) * pitch + x + 1;
  uchar here = *at;
  if (here == 1)
    for (int dy = -1; dy <= 1 && here == 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (at[dy * pitch + dx] == 2) {
          here = 2;
          break;
        }
  out[y * size + x] = here;
}
