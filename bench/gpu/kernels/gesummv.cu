// SPDX-License-Identifier: Apache-2.0
// PolyBench's gesummv: y = alpha a x + beta b x, a row of both matrices per thread.
__global__ void gesummv(const float *a, const float *b, const float *x, float *y, float alpha, float beta, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float first = 0, second = 0;
        for (int j = 0; j < n; j++) {
            first += a[i * n + j] * x[j];
            second += b[i * n + j] * x[j];
        }
        y[i] = alpha * first + beta * second;
    }
}
