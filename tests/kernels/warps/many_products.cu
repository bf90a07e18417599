// SPDX-License-Identifier: Apache-2.0
// A product of matrices whose warps hold 2 x 4 tiles of the result each, with all loops over them unrolled.
#include <mma.h>

using namespace nvcuda;

enum { ROWS = 2, COLUMNS = 4, CHUNK = 4, SIDE = 16, DEPTH = CHUNK * SIDE, ROW = DEPTH + 16 };

// C += A B of (32 x k) and (k x 128) matrices, by two warps. A is stored by rows, B by columns, C by rows.
extern "C" __global__ void tiles(const half *a, const half *b, float *c, int k) {
  __shared__ half left[ROWS * SIDE][ROW], right[2 * COLUMNS * SIDE][ROW];
  int warp = threadIdx.x / warpSize;
  float *mine = c + warp * COLUMNS * SIDE;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[ROWS][COLUMNS];
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
      wmma::load_matrix_sync(sums[i][j], mine + i * SIDE * 128 + j * SIDE, 128, wmma::mem_row_major);
  for (int start = 0; start < k; start += DEPTH) {
    for (int i = threadIdx.x; i < ROWS * SIDE * DEPTH; i += blockDim.x)
      left[i / DEPTH][i % DEPTH] = a[i / DEPTH * k + start + i % DEPTH];
    for (int i = threadIdx.x; i < 2 * COLUMNS * SIDE * DEPTH; i += blockDim.x)
      right[i / DEPTH][i % DEPTH] = b[i / DEPTH * k + start + i % DEPTH];
    __syncthreads();
#pragma unroll
    for (int step = 0; step < CHUNK; step++) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x[ROWS];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y[COLUMNS];
#pragma unroll
      for (int i = 0; i < ROWS; i++) {
        wmma::load_matrix_sync(x[i], &left[i * SIDE][step * SIDE], ROW);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
          if (i == 0)
            wmma::load_matrix_sync(y[j], &right[(warp * COLUMNS + j) * SIDE][step * SIDE], ROW);
          wmma::mma_sync(sums[i][j], x[i], y[j], sums[i][j]);
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++)
      wmma::store_matrix_sync(mine + i * SIDE * 128 + j * SIDE, sums[i][j], 128, wmma::mem_row_major);
}
