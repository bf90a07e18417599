// SPDX-License-Identifier: Apache-2.0
// Rodinia's srad: derivatives and diffusion coefficients of an image's points.
__global__ void srad(float *c, float *north, float *south, float *east, float *west, const float *image, int columns,
                     int rows, float q0) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int at = columns * y + x;
    float own = image[at];
    float n = image[y == 0 ? at : at - columns] - own, s = image[y == rows - 1 ? at : at + columns] - own;
    float w = image[x == 0 ? at : at - 1] - own, e = image[x == columns - 1 ? at : at + 1] - own;
    float gradient = (n * n + s * s + w * w + e * e) / (own * own);
    float laplacian = (n + s + w + e) / own;
    float number = 0.5f * gradient - 1.0f / 16.0f * laplacian * laplacian;
    float below = 1 + 0.25f * laplacian;
    float q = number / (below * below);
    float value = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    c[at] = value < 0 ? 0 : value > 1 ? 1 : value;
    north[at] = n;
    south[at] = s;
    east[at] = e;
    west[at] = w;
}
