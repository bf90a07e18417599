// SPDX-License-Identifier: Apache-2.0
// Barriers under conditions that all work-items of a group meet alike.
#include "work_item.cuh"

__global__ void if_parameter(unsigned *out, const unsigned *in, int flag) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (flag) {
        s[t] = v;
        __syncthreads();
        v = s[n - 1 - t];
    }
    out[global_id()] = v + 1;
}

// Groups differ: even ones pass the barrier, odd ones don't.
__global__ void if_group_index(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v * 7;
    if (group_id() % 2 == 0) {
        __syncthreads();
        v ^= s[(t + 1) % n];
    }
    out[global_id()] = v;
}

// All work-items load the condition from one address.
__global__ void if_loaded(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (flags[group_id()] > 1) {
        s[t] = v;
        __syncthreads();
        v -= s[(t + 1) % n];
    }
    out[global_id()] = v;
}

// Each work-item loads a condition of its own; they happen to agree, which no compiler can know.
__global__ void if_all_agree(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    if (flags[global_id()]) {
        __syncthreads();
        v = v * 2 + s[(t + 1) % n];
    } else {
        v = ~v;
    }
    out[global_id()] = v;
}

// No work-item ever comes to the barrier, though the condition looks divergent.
__global__ void if_never(unsigned *out, const unsigned *in, unsigned out_of_range) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (v >= out_of_range) {
        s[t] = v;
        __syncthreads();
        v = s[(t + 1) % n];
    }
    out[global_id()] = v + 5;
}

// A different number of barriers in each arm, and a value that both define.
__global__ void both_arms(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], w;
    if (flags[group_id()] & 1) {
        s[t] = v;
        __syncthreads();
        w = s[(t + 1) % n];
    } else {
        s[t] = v * 2;
        __syncthreads();
        v = s[(t + n - 1) % n];
        __syncthreads();
        s[t] = v + 1;
        __syncthreads();
        w = s[0];
    }
    out[global_id()] = v + 10 * w;
}

__global__ void nested_ifs(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), flag = flags[group_id()];
    unsigned v = in[global_id()];
    s[t] = v;
    if (flag & 1) {
        __syncthreads();
        v += s[(t + 1) % n];
        if (flag & 2) {
            __syncthreads();
            s[t] = v;
            __syncthreads();
            v += s[(t + 2) % n];
        }
        v *= 3;
    } else if (flag & 2) {
        v ^= 0x55;
        __syncthreads();
        v += s[0];
    }
    out[global_id()] = v;
}

// Divergent code before, inside and after the uniform condition.
__global__ void divergent_around(unsigned *out, const unsigned *in, int flag) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (v & 1)
        v = v * 3 + 1;
    s[t] = v;
    if (flag) {
        if (v & 2)
            s[t] = v / 2;
        __syncthreads();
        if (v & 4)
            v += s[(t + 1) % n];
        else
            v -= s[(t + n - 1) % n];
    }
    if (v & 8)
        v = ~v;
    out[global_id()] = v;
}

// The barrier is the same text for all, but reached from either of two divergent arms after they have met again.
__global__ void after_divergent_arms_meet(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], kept;
    if (v % 3 == 0) {
        s[t] = v + 1;
        kept = v * 5;
    } else if (v % 3 == 1) {
        s[t] = v + 2;
        kept = v ^ 9;
    } else {
        s[t] = 0;
        kept = t;
    }
    __syncthreads();
    out[global_id()] = kept + s[(t + 1) % n];
}
