// SPDX-License-Identifier: Apache-2.0
// All operations of the warp in every kind of control flow.
#include "warp.cuh"

constexpr int RESULTS = 18;

// Adds the results of the operations among the lanes of `mask` to those before: r = 3 r + result. A shuffle from a
// lane that takes no part gives 0 here.
__device__ inline void operate(unsigned *r, unsigned mask, unsigned v) {
    int lane = lane_id(), same;
    unsigned here = __ballot_sync(mask, 1);
    unsigned long long wide = static_cast<unsigned long long>(v % 3) << 40 | v % 2;
    unsigned by_xor = __shfl_xor_sync(mask, v, 1), down = __shfl_down_sync(mask, v, 2), up = __shfl_up_sync(mask, v, 1, 8);
    unsigned anywhere = __shfl_sync(mask, v, v);
    float other = __shfl_xor_sync(mask, static_cast<float>(v), 16);
    unsigned all = __match_all_sync(mask, v / 8, &same);
    unsigned results[RESULTS] = {
        here,
        __ballot_sync(mask, v & 1),
        static_cast<unsigned>(__any_sync(mask, v % 16 == 0)),
        static_cast<unsigned>(__all_sync(mask, v % 16)),
        static_cast<unsigned>(__uni_sync(mask, v & 8)),
        names(here, lane ^ 1) ? by_xor : 0,
        lane + 2 > 31 || names(here, lane + 2) ? down : 0,
        lane % 8 == 0 || names(here, lane - 1) ? up : 0,
        __shfl_sync(mask, v, __ffs(here) - 1),
        names(here, v % 32) ? anywhere : 0,
        names(here, lane ^ 16) ? static_cast<unsigned>(other) : 0,
        __match_any_sync(mask, v % 4),
        __match_any_sync(mask, wide),
        all,
        static_cast<unsigned>(same),
        __reduce_add_sync(mask, v),
        static_cast<unsigned>(__reduce_min_sync(mask, static_cast<int>(v - 40))),
        __reduce_xor_sync(mask, v),
    };
    __syncwarp(mask);
#pragma unroll
    for (int k = 0; k < RESULTS; k++)
        r[k] = 3 * r[k] + results[k];
}

__device__ inline unsigned *own(unsigned *out) { return out + RESULTS * global_id(); }

__global__ void straight(unsigned *out, const unsigned *in) { operate(own(out), FULL, in[global_id()]); }

__global__ void named(unsigned *out, const unsigned *in) {
    constexpr unsigned MASK = 0x0f3ff101u;
    if (names(MASK, lane_id()))
        operate(own(out), MASK, in[global_id()]);
}

__global__ void named_by_the_launch(unsigned *out, const unsigned *in, unsigned mask) {
    if (names(mask, lane_id()))
        operate(own(out), mask, in[global_id()]);
}

__global__ void both_sides(unsigned *out, const unsigned *in) {
    if (lane_id() & 1)
        operate(own(out), 0xaaaaaaaau, in[global_id()]);
    else
        operate(own(out), 0x55555555u, in[global_id()] + 5);
}

// Tiles of eight lanes come here together, each with its own mask.
__global__ void tiles(unsigned *out, const unsigned *in) {
    operate(own(out), 0xffu << (lane_id() & 24), in[global_id()]);
}

// So do lanes with the same label.
__global__ void labelled(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    operate(own(out), __match_any_sync(FULL, v % 3), v);
}

__global__ void after_some_have_returned(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v % 3 == 0)
        return;
    operate(own(out), FULL, v);
    if (v % 3 == 1)
        return;
    operate(own(out), FULL, v + 1);
}

__global__ void bounded(unsigned *out, const unsigned *in, int n) {
    int i = global_id();
    if (i >= n)
        return;
    operate(own(out), FULL, in[i]);
}

__global__ void those_that_are_here(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v & 1) {
        operate(own(out), __activemask(), v);
        if (v & 2)
            operate(own(out), __activemask(), v + 3);
    }
}

// Each lane goes round as often as it likes; those that go on say so to each other.
__global__ void divergent_loop(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()], mask = FULL;
    for (unsigned k = 0;; k++) {
        bool goes_on = k < v % 5;
        mask = __ballot_sync(mask, goes_on);
        if (!goes_on)
            break;
        operate(own(out), mask, v + k);
    }
    __syncwarp();
    operate(own(out), FULL, v);
}

// Warps go round differently often, but all lanes of a warp equally.
__global__ void loop_of_the_warp(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()], left = v % 4;
    while (__any_sync(FULL, left)) {
        operate(own(out), FULL, left + v);
        if (left == 0)
            continue;
        left--;
    }
}

__global__ void uniform_loop(unsigned *out, const unsigned *in, int n) {
    for (int k = 0; k < n; k++) {
        operate(own(out), FULL, in[global_id()] + k);
        if (k == 2)
            break;
    }
}

__global__ void after_divergence(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v & 1)
        v = v * 5 + 1;
    else
        for (unsigned k = 0; k < v % 7; k++)
            v = v / 2 + 3;
    __syncwarp();
    operate(own(out), FULL, v);
}

__global__ void cases_of_a_switch(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    unsigned mask = __match_any_sync(FULL, v % 4);
    switch (v % 4) {
    case 0:
        operate(own(out), mask, v);
        break;
    case 1:
        operate(own(out), mask, v + 1);
        // falls through
    case 2:
        own(out)[0] += 7;
        break;
    default:
        operate(own(out), mask, v * 3);
    }
}

__device__ __noinline__ void operate_there(unsigned *r, unsigned mask, unsigned v) {
    if (v % 16 == 3)
        v++;
    __syncwarp(mask);
    operate(r, mask, v);
}

__global__ void in_a_function(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    operate_there(own(out), FULL, v);
    unsigned mask = __ballot_sync(FULL, v & 2);
    if (v & 2)
        operate_there(own(out), mask, v + 1);
}

__global__ void between_barriers(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v + __ballot_sync(FULL, v & 1) % 64;
    __syncthreads();
    v = s[(t + 33) % n];
    operate(own(out), FULL, v);
    __syncthreads();
    s[t] = __reduce_max_sync(FULL, v);
    __syncthreads();
    if (s[0] & 1) {
        __syncthreads();
        operate(own(out), FULL, s[n - 1 - t]);
    }
}

// One warp of the block alone; the others wait at the barrier.
__global__ void first_warp_only(unsigned *out, const unsigned *in) {
    if (local_id() < 32)
        operate(own(out), FULL, in[global_id()]);
    __syncthreads();
    operate(own(out), FULL, in[global_id()] + 1);
}

// One distinct value after the other, by the first lane that has it.
__global__ void one_leader_after_the_other(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    unsigned left = __ballot_sync(FULL, 1), turn = 0;
    while (left) {
        unsigned value = __shfl_sync(FULL, v % 5, __ffs(left) - 1);
        unsigned same = __ballot_sync(FULL, v % 5 == value);
        if (v % 5 == value)
            operate(own(out), same, v + turn);
        __syncwarp();
        left &= ~same;
        turn++;
    }
}
