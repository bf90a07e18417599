// grid 1, block 16, data 0
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
__constant__ unsigned table[16] = {7, 0, 1, 0x80000000u, 3, ~0u, 100, 5, 2, 9, 0xdeadbeefu, 64, 31, 8, 1, 12345};
constexpr unsigned ITEMS = 16;
__shared__ unsigned swapped[2][ITEMS];
__device__ __forceinline__ __half plain0(__half x, __int128 y, const unsigned *in, const float *fin, int n, int m, unsigned item) {
    {
    }
    return x = __float2half((float)y);
}
__device__ __forceinline__ unsigned helper0(unsigned x, int u, const unsigned *in, const float *fin, int n, int m, unsigned item, unsigned group, int &phase, unsigned long long *own, unsigned *totals, unsigned *words) {
    {
    }
    return x;
}
__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,
                       int n, int m, Options options, unsigned *words) {
    __shared__ float shared0[ITEMS];
    __shared__ unsigned long long counters0[4];
    __shared__ unsigned long long counters1[4];
    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned long long *own = out + 4 * (group * ITEMS + item);
    words += 4 * (group * ITEMS + item);
    int phase = 0, u0 = m, u1 = 1;
    unsigned a = in[(group * ITEMS + item) & 63];
    float f = fin[item & 63];
    Word kept0 = {in[item & 63]};
    Pair kept1[3] = {{item}, {1, 2.0f}};
    swapped[0][item] = swapped[1][item] = 0;
    shared0[item] = (float)in[item & 63];
    for (int e = 0; item == 0 && e < 4; ++e) counters0[e] = (unsigned long long)(in[e] & 255);
    for (int e = 0; item == 0 && e < 4; ++e) counters1[e] = (unsigned long long)(in[e] & 255);
    __syncthreads();
    {
        unsigned v1 = (unsigned)__half_as_ushort(ordered(plain0(__double2half((double)f), (((__int128)kept0.b[2] & 1023) * ((__int128)bounded(shared0[item]) & 1023)), in, fin, n, m, item)));
        __syncthreads();
        {
            {
                int r2 = 0;
                do {
                    ++r2;
                    {
                        assert(!(__brev(v1) % 61 == 60));
                    }
                } while (r2 < (((int)(in[m & 63] & 7) & 3)));
            }
        }
        __syncthreads();
    }
tail:
    {
    }
done:
    own[0] += (unsigned long long)a;
    own[1] += (unsigned long long)__float_as_uint(ordered(f));
    own[2] += (unsigned long long)kept0.u;
    own[3] += (unsigned long long)kept0.i;
    own[0] += (unsigned long long)kept0.h[1];
    own[1] += (unsigned long long)kept0.b[2];
    own[2] += (unsigned long long)kept0.b[item & 3];
    own[3] += (unsigned long long)kept1[1].a;
    own[0] += (unsigned long long)__float_as_uint(ordered(kept1[item % 3].f));
    own[1] += (unsigned long long)kept1[item % 3].a;
    own[2] += (unsigned long long)later(kept1, item % 3)->s;
    own[0] += phase + u0 + 2 * u1;
}
