// SPDX-License-Identifier: Apache-2.0
__kernel void mandelbrot(__global int *out, int width, int height, int most) {
  int x = get_global_id(0), y = get_global_id(1);
  float re = (float)x / width * 3.0f - 2.0f, im = (float)y / height * 2.0f - 1.0f;
  float a = 0.0f, b = 0.0f;
  int count = 0;
  while (count < most && a * a + b * b < 4.0f) {
    float next = a * a - b * b + re;
    b = 2.0f * a * b + im;
    a = next;
    count++;
  }
  out[y * width + x] = count;
}
