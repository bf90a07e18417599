// SPDX-License-Identifier: Apache-2.0
// PolyBench's correlation: a triangle of the matrix, both halves written.
__global__ void correlation(float *symmetric, const float *data, int m, int n) {
    int j1 = blockIdx.x * blockDim.x + threadIdx.x;
    if (j1 < m - 1) {
        symmetric[j1 * m + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            float sum = 0;
            for (int i = 0; i < n; i++)
                sum += data[i * m + j1] * data[i * m + j2];
            symmetric[j1 * m + j2] = sum;
            symmetric[j2 * m + j1] = sum;
        }
    }
}
