// SPDX-License-Identifier: Apache-2.0
// A matrix of blocks of 32 numbers in 8 bits with a scale, times such a vector: a warp per row, dp4a by hand.
struct Block8 { float scale; signed char q[32]; };

__global__ void quantised_matvec(float *out, const Block8 *__restrict__ matrix, const Block8 *__restrict__ vector,
                                 int blocks) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    const Block8 *m = matrix + row * blocks;
    float sum = 0;
    for (int b = threadIdx.x / 8; b < blocks; b += 4) {
        int part = threadIdx.x % 8 * 4;
        int dot = 0;
#pragma unroll
        for (int k = 0; k < 4; k++)
            dot += m[b].q[part + k] * vector[b].q[part + k];
        sum += dot * (m[b].scale * vector[b].scale);
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0)
        out[row] = sum;
}
