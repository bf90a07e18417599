// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of many 6 x 6 matrices, one per thread, stored element by element.
__global__ void batched_cholesky(float *factors, const float *matrices, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float l[6][6];
#pragma unroll
    for (int r = 0; r < 6; r++) {
#pragma unroll
        for (int c = 0; c <= r; c++) {
            float sum = matrices[(r * 6 + c) * n + i] + (r == c ? 8 : 0);
#pragma unroll
            for (int k = 0; k < c; k++)
                sum -= l[r][k] * l[c][k];
            l[r][c] = r == c ? sqrtf(sum) : sum / l[c][c];
            factors[(r * 6 + c) * n + i] = l[r][c];
        }
    }
}
