// SPDX-License-Identifier: Apache-2.0
// Dot products of four integers of 8 bits, in vectors and packed into 32 bits (cl_khr_integer_dot_product). They are exact
// in 32 bits; adding to an accumulator saturates.
#include "types.h"

#define PRODUCTS(left, right, result, suffix)                                                                         \
  OVERLOAD result dot(left x, right y) {                                                                              \
    return (result)(x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w);                                                   \
  }                                                                                                                   \
  OVERLOAD result dot_acc_sat(left x, right y, result sum) { return __builtin_elementwise_add_sat(dot(x, y), sum); }  \
  OVERLOAD result dot_4x8packed_##suffix(uint x, uint y) { return dot(as_##left(x), as_##right(y)); }                 \
  OVERLOAD result dot_acc_sat_4x8packed_##suffix(uint x, uint y, result sum) {                                        \
    return dot_acc_sat(as_##left(x), as_##right(y), sum);                                                             \
  }
PRODUCTS(uchar4, uchar4, uint, uu_uint)
PRODUCTS(char4, char4, int, ss_int)
PRODUCTS(uchar4, char4, int, us_int)
PRODUCTS(char4, uchar4, int, su_int)
