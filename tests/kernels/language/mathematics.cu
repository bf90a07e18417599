// SPDX-License-Identifier: Apache-2.0
// CUDA's mathematical functions, in float and double: a kernel for each, by macro.

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

#define UNARY(name)                                                                                               \
    __global__ void f_##name(float *out, const float *a) { out[index()] = name##f(a[index()]); }                  \
    __global__ void d_##name(double *out, const double *a) { out[index()] = name(a[index()]); }

UNARY(sqrt) UNARY(rsqrt) UNARY(cbrt) UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1) UNARY(log) UNARY(log2)
UNARY(log10) UNARY(log1p) UNARY(sin) UNARY(cos) UNARY(tan) UNARY(asin) UNARY(acos) UNARY(atan) UNARY(sinh)
UNARY(cosh) UNARY(tanh) UNARY(asinh) UNARY(acosh) UNARY(atanh) UNARY(erf) UNARY(erfc) UNARY(lgamma)
UNARY(tgamma) UNARY(floor) UNARY(ceil) UNARY(trunc) UNARY(round) UNARY(rint) UNARY(nearbyint) UNARY(fabs)
UNARY(sinpi) UNARY(cospi)

#define BINARY(name)                                                                                              \
    __global__ void f_##name(float *out, const float *a, const float *b) {                                        \
        out[index()] = name##f(a[index()], b[index()]);                                                           \
    }                                                                                                             \
    __global__ void d_##name(double *out, const double *a, const double *b) {                                     \
        out[index()] = name(a[index()], b[index()]);                                                              \
    }

BINARY(pow) BINARY(atan2) BINARY(fmod) BINARY(hypot) BINARY(fmin) BINARY(fmax) BINARY(copysign) BINARY(fdim)
BINARY(remainder) BINARY(nextafter)

// C++ overloads of the C names, for both types.
__global__ void overloads(float *single, double *precise, const float *a, const double *b) {
    int i = index();
    float x = a[i];
    double y = b[i];
    single[i] = sqrt(x) + exp(-x) + abs(-x) + max(x, 1.5f) + floor(x) + fma(x, 2.0f, 1.0f) + pow(x, 2.0f);
    precise[i] = sqrt(y) + exp(-y) + abs(-y) + max(y, 1.5) + floor(y) + fma(y, 2.0, 1.0) + min(y, 2.0);
}

// Both results at once, through pointers.
__global__ void two_results(float *out, double *precise, const float *a) {
    int i = index();
    float *o = out + 6 * i, whole;
    int exponent;
    sincosf(a[i], &o[0], &o[1]);
    o[2] = frexpf(a[i], &exponent);
    o[3] = exponent;
    o[4] = modff(a[i], &whole);
    o[5] = whole;
    double s, c;
    sincos((double)a[i], &s, &c);
    precise[2 * i] = s;
    precise[2 * i + 1] = c;
}

__global__ void scale_by_powers(float *out, double *precise, const float *a) {
    int i = index();
    out[2 * i] = ldexpf(a[i], i % 9 - 4);
    out[2 * i + 1] = scalbnf(a[i], 3);
    precise[i] = ldexp((double)a[i], 40);
}

__global__ void classify(int *out, const float *a) {
    float v = a[index()];
    out[index()] = isnan(v) + 2 * isinf(v) + 4 * isfinite(v) + 8 * (signbit(v) != 0) + 16 * (v == v) +
                   32 * (v < 1.0f) + 64 * !(v >= 1.0f);
}

// What NaN and infinity do in comparisons, minimum and maximum.
__global__ void not_a_number(float *out, const float *a) {
    float v = a[index()], *o = out + 5 * index();
    o[0] = fminf(v, 1.0f);
    o[1] = fmaxf(1.0f, v);
    o[2] = v > 0 ? v : -1.0f;
    o[3] = v * 0.0f;
    o[4] = v - v;
}

// Rounded once, and never fused with what stands beside.
__global__ void rounded_operations(float *out, double *precise, const float *a, const float *b) {
    int i = index();
    float x = a[i], y = b[i], *o = out + 7 * i;
    o[0] = __fadd_rn(__fmul_rn(x, y), x);
    o[1] = __fmaf_rn(x, y, x);
    o[2] = __fsub_rn(x, __fmul_rn(y, y));
    o[3] = __fdiv_rn(x, y);
    o[4] = __frcp_rn(y);
    o[5] = __fsqrt_rn(x);
    o[6] = __saturatef(x - y);
    precise[2 * i] = __dadd_rn(__dmul_rn(x, y), (double)x * 1e-9);
    precise[2 * i + 1] = __fma_rn((double)x, (double)y, 1e-20);
}

// Fast and rough.
__global__ void fast_intrinsics(float *out, const float *a, const float *b) {
    int i = index();
    float x = a[i], y = b[i], *o = out + 9 * i;
    o[0] = __sinf(x);
    o[1] = __cosf(x);
    o[2] = __expf(x);
    o[3] = __logf(x);
    o[4] = __powf(x, y);
    o[5] = __fdividef(x, y);
    o[6] = __log2f(x);
    o[7] = __exp10f(x);
    o[8] = __frsqrt_rn(x);
}

// Division, remainder and constants in float and double.
__global__ void plain_arithmetic(float *out, double *precise, const float *a, const float *b) {
    int i = index();
    out[i] = a[i] / b[i];
    precise[2 * i] = (double)a[i] / b[i];
    precise[2 * i + 1] = 0.1 * a[i] + 1.0 / 3.0;
}

// Small numbers are not flushed to zero.
__global__ void denormals(float *out, const float *a) {
    out[2 * index()] = a[index()] * 0.5f;
    out[2 * index() + 1] = a[index()] + a[index()];
}
