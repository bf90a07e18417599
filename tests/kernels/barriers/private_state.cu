// SPDX-License-Identifier: Apache-2.0
// What belongs to a work-item must outlive its barriers: arrays, structs, addresses, many scalars at once.
#include "work_item.cuh"

__global__ void array_with_dynamic_index(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned mine[8];
    for (int i = 0; i < 8; i++)
        mine[i] = in[global_id()] + i * i;
    s[t] = mine[t % 8];
    __syncthreads();
    mine[s[(t + 1) % n] % 8] += s[(t + 1) % n];
    __syncthreads();
    s[t] = mine[(t + 3) % 8];
    __syncthreads();
    unsigned sum = s[n - 1 - t];
    for (int i = 0; i < 8; i++)
        sum = sum * 3 + mine[i];
    out[global_id()] = sum;
}

struct Particle {
    float position[3];
    int hits;
    unsigned char tag;
    double mass;
};

__global__ void struct_across_barriers(double *out, const unsigned *in) {
    __shared__ Particle shared[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()] % 1024;
    Particle p = {{v * 0.5f, v * 0.25f, v * 2.0f}, (int)v, (unsigned char)v, v + 0.125};
    shared[t] = p;
    __syncthreads();
    Particle q = shared[(t + 1) % n];
    p.hits += q.tag;
    p.position[q.hits % 3] += q.position[p.tag % 3];
    __syncthreads();
    shared[t] = p;
    __syncthreads();
    p.mass += shared[n - 1 - t].mass;
    out[global_id()] = p.position[0] + 3.0 * p.position[1] + 5.0 * p.position[2] + 7.0 * p.hits + 11.0 * p.mass;
}

// A pointer to private memory, chosen by each work-item, is used after the barrier.
__global__ void address_of_private(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned a = in[global_id()], b = a * 3, *chosen = a % 2 ? &a : &b;
    s[t] = *chosen;
    __syncthreads();
    *chosen += s[(t + 1) % n];
    __syncthreads();
    s[t] = a ^ b;
    __syncthreads();
    out[global_id()] = *chosen + a * 5 + b * 7 + s[0];
}

// A pointer that may point to private, shared or global memory.
__global__ void generic_pointer(unsigned *out, unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id();
    unsigned mine = in[global_id()] + 1000, *p;
    s[t] = mine * 2;
    switch (t % 3) {
    case 0: p = &mine; break;
    case 1: p = &s[t]; break;
    default: p = &in[global_id()];
    }
    __syncthreads();
    *p += 5;
    __syncthreads();
    out[global_id()] = mine + 3 * s[t] + 7 * in[global_id()];
}

// Twelve values live across three barriers.
__global__ void many_live_values(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    unsigned a = v + 1, b = v * 3, c = v ^ 5, d = v >> 1, e = ~v, f = v * v;
    s[t] = a;
    __syncthreads();
    unsigned g = s[(t + 1) % n], h = g ^ a, i = g * b;
    __syncthreads();
    s[t] = h;
    __syncthreads();
    unsigned j = s[n - 1 - t] + c, k = j * d, l = k - e;
    __syncthreads();
    s[t] = l;
    __syncthreads();
    out[global_id()] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k +
                       12 * l + 13 * s[(t + 2) % n];
}

// Values of every width and kind.
__global__ void all_types_live(double *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()];
    bool flag = v % 3 == 0;
    signed char tiny = (signed char)v;
    unsigned short small = v >> 8;
    long long large = (long long)v * v;
    float single = (float)(v % 4096) * 0.5f;
    double precise = (double)v * 0.25;
    const unsigned *where = in + global_id();
    uint3 vector = make_uint3(v % 7, v % 11, v % 13);
    s[t] = v;
    __syncthreads();
    unsigned other = s[(t + 1) % n];
    __syncthreads();
    if (other % 2) {
        flag = !flag;
        vector.y += 1;
        large >>= 3;
    }
    s[t] = other;
    __syncthreads();
    out[global_id()] = flag + 2.0 * tiny + 3.0 * small + (double)(large % 100003) + single + precise + *where +
                       vector.x * 5.0 + vector.y * 17.0 + vector.z * 19.0 + s[n - 1 - t];
}

// An array that holds its contents through a loop, part of it written in each round.
__global__ void array_filled_in_a_loop(unsigned *out, const unsigned *in, int rounds) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned history[10] = {}, v = in[global_id()];
    for (int r = 0; r < rounds; r++) {
        s[t] = v;
        __syncthreads();
        history[r] = s[(t + r) % n];
        v += history[r / 2];
        __syncthreads();
    }
    for (int r = 0; r < rounds; r++)
        out[global_id() * 10 + r] = history[r];
}

// Set by some work-items in one round, used by them in the next: values that are live only where a flag is set.
__global__ void set_before_used_after(unsigned *out, const unsigned *in) {
    __shared__ unsigned s[MAX_ITEMS];
    int t = local_id(), n = local_size();
    unsigned v = in[global_id()], carried;
    bool have = v % 2;
    if (have)
        carried = v * 3;
    s[t] = v;
    __syncthreads();
    unsigned next = s[(t + 1) % n];
    if (have)
        next += carried;
    out[global_id()] = next;
}
