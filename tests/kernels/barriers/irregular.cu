// SPDX-License-Identifier: Apache-2.0
// Loops around barriers that have several entries, several back edges, other first or last rounds, or lengths that each
// work-item finds for itself.
#include "work_item.cuh"

// Rounds that differ, which compilers peel off.
__global__ void first_round_has_none(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        if (r > 0) {
            s[t] = v;
            __syncthreads();
            v += s[(t + 1) % n];
            __syncthreads();
        }
        v = v * 3 + r;
    }
    out[global_id()] = v;
}

__global__ void last_round_has_none(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        v = v * 3 + r;
        if (r + 1 == rounds)
            break;
        s[t] = v;
        __syncthreads();
        v += s[n - 1 - t];
        __syncthreads();
    }
    out[global_id()] = v;
}

// All find the same number of rounds, each by a loop of its own over shared memory: nobody can know that it is the same.
__global__ void each_counts_the_rounds(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], rounds = 0;
    s[t] = v;
    __syncthreads();
    for (int i = 0; i < n; i++)
        rounds = max(rounds, s[(t + i) % n] % 4);
    __syncthreads();
    for (unsigned r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        v = v * 3 + s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v + rounds;
}

// The same for a loop in a loop; the inner length depends on the round.
__global__ void each_counts_the_inner_rounds(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        unsigned least = ~0u;
        for (int i = 0; i < n; i++)
            least = min(least, s[(t + i) % n]);
        __syncthreads();
        for (unsigned j = 0; j < least % 3; j++) {
            s[t] = v + j;
            __syncthreads();
            v ^= s[n - 1 - t] << 1;
            __syncthreads();
        }
        v += 7;
    }
    out[global_id()] = v;
}

// Three back edges to one head, each behind a barrier of its own.
__global__ void three_back_edges(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), r = flags[group_id()];
    unsigned v = in[global_id()];
head:
    if (++r > 9)
        goto end;
    s[t] = v;
    __syncthreads();
    if (r % 3 == 0) {
        v += s[(t + 1) % n];
        __syncthreads();
        goto head;
    }
    v ^= s[n - 1 - t];
    __syncthreads();
    if (r % 3 == 1)
        goto head;
    s[t] = v * 5;
    __syncthreads();
    v = s[(t + 2) % n];
    __syncthreads();
    goto head;
end:
    out[global_id()] = v;
}

// One body in two loops, which begin at the same place.
__global__ void loops_with_one_head(unsigned *out, const unsigned *in, int inner, int outer) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), i = 0, j = 0;
    unsigned v = in[global_id()];
head:
    s[t] = v + i;
    __syncthreads();
    v = v * 3 + s[(t + j) % n];
    __syncthreads();
    if (++i % inner)
        goto head;
    v ^= 0x55;
    if (++j < outer)
        goto head;
    out[global_id()] = v + i;
}

// A loop that is entered at one of four places.
__global__ void loop_with_four_entries(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), rounds = 3;
    unsigned v = in[global_id()];
    s[t] = v;
    __syncthreads();
    switch (flags[group_id()] % 4) {
        do {
        case 0:
            v += s[(t + 1) % n];
            __syncthreads();
            s[t] = v;
        case 1:
            __syncthreads();
            v ^= 3;
        case 2:
            v += s[n - 1 - t];
            __syncthreads();
        case 3:
            s[t] = v;
            __syncthreads();
        } while (--rounds > 0);
    }
    out[global_id()] = v;
}

// Two loops that jump into each other.
__global__ void loops_into_each_other(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), left = 8;
    unsigned v = in[global_id()];
    if (flags[group_id()] % 2)
        goto second;
first:
    s[t] = v;
    __syncthreads();
    v += s[(t + 1) % n];
    __syncthreads();
    if (--left <= 0)
        goto end;
    if (left % 3)
        goto first;
second:
    s[t] = v * 3;
    __syncthreads();
    v ^= s[n - 1 - t];
    __syncthreads();
    if (--left <= 0)
        goto end;
    if (left % 2)
        goto second;
    goto first;
end:
    out[global_id()] = v;
}

// Work-items run through a machine of their own between two barriers of the group, for different times.
__global__ void machines_between_barriers(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        unsigned state = v % 4, steps = 0;
        while (state != 3 && steps < 10) {
            switch (state) {
            case 0:
                v = v * 3 + 1;
                state = v % 3;
                break;
            case 1:
                v >>= 1;
            default:
                state = (v ^ steps) % 4;
            }
            steps++;
        }
        s[t] = v + steps;
        __syncthreads();
        v ^= s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// Work-items return in the middle of a divergent loop that stands in a loop of barriers.
__global__ void return_from_a_divergent_loop(unsigned *out, const unsigned *in, int rounds) {
    unsigned v = in[global_id()], seen = 0;
    for (int r = 0; r < rounds; r++) {
        for (unsigned j = 0; j < v % 5; j++) {
            if ((v + j) % 11 == 0) {
                out[global_id()] = 1000 + j;
                return;
            }
            v = v * 3 + j;
        }
        seen = seen * 7 + __syncthreads_count(v & 1);
    }
    out[global_id()] = v + seen;
}

// A helper that most work-items leave at once, called where barriers stand around.
__device__ __noinline__ unsigned leaves_early(unsigned v) {
    for (unsigned j = 0; j < 8; j++) {
        if (v % 2)
            return v + j;
        if (v % 4 == 2) {
            v += 6;
            continue;
        }
        v = v / 2 + 1;
    }
    return v;
}

__global__ void helper_with_early_returns(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = leaves_early(v);
        __syncthreads();
        v = v * 2 + leaves_early(s[(t + 1) % n] + r);
        __syncthreads();
    }
    out[global_id()] = v;
}

// A condition decides which of two loops, one with a barrier, goes on; what both change meets behind them.
__global__ void one_loop_or_the_other(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), flag = flags[group_id()], r = 0;
    unsigned v = in[global_id()];
    if (flag % 2)
        for (; r < flag + 1; r++) {
            s[t] = v;
            __syncthreads();
            v += s[(t + r) % n];
            __syncthreads();
        }
    else
        for (; r < int(v % 4); r++)
            v = v * 3 + r;
    s[t] = v + r;
    __syncthreads();
    out[global_id()] = s[n - 1 - t] + r;
}
