// SPDX-License-Identifier: Apache-2.0

// Elimination along each row of a tridiagonal system per row: each work-item goes along rows of three arrays.
__kernel void row_recurrence(__global float *out, __global const float *x, __global const float *a,
                             __global const float *b, int size) {
  int row = get_global_id(0);
  float before = x[row * size];
  out[row * size] = before;
  for (int k = 1; k < size; k++) {
    before = x[row * size + k] - before * a[row * size + k] / b[row * size + k - 1];
    out[row * size + k] = before;
  }
}
