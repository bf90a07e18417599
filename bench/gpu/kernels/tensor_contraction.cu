// SPDX-License-Identifier: Apache-2.0
// Eigen's tensor contraction: a mapper of strides computes addresses, tiles in shared memory, a template over both.
template <typename T> struct Mapper {
    const T *data;
    long row_stride, column_stride;
    __device__ T operator()(long row, long column) const { return data[row * row_stride + column * column_stride]; }
};

template <typename T, int TILE, typename Left, typename Right>
__device__ void contract(T *out, Left left, Right right, long m, long n, long k) {
    __shared__ T l[TILE][TILE + 1], r[TILE][TILE + 1];
    long row = (long)blockIdx.y * 2 * TILE + threadIdx.y, column = (long)blockIdx.x * TILE + threadIdx.x;
    T first = 0, second = 0;
    for (long base = 0; base < k; base += TILE) {
        r[threadIdx.y][threadIdx.x] = right(base + threadIdx.y, column);
        l[threadIdx.y][threadIdx.x] = left(row, base + threadIdx.x);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            first += l[threadIdx.y][i] * r[i][threadIdx.x];
        __syncthreads();
        l[threadIdx.y][threadIdx.x] = left(row + TILE, base + threadIdx.x);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            second += l[threadIdx.y][i] * r[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n)
        out[row * n + column] = first;
    if (row + TILE < m && column < n)
        out[(row + TILE) * n + column] = second;
}

__global__ void tensor_contraction(float *out, const float *a, const float *b, long m, long n, long k) {
    contract<float, 16>(out, Mapper<float>{a, k, 1}, Mapper<float>{b, 1, k}, m, n, k);
}
