// SPDX-License-Identifier: Apache-2.0
// Shapes of control flow that another compiler of work-groups for CPUs, pocl, got wrong at some time. The number of the
// issue or pull request at github.com/pocl/pocl stands in front of each kernel; the kernels are ours.
#include "work_item.cuh"

// pocl 553: two conditional barriers in two nested loops, and one behind them. All conditions are parameters.
__global__ void conditions_in_nested_loops(unsigned *out, const unsigned *in, int outer, int inner, int a, int b) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = 0;
    __syncthreads();
    for (int i = 0; i < outer; i++)
        for (int j = 0; j < inner; j++) {
            v = v * 3 + i;
            if (b > a) {
                s[t] = v;
                __syncthreads();
            }
            if (a > 0) {
                v += s[(t + 1) % n];
                __syncthreads();
            }
            v ^= j;
        }
    if (a > 0) {
        s[t] = v;
        __syncthreads();
        v += s[n - 1 - t];
    }
    out[global_id()] = v;
}

// pocl 980: every way to the loop's latch ends in a barrier.
__global__ void every_way_to_the_latch_waits(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), flag = flags[group_id()];
    unsigned v = in[global_id()];
    for (int r = 0; r < 5; r++) {
        s[t] = v;
        __syncthreads();
        unsigned next = s[(t + 1) % n];
        if ((r + flag) % 3 == 0) {
            v = v + next;
            __syncthreads();
        } else if ((r + flag) % 3 == 1) {
            v = v ^ next;
            __syncthreads();
        } else {
            v = next;
            __syncthreads();
        }
    }
    out[global_id()] = v;
}

// pocl 2113: an arm that would never end, or end the program, stands in a condition on the local index.
__device__ __noinline__ unsigned fails_on(unsigned v, unsigned bad) {
    if (v == bad)
        __trap();
    volatile unsigned again = bad;
    if (v + 1 == again)
        while (again == bad) {
        }
    return v * 2;
}

__global__ void arm_that_never_ends(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[2];
    int t = local_id();
    if (t % 36 == 0)
        s[t / 36 % 2] = fails_on(5, 12345);
    __syncthreads();
    unsigned offset = t % 36;
    out[global_id()] = in[global_id()] + 100 * offset + s[0];
}

// pocl 2156: one arm of a divergent condition leaves the kernel, the rest meets at the next barrier.
__global__ void guard_inside_a_condition(unsigned *out, const unsigned *in, int limit) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    unsigned partial = s[n - 1 - t] + s[t / 2];
    __syncthreads();
    if (t % 4 == 0) {
        if (t / 4 < limit) {
            s[t] = partial;
        } else {
            out[global_id()] = 7;
            return;
        }
    }
    __syncthreads();
    out[global_id()] = s[t] + partial;
}

// pocl 2281: behind a barrier, one arm skips a loop of some rounds, and the arms meet before the next barrier.
__global__ void skips_a_loop_behind_a_barrier(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        if (v % 3) {
            for (unsigned j = 0; j < v % 5; j++)
                v = v * 7 + s[(t + j) % n];
        }
        __syncthreads();
    }
    out[global_id()] = v;
}

