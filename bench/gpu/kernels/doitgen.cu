// SPDX-License-Identifier: Apache-2.0
// PolyBench's doitgen: one plane of a three-dimensional array times a matrix.
__global__ void doitgen(float *sum, const float *a, const float *c4, int nr, int nq, int np, int r) {
    int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
    if (p < np && q < nq) {
        sum[r * (nq * np) + q * np + p] = 0;
        for (int s = 0; s < np; s++)
            sum[r * (nq * np) + q * np + p] += a[r * (nq * np) + q * np + s] * c4[s * np + p];
    }
}
