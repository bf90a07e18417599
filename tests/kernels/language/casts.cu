// SPDX-License-Identifier: Apache-2.0
// Between integers and floating point: by value with each rounding, and by bits.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void float_bits(float *reals, int *whole, unsigned *more, const float *in) {
    int i = index();
    whole[i] = __float_as_int(in[i]);
    more[i] = __float_as_uint(in[i]) ^ 0x80000000u;
    reals[i] = __int_as_float(whole[i] + 1) + __uint_as_float(0x3f800000);
}

__global__ void double_bits(double *reals, long long *whole, int *halves, const double *in) {
    int i = index();
    whole[i] = __double_as_longlong(in[i]);
    halves[2 * i] = __double2hiint(in[i]);
    halves[2 * i + 1] = __double2loint(in[i]);
    reals[2 * i] = __longlong_as_double(whole[i] ^ (1LL << 63));
    reals[2 * i + 1] = __hiloint2double(halves[2 * i], halves[2 * i + 1]);
}

__global__ void float_to_integer(long long *out, const float *in) {
    float v = in[index()];
    long long *o = out + 8 * index();
    o[0] = (int)v;
    o[1] = __float2int_rn(v);
    o[2] = __float2int_rz(v);
    o[3] = __float2int_ru(v);
    o[4] = __float2int_rd(v);
    o[5] = __float2uint_rn(fabsf(v));
    o[6] = __float2ll_rn(v);
    o[7] = (long long)(v * 1e6f);
}

__global__ void double_to_integer(long long *out, const double *in) {
    double v = in[index()];
    long long *o = out + 7 * index();
    o[0] = (int)v;
    o[1] = __double2int_rn(v);
    o[2] = __double2int_rz(v);
    o[3] = __double2int_ru(v);
    o[4] = __double2int_rd(v);
    o[5] = __double2ll_rn(v);
    o[6] = (long long)(v * 1e9);
}

__global__ void integer_to_float(float *out, double *precise, const int *in) {
    int v = in[index()];
    float *o = out + 6 * index();
    o[0] = v;
    o[1] = (unsigned)v;
    o[2] = __int2float_rn(v);
    o[3] = (float)((long long)v * v);
    o[4] = __uint2float_rn((unsigned)v);
    o[5] = (signed char)v;
    precise[2 * index()] = (double)((long long)v * v - 1);
    precise[2 * index() + 1] = __int2double_rn(v);
}

__global__ void directed_roundings(float *out, const int *in) {
    int v = in[index()];
    out[3 * index()] = __int2float_rz(v);
    out[3 * index() + 1] = __int2float_ru(v);
    out[3 * index() + 2] = __int2float_rd(v);
}

__global__ void between_float_and_double(float *single, double *precise, const double *in) {
    single[index()] = in[index()];
    precise[index()] = (float)in[index()] * 3.0;
}
