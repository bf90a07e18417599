// SPDX-License-Identifier: Apache-2.0
// Arithmetic and conversions in every rounding.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

// The sign and payload of a NaN are the target's own.
template <class Float> __device__ Float number(Float x) { return x == x ? x : Float(__builtin_nanf("")); }

#define ROUNDINGS(of) of(rn) of(rz) of(ru) of(rd)

#define SINGLES(mode)                                                                                            \
    *o++ = number(__fadd_##mode(x, y));                                                                          \
    *o++ = number(__fsub_##mode(x, y));                                                                          \
    *o++ = number(__fmul_##mode(x, y));                                                                          \
    *o++ = number(__fdiv_##mode(x, y));                                                                          \
    *o++ = number(__frcp_##mode(x));                                                                             \
    *o++ = number(__fsqrt_##mode(x));                                                                            \
    *o++ = number(__fmaf_##mode(x, y, z));

__global__ void single_arithmetic(float *out, const float *a, const float *b, const float *c) {
    float x = a[index()], y = b[index()], z = c[index()], *o = out + 28 * index();
    ROUNDINGS(SINGLES)
}

#define DOUBLES(mode)                                                                                            \
    *o++ = number(__dadd_##mode(x, y));                                                                          \
    *o++ = number(__dsub_##mode(x, y));                                                                          \
    *o++ = number(__dmul_##mode(x, y));                                                                          \
    *o++ = number(__ddiv_##mode(x, y));                                                                          \
    *o++ = number(__drcp_##mode(x));                                                                             \
    *o++ = number(__dsqrt_##mode(x));                                                                            \
    *o++ = number(__fma_##mode(x, y, z));

__global__ void double_arithmetic(double *out, const double *a, const double *b, const double *c) {
    double x = a[index()], y = b[index()], z = c[index()], *o = out + 28 * index();
    ROUNDINGS(DOUBLES)
}

#define TO_INTEGERS(mode)                                                                                        \
    *o++ = __float2int_##mode(x);                                                                                \
    *o++ = __float2uint_##mode(x);                                                                               \
    *o++ = __float2ll_##mode(x);                                                                                 \
    *o++ = __float2ull_##mode(x);                                                                                \
    *o++ = __double2int_##mode(d);                                                                               \
    *o++ = __double2uint_##mode(d);                                                                              \
    *o++ = __double2ll_##mode(d);                                                                                \
    *o++ = __double2ull_##mode(d);

__global__ void to_integers(long long *out, const float *a, const double *b) {
    float x = a[index()];
    double d = b[index()];
    long long *o = out + 32 * index();
    ROUNDINGS(TO_INTEGERS)
}

#define FROM_INTEGERS(mode)                                                                                      \
    *o++ = __int2float_##mode(i);                                                                                \
    *o++ = __uint2float_##mode(i);                                                                               \
    *o++ = __ll2float_##mode(l);                                                                                 \
    *o++ = __ull2float_##mode(l);                                                                                \
    *o++ = number(__double2float_##mode(d));                                                                       \
    *p++ = __ll2double_##mode(l);                                                                                \
    *p++ = __ull2double_##mode(l);

__global__ void to_floats(float *out, double *wide, const int *a, const long long *b, const double *c) {
    int i = a[index()];
    long long l = b[index()];
    double d = c[index()], *p = wide + 8 * index();
    float *o = out + 20 * index();
    ROUNDINGS(FROM_INTEGERS)
}

__global__ void reciprocal_roots(float *out, const float *a) { out[index()] = number(__frsqrt_rn(a[index()])); }
