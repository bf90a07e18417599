// SPDX-License-Identifier: Apache-2.0
// Barriers in loops within loops.
#include "work_item.cuh"

__global__ void barrier_in_inner(unsigned *out, const unsigned *in, int rounds, const int *inner) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < inner[group_id()]; j++) {
            s[t] = v;
            __syncthreads();
            v = v * 3 + s[(t + i + j) % n];
            __syncthreads();
        }
        v ^= i;
    }
    out[global_id()] = v;
}

// The inner trip count grows with the outer counter; barriers at all levels.
__global__ void triangular(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int i = 0; i < rounds; i++) {
        s[t] = v;
        __syncthreads();
        unsigned first = s[0];
        for (int j = 0; j < i; j++) {
            __syncthreads();
            s[t] = v + j;
            __syncthreads();
            v += s[(t + j + 1) % n];
        }
        __syncthreads();
        v += first;
    }
    out[global_id()] = v;
}

__global__ void three_deep(unsigned *out, const unsigned *in, int a, int b, int c) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int i = 0; i < a; i++)
        for (int j = i; j < b; j++)
            for (int k = j; k < c; k++) {
                s[t] = v;
                __syncthreads();
                v = s[(t + k) % n] + i * 9 + j * 3 + k;
                __syncthreads();
            }
    out[global_id()] = v;
}

// The inner loop is barrier-free and divergent; the outer has the barriers.
__global__ void divergent_inner(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        for (unsigned j = 0; j < v % 7; j++)
            v = v * 5 + j;
        s[t] = v;
        __syncthreads();
        v += s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// The inner loop has its barriers only in some rounds of the outer one.
__global__ void inner_loop_every_other_round(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        if (r % 2 == 0) {
            for (int j = 0; j < 3; j++) {
                s[t] = v;
                __syncthreads();
                v += s[(t + j) % n];
                __syncthreads();
            }
        } else {
            v = v * 2 + r;
        }
    }
    out[global_id()] = v;
}

// Loops of the same trip count one after the other, the first with a barrier and the second without.
__global__ void loops_in_sequence(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        v += s[(t + 1) % n];
        __syncthreads();
    }
    unsigned w = 0;
    for (int r = 0; r < rounds; r++)
        w = w * 3 + v + r;
    s[t] = w;
    __syncthreads();
    for (int r = 0; r < n; r++)
        v += s[r];
    out[global_id()] = v;
}
