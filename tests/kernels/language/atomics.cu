// SPDX-License-Identifier: Apache-2.0
// Every atomic for every type that CUDA has it for, in global and in shared memory. The order in which work-items
// come is open, so results are those on which it has no influence.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Slots 0 to 6 of `cells`: sum, least, greatest, and, or, exclusive or, and one that a swap loop adds to.
template <typename T> __global__ void reduce_global(T *cells, const T *in) {
    T v = in[index()];
    atomicAdd(&cells[0], v);
    atomicMin(&cells[1], v);
    atomicMax(&cells[2], v);
    atomicAnd(&cells[3], v);
    atomicOr(&cells[4], v);
    atomicXor(&cells[5], v);
    T seen = cells[6], expected;
    do {
        expected = seen;
        seen = atomicCAS(&cells[6], expected, (T)((unsigned)expected + 2 * (unsigned)v));
    } while (seen != expected);
}

// Explicitly instantiated; `long long` has no atomicAdd and no atomicCAS.
template __global__ void reduce_global<int>(int *, const int *);
template __global__ void reduce_global<unsigned>(unsigned *, const unsigned *);

// CUDA has some of them for 64 bits without sign, some with it.
__global__ void reduce_64_bits(unsigned long long *cells, long long *signed_cells, const unsigned long long *in) {
    unsigned long long v = in[index()];
    atomicAdd(&cells[0], v);
    atomicMin(&cells[1], v);
    atomicMax(&cells[2], v);
    atomicAnd(&cells[3], v);
    atomicOr(&cells[4], v);
    atomicXor(&cells[5], v);
    unsigned long long seen = cells[6], expected;
    do {
        expected = seen;
        seen = atomicCAS(&cells[6], expected, expected + 2 * v);
    } while (seen != expected);
    atomicMin(&signed_cells[0], (long long)v);
    atomicMax(&signed_cells[1], (long long)v);
}

__global__ void subtract(int *signed_cell, unsigned *cell, const int *in) {
    atomicSub(signed_cell, in[index()]);
    atomicSub(cell, (unsigned)in[index()]);
}

// Sums of whole numbers, which are exact in any order.
__global__ void add_floats(float *sum, double *precise, const int *in) {
    atomicAdd(sum, (float)in[index()]);
    atomicAdd(precise, in[index()] * 0.5);
}

// Each place is drawn by exactly one work-item.
__global__ void old_values_are_unique(unsigned *drawn, int *counter, const int *in) {
    drawn[atomicAdd(counter, 1)] += 1;
}

// Counts up to the limit and then from 0 again; counts down to 0 and then from the limit again.
__global__ void increment_and_decrement(unsigned *cells, unsigned limit) {
    atomicInc(&cells[0], limit);
    atomicDec(&cells[1], limit);
}

// Of all values swapped in, each comes out once, but for the one that stays: their sum is known.
template <typename T> __device__ void swap_in(unsigned long long *sum, T v) {
    __shared__ T cell;
    if (threadIdx.x == 0)
        cell = 5;
    __syncthreads();
    T old = atomicExch(&cell, v);
    atomicAdd(sum, (unsigned long long)old);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, (unsigned long long)cell);
}

__global__ void exchange(unsigned long long *sums) {
    int v = index() + 1;
    swap_in<int>(&sums[0], v);
    swap_in<unsigned>(&sums[1], v);
    swap_in<unsigned long long>(&sums[2], (unsigned long long)v << 20);
    swap_in<float>(&sums[3], v);
}

// The greatest float, by a swap loop on its bits.
__global__ void greatest_float(int *bits, const float *in) {
    int old = *bits, expected;
    do {
        expected = old;
        if (__int_as_float(expected) >= in[index()])
            break;
        old = atomicCAS(bits, expected, __float_as_int(in[index()]));
    } while (old != expected);
}

__global__ void in_shared_memory(int *out, double *sums, const int *in) {
    __shared__ int least, greatest;
    __shared__ unsigned bits;
    __shared__ double sum;
    __shared__ float single;
    if (threadIdx.x == 0) {
        least = 0x7fffffff;
        greatest = -0x7fffffff;
        bits = 0;
        sum = 0;
        single = 0;
    }
    __syncthreads();
    int v = in[index()];
    atomicMin(&least, v);
    atomicMax(&greatest, v);
    atomicOr(&bits, 1u << (v & 31));
    atomicAdd(&sum, v * 0.25);
    atomicAdd(&single, (float)(v % 16));
    __syncthreads();
    if (threadIdx.x == 0) {
        out[3 * blockIdx.x] = least;
        out[3 * blockIdx.x + 1] = greatest;
        out[3 * blockIdx.x + 2] = (int)bits;
        sums[blockIdx.x] = sum + 1000000 * single;
    }
}

// Atomics on a member of a struct, and on one place chosen by the data.
struct Bucket {
    int count;
    float total;
    unsigned long long square;
};

__global__ void into_buckets(Bucket *buckets, const int *in) {
    int v = in[index()];
    Bucket &bucket = buckets[(v % 5 + 5) % 5];
    atomicAdd(&bucket.count, 1);
    atomicAdd(&bucket.total, (float)v);
    atomicAdd(&bucket.square, (unsigned long long)((long long)v * v));
}
