// SPDX-License-Identifier: Apache-2.0
// What LLVM's code generator calls where the processor has no instruction: division of 128-bit integers, their
// conversion to and from floating point, and conversion to and from half precision and bfloat16. Names and meaning are
// those of the compiler runtime (GCC Internals, "The GCC low-level runtime library"); the code is ours.
typedef unsigned int u32;
typedef unsigned long u64;
typedef __int128 i128;
typedef unsigned __int128 u128;

#ifndef LIBRARY
#define LIBRARY __attribute__((visibility("hidden")))
#endif

static u32 bits_of_float(float value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of_bits(u32 bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static double power_of_two(int exponent) { // -1022 to 1023
  u64 bits = (u64)(exponent + 1023) << 52;
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- Division ------------------------------------------------------------------------------------------------------

static int leading_zeros(u128 value) { // of a value that isn't 0
  u64 high = (u64)(value >> 64);
  return high != 0 ? __builtin_clzl(high) : 64 + __builtin_clzl((u64)value);
}

// Long division in base 2, from the first bit that can be one. By zero it gives the dividend's bits and goes on.
static u128 divide(u128 dividend, u128 divisor, u128 *remainder) {
  if (((dividend | divisor) >> 64) == 0 && divisor != 0) {
    *remainder = (u64)dividend % (u64)divisor;
    return (u64)dividend / (u64)divisor;
  }
  *remainder = dividend;
  if (divisor == 0 || dividend < divisor)
    return 0;
  int shift = leading_zeros(divisor) - leading_zeros(dividend);
  u128 quotient = 0;
  for (u128 part = divisor << shift; shift >= 0; --shift, part >>= 1) {
    quotient <<= 1;
    if (*remainder >= part) {
      *remainder -= part;
      quotient |= 1;
    }
  }
  return quotient;
}

static u128 magnitude(i128 value) { return value < 0 ? -(u128)value : (u128)value; }

LIBRARY u128 __udivti3(u128 a, u128 b) {
  u128 remainder;
  return divide(a, b, &remainder);
}

LIBRARY u128 __umodti3(u128 a, u128 b) {
  u128 remainder;
  divide(a, b, &remainder);
  return remainder;
}

LIBRARY i128 __divti3(i128 a, i128 b) {
  u128 remainder, quotient = divide(magnitude(a), magnitude(b), &remainder);
  return (i128)((a < 0) != (b < 0) ? -quotient : quotient);
}

LIBRARY i128 __modti3(i128 a, i128 b) {
  u128 remainder;
  divide(magnitude(a), magnitude(b), &remainder);
  return (i128)(a < 0 ? -remainder : remainder);
}

// ---- 128-bit integers and floating point ---------------------------------------------------------------------------

// The first 64 significant bits, the last of them set if any below is: rounding them rounds the value. `exponent` is
// of the power of two that they are multiplied by.
static u64 leading_bits(u128 value, int *exponent) {
  int below = (value >> 64) == 0 ? 0 : 64 - leading_zeros(value);
  *exponent = below;
  if (below == 0)
    return (u64)value;
  return (u64)(value >> below) | (value << (128 - below) != 0);
}

LIBRARY double __floatuntidf(u128 value) {
  int exponent;
  double leading = (double)leading_bits(value, &exponent);
  return leading * power_of_two(exponent);
}

LIBRARY float __floatuntisf(u128 value) {
  int exponent;
  float leading = (float)leading_bits(value, &exponent);
  return leading * (float)power_of_two(exponent);
}

LIBRARY double __floattidf(i128 value) {
  double result = __floatuntidf(magnitude(value));
  return value < 0 ? -result : result;
}

LIBRARY float __floattisf(i128 value) {
  float result = __floatuntisf(magnitude(value));
  return value < 0 ? -result : result;
}

// Towards zero; what doesn't fit 128 bits gives the largest.
static u128 integer_part(double value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  u64 significand = (bits & 0xfffffffffffff) | 1ul << 52;
  if (exponent < 0)
    return 0;
  if (exponent >= 128)
    return ~(u128)0;
  return exponent >= 52 ? (u128)significand << (exponent - 52) : significand >> (52 - exponent);
}

LIBRARY u128 __fixunsdfti(double value) { return value > 0 ? integer_part(value) : 0; }
LIBRARY u128 __fixunssfti(float value) { return __fixunsdfti(value); }

LIBRARY i128 __fixdfti(double value) {
  const u128 limit = (u128)1 << 127;
  if (value != value)
    return 0;
  u128 part = integer_part(value);
  if (value < 0)
    return (i128)-(part < limit ? part : limit);
  return (i128)(part < limit ? part : limit - 1);
}

LIBRARY i128 __fixsfti(float value) { return __fixdfti(value); }

// ---- Half precision and bfloat16 -----------------------------------------------------------------------------------

// Rounded to odd: rounding the result to at most 22 bits rounds the value itself (Boldo and Melquiond, "Emulation of
// FMA and Correctly Rounded Sums", 2008).
static float rounded_to_odd(double value) {
  float nearest = (float)value;
  u32 bits = bits_of_float(nearest);
  if ((double)nearest == value || value != value || (bits & 1) != 0)
    return nearest;
  int too_far = __builtin_fabs((double)nearest) > __builtin_fabs(value);
  return float_of_bits(too_far ? bits - 1 : bits + 1);
}

static unsigned short half_bits(float value) {
  u32 bits = bits_of_float(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
  u32 half;
  if (rest > 0x7f800000)
    half = 0x7e00 | (rest >> 13 & 0x3ff); // not a number, made quiet
  else if (rest >= 0x47800000)
    half = 0x7c00; // 65536 and more
  else if (rest >= 0x38800000) {
    u32 biased = rest - (112u << 23);
    half = (biased + 0xfff + (biased >> 13 & 1)) >> 13;
  } else // below the least normal number: the sum with 0.5 is rounded at the right place
    half = bits_of_float(float_of_bits(rest) + 0.5f) - bits_of_float(0.5f);
  return (unsigned short)(sign | half);
}

static unsigned short bfloat_bits(float value) {
  u32 bits = bits_of_float(value);
  if (value != value)
    return (unsigned short)(bits >> 16 | 0x40);
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

LIBRARY float __extendhfsf2(_Float16 value) {
  unsigned short bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  u32 sign = (u32)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 0) {
    float tiny = (float)fraction * 0x1p-24f;
    return float_of_bits(sign | bits_of_float(tiny));
  }
  if (exponent == 31)
    return float_of_bits(sign | 0x7f800000 | fraction << 13 | (fraction != 0 ? 0x400000 : 0));
  return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

LIBRARY _Float16 __truncsfhf2(float value) {
  unsigned short bits = half_bits(value);
  _Float16 half;
  __builtin_memcpy(&half, &bits, sizeof half);
  return half;
}

LIBRARY _Float16 __truncdfhf2(double value) { return __truncsfhf2(rounded_to_odd(value)); }

// Of 128-bit integers: from 65520 on, the result is infinite; what is below is exact as a double.
LIBRARY _Float16 __floatuntihf(u128 value) {
  const u64 beyond = 1 << 17;
  return __truncdfhf2((double)(value < beyond ? (u64)value : beyond));
}

LIBRARY _Float16 __floattihf(i128 value) {
  const u64 beyond = 1 << 17;
  u128 size = magnitude(value);
  double bounded = (double)(size < beyond ? (u64)size : beyond);
  return __truncdfhf2(value < 0 ? -bounded : bounded);
}

LIBRARY i128 __fixhfti(_Float16 value) { return __fixsfti(__extendhfsf2(value)); }
LIBRARY u128 __fixunshfti(_Float16 value) { return __fixunssfti(__extendhfsf2(value)); }

LIBRARY __bf16 __truncsfbf2(float value) {
  unsigned short bits = bfloat_bits(value);
  __bf16 narrow;
  __builtin_memcpy(&narrow, &bits, sizeof narrow);
  return narrow;
}

LIBRARY __bf16 __truncdfbf2(double value) { return __truncsfbf2(rounded_to_odd(value)); }

// ---- Powers --------------------------------------------------------------------------------------------------------

// By squaring; a negative exponent gives the reciprocal of the power.
#define POWER(name, type)                                                                                        \
  LIBRARY type name(type base, int exponent) {                                                                   \
    type result = 1;                                                                                             \
    for (u32 left = exponent < 0 ? -(u32)exponent : (u32)exponent; left != 0; left >>= 1, base *= base)          \
      if (left & 1)                                                                                              \
        result *= base;                                                                                          \
    return exponent < 0 ? 1 / result : result;                                                                   \
  }
POWER(__powisf2, float)
POWER(__powidf2, double)
