// SPDX-License-Identifier: Apache-2.0
// Values that are the same for the whole group, kept once, and values that only look so.
#include "work_item.cuh"

// Loaded before the barrier, used after it, while the memory changes in between.
__global__ void loaded_before_used_after(unsigned *out, unsigned *cells, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned before = cells[group_id()];
    s[t] = in[global_id()];
    __syncthreads();
    if (t == 0)
        cells[group_id()] = before + 1;
    __syncthreads();
    unsigned after = cells[group_id()];
    out[global_id()] = before * 3 + after + s[(t + before) % n];
}

// Computed from the group's index and from parameters only.
__global__ void computed_from_group(unsigned *out, const unsigned *in, int a, int b) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    int shift = (group_id() * a + b) % n;
    float scale = sqrtf((float)(group_id() * group_id())) + b;
    s[t] = in[global_id()];
    __syncthreads();
    unsigned v = s[(t + shift) % n];
    __syncthreads();
    s[t] = v * (unsigned)scale;
    __syncthreads();
    out[global_id()] = s[(t + shift) % n] + shift;
}

// The same for all in each round, another in the next; the last one is used after the loop.
__global__ void changes_every_round(unsigned *out, const unsigned *in, const int *table, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), place = group_id() % 4;
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        place = table[place];
        s[t] = v;
        __syncthreads();
        v += s[(t + place) % n];
        __syncthreads();
    }
    out[global_id()] = v * 10 + place;
}

// Uniform until a divergent branch: what differs afterwards is each work-item's own.
__global__ void no_longer_uniform(unsigned *out, const unsigned *in, unsigned start) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned value = start + group_id();
    s[t] = value;
    __syncthreads();
    value += s[0];
    if (in[global_id()] % 2)
        value = value * 2 + 1;
    __syncthreads();
    s[t] = value;
    __syncthreads();
    out[global_id()] = value + 5 * s[(t + 1) % n];
}

// A counter is uniform inside a divergent loop while it runs, but not where work-items have left it.
__global__ void counter_of_divergent_loop(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), count = 0;
    unsigned v = in[global_id()] % 10;
    while (v > 0) {
        count++;
        v--;
    }
    s[t] = count;
    __syncthreads();
    out[global_id()] = count * 100 + s[(t + 1) % n];
}

// What an atomic yields differs by work-item, though its operands are all the same.
__global__ void atomic_is_not_uniform(unsigned *out) {
    __shared__ unsigned ticket, taken[MAX_ITEMS];
    int t = local_id(), n = local_size();
    if (t == 0)
        ticket = 0;
    taken[t] = 0;
    __syncthreads();
    unsigned mine = atomicAdd(&ticket, 1u);
    taken[mine] = 1;
    __syncthreads();
    out[global_id()] = taken[t] * 1000 + ticket - n + (mine < n);
}

// Read by everyone from one shared cell, which another work-item rewrites in every round.
__global__ void one_cell_for_all(unsigned *out, const unsigned *in) {
    __shared__ unsigned cell;
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int writer = 0; writer < n; writer += 1 + n / 5) {
        if (t == writer)
            cell = v;
        __syncthreads();
        v = v * 2 + cell;
        __syncthreads();
    }
    out[global_id()] = v;
}

// Indices in each dimension, before and after a barrier.
__global__ void indices_across_barriers(unsigned *out) {
    __shared__ unsigned s[MAX_ITEMS];
    unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int t = local_id();
    s[t] = x + 10 * y + 100 * z;
    __syncthreads();
    // The mirrored place in each dimension.
    unsigned mx = blockDim.x - 1 - x, my = blockDim.y - 1 - y, mz = blockDim.z - 1 - z;
    unsigned other = s[mx + blockDim.x * (my + blockDim.y * mz)];
    __syncthreads();
    out[global_id()] = other + 1000 * (blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z) + x - threadIdx.x;
}
