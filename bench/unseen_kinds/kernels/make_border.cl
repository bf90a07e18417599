// SPDX-License-Identifier: Apache-2.0

// A place in a row of `size`, mirrored at its first and last pixel.
inline int mirrored(int at, int size) {
  at = at < 0 ? -at : at;
  return at < size ? at : 2 * size - 2 - at;
}

// An image with a border around it, in which the image is mirrored.
__kernel void make_border(__global uchar *out, __global const uchar *in, int size, int border) {
  int x = get_global_id(0), y = get_global_id(1), pitch = size + 2 * border;
  out[y * pitch + x] = in[mirrored(y - border, size) * size + mirrored(x - border, size)];
}
