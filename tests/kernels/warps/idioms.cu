// SPDX-License-Identifier: Apache-2.0
// What programs do with warps.
#include "warp.cuh"

__global__ void sum_by_shuffles(float *out, const float *in) {
    float v = in[global_id()];
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(FULL, v, offset);
    if (lane_id() == 0)
        out[global_id() / 32] = v;
}

__global__ void sum_in_all_lanes(double *out, const double *in) {
    double v = in[global_id()];
    for (int offset = 1; offset < 32; offset *= 2)
        v += __shfl_xor_sync(FULL, v, offset);
    out[global_id()] = v;
}

__global__ void sum_of_the_block(int *out, const int *in, int n) {
    __shared__ int sums[32];
    int t = local_id(), i = global_id(), warps = (local_size() + 31) / 32;
    int v = __reduce_add_sync(FULL, i < n ? in[i] : 0);
    if (lane_id() == 0)
        sums[t / 32] = v;
    __syncthreads();
    unsigned mask = __ballot_sync(FULL, t < warps);
    if (t < warps) {
        v = sums[t];
        for (int offset = 16; offset > 0; offset /= 2) {
            int other = __shfl_down_sync(mask, v, offset);
            if (t + offset < warps)
                v += other;
        }
        if (t == 0)
            out[group_id()] = v;
    }
}

__global__ void inclusive_scan(int *out, const int *in) {
    int v = in[global_id()];
    for (int distance = 1; distance < 32; distance *= 2) {
        int below = __shfl_up_sync(FULL, v, distance);
        if (lane_id() >= distance)
            v += below;
    }
    out[global_id()] = v;
}

__global__ void scan_of_segments(long long *out, const long long *in) {
    long long v = in[global_id()];
    for (int distance = 1; distance < 8; distance *= 2) {
        long long below = __shfl_up_sync(FULL, v, distance, 8);
        if (lane_id() % 8 >= distance)
            v += below;
    }
    out[global_id()] = v;
}

__global__ void greatest_and_its_place(float *out, int *places, const float *in) {
    float v = in[global_id()];
    int place = global_id();
    for (int offset = 16; offset > 0; offset /= 2) {
        float other = __shfl_xor_sync(FULL, v, offset);
        int its_place = __shfl_xor_sync(FULL, place, offset);
        if (other > v || (other == v && its_place < place)) {
            v = other;
            place = its_place;
        }
    }
    out[global_id()] = v;
    places[global_id()] = place;
}

__global__ void bitonic_sort(unsigned *data) {
    unsigned v = data[global_id()];
    int lane = lane_id();
    for (int size = 2; size <= 32; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            unsigned other = __shfl_xor_sync(FULL, v, stride);
            bool ascends = (lane & size) == 0, is_lower = (lane & stride) == 0;
            v = ascends == is_lower ? min(v, other) : max(v, other);
        }
    data[global_id()] = v;
}

// Each row of bits becomes a column.
__global__ void transpose_bits(unsigned *data) {
    unsigned v = data[global_id()], column = 0;
    for (int bit = 0; bit < 32; bit++) {
        unsigned row = __ballot_sync(FULL, v >> bit & 1);
        if (lane_id() == bit)
            column = row;
    }
    data[global_id()] = column;
}

// The odd numbers of each warp first, each part in its order.
__global__ void partition(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    unsigned odd = __ballot_sync(FULL, v & 1), below = (1u << lane_id()) - 1;
    int place = v & 1 ? __popc(odd & below) : __popc(odd) + __popc(~odd & below);
    out[global_id() - lane_id() + place] = v;
}

// One atomic addition a warp, by the first of the lanes that are here.
__device__ int aggregated_increment(int *counter) {
    unsigned here = __activemask();
    int leader = __ffs(here) - 1, first = 0;
    if (lane_id() == leader)
        first = atomicAdd(counter, __popc(here));
    first = __shfl_sync(here, first, leader);
    return first + __popc(here & ((1u << lane_id()) - 1));
}

__global__ void append(unsigned *out, int *counter, const unsigned *in) {
    unsigned v = in[global_id()];
    if (v % 3 == 0)
        out[aggregated_increment(counter)] = v;
}

// One atomic addition a warp and bin.
__global__ void histogram(int *bins, const unsigned *in) {
    unsigned bin = in[global_id()] % 16;
    unsigned same = __match_any_sync(FULL, bin);
    if (__ffs(same) - 1 == lane_id())
        atomicAdd(bins + bin, __popc(same));
}

// Lanes exchange values through shared memory; each warp waits for its own lanes only.
__global__ void exchange_in_shared_memory(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), first = t - t % 32, count = min(32, local_size() - first);
    unsigned v = in[global_id()];
    for (int k = 0; k < rounds; k++) {
        s[t] = v;
        __syncwarp();
        v = v * 3 + s[first + (t % 32 + k + 1) % count];
        __syncwarp();
    }
    out[global_id()] = v;
}

// The same by some lanes only, with a mask.
__global__ void exchange_of_some(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id();
    unsigned v = in[global_id()];
    s[t] = 0;
    __syncwarp();
    unsigned odd = __ballot_sync(FULL, v & 1);
    if (v & 1) {
        s[t] = v;
        __syncwarp(odd);
        v += s[t ^ 1] + s[t - t % 32 + __ffs(odd) - 1];
    }
    out[global_id()] = v;
}

// Reductions as they were before CUDA 9: no barrier among the last 32 threads, which run in lock-step, and volatile
// so that all values go through memory.
template <class Type> __device__ void reduce_last_warp(volatile Type *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

template <class Type> __global__ void warp_synchronous_reduction(Type *out, const Type *in) {
    extern __shared__ char memory[];
    Type *s = reinterpret_cast<Type *>(memory);
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    for (int half = n / 2; half > 32; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32)
        reduce_last_warp(s, t);
    if (t == 0)
        out[group_id()] = s[0];
}
template __global__ void warp_synchronous_reduction<float>(float *, const float *);
template __global__ void warp_synchronous_reduction<unsigned>(unsigned *, const unsigned *);

// A scan in lock-step, with room for zeros before it.
__global__ void warp_synchronous_scan(unsigned *out, const unsigned *in) {
    __shared__ volatile unsigned s[2 * MAX_ITEMS];
    int t = local_id(), place = 64 * (t / 32) + 32 + t % 32;
    s[place - 32] = 0;
    s[place] = in[global_id()];
    for (int distance = 1; distance < 32; distance *= 2)
        s[place] += s[place - distance];
    out[global_id()] = s[place];
}