// The same with a condition that is the same for all.
__global__ void all_skip_a_loop_behind_a_barrier(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), flag = flags[group_id()];
    unsigned v = in[global_id()];
    for (int r = 0; r < 3; r++) {
        s[t] = v;
        __syncthreads();
        if (flag > r)
            for (int j = 0; j < flag; j++)
                v = v * 7 + s[(t + j) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// pocl 2182: an early return that no work-item takes, though that can't be seen; the indices are used behind it.
__global__ void return_that_none_takes(unsigned *out, const unsigned *in, int limit) {
    if (local_id() > limit)
        return;
    __syncthreads();
    out[global_id()] = in[global_id()] + global_id() + 1;
}

// pocl 2239: shared memory that different versions of the same code must have in common.
__global__ void shared_between_versions(unsigned *out, const unsigned *in, int count) {
    __shared__ unsigned s[MAX_ITEMS], votes;
    int t = local_id(), n = local_size();
    if (t == 0)
        votes = 0;
    s[t] = in[global_id()];
    __syncthreads();
    if (t >= count)
        return;
    atomicAdd(&votes, s[n - 1 - t] % 4);
    __syncthreads();
    out[global_id()] = votes * 8 + __syncthreads_count(s[t] & 1);
}

// pocl 1747, 1794: bounds checks, whose failing arm doesn't come back, around barriers.
__global__ void bounds_checks_around_barriers(unsigned *out, const unsigned *in, int size) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), place = global_id();
    if (place >= size)
        __trap();
    s[t] = in[place];
    __syncthreads();
    int from = n - 1 - t;
    if (from < 0 || from >= n)
        __trap();
    unsigned v = s[from];
    __syncthreads();
    if (place >= size)
        __trap();
    out[place] = v + t;
}

// pocl 548: what only the first work-item does, before and behind a function with a barrier.
__device__ __noinline__ unsigned waits(unsigned v) {
    __syncthreads();
    return v + 1;
}

__global__ void first_one_before_and_behind(unsigned *out, const unsigned *in) {
    __shared__ unsigned first, second;
    int t = local_id();
    unsigned x = 0;
    if (t == 0) {
        first = in[global_id()];
        x = 1;
    }
    unsigned w = waits(t);
    if (t == 0)
        second = first + x;
    w += waits(first);
    out[global_id()] = w * 2 + second + t;
}

// pocl 1167: work-items make different numbers of rounds; only in the first, which all make, stands a barrier.
__global__ void barrier_in_the_round_of_all(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    for (unsigned r = 0; r < 1 + v % 4; r++) {
        if (r == 0)
            __syncthreads();
        v = v * 5 + s[(t + r) % n] % 4 * 4;
    }
    out[global_id()] = v;
}

// pocl 1711: a private array that lives through a loop of barriers and is read at another index in each round.
__global__ void private_array_in_rounds(unsigned *out, const unsigned *in) {
    __shared__ unsigned sums[8];
    int t = local_id();
    unsigned mine[8];
    for (int j = 0; j < 8; j++)
        mine[j] = in[global_id()] + j * t;
    if (t == 0)
        for (int j = 0; j < 8; j++)
            sums[j] = 0;
    __syncthreads();
    for (int j = 0; j < 8; j++) {
        int k = (j + t) % 8;
        atomicAdd(&sums[k], mine[k]);
        mine[k] += j;
        __syncthreads();
    }
    out[global_id()] = sums[t % 8] + mine[3];
}

// pocl 1509: loops around atomic operations, between barriers.
__global__ void compare_and_swap_loops(unsigned *out, const unsigned *in) {
    __shared__ unsigned cell;
    if (local_id() == 0)
        cell = 3;
    __syncthreads();
    unsigned old, seen = cell;
    do {
        old = seen;
        seen = atomicCAS(&cell, old, old + in[global_id()] % 8);
    } while (seen != old);
    __syncthreads();
    unsigned sum = cell;
    __syncthreads();
    while ((old = cell) < sum + local_size())
        if (atomicCAS(&cell, old, old + 1) == old)
            break;
    __syncthreads();
    out[global_id()] = sum * 2 + (cell - sum);
}

// pocl 683: two ways to the latch, one with a barrier.
__global__ void two_ways_to_the_latch(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), left = 6;
    unsigned v = in[global_id()];
    while (left-- > 0) {
        v += left;
        if ((left + flags[group_id()]) % 2)
            continue;
        s[t] = v;
        __syncthreads();
        v ^= s[(t + 1) % n];
        __syncthreads();
    }
    out[global_id()] = v;
}

