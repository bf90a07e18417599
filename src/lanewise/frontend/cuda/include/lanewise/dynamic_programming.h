// SPDX-License-Identifier: Apache-2.0
// DPX: additions, minima and maxima for dynamic programming, on 32-bit numbers and on pairs of 16-bit ones (CUDA C++
// Programming Guide, "DPX"). Sums wrap around. _relu: at least 0.
#ifndef LANEWISE_DYNAMIC_PROGRAMMING_H
#define LANEWISE_DYNAMIC_PROGRAMMING_H

#include "lanewise/simd_in_word.h"

// word: the type of parameters and results; parts: what is computed with; ext: max or min.
#define __LW_THREE(kind, word, parts, ext)                                                                       \
  __LW_DEVICE__ word __vi##ext##3_##kind(word a, word b, word c) {                                               \
    parts p = __builtin_bit_cast(parts, a), q = __builtin_bit_cast(parts, b), r = __builtin_bit_cast(parts, c);  \
    return __builtin_bit_cast(word, __builtin_elementwise_##ext(__builtin_elementwise_##ext(p, q), r));          \
  }                                                                                                              \
  __LW_DEVICE__ word __viadd##ext##_##kind(word a, word b, word c) {                                             \
    parts p = __builtin_bit_cast(parts, __lw_sum_##kind(a, b)), r = __builtin_bit_cast(parts, c);                \
    return __builtin_bit_cast(word, __builtin_elementwise_##ext(p, r));                                          \
  }
#define __LW_RELU(kind, word, parts, ext)                                                                        \
  __LW_DEVICE__ word __vi##ext##_##kind##_relu(word a, word b) {                                                 \
    parts p = __builtin_bit_cast(parts, a), q = __builtin_bit_cast(parts, b), zero = p ^ p;                      \
    return __builtin_bit_cast(word, __builtin_elementwise_max(__builtin_elementwise_##ext(p, q), zero));         \
  }                                                                                                              \
  __LW_DEVICE__ word __vi##ext##3_##kind##_relu(word a, word b, word c) {                                        \
    parts p = __builtin_bit_cast(parts, __vi##ext##3_##kind(a, b, c)), zero = p ^ p;                             \
    return __builtin_bit_cast(word, __builtin_elementwise_max(p, zero));                                         \
  }                                                                                                              \
  __LW_DEVICE__ word __viadd##ext##_##kind##_relu(word a, word b, word c) {                                      \
    parts p = __builtin_bit_cast(parts, __viadd##ext##_##kind(a, b, c)), zero = p ^ p;                           \
    return __builtin_bit_cast(word, __builtin_elementwise_max(p, zero));                                         \
  }
// The predicates say whether the first operand was taken, which it is where both are equal.
#define __LW_CHOICE(ext, relation)                                                                               \
  __LW_DEVICE__ int __vib##ext##_s32(int a, int b, bool *first) { return (*first = a relation b) ? a : b; }      \
  __LW_DEVICE__ unsigned int __vib##ext##_u32(unsigned int a, unsigned int b, bool *first) {                     \
    return (*first = a relation b) ? a : b;                                                                      \
  }                                                                                                              \
  __LW_CHOICE_OF_PAIR(ext, s, relation) __LW_CHOICE_OF_PAIR(ext, u, relation)
#define __LW_CHOICE_OF_PAIR(ext, sign, relation)                                                                 \
  __LW_DEVICE__ unsigned int __vib##ext##_##sign##16x2(unsigned int a, unsigned int b, bool *high, bool *low) {  \
    __lw_##sign##2 p = __builtin_bit_cast(__lw_##sign##2, a), q = __builtin_bit_cast(__lw_##sign##2, b);         \
    *high = p.y relation q.y;                                                                                    \
    *low = p.x relation q.x;                                                                                     \
    return __v##ext##sign##2(a, b);                                                                              \
  }

__LW_DEVICE__ int __lw_sum_s32(int a, int b) {
  return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}
__LW_DEVICE__ unsigned int __lw_sum_u32(unsigned int a, unsigned int b) { return a + b; }
__LW_DEVICE__ unsigned int __lw_sum_s16x2(unsigned int a, unsigned int b) { return __vadd2(a, b); }
__LW_DEVICE__ unsigned int __lw_sum_u16x2(unsigned int a, unsigned int b) { return __vadd2(a, b); }

#define __LW_EXTREME(ext)                                                                                        \
  __LW_THREE(s32, int, int, ext)                                                                                 \
  __LW_THREE(u32, unsigned int, unsigned int, ext)                                                               \
  __LW_THREE(s16x2, unsigned int, __lw_s2, ext)                                                                  \
  __LW_THREE(u16x2, unsigned int, __lw_u2, ext)                                                                  \
  __LW_RELU(s32, int, int, ext)                                                                                  \
  __LW_RELU(s16x2, unsigned int, __lw_s2, ext)
__LW_EXTREME(max)
__LW_EXTREME(min)
__LW_CHOICE(max, >=)
__LW_CHOICE(min, <=)

#undef __LW_THREE
#undef __LW_RELU
#undef __LW_CHOICE
#undef __LW_CHOICE_OF_PAIR
#undef __LW_EXTREME

#endif
