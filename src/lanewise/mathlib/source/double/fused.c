// SPDX-License-Identifier: Apache-2.0
// x * y + z in one rounding, also where no instruction does it.
#include "arithmetic.h"

#if LW_FUSED
PUBLIC double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
#else
typedef unsigned __int128 u128;

// A size other than zero: significand * 2^(exponent - 1075), where the significand has 53 bits.
typedef struct {
  u64 significand;
  i32 exponent;
} parts;

PRIVATE parts take_apart(double x) {
  double size = __builtin_fabs(x);
  i32 denormal = size < 0x1p-1022;
  u64 number = bits(denormal ? size * 0x1p54 : size);
  return (parts){(number & 0xfffffffffffff) | 0x10000000000000, (i32)(number >> 52) - (denormal ? 54 : 0)};
}

// number / 2^count, with the last bit set if a bit is lost.
PRIVATE u128 shift_right(u128 number, i32 count) {
  count = count > 127 ? 127 : count;
  u128 shifted = number >> count;
  return shifted | ((shifted << count) != number);
}

// significand * 2^(exponent - 1075 - 75), rounded to the nearest; its highest bit is set, its last one stands for all
// bits that were lost.
PRIVATE double round_once(u128 significand, i32 exponent) {
  significand = exponent < 1 ? shift_right(significand, 1 - exponent) : significand;
  exponent = exponent < 1 ? 1 : exponent;
  u64 kept = (u64)(significand >> 75);
  u128 rest = significand << 53, half = (u128)1 << 127;
  kept += rest > half || (rest == half && (kept & 1));
  return exponent > 2046 ? INFINITY : from_bits(((u64)(exponent - 1) << 52) + kept);
}

// Both terms as integers of 126 bits, the lower 20 of them zero: shifting the smaller to the greater's exponent then
// loses bits only where the greater keeps its place, so that the last bit may stand for them.
PRIVATE double add_product(double x, double y, double z) {
  parts a = take_apart(x), b = take_apart(y), c = take_apart(z);
  u128 product = (u128)a.significand * b.significand << 20;
  u128 term = (u128)c.significand << 73;
  i32 product_exponent = a.exponent + b.exponent - 1075 + 55, term_exponent = c.exponent + 2;
  i32 difference = product_exponent - term_exponent;
  term = difference > 0 ? shift_right(term, difference) : term;
  product = difference < 0 ? shift_right(product, -difference) : product;
  i32 exponent = difference > 0 ? product_exponent : term_exponent;

  u64 product_sign = (bits(x) ^ bits(y)) >> 63, term_sign = bits(z) >> 63;
  u128 apart = product > term ? product - term : term - product;
  u128 sum = product_sign == term_sign ? product + term : apart;
  u64 sign = product > term ? product_sign : term_sign;
  u64 upper = (u64)(sum >> 64), lower = (u64)sum;
  i32 zeros = upper ? __builtin_clzll(upper) : 64 + __builtin_clzll(lower | 1);
  double size = round_once(sum << zeros, exponent - zeros);
  return sum == 0 ? 0.0 : from_bits(bits(size) | sign << 63);
}

PUBLIC double fma(double x, double y, double z) {
  i32 finite = __builtin_fabs(x) < INFINITY && __builtin_fabs(y) < INFINITY && __builtin_fabs(z) < INFINITY;
  if (finite && x != 0.0 && y != 0.0 && z != 0.0)
    return add_product(x, y, z);
  // At most one rounding now; but a product that underflows keeps its sign beside z = 0, and one that overflows is
  // nothing beside an infinite z.
  double product = x * y;
  i32 product_alone = z == 0.0 && x != 0.0 && y != 0.0;
  i32 term_alone = __builtin_fabs(z) == INFINITY && __builtin_fabs(x) < INFINITY && __builtin_fabs(y) < INFINITY;
  return product_alone ? product : term_alone ? z : product + z;
}
#endif
