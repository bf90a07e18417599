// SPDX-License-Identifier: Apache-2.0
// SHOC's sort: how many of a block's keys have each digit of four bits, from private counters.
__global__ void radix_count(unsigned *counts, const unsigned *keys, int shift, int each) {
    __shared__ unsigned table[16][128];
    unsigned own[16];
#pragma unroll
    for (int d = 0; d < 16; d++)
        own[d] = 0;
    const unsigned *first = keys + blockIdx.x * each * 128;
    for (int k = 0; k < each; k++) {
        unsigned digit = (first[k * 128 + threadIdx.x] >> shift) & 15;
#pragma unroll
        for (int d = 0; d < 16; d++)
            own[d] += digit == d;
    }
#pragma unroll
    for (int d = 0; d < 16; d++)
        table[d][threadIdx.x] = own[d];
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int k = 0; k < 128; k++)
            sum += table[threadIdx.x][(k + threadIdx.x) % 128];
        counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
    }
}
