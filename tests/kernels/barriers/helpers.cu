// SPDX-License-Identifier: Apache-2.0
// Barriers in functions that kernels call.
#include "work_item.cuh"

__device__ inline unsigned exchange(unsigned *s, unsigned v, int from) {
    s[local_id()] = v;
    __syncthreads();
    unsigned w = s[from];
    __syncthreads();
    return w;
}

__global__ void inlined_twice(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = exchange(s, in[global_id()], (t + 1) % n);
    out[global_id()] = v + 2 * exchange(s, v * v, n - 1 - t);
}

__device__ __noinline__ unsigned exchange_out_of_line(unsigned *s, unsigned v, int from) {
    s[local_id()] = v;
    __syncthreads();
    unsigned w = s[from];
    __syncthreads();
    return w;
}

__global__ void not_inlined(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    for (int r = 0; r < rounds; r++)
        v = v * 3 + exchange_out_of_line(s, v, (t + r) % n);
    if (rounds % 2)
        v += exchange_out_of_line(s, v, 0);
    out[global_id()] = v;
}

// The helper's loop and its returns are its own: a return in it isn't the kernel's.
__device__ __noinline__ unsigned search(unsigned *s, unsigned v, int rounds) {
    for (int r = 0; r < rounds; r++) {
        s[local_id()] = v;
        __syncthreads();
        unsigned next = s[(local_id() + 1) % local_size()];
        if (__syncthreads_or(next % 16 == 0))
            return next + r;
        v = v * 5 + next;
    }
    return v;
}

__global__ void helper_returns_from_loop(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    unsigned v = search(s, in[global_id()], rounds);
    __syncthreads();
    s[local_id()] = v;
    __syncthreads();
    out[global_id()] = v + s[0];
}

// Some work-items return early from a helper without barriers, others later; all go on to the kernel's barrier.
__device__ unsigned classify(unsigned v) {
    if (v % 2 == 0)
        return v / 2;
    for (int i = 0; i < 4; i++) {
        if (v % 5 == i)
            return v + i;
        v = v * 3 + 1;
    }
    return 1;
}

__global__ void divergent_helper_before_barrier(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = classify(in[global_id()]);
    __syncthreads();
    out[global_id()] = classify(s[(t + 1) % n]);
}

// Shared memory that belongs to the helper: one array, however often it is called.
__device__ unsigned total(unsigned v) {
    __shared__ unsigned sum;
    if (local_id() == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, v);
    __syncthreads();
    unsigned result = sum;
    __syncthreads();
    return result;
}

__global__ void shared_memory_of_helper(unsigned *out, const unsigned *in) {
    unsigned v = in[global_id()];
    unsigned sum = total(v);
    out[global_id()] = total(sum ^ v) - sum;
}

// A recursive template: as many barriers as DEPTH says.
template <int DEPTH> __device__ unsigned unrolled(unsigned *s, unsigned v) {
    s[local_id()] = v;
    __syncthreads();
    v += s[(local_id() + DEPTH) % local_size()];
    __syncthreads();
    if constexpr (DEPTH > 0)
        return unrolled<DEPTH - 1>(s, v * 3);
    else
        return v;
}

__global__ void recursive_template(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    out[global_id()] = unrolled<4>(s, in[global_id()]);
}

// Helpers that call helpers, one of them behind a uniform condition.
__device__ __noinline__ unsigned twice(unsigned *s, unsigned v) {
    v += exchange_out_of_line(s, v, 0);
    return v + exchange(s, v, local_size() - 1);
}

__global__ void helpers_in_helpers(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    unsigned v = in[global_id()];
    if (flags[group_id()] % 2)
        v = twice(s, v);
    out[global_id()] = twice(s, v);
}

// A function that does nothing but wait.
__device__ __noinline__ void wait() { __syncthreads(); }

__global__ void waiting_function(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    s[local_id()] = in[global_id()];
    wait();
    out[global_id()] = s[local_size() - 1 - local_id()];
}
