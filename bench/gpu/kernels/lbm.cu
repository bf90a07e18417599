// SPDX-License-Identifier: Apache-2.0
// Parboil's lbm, in two dimensions: collide and stream nine densities of a cell, stored plane by plane.
__global__ void lbm(float *to, const float *from, const unsigned char *walls, int width, int cells, float omega) {
    int i = width + blockIdx.x * blockDim.x + threadIdx.x;
    const int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
    for (int d = 0; d < 9; d++) {
        f[d] = from[d * cells + i];
        density += f[d];
        ux += step_x[d] * f[d];
        uy += step_y[d] * f[d];
    }
    if (walls[i]) {
#pragma unroll
        for (int d = 0; d < 9; d++)
            to[back[d] * cells + i - step_x[d] - width * step_y[d]] = f[d];
        return;
    }
    ux /= density;
    uy /= density;
    float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int d = 0; d < 9; d++) {
        float weight = d == 0 ? 4.0f / 9 : d < 5 ? 1.0f / 9 : 1.0f / 36;
        float along = 3 * (step_x[d] * ux + step_y[d] * uy);
        float equilibrium = weight * density * (1 + along + 0.5f * along * along - square);
        to[d * cells + i + step_x[d] + width * step_y[d]] = f[d] + omega * (equilibrium - f[d]);
    }
}
