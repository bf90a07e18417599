// SPDX-License-Identifier: Apache-2.0
// Barriers that count, or combine, a predicate of all live work-items.
#include "work_item.cuh"

__global__ void count_and_or(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    int count = __syncthreads_count(v & 1);
    int all = __syncthreads_and(v % 16 != 3);
    int any = __syncthreads_or(v % 64 == 5);
    out[global_id()] = count * 4 + (all != 0) * 2 + (any != 0);
}

// A predicate is true if it isn't zero, whatever else it is.
__global__ void predicate_is_any_value(unsigned *out, const unsigned *in) {
    int v = in[global_id()];
    int count = __syncthreads_count((v % 3) << 16);
    out[global_id()] = count + 1000 * (__syncthreads_and(v % 2 - 2) != 0);
}

__global__ void loop_until_none_changes(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()] % 1000;
    __syncthreads();
    while (true) {
        unsigned smallest = min(s[t], s[(t + 1) % n]);
        bool changes = smallest < s[t];
        __syncthreads();
        s[t] = smallest;
        if (!__syncthreads_or(changes))
            break;
    }
    out[global_id()] = s[t];
}

// The count is uniform, and decides which barriers come next.
__global__ void count_decides(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    if (__syncthreads_count(v % 2) * 2 >= n) {
        v = s[(t + 1) % n];
        __syncthreads();
        s[t] = v + 1;
        __syncthreads();
    }
    out[global_id()] = s[n - 1 - t];
}

// Those who have returned don't vote.
__global__ void only_the_living_vote(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v % 3 == 0)
        return;
    int living = __syncthreads_count(1);
    int all = __syncthreads_and(v % 3);
    if (v % 3 == 1) {
        out[global_id()] = living;
        return;
    }
    int now = __syncthreads_count(v % 2);
    out[global_id()] = living + 300 * now + 100000 * all;
}

// A vote under a uniform condition, in a loop.
__global__ void vote_every_other_round(unsigned *out, const unsigned *in, int rounds) {
    unsigned v = in[global_id()], sum = 0;
    for (int r = 0; r < rounds; r++) {
        v = v * 1664525u + 1013904223u;
        if (r % 2)
            sum = sum * 7 + __syncthreads_count(v >> 31);
    }
    out[global_id()] = sum;
}
