// SPDX-License-Identifier: Apache-2.0
// Barriers in loops whose trip count is the same for all work-items of a group, but known only when they run.
#include "work_item.cuh"

__global__ void rounds_by_parameter(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        v = v * 3 + s[(t + r) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// Each group its own trip count, from memory; some have none.
__global__ void rounds_loaded(unsigned *out, const unsigned *in, const int *rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), last = rounds[group_id()];
    unsigned v = in[global_id()];
    for (int r = 0; r < last; r++) {
        s[t] = v + r;
        __syncthreads();
        v ^= s[n - 1 - t] << 1;
        __syncthreads();
    }
    out[global_id()] = v;
}

// One work-item decides for all, through shared memory.
__global__ void rounds_from_shared(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    __shared__ int rounds;
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (t == n / 2)
        rounds = v % 6;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        v += s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// The trip count is the group's maximum, found by an atomic; it falls while the loop runs.
__global__ void rounds_change_while_running(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    __shared__ unsigned left;
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (t == 0)
        left = 0;
    __syncthreads();
    atomicMax(&left, v % 9);
    __syncthreads();
    unsigned rounds = 0;
    while (left > 0) {
        s[t] = v;
        __syncthreads();
        v = s[(t + 1) % n] + rounds++;
        if (t == 0)
            left = left > 3 ? left - 3 : 0;
        __syncthreads();
    }
    out[global_id()] = v * 16 + rounds;
}

// Butterfly-like strides n/2, n/4, ..., 1.
__global__ void halving_stride(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int stride = n / 2; stride > 0; stride /= 2) {
        s[t] = v;
        __syncthreads();
        v += s[(t + stride) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// Three values carried round the loop change places: the copies at the loop's head must happen at once.
__global__ void values_change_places(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned a = in[global_id()], b = t, c = 1;
    for (int r = 0; r < rounds; r++) {
        s[t] = a;
        __syncthreads();
        unsigned next = s[(t + 1) % n];
        __syncthreads();
        unsigned old = a;
        a = b;
        b = c;
        c = old + next;
    }
    out[global_id()] = a + 3 * b + 5 * c;
}

// The counter, and a value of the last round, are used after the loop.
__global__ void counter_after_loop(unsigned *out, const unsigned *in, const int *limits) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), r = 0;
    unsigned v = in[global_id()], last = 77;
    for (; r * r < limits[group_id()]; r++) {
        s[t] = v + r;
        __syncthreads();
        last = s[(t + r) % n];
        __syncthreads();
    }
    out[global_id()] = last + 1000 * r;
}

// Groups share out the tiles of a long array; a group has as many rounds as it has tiles.
__global__ void tiles_by_group(unsigned *out, const unsigned *in, int tiles) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    for (int tile = group_id(); tile < tiles; tile += group_count()) {
        s[t] = in[tile * n + t];
        __syncthreads();
        out[tile * n + t] = s[n - 1 - t];
        __syncthreads();
    }
}

// Three barriers a round; work between each two.
__global__ void three_phases_a_round(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned a[MAX_ITEMS], b[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        a[t] = v;
        __syncthreads();
        b[t] = a[(t + 1) % n] + r;
        __syncthreads();
        a[t] = b[(t + 2) % n] * 3;
        __syncthreads();
        v += a[n - 1 - t];
        __syncthreads();
    }
    out[global_id()] = v;
}

// Two buffers take turns, so that one barrier a round is enough.
__global__ void double_buffering(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[2][MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[0][t] = in[global_id()];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int from = r % 2;
        s[1 - from][t] = s[from][t] + s[from][(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = s[rounds % 2][t];
}

// The barrier is the whole body.
__global__ void barrier_alone_in_loop(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    for (int r = 0; r < rounds; r++)
        __syncthreads();
    __syncthreads();
    out[global_id()] = s[(t + rounds) % n];
}

// The barrier stands in the loop's step, and another in its condition.
__global__ void barriers_in_loop_header(unsigned *out, const unsigned *in, int limit) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()] % 100;
    for (int r = 0; __syncthreads_count(v < 50) && r < limit; r++, __syncthreads()) {
        s[t] = v;
        __syncthreads();
        v += s[(t + 1) % n] / 2 + 1;
    }
    out[global_id()] = v;
}
