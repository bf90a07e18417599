// SPDX-License-Identifier: Apache-2.0
// Barriers inside expressions: short-circuits, the conditional operator, lambdas, operators of classes.
#include "work_item.cuh"

// The right side, and its barrier, is reached only where the left side is true, the same for the whole group.
__global__ void and_then(unsigned *out, const unsigned *in, const int *flags) {
    unsigned v = in[global_id()];
    bool both = flags[group_id()] > 0 && __syncthreads_count(v % 2) > 1;
    out[global_id()] = v + both;
}

__global__ void or_else(unsigned *out, const unsigned *in, const int *flags) {
    unsigned v = in[global_id()];
    int flag = flags[group_id()];
    if (flag == 1 || __syncthreads_or(v % 32 == 7) || (flag == 2 && __syncthreads_and(v % 8)))
        v *= 3;
    out[global_id()] = v;
}

__device__ unsigned rotated(unsigned *s, unsigned v, int by) {
    s[local_id()] = v;
    __syncthreads();
    v = s[(local_id() + by) % local_size()];
    __syncthreads();
    return v;
}

__global__ void conditional_operator(unsigned *out, const unsigned *in, const int *flags) {
    __shared__ unsigned s[MAX_ITEMS];
    unsigned v = in[global_id()];
    int flag = flags[group_id()];
    unsigned w = flag > 2 ? rotated(s, v, 1) : flag > 1 ? rotated(s, v, 2) + rotated(s, v, 3) : v;
    out[global_id()] = w + (flag % 2 ? 100 : rotated(s, w, 1));
}

__global__ void in_lambda(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    auto pass = [&](int by) {
        s[t] = v;
        __syncthreads();
        v += s[(t + by) % n];
        __syncthreads();
    };
    for (int r = 0; r < rounds; r++)
        pass(r);
    pass(1);
    out[global_id()] = v;
}

// The barriers are in the helper; what is done between them is handed in.
template <typename Write, typename Read> __device__ unsigned between_barriers(Write write, Read read) {
    write();
    __syncthreads();
    unsigned result = read();
    __syncthreads();
    return result;
}

__global__ void lambdas_handed_in(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    unsigned a = between_barriers([&] { s[t] = v; }, [&] { return s[n - 1 - t]; });
    unsigned b = between_barriers([&] { s[n - 1 - t] = a * v; }, [&] { return s[(t + 1) % n] + a; });
    out[global_id()] = b;
}

// A class that keeps a group's sum; its constructor, operator and destructor hold barriers.
class GroupSum {
    unsigned *cell;

  public:
    __device__ explicit GroupSum(unsigned *shared) : cell(shared) {
        if (local_id() == 0)
            *cell = 0;
        __syncthreads();
    }
    __device__ ~GroupSum() {
        __syncthreads();
        if (local_id() == 0)
            *cell = 12345;
        __syncthreads();
    }
    __device__ unsigned operator()(unsigned v) const {
        atomicAdd(cell, v);
        __syncthreads();
        unsigned sum = *cell;
        __syncthreads();
        return sum;
    }
};

__global__ void class_with_barriers(unsigned *out, const unsigned *in) {
    __shared__ unsigned cell;
    unsigned v = in[global_id()], first, second;
    {
        GroupSum sum(&cell);
        first = sum(v);
        second = sum(v % 2);
    }
    out[global_id()] = first + 3 * second + 7 * cell;
}

// The order of evaluation is fixed by the comma operator; each side has a barrier.
__global__ void comma_operator(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    s[t] = v;
    v = (__syncthreads(), v += s[(t + 1) % n], __syncthreads(), s[t] = v, __syncthreads(), s[n - 1 - t]);
    out[global_id()] = v;
}
