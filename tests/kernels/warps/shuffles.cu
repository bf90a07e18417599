// SPDX-License-Identifier: Apache-2.0
// Every shuffle, of every type, in segments of every width: by a constant, by what the launch says, and by what each
// thread says. `defined` has a bit for each result that the manual defines; the others stay 0.
#include "warp.cuh"

template <class Type, int WIDTH>
__global__ void shuffles(Type *out, const Type *in, const int *by, const unsigned *defined, int launch) {
    int i = global_id(), own = by[i];
    Type v = in[i];
    Type results[] = {
        __shfl_up_sync(FULL, v, 3, WIDTH),      __shfl_down_sync(FULL, v, 3, WIDTH),
        __shfl_xor_sync(FULL, v, 3, WIDTH),     __shfl_sync(FULL, v, 3, WIDTH),
        __shfl_up_sync(FULL, v, launch, WIDTH), __shfl_down_sync(FULL, v, launch, WIDTH),
        __shfl_xor_sync(FULL, v, launch, WIDTH), __shfl_sync(FULL, v, launch, WIDTH),
        __shfl_up_sync(FULL, v, own, WIDTH),    __shfl_down_sync(FULL, v, own, WIDTH),
        __shfl_xor_sync(FULL, v, own, WIDTH),   __shfl_sync(FULL, v, own, WIDTH),
    };
#pragma unroll
    for (int k = 0; k < 12; k++)
        if (defined[i] >> k & 1)
            out[12 * i + k] = results[k];
}

#define ALL_WIDTHS(Type)                                                                               \
    template __global__ void shuffles<Type, 32>(Type *, const Type *, const int *, const unsigned *, int); \
    template __global__ void shuffles<Type, 16>(Type *, const Type *, const int *, const unsigned *, int); \
    template __global__ void shuffles<Type, 8>(Type *, const Type *, const int *, const unsigned *, int);  \
    template __global__ void shuffles<Type, 4>(Type *, const Type *, const int *, const unsigned *, int);  \
    template __global__ void shuffles<Type, 2>(Type *, const Type *, const int *, const unsigned *, int);
ALL_WIDTHS(int)
ALL_WIDTHS(unsigned)
ALL_WIDTHS(float)
ALL_WIDTHS(double)
ALL_WIDTHS(long long)
ALL_WIDTHS(unsigned long long)

// The width, too, is the launch's.
__global__ void widths_of_the_launch(int *out, const int *in, const int *by, const unsigned *defined, int width) {
    int i = global_id();
    int results[] = {
        __shfl_up_sync(FULL, in[i], by[i], width),
        __shfl_down_sync(FULL, in[i], by[i], width),
        __shfl_xor_sync(FULL, in[i], by[i], width),
        __shfl_sync(FULL, in[i], by[i], width),
    };
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (defined[i] >> k & 1)
            out[4 * i + k] = results[k];
}

// Only those lanes take part that the mask names, and only one side of a branch executes it.
__global__ void shuffles_of_some(int *out, const int *in, const int *by, const unsigned *defined, unsigned mask) {
    int i = global_id();
    if (!names(mask, lane_id()))
        return;
    int results[] = {
        __shfl_up_sync(mask, in[i], 2),
        __shfl_down_sync(mask, in[i], by[i]),
        __shfl_xor_sync(mask, in[i], 4, 8),
        __shfl_sync(mask, in[i], by[i], 16),
    };
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (defined[i] >> k & 1)
            out[4 * i + k] = results[k];
}

// The forms of before CUDA 9, without a mask.
__global__ void shuffles_without_masks(float *out, const float *in, const int *by, const unsigned *defined) {
    int i = global_id();
    float results[] = {__shfl_up(in[i], 1), __shfl_down(in[i], by[i]), __shfl_xor(in[i], 1, 16), __shfl(in[i], by[i], 4)};
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (defined[i] >> k & 1)
            out[4 * i + k] = results[k];
}