// pocl 893: a condition of two parts, which simplification threads through the loop's latch.
__global__ void condition_of_two_parts(unsigned *out, const unsigned *in, int rounds, int a, int b) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        bool both = r > a && r != b;
        if (both) {
            s[t] = v;
            __syncthreads();
        }
        v = v * 3 + r;
        if (both || r == rounds - 1) {
            if (both)
                v += s[n - 1 - t];
            __syncthreads();
        }
    }
    out[global_id()] = v;
}

// pocl 458: a barrier in a condition, in a loop over three extents out of memory.
__global__ void loop_over_three_extents(unsigned *out, const unsigned *in, const int *extents) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int z = 0; z < extents[2]; z++)
        for (int y = 0; y < extents[1]; y++)
            for (int x = 0; x < extents[0]; x++)
                if ((x + y + z) % 2) {
                    s[t] = v;
                    __syncthreads();
                    v += s[(t + x + 1) % n] + y;
                    __syncthreads();
                }
    out[global_id()] = v;
}

// pocl 205: many conditional barriers one behind the other. Their ways are 2^16; copying the rest of the kernel for
// each would not end.
__global__ void many_conditional_barriers(unsigned *out, const unsigned *in, unsigned mask) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
#define STEP(bit)                                                                                                      \
    if (mask >> bit & 1) {                                                                                             \
        __syncthreads();                                                                                               \
        v += s[(t + bit) % n];                                                                                         \
        __syncthreads();                                                                                               \
        s[t] = v;                                                                                                      \
    } else {                                                                                                           \
        v ^= bit;                                                                                                      \
    }
    STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
    STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
#undef STEP
    out[global_id()] = v;
}

// pocl 1990: comb sort, a loop that shrinks its step and goes on until a round has changed nothing.
__global__ void comb_sort(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    __shared__ int changed;
    int t = local_id(), n = local_size(), step = n;
    s[t] = in[global_id()] % 1000;
    __syncthreads();
    do {
        step = step > 1 ? step * 10 / 13 : 1;
        if (t == 0)
            changed = step > 1;
        __syncthreads();
        for (int half = 0; half < 2; half++) {
            if (t / step % 2 == half && t + step < n && s[t] > s[t + step]) {
                unsigned larger = s[t];
                s[t] = s[t + step];
                s[t + step] = larger;
                changed = 1;
            }
            __syncthreads();
        }
        if (!changed)
            break;
        __syncthreads();
    } while (true);
    out[global_id()] = s[t];
}

// pocl, regression test of several loops of different lengths with a barrier in one.
__global__ void one_of_three_loops_waits(unsigned *out, const unsigned *in, const int *rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (unsigned j = 0; j < v % 4; j++)
        v = v * 3 + j;
    for (int r = 0; r < rounds[group_id()]; r++) {
        s[t] = v;
        __syncthreads();
        v += s[(t + r) % n];
        __syncthreads();
    }
    for (unsigned j = 0; j < v % 6; j++)
        v = v * 5 + j;
    out[global_id()] = v;
}

// AdaptiveCpp 998: several ends and no barrier.
__global__ void several_ends(unsigned *out, const unsigned *in, int limit) {
    unsigned v = in[global_id()];
    if (limit < 0)
        __trap();
    if (v % 3 == 0)
        return;
    out[global_id()] = v;
    if (v % 3 == 1) {
        out[global_id()] = v + limit;
        return;
    }
    if (local_id() > 100000)
        __trap();
}

// AdaptiveCpp 2177: barriers in a loop within a loop over tiles, with work for some in each round.
__global__ void rounds_within_tiles(unsigned *out, const unsigned *in, int rows, int tiles) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = 0;
    for (int tile = 0; tile < tiles; tile++) {
        if (t < rows)
            s[t] = in[global_id()] + tile;
        __syncthreads();
        for (int k = 0; k < rows && k < n; k++) {
            if (t > k && t < rows)
                s[t] += s[k];
            __syncthreads();
        }
        if (t < rows)
            v = v * 3 + s[t];
    }
    out[global_id()] = v;
}
