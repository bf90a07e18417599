// SPDX-License-Identifier: Apache-2.0
// Products of matrices by nvcuda::wmma.
#include <mma.h>

using namespace nvcuda;

// C = alpha A B + beta C: a warp for each tile of C of 16 x 16. All matrices are stored by rows.
extern "C" __global__ void gemm(const half *a, const half *b, float *c, int m, int n, int k, float alpha, float beta) {
  int tile_row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 16;
  int tile_column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  if (tile_row >= m || tile_column >= n)
    return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums, before;
  wmma::fill_fragment(sums, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + tile_row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + tile_column, n);
    wmma::mma_sync(sums, left, right, sums);
  }
  float *tile = c + tile_row * n + tile_column;
  wmma::load_matrix_sync(before, tile, n, wmma::mem_row_major);
  for (int i = 0; i < before.num_elements; i++)
    before.x[i] = alpha * sums.x[i] + beta * before.x[i];
  wmma::store_matrix_sync(tile, before, n, wmma::mem_row_major);
}

template <class Type, class Element, class Sum, int m, int n, int k>
__device__ void multiply(const Element *a, const Element *b, Sum *d) {
  wmma::fragment<wmma::matrix_a, m, n, k, Type, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, n, k, Type, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
  wmma::fill_fragment(sums, static_cast<Sum>(1));
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  if constexpr (__is_same(Type, wmma::precision::tf32))
    for (auto &x : left.x)
      x = wmma::__float_to_tf32(x);
  wmma::mma_sync(sums, left, right, sums);
  wmma::store_matrix_sync(d, sums, m, wmma::mem_col_major);
}

#define MULTIPLY(name, type, element, sum, m, n, k)                                                              \
  extern "C" __global__ void name(const element *a, const element *b, sum *d) {                                  \
    multiply<type, element, sum, m, n, k>(a, b, d);                                                              \
  }
MULTIPLY(halves, half, half, half, 32, 8, 16)
MULTIPLY(bfloats, __nv_bfloat16, __nv_bfloat16, float, 16, 16, 16)
MULTIPLY(bytes, signed char, signed char, int, 8, 32, 16)
MULTIPLY(unsigned_bytes, unsigned char, unsigned char, int, 16, 16, 16)
MULTIPLY(tf32, wmma::precision::tf32, float, float, 16, 16, 8)
MULTIPLY(doubles, double, double, double, 8, 8, 4)
