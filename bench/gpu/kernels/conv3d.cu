// SPDX-License-Identifier: Apache-2.0
// PolyBench's 3DCONV: planes one after the other, neighbours in all directions.
__global__ void conv3d(float *b, const float *a, int ni, int nj, int nk) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (j > 0 && j < nj - 1 && k > 0 && k < nk - 1) {
        for (int i = 1; i < ni - 1; i++)
            b[i * nk * nj + j * nk + k] =
                2.0f * a[(i - 1) * nk * nj + (j - 1) * nk + (k - 1)] + 4.0f * a[(i + 1) * nk * nj + (j - 1) * nk + (k - 1)] +
                5.0f * a[(i - 1) * nk * nj + (j - 1) * nk + (k + 1)] + 7.0f * a[(i + 1) * nk * nj + (j - 1) * nk + (k + 1)] -
                3.0f * a[i * nk * nj + (j - 1) * nk + k] - 6.0f * a[i * nk * nj + j * nk + k] +
                9.0f * a[i * nk * nj + (j + 1) * nk + k] + 8.0f * a[(i + 1) * nk * nj + j * nk + (k - 1)] +
                10.0f * a[(i + 1) * nk * nj + (j + 1) * nk + (k + 1)];
    }
}
