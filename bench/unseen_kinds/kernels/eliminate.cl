// SPDX-License-Identifier: Apache-2.0
#define N 6

// Each work-item solves a linear system of its own by Gaussian elimination with partial pivoting.
__kernel void eliminate(__global float *solutions, __global const float *matrices, __global const float *sides,
                        int count) {
  int system = get_global_id(0);
  if (system >= count)
    return;
  float a[N][N + 1];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      a[i][j] = matrices[(system * N + i) * N + j];
    a[i][N] = sides[system * N + i];
  }
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    if (pivot != k)
      for (int j = k; j <= N; j++) {
        float swapped = a[k][j];
        a[k][j] = a[pivot][j];
        a[pivot][j] = swapped;
      }
    for (int i = k + 1; i < N; i++) {
      float factor = a[i][k] / a[k][k];
      for (int j = k; j <= N; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  for (int k = N - 1; k >= 0; k--) {
    float left = a[k][N];
    for (int j = k + 1; j < N; j++)
      left -= a[k][j] * a[j][N];
    a[k][N] = left / a[k][k];
    solutions[system * N + k] = a[k][N];
  }
}
