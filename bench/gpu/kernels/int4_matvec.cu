// SPDX-License-Identifier: Apache-2.0
// Rows of numbers in 4 bits, two a byte, with scale and zero per group of 64, times a vector of floats.
__global__ void int4_matvec(float *out, const unsigned *packed, const float2 *groups, const float *x, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned *words = packed + row * (columns / 8);
    const float2 *own = groups + row * (columns / 64);
    float sum = 0;
    for (int g = 0; g < columns / 64; g++) {
        float2 scale = own[g];
        for (int w = 0; w < 8; w++) {
            unsigned word = words[g * 8 + w];
#pragma unroll
            for (int k = 0; k < 8; k++)
                sum += ((int)(word >> (4 * k) & 15) * scale.x + scale.y) * x[g * 64 + w * 8 + k];
        }
    }
    out[row] = sum;
}
