// SPDX-License-Identifier: Apache-2.0
// Product of a matrix and a vector: y(j) = sum over i of A(i,j) x(i), where i runs fastest in A.
// Operator: KernelGen's matvec (PTXASW, Table 2). A thread an element of y: j, the only parallel loop, is both
// blockIdx.x and threadIdx.x, so that neighbours read A at a distance of nx. The loop, unrolled twice, and what is left
// over of it hold six loads.

__global__ void matvec(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int nx,
                       int ny) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= ny)
        return;
    float sum = 0.0f;
#pragma unroll 2
    for (int i = 0; i < nx; i++)
        sum += a[i + nx * j] * x[i];
    y[j] = sum;
}
