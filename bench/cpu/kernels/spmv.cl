// SPDX-License-Identifier: Apache-2.0
__kernel void spmv(__global float *y, __global const int *starts, __global const int *columns,
                   __global const float *values, __global const float *x, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int k = starts[row]; k < starts[row + 1]; k++)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
