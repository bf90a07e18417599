// SPDX-License-Identifier: Apache-2.0
// PolyBench's gramschmidt, third kernel: columns less their projection on column k.
__global__ void gramschmidt(float *a, float *r, const float *q, int k, int m, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > k && j < n) {
        r[k * n + j] = 0;
        for (int i = 0; i < m; i++)
            r[k * n + j] += q[i * n + k] * a[i * n + j];
        for (int i = 0; i < m; i++)
            a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
}
