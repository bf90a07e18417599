// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of the 16-bit floating-point types and their pairs, by way of float (CUDA Math API, half and
// bfloat16 math functions), what reads and writes them across work-items, and their operators.
#ifndef LANEWISE_NARROW_MATH_H
#define LANEWISE_NARROW_MATH_H

#include "lanewise/narrow_arithmetic.h"

#define __LW_NARROW_MATH_1(family, name, result)                                                                 \
  __LW_DEVICE__ __LW_SCALAR_##family h##name(__LW_SCALAR_##family a) {                                           \
    float x = a.__x;                                                                                             \
    return __builtin_bit_cast(__LW_SCALAR_##family, static_cast<__LW_NATIVE_##family>(result));                  \
  }                                                                                                              \
  __LW_DEVICE__ __LW_PAIR_##family h2##name(__LW_PAIR_##family a) {                                              \
    __LW_PARTS_##family r = __builtin_bit_cast(__LW_PARTS_##family, a);                                          \
    float x = r.x;                                                                                               \
    r.x = static_cast<__LW_NATIVE_##family>(result);                                                             \
    x = r.y;                                                                                                     \
    r.y = static_cast<__LW_NATIVE_##family>(result);                                                             \
    return __builtin_bit_cast(__LW_PAIR_##family, r);                                                            \
  }

#define __LW_NARROW_MATH(family)                                                                                 \
  __LW_NARROW_MATH_1(family, ceil, __builtin_ceilf(x))                                                           \
  __LW_NARROW_MATH_1(family, floor, __builtin_floorf(x))                                                         \
  __LW_NARROW_MATH_1(family, rint, __builtin_rintf(x))                                                           \
  __LW_NARROW_MATH_1(family, trunc, __builtin_truncf(x))                                                         \
  __LW_NARROW_MATH_1(family, sqrt, __builtin_sqrtf(x))                                                           \
  __LW_NARROW_MATH_1(family, rsqrt, 1.f / __builtin_sqrtf(x))                                                    \
  __LW_NARROW_MATH_1(family, rcp, 1.f / x)                                                                       \
  __LW_NARROW_MATH_1(family, exp, __expf(x))                                                                     \
  __LW_NARROW_MATH_1(family, exp2, __nvvm_ex2_approx_f(x))                                                       \
  __LW_NARROW_MATH_1(family, exp10, __exp10f(x))                                                                 \
  __LW_NARROW_MATH_1(family, log, __logf(x))                                                                     \
  __LW_NARROW_MATH_1(family, log2, __log2f(x))                                                                   \
  __LW_NARROW_MATH_1(family, log10, __log10f(x))                                                                 \
  __LW_NARROW_MATH_1(family, sin, sinf(x))                                                                       \
  __LW_NARROW_MATH_1(family, cos, cosf(x))                                                                       \
  __LW_NARROW_MATH_1(family, tanh, tanhf(x))                                                                     \
  __LW_NARROW_MATH_1(family, tanh_approx, __tanhf(x))

// -- across work-items

#define __LW_NARROW_SHUFFLE(type, bits, name, lane_type)                                                         \
  __LW_WARP__ type name(unsigned int mask, type value, lane_type lane, int width = 32) {                         \
    unsigned int word = __builtin_bit_cast(bits, value);                                                         \
    return __builtin_bit_cast(type, static_cast<bits>(name(mask, word, lane, width)));                           \
  }
#define __LW_NARROW_SHUFFLES(type, bits)                                                                         \
  __LW_NARROW_SHUFFLE(type, bits, __shfl_sync, int)                                                              \
  __LW_NARROW_SHUFFLE(type, bits, __shfl_up_sync, unsigned int)                                                  \
  __LW_NARROW_SHUFFLE(type, bits, __shfl_down_sync, unsigned int)                                                \
  __LW_NARROW_SHUFFLE(type, bits, __shfl_xor_sync, int)

// Pairs are added number by number, as CUDA says. bfloat16 goes by compare and swap: few targets add it in memory.
#define __LW_NARROW_ATOMIC_PAIR(pair)                                                                            \
  __LW_DEVICE__ pair atomicAdd(pair *address, pair value) {                                                      \
    pair before;                                                                                                 \
    before.x = atomicAdd(&address->x, value.x);                                                                  \
    before.y = atomicAdd(&address->y, value.y);                                                                  \
    return before;                                                                                               \
  }

// -- operators

#define __LW_NARROW_OPERATOR(type, operation, function)                                                          \
  __LW_HOST_DEVICE__ type operator operation(type a, type b) { return function(a, b); }                          \
  __LW_HOST_DEVICE__ type &operator operation##=(type &a, type b) { return a = function(a, b); }
#define __LW_NARROW_OPERATORS(type, two, div, one)                                                               \
  __LW_NARROW_OPERATOR(type, +, __hadd##two)                                                                     \
  __LW_NARROW_OPERATOR(type, -, __hsub##two)                                                                     \
  __LW_NARROW_OPERATOR(type, *, __hmul##two)                                                                     \
  __LW_NARROW_OPERATOR(type, /, div)                                                                             \
  __LW_HOST_DEVICE__ type operator+(type a) { return a; }                                                        \
  __LW_HOST_DEVICE__ type operator-(type a) { return __hneg##two(a); }                                           \
  __LW_HOST_DEVICE__ type &operator++(type &a) { return a = __hadd##two(a, one); }                               \
  __LW_HOST_DEVICE__ type &operator--(type &a) { return a = __hsub##two(a, one); }                               \
  __LW_HOST_DEVICE__ type operator++(type &a, int) {                                                             \
    type before = a;                                                                                             \
    ++a;                                                                                                         \
    return before;                                                                                               \
  }                                                                                                              \
  __LW_HOST_DEVICE__ type operator--(type &a, int) {                                                             \
    type before = a;                                                                                             \
    --a;                                                                                                         \
    return before;                                                                                               \
  }
#define __LW_NARROW_RELATIONS(type, b, two)                                                                      \
  __LW_HOST_DEVICE__ bool operator==(type x, type y) { return __h##b##eq##two(x, y); }                           \
  __LW_HOST_DEVICE__ bool operator!=(type x, type y) { return __h##b##neu##two(x, y); }                          \
  __LW_HOST_DEVICE__ bool operator<(type x, type y) { return __h##b##lt##two(x, y); }                            \
  __LW_HOST_DEVICE__ bool operator<=(type x, type y) { return __h##b##le##two(x, y); }                           \
  __LW_HOST_DEVICE__ bool operator>(type x, type y) { return __h##b##gt##two(x, y); }                            \
  __LW_HOST_DEVICE__ bool operator>=(type x, type y) { return __h##b##ge##two(x, y); }

#endif
