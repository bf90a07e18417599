// SPDX-License-Identifier: Apache-2.0
// Parboil's sgemm: a column-major product, 16 columns of it per thread, a tile of b in shared memory.
__global__ void sgemm(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int k, float alpha,
                      float beta) {
    __shared__ float tile[8][16];
    float sums[16];
    int t = threadIdx.y * 16 + threadIdx.x;
    int m = blockIdx.x * 128 + t, n = blockIdx.y * 16 + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 16; i++)
        sums[i] = 0;
    for (int i = 0; i < k; i += 8) {
        tile[threadIdx.y][threadIdx.x] = b[n + (i + threadIdx.y) * ldb];
        __syncthreads();
        for (int j = 0; j < 8; j++) {
            float value = a[m + (i + j) * lda];
#pragma unroll
            for (int kk = 0; kk < 16; kk++)
                sums[kk] += value * tile[j][kk];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
        c[m + (i + blockIdx.y * 16) * ldc] = c[m + (i + blockIdx.y * 16) * ldc] * beta + alpha * sums[i];
}
