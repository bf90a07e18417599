// SPDX-License-Identifier: Apache-2.0
// PolyBench's atax, second kernel: columns of a times a vector, accumulated in memory as it is written.
__global__ void atax(const float *a, float *y, const float *tmp, int nx, int ny) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < ny) {
        for (int i = 0; i < nx; i++)
            y[j] += a[i * ny + j] * tmp[i];
    }
}
