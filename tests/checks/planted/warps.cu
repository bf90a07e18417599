// SPDX-License-Identifier: Apache-2.0
// Warps: a missing __syncwarp(), and masks of shuffles and votes.

// Neighbours of a lane through shared memory, as if lanes ran in step.
// launch: pairs_in_warp[2, 32](i4(64), ramp(64, 'i4'))
// told: race of 'line'
__global__ void pairs_in_warp(int *out, const int *in) {
    __shared__ int line[32];
    int lane = threadIdx.x;
    line[lane] = in[blockIdx.x * 32 + lane];  // FAULT
    // MENDED: __syncwarp();
    out[blockIdx.x * 32 + lane] = line[lane ^ 1];  // FAULT
}

// The last steps of a sum in one warp, without volatile and without __syncwarp().
// launch: warp_sum[2, 64](f4(2), f4([1] * 128))
// told: race of 's'
__global__ void warp_sum(float *out, const float *in) {
    __shared__ float s[64];  // MENDED: volatile __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 16) {
        float v = s[t] + s[t + 32];
        s[t] = v;  // FAULT
        for (int half = 8; half; half /= 2) s[t] = s[t] + s[(t + half) % 16];  // FAULT
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// A warp's sum asked of all lanes by half of them.
// launch: half_sum[1, 32](f4(32), f4(32))
// told: absent lanes by thread 0-15 of block 0
__global__ void half_sum(float *out, const float *in) {
    int lane = threadIdx.x;
    float v = in[lane];
    if (lane < 16) {
        v += __shfl_xor_sync(0xffffffff, v, 8, 16);  // FAULT, MENDED: v += __shfl_xor_sync(0x0000ffff, v, 8, 16);
    }
    out[lane] = v;
}

// A vote with the mask of the lower half, in which all lanes take part.
// launch: vote[1, 32](u4(32), ramp(32, 'i4'))
// told: mask lacks lane by thread 16-31 of block 0
__global__ void vote(unsigned *out, const int *in) {
    int lane = threadIdx.x;
    out[lane] = __ballot_sync(0xffff, in[lane] > 7);  // FAULT, MENDED: out[lane] = __ballot_sync(0xffffffff, in[lane] > 7);
}

// A mask that is taken before a branch, and used in it.
// launch: aggregate[1, 64](i4(64), ramp(64, 'i4'))
// told: absent lanes by thread 0-63 of block 0
__global__ void aggregate(int *out, const int *in) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, 1);  // MENDED: unsigned mask = __ballot_sync(0xffffffff, in[i] % 3 == 0);
    int got = -1;
    if (in[i] % 3 == 0) {
        int leader = __ffs(mask) - 1;
        got = __shfl_sync(mask, i, leader);  // FAULT
    }
    out[i] = got;
}

// Lanes leave a loop at different rounds, and the others still ask them.
// launch: collatz[1, 32](i4(32), 12)
// told: absent lanes of block 0
__global__ void collatz(int *out, int rounds) {
    int n = threadIdx.x + 1, steps = 0;
    for (int k = 0; k < rounds; ++k) {
        if (n == 1 && k) break;  // MENDED:
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (__any_sync(0xffffffff, n > 1)) ++steps;  // FAULT
    }
    __syncthreads();
    out[threadIdx.x] = steps;
}

// Rows of four lanes wait for each other by the mask of the first row.
// launch: rows_of_four[1, 32](i4(32))
// told: mask lacks lane by thread 4-7 of block 0
__global__ void rows_of_four(int *out) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    unsigned row = 0xfu << (lane / 4 * 4);
    s[lane] = lane;
    out[lane] = s[lane];
    __syncwarp(lane < 8 ? 0xfu : row);  // FAULT, MENDED: __syncwarp(row);
}

// A broadcast down a tree of lanes that names lanes of the arm not taken.
// launch: tree_broadcast[1, (8, 4)](f4(32), f4([2] * 32))
// told: absent lanes of block 0
__global__ void tree_broadcast(float *out, const float *in) {
    int lane = threadIdx.y * 8 + threadIdx.x;
    float v = in[lane];
    if (threadIdx.y & 1)
        v = __shfl_sync(0xff00ff00, v, 8);
    else
        v = __shfl_sync(0xffff00ff, v, 0);  // FAULT, MENDED: v = __shfl_sync(0x00ff00ff, v, 0);
    out[lane] = v;
}
