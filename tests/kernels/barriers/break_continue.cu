// SPDX-License-Identifier: Apache-2.0
// Loops with barriers that are left or cut short in the middle.
#include "work_item.cuh"

__global__ void break_loaded(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < 8; r++) {
        s[t] = v;
        __syncthreads();
        if (stops[group_id()] == r)
            break;
        v += s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// What decides was computed by the group itself.
__global__ void break_when_sum_is_large(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()] % 16 + 1, rounds = 0;
    while (true) {
        s[t] = v;
        __syncthreads();
        unsigned sum = 0;
        for (int i = 0; i < n; i++)
            sum += s[i];
        if (sum > 40u * n)
            break;
        __syncthreads();
        v += v / 2 + 1;
        rounds++;
    }
    out[global_id()] = v * 100 + rounds;
}

// Out of the loop between its two barriers, with a barrier of its own on the way out.
__global__ void break_past_a_barrier(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0;; r++) {
        s[t] = v;
        __syncthreads();
        unsigned next = s[(t + 1) % n];
        if (r == stops[group_id()]) {
            __syncthreads();
            s[t] = next * 2;
            __syncthreads();
            v = s[n - 1 - t];
            break;
        }
        __syncthreads();
        v += next;
    }
    out[global_id()] = v;
}

// Two breaks: the loop goes on to the same code from different regions.
__global__ void two_breaks(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), stop = stops[group_id()], r = 0;
    unsigned v = in[global_id()];
    for (;; r++) {
        s[t] = v;
        __syncthreads();
        if (2 * r == stop)
            break;
        v += s[(t + 1) % n];
        __syncthreads();
        if (2 * r + 1 == stop)
            break;
        v ^= 3;
    }
    out[global_id()] = v + r;
}

__global__ void continue_before_second_barrier(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned a[MAX_ITEMS], b[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        a[t] = v;
        __syncthreads();
        unsigned next = a[(t + 1) % n];
        __syncthreads();
        if (r % 3 == 1)
            continue;
        b[t] = next;
        __syncthreads();
        v += b[(t + r) % n];
    }
    out[global_id()] = v;
}

__global__ void break_out_of_both(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), count = 0;
    unsigned v = in[global_id()];
    bool done = false;
    for (int i = 0; i < 4 && !done; i++) {
        for (int j = 0; j < 3; j++) {
            if (count++ == stops[group_id()]) {
                done = true;
                break;
            }
            s[t] = v + i;
            __syncthreads();
            v += s[(t + j) % n];
            __syncthreads();
        }
    }
    out[global_id()] = v + count;
}

// The whole group returns from within the loop, each group in another round.
__global__ void return_in_loop(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < 4; r++) {
        s[t] = v;
        __syncthreads();
        v += s[(t + 1) % n];
        if (stops[group_id()] == r) {
            out[global_id()] = v + 1000;
            return;
        }
        __syncthreads();
    }
    out[global_id()] = v;
}

// Work-items leave a barrier-free loop in different rounds and meet at the barrier after it.
__global__ void divergent_break_then_barrier(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], rounds = 0;
    for (;;) {
        if (v % 4 == 0)
            break;
        v = v / 2 + rounds;
        if (++rounds > 20)
            break;
    }
    s[t] = v + rounds;
    __syncthreads();
    out[global_id()] = s[(t + 1) % n];
}

__global__ void divergent_continue_then_barrier(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 5; j++) {
            if ((v >> j) & 1)
                continue;
            v += 1u << j;
        }
        s[t] = v;
        __syncthreads();
        v ^= s[(t + 1) % n] >> 1;
        __syncthreads();
    }
    out[global_id()] = v;
}
