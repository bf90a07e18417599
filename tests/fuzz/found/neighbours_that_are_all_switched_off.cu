// grid 1, block 16, data 0
// A branch asked whether addresses are neighbours of which no lane was active, and that were poison.
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
constexpr unsigned ITEMS = 16, SIZE = 16;
__shared__ unsigned swapped[2][ITEMS];
__device__  unsigned long long plain0(unsigned long long x, const unsigned &y, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x = (unsigned long long)y;
}
__device__ __forceinline__ short plain1a(short x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x;
}
__device__ __noinline__ short plain1b(short x, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x;
}
using Pointer1 = short (*)(short, const unsigned *, const float *, int, int, unsigned);
__device__ const Pointer1 pointers1[2] = {plain1a, plain1b};
__device__ short plain1(short x, unsigned which, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    return pointers1[which & 1](x, in, fin, n, m, item);
}
__device__ __forceinline__ unsigned plain2(unsigned x, int &&y, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x = (unsigned)y;
}
__device__ __forceinline__ unsigned __int128 helper0(unsigned __int128 x, int u, const unsigned *in, const float *fin, int n, int m, unsigned item, unsigned group, int &phase, unsigned long long *own, unsigned *totals, unsigned *words) {
    {
    }
    return x;
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words, unsigned long long *lines,
                       float *wave) {
    __shared__ unsigned __int128 shared0[ITEMS];
    struct Cell1 { float a; Pair pair; };
    __shared__ Cell1 shared1[ITEMS];
    __shared__ int counters0[4];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned place = group * ITEMS + item;
    unsigned long long *own = out + 4 * place;
    words += 4 * place;
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[place & 63];
    float f = fin[item & 63];
    unsigned char b = (unsigned char)item;
    Box<long long> kept0(n);
    const unsigned lane = item % 32;
    __shared__ unsigned mail[ITEMS];
    volatile __shared__ unsigned old_mail[ITEMS];
    const unsigned live = item / 32 < ITEMS / 32 ? 0xffffffffu : (1u << ITEMS % 32) - 1;
    swapped[0][item] = swapped[1][item] = 0;
    shared0[ITEMS - 1 - (item)] = (unsigned __int128)in[item & 63];
    shared1[item].a = (float)in[item & 63];
    shared1[item].pair.s = (short)in[item & 63];
    for (int e = 0; item == 0 && e < 4; ++e) counters0[e] = (int)(in[e] & 255);
    __syncthreads();
    {
        {
            const unsigned here1 = __ballot_sync(live, true);
            const unsigned from2 = item - lane + nth_lane(here1, ((item / 32) & __float_as_uint(ordered(fin[threadIdx.y]))));
            old_mail[item] = a;
            const unsigned v3 = old_mail[from2];
            a = v3;
        }
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)__float_as_uint(ordered(f));
    own[2] += (unsigned long long)b;
    own[3] += (unsigned long long)kept0.value;
    own[0] += phase + u0 + 2 * u1;
}
