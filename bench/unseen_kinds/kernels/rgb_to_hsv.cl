// SPDX-License-Identifier: Apache-2.0

// Hue (0 to 179), saturation and brightness of pixels of three bytes.
__kernel void rgb_to_hsv(__global uchar *out, __global const uchar *in, int count) {
  int i = get_global_id(0);
  if (i >= count)
    return;
  uchar3 rgb = vload3(i, in);
  int r = rgb.x, g = rgb.y, b = rgb.z, most = max(r, max(g, b)), range = most - min(r, min(g, b)), hue = 0;
  if (range != 0) {
    if (most == r)
      hue = (g - b) * 30 / range;
    else if (most == g)
      hue = 60 + (b - r) * 30 / range;
    else
      hue = 120 + (r - g) * 30 / range;
    if (hue < 0)
      hue += 180;
  }
  int saturation = most == 0 ? 0 : range * 255 / most;
  vstore3((uchar3)(hue, saturation, most), i, out);
}
