// SPDX-License-Identifier: Apache-2.0
// PolyBench's syr2k: c = alpha a b' + alpha b a' + beta c, an element per thread.
__global__ void syr2k(const float *a, const float *b, float *c, float alpha, float beta, int ni, int nj) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < ni && j < ni) {
        c[i * ni + j] *= beta;
        for (int k = 0; k < nj; k++)
            c[i * ni + j] += alpha * a[i * nj + k] * b[j * nj + k] + alpha * b[i * nj + k] * a[j * nj + k];
    }
}
