// SPDX-License-Identifier: Apache-2.0
// do/while, goto and switch around barriers, in forms that no structured loop has.
#include "work_item.cuh"

__global__ void do_while(unsigned *out, const unsigned *in, const int *rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), left = rounds[group_id()];
    unsigned v = in[global_id()];
    do {
        s[t] = v;
        __syncthreads();
        v = v + 3 * s[(t + 1) % n];
        __syncthreads();
    } while (--left > 0);
    out[global_id()] = v;
}

// What ends the loop is computed from shared memory at its end.
__global__ void do_while_shared(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), rounds = 0;
    unsigned v = in[global_id()] % 32;
    do {
        __syncthreads();
        s[t] = v;
        __syncthreads();
        v = v + s[n - 1 - t] + 1;
        rounds++;
    } while (s[0] < 100);
    out[global_id()] = v * 100 + rounds;
}

__global__ void goto_backwards(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), r = 0;
    unsigned v = in[global_id()];
again:
    s[t] = v;
    __syncthreads();
    v += s[(t + 1) % n];
    __syncthreads();
    if (++r < rounds)
        goto again;
    out[global_id()] = v;
}

__global__ void goto_over_a_barrier(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    __syncthreads();
    if (flags[group_id()] % 2)
        goto end;
    v = s[(t + 1) % n];
    __syncthreads();
    s[t] = v * 3;
    __syncthreads();
end:
    out[global_id()] = v + s[n - 1 - t];
}

// A loop with two entries (irreducible): some groups jump into its middle.
__global__ void goto_into_loop(unsigned *out, const unsigned *in, const int *flags, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), r = 0;
    unsigned v = in[global_id()];
    if (flags[group_id()] % 2)
        goto middle;
top:
    s[t] = v;
    __syncthreads();
    v += s[(t + 1) % n];
    __syncthreads();
middle:
    s[t] = v * 3;
    __syncthreads();
    v ^= s[n - 1 - t];
    __syncthreads();
    if (++r < rounds)
        goto top;
    out[global_id()] = v;
}

// Irreducible and divergent between two barriers: work-items enter the barrier-free loop at different places.
__global__ void divergent_goto_into_loop(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), r = 0;
    s[t] = in[global_id()];
    __syncthreads();
    unsigned v = s[(t + 1) % n];
    if (v % 2)
        goto middle;
top:
    v = v * 3 + 1;
middle:
    v ^= v >> 3;
    if (++r < 2 + v % 4)
        goto top;
    __syncthreads();
    s[t] = v;
    __syncthreads();
    out[global_id()] = s[n - 1 - t] + r;
}

__global__ void goto_out_of_nested_loops(unsigned *out, const unsigned *in, const int *stops) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s[t] = v;
            __syncthreads();
            if (3 * i + j == stops[group_id()])
                goto found;
            v += s[(t + 1) % n];
            __syncthreads();
        }
    v = 1;
found:
    out[global_id()] = v + s[n - 1 - t];
}

__global__ void switch_with_barriers(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    switch (flags[group_id()]) {
    case 0:
        v = 1;
        break;
    case 1:
        __syncthreads();
        v = s[(t + 1) % n];
        break;
    case 2: // falls through, with a barrier before
        __syncthreads();
        v += s[(t + 2) % n];
        __syncthreads();
        s[t] = v;
    case 3:
        __syncthreads();
        v ^= s[n - 1 - t];
        break;
    default:
        v += 9;
    }
    out[global_id()] = v;
}

// A machine that the group steps through together; the state comes from shared memory.
__global__ void state_machine(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    __shared__ int state;
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    if (t == 0)
        state = v % 3;
    __syncthreads();
    for (int step = 0; step < 8; step++) {
        int now = state;
        __syncthreads();
        switch (now) {
        case 0:
            s[t] = v;
            __syncthreads();
            v += s[(t + 1) % n];
            if (t == n - 1)
                state = v % 2 + 1;
            break;
        case 1:
            v = v * 5 + 1;
            if (t == 0)
                state = v % 4;
            break;
        case 2:
            s[t] = v / 3;
            __syncthreads();
            v = s[n - 1 - t];
            __syncthreads();
            if (t == 0)
                state = v % 2 * 3;
            break;
        default:
            out[global_id()] = v + step;
            return;
        }
        __syncthreads();
    }
    out[global_id()] = v;
}
