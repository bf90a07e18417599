// grid 2, block 3 7 3, data 1
#include <assert.h>
#include <cuda_fp16.h>
#include <stdio.h>
template <typename T> __device__ T ordered(T x) { return x == x ? x : T(0); }
template <typename T> __device__ int bounded(T x) { return x > T(-1e9) && x < T(1e9) ? (int)x : 0; }
template <typename T> __device__ bool has_quotient(T a, T b) { return b != 0 && !(T(-1) < T(0) && b == T(-1)); }
template <typename T> __device__ T divided(T a, T b) { return has_quotient(a, b) ? a / b : a; }
template <typename T> __device__ T remainder(T a, T b) { return has_quotient(a, b) ? a % b : b; }
struct Pair { unsigned a; float f; short s; double d; };
struct Options { int a; float f; short s; long long l; };
struct Bits { unsigned a : 5; int b : 11; unsigned c : 16; unsigned long long d : 37; signed char e : 3; };
union Word { unsigned u; int i; unsigned short h[2]; unsigned char b[4]; };
struct Nested { Pair pair; uint2 v; union { unsigned u; int i; }; struct { signed char c; long long l; } list[2]; };
template <typename T> struct Box {
    T value;
    __device__ Box(T v) : value(v) {}
    __device__ Box operator+(const Box &other) const { return Box(value ^ other.value); }
    __device__ Box &operator=(const T &v) { value = v; return *this; }
    __device__ operator T() const { return value; }
};
template <typename T> __device__ __noinline__ T passed(T x) { return x; }
template <typename T> __device__ T either(bool which, T x, T y) { return which ? x : y; }
template <typename T> __device__ __noinline__ void exchange(T &x, T &y) { T z = x; x = y; y = z; }
template <typename T, int N> __device__ void exchange(T (&x)[N], T (&y)[N]) {
    for (int i = 0; i < N; ++i) exchange(x[i], y[i]);
}
template <typename T> __device__ T *later(T *first, unsigned steps) {
    for (; steps > 0; --steps) ++first;
    return first;
}
template <int N, typename T> __device__ T folded(const T *list, T x) {
    if constexpr (N == 0) return x;
    else return folded<N - 1>(list, T(x ^ list[N - 1]));
}
__device__ void add_by_cas(unsigned *place, unsigned x) {
    for (unsigned seen = *place, old; (old = atomicCAS(place, seen, seen + x)) != seen; seen = old) {}
}
__device__ unsigned nth_lane(unsigned mask, unsigned n) {
    for (n %= __popc(mask); n > 0; --n) mask &= mask - 1;
    return __ffs(mask) - 1;
}
__device__ unsigned idx_source(unsigned lane, unsigned d, unsigned width) {
    return (lane & ~(width - 1)) | (d & (width - 1));
}
__device__ unsigned up_source(unsigned lane, unsigned d, unsigned width) {
    return (lane & (width - 1)) >= d ? lane - d : lane;
}
__device__ unsigned down_source(unsigned lane, unsigned d, unsigned width) {
    return (lane & (width - 1)) + d < width ? lane + d : lane;
}
__device__ unsigned xor_source(unsigned lane, unsigned d, unsigned width) {
    return (lane ^ d) <= (lane | (width - 1)) ? lane ^ d : lane;
}
__constant__ unsigned table[16] = {7, 0, 1, 0x80000000u, 3, ~0u, 100, 5, 2, 9, 0xdeadbeefu, 64, 31, 8, 1, 12345};
constexpr unsigned ITEMS = 63, SIZE = 126;
__shared__ unsigned char swapped[2][ITEMS];
__device__  unsigned char plain0a(unsigned char x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x;
}
__device__  unsigned char plain0b(unsigned char x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x;
}
using Pointer0 = unsigned char (*)(unsigned char, const unsigned *, const float *, int, int, unsigned);
__device__ Pointer0 pointers0[2] = {plain0a, plain0b};
__device__ unsigned char plain0(unsigned char x, unsigned which, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return pointers0[which & 1](x, in, fin, n, m, item);
}
__device__ inline unsigned short plain1(unsigned short x, __half y, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x = (unsigned short)bounded(__half2float(y));
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    __shared__ __int128 shared0[(ITEMS - 1) / 1 + 1][1];
    __shared__ unsigned long long counters0[4];
    __shared__ unsigned counters1[4];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    words += 4 * place;
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[place & 63];
    float2 kept0 = make_float2(1.5f, fin[item & 63]);
    Nested kept1 = {};
    long long *line0 = (long long *)(lines + 0 * 2 * SIZE);
    long long *line1 = (long long *)(lines + 1 * 2 * SIZE);
    const unsigned lane = item % 32;
    __shared__ unsigned char mail[ITEMS];
    volatile __shared__ unsigned old_mail[ITEMS];
    const unsigned live = item / 32 < ITEMS / 32 ? 0xffffffffu : (1u << ITEMS % 32) - 1;
    swapped[0][item] = swapped[1][item] = 0;
    shared0[(item) / 1][(item) % 1] = (__int128)in[item & 63];
    for (int e = 0; item == 0 && e < 4; ++e) counters0[e] = (unsigned long long)(in[e] & 255);
    for (int e = 0; item == 0 && e < 4; ++e) counters1[e] = (unsigned)(in[e] & 255);
    __syncthreads();
    {
        {
            const bool q1 = (__funnelshift_lc(in[item / 4 + 5], kept1.u, lane & 63) & 4);
            const unsigned in2 = __ballot_sync(live, q1);
            if (q1)
            {
                {
                    const unsigned here3 = __ballot_sync(in2, true);
                    const unsigned d5 = a & 31;
                    const float v4 = __shfl_xor_sync(in2, (float)kept0.x, d5, 32);
                    if (here3 >> xor_source(lane, d5, 32) & 1) a = __float_as_uint(ordered(v4));
                }
            }
        }
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)__float_as_uint(ordered(kept0.x));
    own[2] += (unsigned long long)__float_as_uint(ordered(kept0.y));
    own[3] += (unsigned long long)__float_as_uint(ordered(kept1.pair.f));
    own[0] += (unsigned long long)kept1.v.y;
    own[1] += (unsigned long long)kept1.i;
    own[2] += (unsigned long long)kept1.u;
    own[3] += (unsigned long long)kept1.list[1].l;
    own[0] += (unsigned long long)kept1.list[item & 1].c;
    own[1] += (unsigned long long)__float_as_uint(ordered(options.f));
    own[2] += (unsigned long long)options.l;
    own[3] += (unsigned long long)line0[SIZE - 1 - place];
    own[0] += (unsigned long long)line1[2 * place + 1];
    own[0] += phase + u0 + 2 * u1;
}
