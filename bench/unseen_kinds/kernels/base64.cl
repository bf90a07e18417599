// SPDX-License-Identifier: Apache-2.0

// The letter of a number below 64.
inline uchar letter(uint number) {
  return number < 26 ? 'A' + number : number < 52 ? 'a' + number - 26 : number < 62 ? '0' + number - 52 : number == 62 ? '+' : '/';
}

// Three bytes of each work-item as four letters (RFC 4648, section 4).
__kernel void base64(__global uchar *letters, __global const uchar *bytes, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  uint all = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
  vstore4((uchar4)(letter(all >> 18), letter(all >> 12 & 63), letter(all >> 6 & 63), letter(all & 63)), i, letters);
}
