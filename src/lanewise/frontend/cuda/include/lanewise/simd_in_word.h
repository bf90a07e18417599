// SPDX-License-Identifier: Apache-2.0
// SIMD within a 32-bit word: two halfwords (__v*2) or four bytes (__v*4) at once (CUDA Math API, SIMD intrinsics).
// s: signed, u: unsigned, ss and us: with saturation.
#ifndef LANEWISE_SIMD_IN_WORD_H
#define LANEWISE_SIMD_IN_WORD_H

#include "lanewise/qualifiers.h"

typedef short __lw_s2 __attribute__((ext_vector_type(2)));
typedef unsigned short __lw_u2 __attribute__((ext_vector_type(2)));
typedef signed char __lw_s4 __attribute__((ext_vector_type(4)));
typedef unsigned char __lw_u4 __attribute__((ext_vector_type(4)));

// In what follows, a and b are a word's parts; a comparison gives parts of all ones or of zeros.
#define __LW_UNARY(name, parts, result)                                                                          \
  __LW_DEVICE__ unsigned int name(unsigned int x) {                                                              \
    parts a = __builtin_bit_cast(parts, x);                                                                      \
    return __builtin_bit_cast(unsigned int, result);                                                             \
  }
#define __LW_BINARY(name, parts, result)                                                                         \
  __LW_DEVICE__ unsigned int name(unsigned int x, unsigned int y) {                                              \
    parts a = __builtin_bit_cast(parts, x), b = __builtin_bit_cast(parts, y);                                    \
    return __builtin_bit_cast(unsigned int, result);                                                             \
  }
#define __LW_COMPARE(relation, sign, n, parts, operation)                                                        \
  __LW_BINARY(__vcmp##relation##sign##n, parts, (a operation b))                                                 \
  __LW_BINARY(__vset##relation##sign##n, parts, ((a operation b) & 1))
#define __LW_ORDER(n, sign, parts)                                                                               \
  __LW_COMPARE(ge, sign, n, parts, >=)                                                                           \
  __LW_COMPARE(gt, sign, n, parts, >)                                                                            \
  __LW_COMPARE(le, sign, n, parts, <=)                                                                           \
  __LW_COMPARE(lt, sign, n, parts, <)                                                                            \
  __LW_BINARY(__vmax##sign##n, parts, __builtin_elementwise_max(a, b))                                           \
  __LW_BINARY(__vmin##sign##n, parts, __builtin_elementwise_min(a, b))

// The average of signed parts rounds up where their sum is not negative, else down; that of unsigned parts rounds up,
// or down (h). All are made of the parts' halves, which need no further bit.
#define __LW_PARTS(n, signed_parts, unsigned_parts)                                                              \
  __LW_BINARY(__vadd##n, unsigned_parts, (a + b))                                                                \
  __LW_BINARY(__vaddss##n, signed_parts, __builtin_elementwise_add_sat(a, b))                                    \
  __LW_BINARY(__vaddus##n, unsigned_parts, __builtin_elementwise_add_sat(a, b))                                  \
  __LW_BINARY(__vsub##n, unsigned_parts, (a - b))                                                                \
  __LW_BINARY(__vsubss##n, signed_parts, __builtin_elementwise_sub_sat(a, b))                                    \
  __LW_BINARY(__vsubus##n, unsigned_parts, __builtin_elementwise_sub_sat(a, b))                                  \
  __LW_UNARY(__vneg##n, unsigned_parts, (0 - a))                                                                 \
  __LW_UNARY(__vnegss##n, signed_parts, __builtin_elementwise_sub_sat(a ^ a, a))                                 \
  __LW_UNARY(__vabs##n, signed_parts, __builtin_elementwise_abs(a))                                              \
  __LW_UNARY(__vabsss##n, signed_parts, __builtin_elementwise_max(a, __builtin_elementwise_sub_sat(a ^ a, a)))   \
  __LW_BINARY(__vabsdiffs##n, signed_parts,                                                                      \
              (__builtin_convertvector(__builtin_elementwise_max(a, b), unsigned_parts) -                        \
               __builtin_convertvector(__builtin_elementwise_min(a, b), unsigned_parts)))                        \
  __LW_BINARY(__vabsdiffu##n, unsigned_parts, (__builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))) \
  __LW_BINARY(__vavgu##n, unsigned_parts, ((a | b) - ((a ^ b) >> 1)))                                            \
  __LW_BINARY(__vhaddu##n, unsigned_parts, ((a & b) + ((a ^ b) >> 1)))                                           \
  __LW_BINARY(__vavgs##n, signed_parts, (((a & b) + ((a ^ b) >> 1)) +                                            \
                                         ((a ^ b) & 1 & ~(((a & b) + ((a ^ b) >> 1)) < 0))))                     \
  __LW_COMPARE(eq, , n, unsigned_parts, ==)                                                                      \
  __LW_COMPARE(ne, , n, unsigned_parts, !=)                                                                      \
  __LW_ORDER(n, s, signed_parts)                                                                                 \
  __LW_ORDER(n, u, unsigned_parts)

__LW_PARTS(2, __lw_s2, __lw_u2)
__LW_PARTS(4, __lw_s4, __lw_u4)

// The sum of the absolute differences of all parts.
__LW_DEVICE__ unsigned int __vsadu2(unsigned int x, unsigned int y) {
  unsigned int d = __vabsdiffu2(x, y);
  return (d & 0xffff) + (d >> 16);
}
__LW_DEVICE__ unsigned int __vsads2(unsigned int x, unsigned int y) {
  unsigned int d = __vabsdiffs2(x, y);
  return (d & 0xffff) + (d >> 16);
}
__LW_DEVICE__ unsigned int __vsadu4(unsigned int x, unsigned int y) {
  unsigned int d = __vabsdiffu4(x, y), pairs = (d & 0xff00ff) + (d >> 8 & 0xff00ff);
  return (pairs & 0xffff) + (pairs >> 16);
}
__LW_DEVICE__ unsigned int __vsads4(unsigned int x, unsigned int y) {
  unsigned int d = __vabsdiffs4(x, y), pairs = (d & 0xff00ff) + (d >> 8 & 0xff00ff);
  return (pairs & 0xffff) + (pairs >> 16);
}

#undef __LW_UNARY
#undef __LW_BINARY
#undef __LW_COMPARE
#undef __LW_ORDER
#undef __LW_PARTS

#endif
