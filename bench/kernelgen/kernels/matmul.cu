// SPDX-License-Identifier: Apache-2.0
// Product of matrices that are stored by columns, as in Fortran: C(i,j) += sum over k of A(i,k) B(k,j), where A is
// nx x ny, B ny x ns and C nx x ns.
// Operator: KernelGen's matmul (PTXASW, Table 2). A thread an element; j is blockIdx.x. The loop, unrolled twice,
// and what is left over of it hold six loads, and C is the seventh.

__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int nx, int ny,
                       int ns) {
    int i = blockIdx.y * blockDim.x + threadIdx.x;
    int j = blockIdx.x;
    if (i >= nx || j >= ns)
        return;
    float sum = c[i + nx * j];
#pragma unroll 2
    for (int k = 0; k < ny; k++)
        sum += a[i + nx * k] * b[k + ny * j];
    c[i + nx * j] = sum;
}
