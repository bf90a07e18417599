// SPDX-License-Identifier: Apache-2.0

// The excess of 16 bytes of each work-item over a level, and 0 for those below.
__kernel void threshold(__global uchar *out, __global const uchar *in, uchar level) {
  int i = get_global_id(0);
  uchar16 here = vload16(i, in);
  vstore16(select((uchar16)0, (uchar16)(here - level), here > (uchar16)level), i, out);
}
