// SPDX-License-Identifier: Apache-2.0
// Shared memory in its several forms.
#include "work_item.cuh"

// As much as the launch asks for.
__global__ void dynamic(unsigned *out, const unsigned *in) {
    extern __shared__ unsigned room[];
    int t = local_id(), n = local_size();
    room[t] = in[global_id()];
    room[n + t] = room[t] * 2;
    __syncthreads();
    out[global_id()] = room[(t + 1) % n] + room[n + (t + 2) % n];
}

// Two arrays of different types carved out of one, beside a static one.
__global__ void carved(double *out, const unsigned *in) {
    extern __shared__ double bytes[];
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    double *first = bytes;
    unsigned char *second = (unsigned char *)(first + n);
    unsigned v = in[global_id()];
    first[t] = v * 0.5;
    second[n - 1 - t] = v % 256;
    s[t] = v % 1000;
    __syncthreads();
    out[global_id()] = first[(t + 1) % n] + second[t] + s[n - 1 - t];
}

// Volatile: each access happens, in order.
__global__ void volatile_cells(unsigned *out, const unsigned *in) {
    __shared__ volatile unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    s[t] = in[global_id()];
    s[t] = s[t] + 1;
    __syncthreads();
    unsigned a = s[(t + 1) % n], b = s[(t + 1) % n];
    __syncthreads();
    s[t] = a + b;
    __syncthreads();
    out[global_id()] = s[n - 1 - t];
}

struct Pair {
    int key;
    short weight;
};

__global__ void array_of_structs(int *out, const unsigned *in) {
    __shared__ struct {
        Pair pairs[MAX_ITEMS];
        int sum;
    } room;
    int t = local_id(), n = local_size();
    int v = in[global_id()] % 5000;
    if (t == 0)
        room.sum = 0;
    room.pairs[t] = Pair{v, (short)(v % 100)};
    __syncthreads();
    Pair next = room.pairs[(t + 1) % n];
    atomicAdd(&room.sum, (int)next.weight);
    __syncthreads();
    out[global_id()] = next.key + room.sum;
}

// One room used twice: as integers, and after a barrier as floats.
__global__ void used_twice(float *out, const unsigned *in) {
    __shared__ union {
        unsigned whole[MAX_ITEMS];
        float real[MAX_ITEMS];
    } room;
    int t = local_id(), n = local_size();
    room.whole[t] = in[global_id()] % 4096;
    __syncthreads();
    unsigned v = room.whole[(t + 1) % n];
    __syncthreads();
    room.real[t] = v * 0.5f;
    __syncthreads();
    out[global_id()] = room.real[n - 1 - t];
}

// A pointer to shared memory that swaps with another every round.
__global__ void pointers_swap(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned a[MAX_ITEMS], b[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned *from = a, *to = b;
    from[t] = in[global_id()];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        to[t] = from[(t + 1) % n] * 3 + from[t];
        __syncthreads();
        unsigned *held = from;
        from = to;
        to = held;
    }
    out[global_id()] = from[t];
}

// Nothing is left over from the group before: every group writes what it reads.
__global__ void sum_in_one_cell(unsigned *out, const unsigned *in) {
    __shared__ unsigned long long sum;
    __shared__ unsigned greatest;
    if (local_id() == 0) {
        sum = 0;
        greatest = 0;
    }
    __syncthreads();
    unsigned v = in[global_id()];
    atomicAdd(&sum, (unsigned long long)v << 20);
    atomicMax(&greatest, v);
    __syncthreads();
    out[global_id()] = (unsigned)(sum >> 20) ^ greatest;
}
