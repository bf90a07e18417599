// SPDX-License-Identifier: Apache-2.0

// Each pixel is the one that a map names.
__kernel void remap(__global uchar *out, __global const uchar *in, __global const short2 *map, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  short2 from = map[y * size + x];
  out[y * size + x] = in[from.y * size + from.x];
}
