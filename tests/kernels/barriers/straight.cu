// SPDX-License-Identifier: Apache-2.0
// Barriers that every work-item passes, in straight-line code.
#include "work_item.cuh"

__global__ void rotate(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    out[global_id()] = s[(t + 1) % n];
}

// Regions that do nothing: at the kernel's start and end, and between two barriers.
__global__ void empty_regions(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    __syncthreads();
    __syncthreads();
    s[local_id()] = in[global_id()];
    __syncthreads();
    __syncthreads();
    __syncthreads();
    out[global_id()] = s[local_size() - 1 - local_id()];
    __syncthreads();
}

__global__ void nothing_but_barriers() {
    __syncthreads();
    __syncthreads();
}

// The barrier orders global memory within a group too; every value is read before it is overwritten.
__global__ void rotate_in_place(unsigned *data) {
    int t = local_id(), n = local_size();
    unsigned *mine = data + group_id() * n;
    unsigned next = mine[(t + 1) % n];
    __syncthreads();
    mine[t] = next;
    __syncthreads();
    unsigned after_next = mine[(t + 1) % n];
    __syncthreads();
    mine[t] += after_next;
}

// Several shared arrays of different types, in two dimensions too.
__global__ void three_arrays(unsigned *out, const unsigned *in) {
    __shared__ unsigned char low[MAX_ITEMS];
    __shared__ double high[MAX_ITEMS];
    __shared__ unsigned short grid[64][17];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    low[t] = v & 0xff;
    high[t] = v >> 8;
    grid[t / 16][t % 16] = v >> 16;
    __syncthreads();
    int other = n - 1 - t;
    out[global_id()] = low[other] + 256u * (unsigned)high[other] + 3u * grid[other / 16][other % 16];
}

// A fence orders memory but doesn't wait; it must not be taken for a barrier, nor the barrier be lost beside it.
__global__ void fences_beside_barriers(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __threadfence_block();
    __syncthreads();
    __threadfence();
    unsigned v = s[(t + n / 2) % n];
    __syncthreads();
    s[t] = v * 3;
    __threadfence_system();
    __syncthreads();
    out[global_id()] = s[(t + 1) % n];
}
