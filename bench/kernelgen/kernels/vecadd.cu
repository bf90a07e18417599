// SPDX-License-Identifier: Apache-2.0
// out(i,j,k) = a(i,j,k) + b(i,j,k)
// Operator: KernelGen's vecadd (PTXASW, Table 2). A thread a point; k is blockIdx.x, j blockIdx.z.

__global__ void vecadd(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int nx,
                       int ny, int ns) {
    int i = blockIdx.y * blockDim.x + threadIdx.x;
    int j = blockIdx.z;
    int k = blockIdx.x;
    if (i >= nx || j >= ny || k >= ns)
        return;
    int at = i + nx * j + nx * ny * k;
    out[at] = a[at] + b[at];
}
