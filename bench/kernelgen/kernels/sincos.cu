// SPDX-License-Identifier: Apache-2.0
// out(i,j,k) = sin x(i,j,k) + cos y(i,j,k)
// Operator: KernelGen's sincos (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z.

__global__ void sincos(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int nx,
                       int ny, int ns) {
    int i = blockIdx.y * blockDim.x + threadIdx.x;
    int j = blockIdx.z;
    int k = blockIdx.x;
    if (i >= nx || j >= ny || k >= ns)
        return;
    int at = i + nx * j + nx * ny * k;
    out[at] = sinf(x[at]) + cosf(y[at]);
}
