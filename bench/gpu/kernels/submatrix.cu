// SPDX-License-Identifier: Apache-2.0
// gpucc, Figures 5 and 6: the 3 x 3 elements from (b, c) on of a matrix with n columns, indices in 64 bits.
__global__ void submatrix(float *out, const float *a, long n, long width) {
    long c = blockIdx.x * blockDim.x + threadIdx.x;
    long b = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (long x = 0; x < 3; ++x) {
#pragma unroll
        for (long y = 0; y < 3; ++y) {
            const float *p = &a[(c + y) + (b + x) * n];
            sum += *p;
        }
    }
    out[b * width + c] = sum;
}
