// SPDX-License-Identifier: Apache-2.0
// SHOC's scan: sums of prefixes in a block of 256, by warps and then over warps.
__device__ int warp_scan(int value) {
#pragma unroll
    for (int distance = 1; distance < 32; distance <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, value, distance);
        if (threadIdx.x % 32 >= distance)
            value += other;
    }
    return value;
}

__global__ void block_scan(int *out, int *totals, const int4 *in) {
    __shared__ int sums[8];
    int i = blockIdx.x * 256 + threadIdx.x;
    int4 four = in[i];
    four.y += four.x;
    four.z += four.y;
    four.w += four.z;
    int upto = warp_scan(four.w);
    if (threadIdx.x % 32 == 31)
        sums[threadIdx.x / 32] = upto;
    __syncthreads();
    if (threadIdx.x < 8) {
        int sum = sums[threadIdx.x], before = 0;
        for (int k = 0; k < 8; k++)
            before += k < threadIdx.x ? sums[k] : 0;
        __syncwarp(0xff);
        sums[threadIdx.x] = before;
        if (threadIdx.x == 7)
            totals[blockIdx.x] = before + sum;
    }
    __syncthreads();
    int before = sums[threadIdx.x / 32] + upto - four.w;
    out[4 * i] = before + four.x;
    out[4 * i + 1] = before + four.y;
    out[4 * i + 2] = before + four.z;
    out[4 * i + 3] = before + four.w;
}
