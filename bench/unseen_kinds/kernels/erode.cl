// SPDX-License-Identifier: Apache-2.0

// The least of a row's pixel and its two neighbours, for 16 pixels from `x` on. Pixels beyond the row are as bright as
// can be.
inline uchar16 least_in_row(__global const uchar *row, int x, int width) {
  uchar16 here = vload16(0, row + x);
  uchar before = x > 0 ? row[x - 1] : 255, after = x + 16 < width ? row[x + 16] : 255;
  uchar16 left = (uchar16)(before, here.s012, here.s3456, here.s789a, here.sbcde);
  uchar16 right = (uchar16)(here.s1234, here.s5678, here.s9abc, here.sdef, after);
  return min(here, min(left, right));
}

// Erosion of an image by a square of three by three pixels: each work-item has 16 pixels of two rows. What was dark
// before by more than `contrast` is counted as an edge: the difference is taken in 16 bits and clamped.
__kernel void erode(__global uchar *out, __global const uchar *in, int width, int height, short contrast) {
  int x = get_global_id(0) * 16, y = get_global_id(1) * 2;
  uchar16 rows[4];
  for (int i = 0; i < 4; i++) rows[i] = least_in_row(in + clamp(y + i - 1, 0, height - 1) * width, x, width);
  for (int i = 0; i < 2; i++) {
    uchar16 least = min(rows[i], min(rows[i + 1], rows[i + 2]));
    short16 lost = convert_short16(vload16(0, in + (y + i) * width + x)) - convert_short16(least);
    vstore16(convert_uchar16_sat(convert_short16(least) - max(lost - contrast, (short16)0)), 0, out + (y + i) * width + x);
  }
}
