// SPDX-License-Identifier: Apache-2.0
// Sorting networks: nested loops of barriers with divergent exchanges between them.
#include "work_item.cuh"

// Batcher's bitonic sort of 256 keys, by groups of any size; missing keys are the largest.
__global__ void bitonic_sort(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    for (int i = t; i < MAX_ITEMS; i += n)
        s[i] = i < n ? in[group_id() * n + i] : 0xffffffffu;
    for (int size = 2; size <= MAX_ITEMS; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            for (int i = t; i < MAX_ITEMS; i += n) {
                int j = i ^ stride;
                if (j > i && (s[i] > s[j]) == ((i & size) == 0)) {
                    unsigned held = s[i];
                    s[i] = s[j];
                    s[j] = held;
                }
            }
        }
    __syncthreads();
    out[global_id()] = s[t];
}

__global__ void odd_even_sort(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    bool some_before = true;
    for (int phase = 0;; phase++) {
        bool swapped = false;
        if (t % 2 == phase % 2 && t + 1 < n && s[t] > s[t + 1]) {
            unsigned held = s[t];
            s[t] = s[t + 1];
            s[t + 1] = held;
            swapped = true;
        }
        bool some = __syncthreads_or(swapped);
        if (!some && !some_before)
            break;
        some_before = some;
    }
    out[global_id()] = s[t];
}

// Each work-item finds its key's rank; no two write the same place.
__global__ void rank_sort(unsigned *out, const unsigned *in) {
    __shared__ unsigned keys[MAX_ITEMS], sorted[MAX_ITEMS];
    int t = local_id(), n = local_size(), rank = 0;
    unsigned key = in[global_id()];
    keys[t] = key;
    __syncthreads();
    for (int i = 0; i < n; i++)
        rank += keys[i] < key || (keys[i] == key && i < t);
    sorted[rank] = key;
    __syncthreads();
    out[global_id()] = sorted[t];
}

// Least significant digit first, a bit at a time: zeros keep their order before ones.
__global__ void radix_sort(unsigned *out, const unsigned *in) {
    __shared__ unsigned keys[MAX_ITEMS], ones[MAX_ITEMS];
    int t = local_id(), n = local_size();
    keys[t] = in[global_id()] % 256;
    for (int bit = 0; bit < 8; bit++) {
        __syncthreads();
        unsigned key = keys[t], one = key >> bit & 1;
        ones[t] = one;
        __syncthreads();
        for (int offset = 1; offset < n; offset *= 2) {
            unsigned before = t >= offset ? ones[t - offset] : 0;
            __syncthreads();
            ones[t] += before;
            __syncthreads();
        }
        unsigned zeros = n - ones[n - 1];
        keys[one ? zeros + ones[t] - 1 : t - ones[t]] = key;
    }
    __syncthreads();
    out[global_id()] = keys[t];
}
