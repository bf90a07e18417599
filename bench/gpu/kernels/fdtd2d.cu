// SPDX-License-Identifier: Apache-2.0
// PolyBench's fdtd-2d: the third step, of the magnetic field.
__global__ void fdtd2d(const double *ex, const double *ey, double *hz, int nx, int ny) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < nx && j < ny)
        hz[i * ny + j] -= 0.7 * (ex[i * (ny + 1) + (j + 1)] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
