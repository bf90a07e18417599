// SPDX-License-Identifier: Apache-2.0

// Copies the pixels of three bytes that a mask names.
__kernel void copy_to_mask(__global uchar *out, __global const uchar *in, __global const uchar *mask, int count) {
  int i = get_global_id(0);
  if (i < count && mask[i])
    vstore3(vload3(i, in), i, out);
}
