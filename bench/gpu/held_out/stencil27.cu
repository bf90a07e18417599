// SPDX-License-Identifier: Apache-2.0
// A stencil of 27 points in three dimensions with four coefficients, one plane after the other.
__global__ void stencil27(float *out, const float *in, float c0, float c1, float c2, float c3, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    for (int z = 1; z < nz - 1; z++) {
        float sums[4] = {0, 0, 0, 0};
#pragma unroll
        for (int k = -1; k <= 1; k++) {
#pragma unroll
            for (int j = -1; j <= 1; j++) {
#pragma unroll
                for (int i = -1; i <= 1; i++)
                    sums[k * k + j * j + i * i] += in[((z + k) * ny + y + j) * nx + x + i];
            }
        }
        out[(z * ny + y) * nx + x] = c0 * sums[0] + c1 * sums[1] + c2 * sums[2] + c3 * sums[3];
    }
}
