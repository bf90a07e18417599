// SPDX-License-Identifier: Apache-2.0
// Reductions and scans over a group of any size.
#include "work_item.cuh"

__global__ void tree_reduction(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id();
    s[t] = in[global_id()];
    __syncthreads();
    for (int n = local_size(); n > 1;) {
        int half = (n + 1) / 2;
        if (t + half < n)
            s[t] += s[t + half];
        n = half;
        __syncthreads();
    }
    if (t == 0)
        out[group_id()] = s[0];
}

// Floating point: the tree fixes the order of the additions, so that every device must agree to the bit.
__global__ void float_reduction(float *out, const float *in) {
    __shared__ float s[MAX_ITEMS];
    int t = local_id();
    s[t] = in[global_id()];
    for (int n = local_size(), half; n > 1; n = half) {
        half = (n + 1) / 2;
        __syncthreads();
        if (t + half < n)
            s[t] = s[t] + s[t + half];
    }
    if (t == 0)
        out[group_id()] = s[0];
}

// Every work-item first sums up its part of a long array.
__global__ void grid_stride_reduction(unsigned *out, const unsigned *in, int count) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned sum = 0;
    for (int i = global_id(); i < count; i += n * group_count())
        sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int stride = 1; stride < n; stride *= 2) {
        unsigned other = t % (2 * stride) == 0 && t + stride < n ? s[t + stride] : 0;
        __syncthreads();
        s[t] += other;
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, s[0]);
}

// Hillis and Steele's scan.
__global__ void inclusive_scan(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        unsigned before = t >= offset ? s[t - offset] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    out[global_id()] = s[t];
}

// Blelloch's scan: up and down a tree; the tree is as wide as the next power of two.
__global__ void exclusive_scan(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size(), width = 1;
    while (width < n)
        width *= 2;
    s[t] = in[global_id()];
    if (t + n < width)
        s[t + n] = 0;
    int stride = 1;
    for (; stride < width; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < width)
            s[right] += s[right - stride];
    }
    __syncthreads();
    if (t == 0)
        s[width - 1] = 0;
    while (stride > 1) {
        stride /= 2;
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < width) {
            unsigned left = s[right - stride];
            s[right - stride] = s[right];
            s[right] += left;
        }
    }
    __syncthreads();
    out[global_id()] = s[t];
}

// Keeps the even numbers, in order, by a scan; the rest of the group's room is filled with the count.
__global__ void stream_compaction(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS], kept[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], keep = v % 2 == 0;
    s[t] = keep;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        unsigned sum = s[t] + (t >= offset ? s[t - offset] : 0);
        __syncthreads();
        s[t] = sum;
        __syncthreads();
    }
    unsigned count = s[n - 1];
    kept[t] = count;
    __syncthreads();
    if (keep)
        kept[s[t] - 1] = v;
    __syncthreads();
    out[global_id()] = kept[t];
}

// The sum over the whole grid, by whichever group comes last.
__global__ void last_group_adds_up(unsigned *out, unsigned *partial, unsigned *arrived, const unsigned *in) {
    __shared__ unsigned sum;
    __shared__ bool last;
    int t = local_id(), n = local_size();
    if (t == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[global_id()]);
    __syncthreads();
    if (t == 0) {
        atomicExch(&partial[group_id()], sum);
        __threadfence();
        last = atomicInc(arrived, group_count() - 1) == group_count() - 1;
    }
    __syncthreads();
    if (!last)
        return;
    if (t == 0)
        sum = 0;
    __syncthreads();
    unsigned part = 0;
    for (int g = t; g < group_count(); g += n)
        part += atomicAdd(&partial[g], 0u);
    atomicAdd(&sum, part);
    __syncthreads();
    if (t == 0)
        *out = sum;
}

// Counts in shared memory, then adds them to the grid's counts.
__global__ void histogram(unsigned *bins, const unsigned *in) {
    __shared__ unsigned own[13];
    int t = local_id(), n = local_size();
    for (int bin = t; bin < 13; bin += n)
        own[bin] = 0;
    __syncthreads();
    atomicAdd(&own[in[global_id()] % 13], 1u);
    __syncthreads();
    for (int bin = t; bin < 13; bin += n)
        if (own[bin])
            atomicAdd(&bins[bin], own[bin]);
}
