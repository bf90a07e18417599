// SPDX-License-Identifier: Apache-2.0
__kernel void gemv(__global float *y, __global const float *a, __global const float *x, int columns) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < columns; k++)
    sum += a[row * columns + k] * x[k];
  y[row] = sum;
}
