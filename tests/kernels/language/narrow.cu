// SPDX-License-Identifier: Apache-2.0
// Half precision and bfloat16: each kernel is a template over both.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ inline int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T> struct PairOf;
template <> struct PairOf<__half> { typedef __half2 type; };
template <> struct PairOf<__nv_bfloat16> { typedef __nv_bfloat162 type; };

// The sign and payload of a NaN are the target's own.
template <class T> __device__ unsigned short number(T x) {
    return __hisnan(x) ? 0x7fff : __builtin_bit_cast(unsigned short, x);
}
template <class T2> __device__ void pair(unsigned short *&o, T2 x) {
    *o++ = number(x.x);
    *o++ = number(x.y);
}

template <class T>
__global__ void arithmetic(unsigned short *out, const T *a, const T *b, const T *c) {
    typedef typename PairOf<T>::type T2;
    T x = a[index()], y = b[index()], z = c[index()];
    T2 p(x, y), q(y, z), r(z, x);
    unsigned short *o = out + 54 * index();
    pair(o, T2(__hadd(x, y), __hsub(x, y)));
    pair(o, T2(__hmul(x, y), __hdiv(x, y)));
    pair(o, T2(__hfma(x, y, z), __hfma_relu(x, y, z)));
    pair(o, T2(__hadd_sat(x, y), __hsub_sat(x, y)));
    pair(o, T2(__hmul_sat(x, y), __hfma_sat(x, y, z)));
    pair(o, T2(__hmax(x, y), __hmin(x, y)));
    pair(o, T2(__hmax_nan(x, y), __hmin_nan(x, y)));
    pair(o, T2(__hneg(x), __habs(x)));
    pair(o, __hadd2(p, q));
    pair(o, __hsub2_rn(p, q));
    pair(o, __hmul2(p, q));
    pair(o, __h2div(p, q));
    pair(o, __hfma2(p, q, r));
    pair(o, __hfma2_relu(p, q, r));
    pair(o, __hadd2_sat(p, q));
    pair(o, __hfma2_sat(p, q, r));
    pair(o, __hmax2(p, q));
    pair(o, __hmin2(p, q));
    pair(o, __hmax2_nan(p, q));
    pair(o, __hneg2(p));
    pair(o, __habs2(p));
    pair(o, p + q);
    p *= q;
    pair(o, p);
    pair(o, T2(x - y, -z));
    pair(o, __hcmadd(q, r, T2(x, y)));
    x /= y;
    ++z;
    pair(o, T2(x, z));
    y--;
    pair(o, T2(y, z--));
}
template __global__ void arithmetic(unsigned short *, const __half *, const __half *, const __half *);
template __global__ void arithmetic(unsigned short *, const __nv_bfloat16 *, const __nv_bfloat16 *,
                                    const __nv_bfloat16 *);

