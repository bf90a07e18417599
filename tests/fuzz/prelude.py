# SPDX-License-Identifier: Apache-2.0
"""What every source of a random kernel begins with: types, and functions over all types."""

from typing import Final

TABLE: Final = 16
"""Elements of `table`, in constant memory."""

PRELUDE: Final = """\
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
"""
"""`bounded` and `ordered` keep conversions to integers defined, also of NaNs. `..._source` is the lane that a shuffle
reads: PTX ISA, "shfl.sync"."""
