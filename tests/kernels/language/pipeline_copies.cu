// SPDX-License-Identifier: Apache-2.0
// Copies to shared memory by cuda_pipeline.h.
#include <cuda_pipeline.h>

// Two tiles in turn: one is copied while the other is read.
__global__ void sum_of_tiles(int *out, const int *in, int tiles) {
    extern __shared__ int tile[];
    int size = blockDim.x, sum = 0;
    const int *from = in + blockIdx.x * tiles * size + threadIdx.x;
    __pipeline_memcpy_async(tile + threadIdx.x, from, sizeof(int));
    __pipeline_commit();
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles)
            __pipeline_memcpy_async(tile + (t + 1) % 2 * size + threadIdx.x, from + (t + 1) * size, sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += tile[t % 2 * size + (threadIdx.x + t + 1) % size];
        __syncthreads();
    }
    out[blockIdx.x * size + threadIdx.x] = sum;
}

// Of each 16 bytes as many as the thread's number says are zeros.
__global__ void filled_up(uint4 *out, const uint4 *in) {
    __shared__ uint4 tile[17];
    __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(uint4), threadIdx.x);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}
