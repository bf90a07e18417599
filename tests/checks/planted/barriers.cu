// SPDX-License-Identifier: Apache-2.0
// Barriers that some threads of a block never come to.
#include <cooperative_groups.h>

// A sum whose barrier is inside the guard of its load.
// launch: guarded[1, 64](f4(1), f4(50), 50)
// told: divergent barrier by thread 0 of block 0
__global__ void guarded(float *out, const float *in, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0;
    if (t < n) {
        s[t] = in[t];
        __syncthreads();  // FAULT, MENDED:
    }
    // MENDED: __syncthreads();
    if (t == 0) *out = s[0];
}

// Threads with more work than others, and a barrier per piece.
// launch: pieces[1, 96](i4(96))
// told: divergent barrier of block 0
__global__ void pieces(int *out) {
    int t = threadIdx.x, sum = 0;
    int most = t / 32 + 1;  // MENDED: int most = 3;
    for (int k = 0; k < most; ++k) {
        sum += k * t;
        __syncthreads();  // FAULT
    }
    out[t] = sum;
}

// Producers and consumers that wait at barriers of their own.
// launch: producer[1, 64](i4(32), ramp(32, 'i4'))
// told: divergent barrier of block 0
__global__ void producer(int *out, const int *in) {
    __shared__ int box[32];
    int t = threadIdx.x;
    if (t < 32) {
        box[t] = in[t];
        __syncthreads();  // FAULT, MENDED:
    } else {
        __syncthreads();  // FAULT, MENDED:
    }
    // MENDED: __syncthreads();
    if (t >= 32 && out != in) out[t - 32] = box[t - 32];
}

// A search that stops in the thread that has found something.
// launch: first_match[1, 64](i4(64), ramp(64, 'i4'), 40)
// told: divergent barrier of block 0
__global__ void first_match(int *out, const int *in, int wanted) {
    int t = threadIdx.x;
    for (int round = 0; round < 4; ++round) {
        if (in[t] + round == wanted) break;  // MENDED:
        __syncthreads();  // FAULT
        out[t] = round;
    }
}

// A function with a barrier inside, called by one warp.
__device__ float warp_total(float *s, int t) {
    s[t] += s[t + 32];
    __syncthreads();  // FAULT, MENDED: __syncwarp();
    return s[0];
}
// launch: one_warp_calls[1, 64](f4(32), f4(64))
// told: divergent barrier by thread 0 of block 0
__global__ void one_warp_calls(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) out[t] = warp_total(s, t);
}

// Tiles of a list whose empty ones some threads skip, with their barrier.
// launch: skip_empty[1, (16, 2)](i4(32), i4([4, 0, 2, 5]))
// told: divergent barrier of block 0
__global__ void skip_empty(int *out, const int *sizes) {
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int tile = 0; tile < 2; ++tile) {
        if (sizes[tile * 2 + y] == 0) continue;  // MENDED:
        sum += sizes[tile * 2 + y];
        __syncthreads();  // FAULT
    }
    out[y * 16 + x] = sum;
}

// Threads by kinds, of which one kind waits.
// launch: kinds[1, 30](i4(30))
// told: divergent barrier by thread 1 of block 0
__global__ void kinds(int *out) {
    int t = threadIdx.x, v = 0;
    switch (t % 3) {
        case 0: v = t; break;
        case 1: v = 2 * t; __syncthreads(); break;  // FAULT, MENDED: case 1: v = 2 * t; break;
        default: v = 3 * t;
    }
    out[t] = v;
}

// A group's sync in a branch.
// launch: grouped[2, 48](i4(96))
// told: divergent barrier by thread 0 of block 0-1
__global__ void grouped(int *out) {
    auto block = cooperative_groups::this_thread_block();
    int r = block.thread_rank();
    if (r < 20)  // MENDED: if (block.size() > 20)
        block.sync();  // FAULT
    out[blockIdx.x * 48 + r] = r;
}

// A count over the block that only threads with a valid element join.
// launch: count_valid[1, (8, 8)](i4(1), f4(7, 8), 7)
// told: divergent barrier by thread 0,0 of block 0
__global__ void count_valid(int *out, const float *in, int rows) {
    int x = threadIdx.x, y = threadIdx.y;
    if (y < rows) {  // MENDED: if (rows > 0) {
        int n = __syncthreads_count(y < rows && in[y * 8 + x] >= 0);  // FAULT
        if (x == 0 && y == 0) *out = n;
    }
}
