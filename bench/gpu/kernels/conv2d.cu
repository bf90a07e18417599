// SPDX-License-Identifier: Apache-2.0
// PolyBench's 2DCONV: nine taps of a matrix with constant coefficients.
__global__ void conv2d(float *b, const float *a, int rows, int columns) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < rows - 1 && j > 0 && j < columns - 1)
        b[i * columns + j] = 0.2f * a[(i - 1) * columns + (j - 1)] - 0.3f * a[i * columns + (j - 1)] +
                             0.4f * a[(i + 1) * columns + (j - 1)] + 0.5f * a[(i - 1) * columns + j] +
                             0.6f * a[i * columns + j] + 0.7f * a[(i + 1) * columns + j] -
                             0.8f * a[(i - 1) * columns + (j + 1)] - 0.9f * a[i * columns + (j + 1)] +
                             0.1f * a[(i + 1) * columns + (j + 1)];
}