#define RELATIONS(of) of(eq) of(ne) of(lt) of(le) of(gt) of(ge) of(equ) of(neu) of(ltu) of(leu) of(gtu) of(geu)
#define RELATION(name)                                                                                           \
    *o++ = __h##name(x, y) | __hb##name##2(p, q) << 1 | (__h##name##2_mask(p, q) & 0x40004000) >> 12 |           \
           __heq(__h##name##2(p, q).y, one) << 20;

template <class T> __global__ void comparisons(unsigned *out, const T *a, const T *b) {
    typedef typename PairOf<T>::type T2;
    T x = a[index()], y = b[index()], one(1.f);
    T2 p(x, y), q(y, y);
    unsigned *o = out + 13 * index();
    RELATIONS(RELATION)
    *o = (x == y) | (x != y) << 1 | (x < y) << 2 | (x >= y) << 3 | (p == q) << 4 | (p != q) << 5 | __hisnan(x) << 6 |
         (__hisinf(x) & 3) << 7 | bool(x) << 9;
}
template __global__ void comparisons(unsigned *, const __half *, const __half *);
template __global__ void comparisons(unsigned *, const __nv_bfloat16 *, const __nv_bfloat16 *);

#define CONVERSIONS(tok, tok2, T, T2)                                                                            \
    __global__ void to_##tok(unsigned short *out, const float *a, const double *b, const long long *c) {         \
        float f = a[index()];                                                                                    \
        double d = b[index()];                                                                                   \
        long long l = c[index()];                                                                                \
        int i = l >> 20;                                                                                         \
        unsigned short *o = out + 32 * index();                                                                  \
        TO(rn, tok) TO(rz, tok) TO(ru, tok) TO(rd, tok)                                                          \
        *o++ = number(__double2##tok(d));                                                                        \
        pair(o, __floats2##tok2##_rn(f, d));                                                                     \
        *o++ = number(T(l));                                                                                     \
    }                                                                                                            \
    __global__ void from_##tok(long long *out, float *floats, const T *a) {                                      \
        T x = a[index()];                                                                                        \
        long long *o = out + 28 * index();                                                                       \
        FROM(rn, tok) FROM(rz, tok) FROM(ru, tok) FROM(rd, tok)                                                  \
        *o++ = __##tok##2char_rz(x);                                                                             \
        *o++ = __##tok##2uchar_rz(x);                                                                            \
        *o++ = int(x);                                                                                           \
        *o++ = (unsigned short)x;                                                                                \
        float f = __##tok##2float(x);                                                                            \
        floats[index()] = f == f ? f : 0.f;                                                                      \
    }                                                                                                            \
    __global__ void moved_##tok(unsigned short *out, const T2 *a, const T2 *b) {                                 \
        T2 x = a[index()], y = b[index()];                                                                       \
        T2 *o = reinterpret_cast<T2 *>(out) + 8 * index();                                                       \
        o[0] = __lows2##tok2(x, y);                                                                              \
        o[1] = __highs2##tok2(x, y);                                                                             \
        o[2] = __lowhigh2highlow(x);                                                                             \
        o[3] = __low2##tok2(x);                                                                                  \
        o[4] = __high2##tok2(y);                                                                                 \
        o[5] = __halves2##tok2(__low2##tok(y), __high2##tok(x));                                                 \
        o[6] = make_##tok2(__ushort_as_##tok(__##tok##_as_ushort(y.x) ^ 1), __ldg(&b[index()].y));               \
        o[7] = __##tok##2##tok2(__short_as_##tok(__##tok##_as_short(x.y)));                                      \
    }
#define TO(mode, tok)                                                                                            \
    *o++ = number(__float2##tok##_##mode(f));                                                                    \
    *o++ = number(__int2##tok##_##mode(i));                                                                      \
    *o++ = number(__uint2##tok##_##mode(i));                                                                     \
    *o++ = number(__ll2##tok##_##mode(l));                                                                       \
    *o++ = number(__ull2##tok##_##mode(l));                                                                      \
    *o++ = number(__short2##tok##_##mode(i));                                                                    \
    *o++ = number(__ushort2##tok##_##mode(i));
#define FROM(mode, tok)                                                                                          \
    *o++ = __##tok##2int_##mode(x);                                                                              \
    *o++ = __##tok##2uint_##mode(x);                                                                             \
    *o++ = __##tok##2ll_##mode(x);                                                                               \
    *o++ = __##tok##2ull_##mode(x);                                                                              \
    *o++ = __##tok##2short_##mode(x);                                                                            \
    *o++ = __##tok##2ushort_##mode(x);

CONVERSIONS(half, half2, __half, __half2)
CONVERSIONS(bfloat16, bfloat162, __nv_bfloat16, __nv_bfloat162)

template <class T> __global__ void functions(unsigned short *out, const T *a) {
    T x = a[index()];
    unsigned short *o = out + 8 * index();
    *o++ = number(hceil(x));
    *o++ = number(hfloor(x));
    *o++ = number(hrint(x));
    *o++ = number(htrunc(x));
    *o++ = number(hsqrt(x));
    *o++ = number(hrsqrt(x));
    *o++ = number(hrcp(x));
    *o++ = number(h2rcp(typename PairOf<T>::type(x, x)).y);
}
template __global__ void functions(unsigned short *, const __half *);
template __global__ void functions(unsigned short *, const __nv_bfloat16 *);

// All work-items of a group add to one place, and to one pair.
template <class T> __global__ void sums(T *out, const T *in) {
    typedef typename PairOf<T>::type T2;
    T *own = out + 4 * blockIdx.x;
    T x = in[index()];
    atomicAdd(own, x);
    atomicAdd(reinterpret_cast<T2 *>(own + 2), T2(x, T(1.f)));
}
template __global__ void sums(__half *, const __half *);
template __global__ void sums(__nv_bfloat16 *, const __nv_bfloat16 *);
