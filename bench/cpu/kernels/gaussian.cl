// SPDX-License-Identifier: Apache-2.0
// One step of an elimination: rows below the pivot lose a multiple of its row.
__kernel void gaussian(__global float *matrix, __global const float *factors, int n, int pivot) {
  int column = get_global_id(0), row = get_global_id(1);
  if (row <= pivot || row >= n || column < pivot || column >= n)
    return;
  matrix[row * n + column] -= factors[row] * matrix[pivot * n + column];
}
