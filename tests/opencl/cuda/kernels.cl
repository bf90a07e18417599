// SPDX-License-Identifier: Apache-2.0
// Kernels of the checks of a GPU.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void add(global float *out, global const float *a, global const float *b) {
    size_t i = get_global_id(0);
    out[i] = a[i] + b[i];
}

// The sum of each group's values, by a tree in local memory that the launch provides.
kernel void sum(global int *out, global const int *in, local int *part) {
    size_t own = get_local_id(0);
    part[own] = in[get_global_id(0)];
    for (size_t half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < half_) part[own] += part[own + half_];
    }
    if (own == 0) out[get_group_id(0)] = part[0];
}

kernel __attribute__((reqd_work_group_size(16, 16, 1))) void transpose(global float *out, global const float *in,
                                                                       int width, int height) {
    local float tile[16][17];
    size_t x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + ly) * height + get_group_id(1) * 16 + lx] = tile[lx][ly];
}

// How many values have each remainder by 8: in local memory first.
kernel void count(global int *counts, global const uint *in) {
    local int own[8];
    if (get_local_id(0) < 8) own[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[in[get_global_id(0)] % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 8) atomic_add(&counts[get_local_id(0)], own[get_local_id(0)]);
}

struct pair { char first; double second; };

kernel void arguments(global double *out, struct pair pair, float4 vector, constant short *more, uchar last) {
    out[get_global_id(0)] = pair.first + pair.second + vector.x * vector.w + more[get_global_id(0)] + last;
}

kernel void places(global int *out) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    out[i] = 100 * get_global_id(0) + 10 * get_local_size(0) + get_local_id(0);
}

kernel void add_number(global int *out, int number) { out[get_global_id(0)] += number; }

kernel void follow(global int *out, global const int *in) {
    int i = get_global_id(0), n = get_global_size(0);
    out[i] = (in[(i + 1) % n] * 5 + i) % 1000;
}

// The values of each group in the opposite order: the last group is smaller where the local size doesn't divide the range.
kernel void reverse(global int *values, local int *own) {
    int l = get_local_id(0);
    own[l] = values[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    values[get_global_id(0)] = own[get_local_size(0) - 1 - l];
}

kernel void ascend(global int *out) { out[get_global_id(0)] = get_global_id(0); }

kernel void spin(global uint *out, uint rounds) {
    uint x = out[get_global_id(0)];
    for (uint i = 0; i < rounds; i++) x = x * 1664525 + 1013904223;
    out[get_global_id(0)] = x;
}

kernel void greet(int number) { printf("number %d of %s\n", number, "a kernel"); }

kernel void stray(global int *out, ulong distance) { out[distance + get_global_id(0)] = 1; }
