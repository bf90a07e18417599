// SPDX-License-Identifier: Apache-2.0

// The letter that begins at each place: its number by Unicode.
__kernel void utf8_decode(__global uint *letters, __global const uchar *text, __global const uint *starts, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  __global const uchar *at = text + starts[i];
  uint first = at[0], value;
  switch (first >> 4) {
  case 12:
  case 13:
    value = (first & 31) << 6 | (at[1] & 63);
    break;
  case 14:
    value = (first & 15) << 12 | (at[1] & 63) << 6 | (at[2] & 63);
    break;
  case 15:
    value = (first & 7) << 18 | (at[1] & 63) << 12 | (at[2] & 63) << 6 | (at[3] & 63);
    break;
  default:
    value = first;
  }
  letters[i] = value;
}
