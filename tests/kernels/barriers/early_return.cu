// SPDX-License-Identifier: Apache-2.0
// Work-items that have returned don't take part in later barriers; the live ones go on.
#include "work_item.cuh"

// The commonest form: nothing to do beyond the end of the data.
__global__ void past_the_end(unsigned *out, const unsigned *in, int count) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id();
    if (global_id() >= count)
        return;
    s[t] = in[global_id()];
    __syncthreads();
    out[global_id()] = s[t] + s[t / 2];
}

__global__ void one_survivor(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    if (t != n / 3)
        return;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        sum = sum * 3 + s[i];
        __syncthreads();
    }
    out[group_id()] = sum;
}

// Every second work-item leaves between two barriers.
__global__ void odd_ones_leave(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    unsigned v = s[(t + 1) % n];
    if (t % 2) {
        out[global_id()] = v;
        return;
    }
    __syncthreads();
    s[t] = v * 5;
    __syncthreads();
    out[global_id()] = s[t + 2 < n ? t + 2 : 0];
}

__global__ void whole_groups_leave(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    if (flags[group_id()])
        return;
    s[t] = in[global_id()];
    __syncthreads();
    out[global_id()] = s[n - 1 - t];
}

// Work-items leave a loop full of barriers one after the other; the others go on without them. The first stays.
__global__ void leave_in_different_rounds(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned first;
    int t = local_id();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        if (t == 0)
            first = v;
        __syncthreads();
        unsigned w = first;
        if (t != 0 && v % 8 == r) {
            out[global_id()] = w + r;
            return;
        }
        __syncthreads();
        v += 8 * w;
    }
    out[global_id()] = v;
}

// The loop has no end but by returns; in the end nobody is left.
__global__ void until_nobody_is_left(unsigned *out, const unsigned *in) {
    unsigned stay = in[global_id()] % 6, seen = 0;
    for (unsigned r = 0;; r++) {
        seen = seen * 300 + __syncthreads_count(1);
        if (r == stay) {
            out[global_id()] = seen;
            return;
        }
    }
}

// Leaves in one of two places, with a barrier between them; the rest meet in a loop.
__global__ void leave_in_two_places(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    if (v % 5 == 1) {
        out[global_id()] = 1;
        return;
    }
    __syncthreads();
    v += s[(t + 1) % n];
    if (v % 5 == 2) {
        out[global_id()] = v;
        return;
    }
    for (int r = 0; r < 3; r++) {
        __syncthreads();
        s[t] = v;
        __syncthreads();
        v = v * 2 + s[t];
    }
    out[global_id()] = v;
}

// The return stands deep in divergent control flow, before the only barrier.
__global__ void leave_from_nested_ifs(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v & 1) {
        v >>= 1;
        if (v & 2) {
            out[global_id()] = v;
            if (v & 4)
                return;
            v++;
        } else if (v % 3 == 0) {
            return;
        }
    }
    unsigned left = __syncthreads_count(true);
    out[global_id()] = v * 512 + left;
}

// Those who return write shared memory that the others read after the barrier.
__global__ void leave_a_message(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    __syncthreads();
    unsigned next = s[(t + 1) % n];
    __syncthreads();
    s[t] = next + 1;
    if (t >= (n + 1) / 2) {
        s[t] = next * 2;
        return;
    }
    __syncthreads();
    out[global_id()] = s[n - 1 - t];
}

// Half of the group runs to the kernel's end past the barrier: that is leaving too, though no return is written.
__global__ void half_pass_by(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    if (t % 2 == 0) {
        __syncthreads();
        v += s[(t + 2) % n / 2 * 2];
    }
    out[global_id()] = v;
}
