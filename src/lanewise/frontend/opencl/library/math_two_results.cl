// SPDX-License-Identifier: Apache-2.0
// Built-in math functions with a second result, which goes to private, local or global memory (6.12.2): fract, frexp,
// lgamma_r, modf, remquo, sincos.
#include "types.h"

// `name` of one number or two, given that of private scalars, whose second result is of type `s`.
#define ELSEWHERE_1(name, space, t, s)             \
  OVERLOAD t name(t x, space s *result) {          \
    s second;                                      \
    t first = name(x, &second);                    \
    *result = second;                              \
    return first;                                  \
  }
#define ELSEWHERE_2(name, space, t, s)             \
  OVERLOAD t name(t x, t y, space s *result) {     \
    s second;                                      \
    t first = name(x, y, &second);                 \
    *result = second;                              \
    return first;                                  \
  }
#define HALVES_1(name, t, s, half_s)                            \
  OVERLOAD t name(t x, s *result) {                             \
    half_s low, high;                                           \
    t first = (t)(name(x.lo, &low), name(x.hi, &high));         \
    *result = (s)(low, high);                                   \
    return first;                                               \
  }
#define HALVES_2(name, t, s, half_s)                            \
  OVERLOAD t name(t x, t y, s *result) {                        \
    half_s low, high;                                           \
    t first = (t)(name(x.lo, y.lo, &low), name(x.hi, y.hi, &high)); \
    *result = (s)(low, high);                                   \
    return first;                                               \
  }
#define THREE_1(name, t, s, scalar_s)                           \
  OVERLOAD t name(t x, s *result) {                             \
    scalar_s a, b, c;                                           \
    t first = (t)(name(x.x, &a), name(x.y, &b), name(x.z, &c)); \
    *result = (s)(a, b, c);                                     \
    return first;                                               \
  }
#define THREE_2(name, t, s, scalar_s)                                          \
  OVERLOAD t name(t x, t y, s *result) {                                       \
    scalar_s a, b, c;                                                          \
    t first = (t)(name(x.x, y.x, &a), name(x.y, y.y, &b), name(x.z, y.z, &c)); \
    *result = (s)(a, b, c);                                                    \
    return first;                                                              \
  }
#define ALL_SPACES(count, name, t, s)             \
  JOIN(ELSEWHERE_, count)(name, global, t, s)     \
  JOIN(ELSEWHERE_, count)(name, local, t, s)
#define ALL_WIDTHS(count, name, t, s)                       \
  ALL_SPACES(count, name, t, s)                             \
  JOIN(HALVES_, count)(name, V2(t), V2(s), s)               \
  ALL_SPACES(count, name, V2(t), V2(s))                     \
  JOIN(THREE_, count)(name, V3(t), V3(s), s)                \
  ALL_SPACES(count, name, V3(t), V3(s))                     \
  JOIN(HALVES_, count)(name, V4(t), V4(s), V2(s))           \
  ALL_SPACES(count, name, V4(t), V4(s))                     \
  JOIN(HALVES_, count)(name, V8(t), V8(s), V4(s))           \
  ALL_SPACES(count, name, V8(t), V8(s))                     \
  JOIN(HALVES_, count)(name, V16(t), V16(s), V8(s))         \
  ALL_SPACES(count, name, V16(t), V16(s))

#if defined(FRACT)

// The largest number below 1.
#define BELOW_ONE_half 0x1.ffcp-1h
#define BELOW_ONE_float 0x1.fffffep-1f
#define BELOW_ONE_double 0x1.fffffffffffffp-1

OVERLOAD ELEMENT fract(ELEMENT x, ELEMENT *whole) {
  ELEMENT down = __builtin_elementwise_floor(x), part = x - down;
  *whole = down;
  part = part < JOIN(BELOW_ONE_, ELEMENT) || x != x ? part : JOIN(BELOW_ONE_, ELEMENT);
  return down == x ? __builtin_elementwise_copysign((ELEMENT)0, x) : part; // infinities and zeros, too
}
ALL_WIDTHS(1, fract, ELEMENT, ELEMENT)

#elif defined(MODF)

OVERLOAD ELEMENT modf(ELEMENT x, ELEMENT *whole) {
  ELEMENT towards_zero = __builtin_elementwise_trunc(x);
  *whole = towards_zero;
  ELEMENT part = towards_zero == x ? (ELEMENT)0 : x - towards_zero; // infinities, too
  return __builtin_elementwise_copysign(part, x);
}
ALL_WIDTHS(1, modf, ELEMENT, ELEMENT)

#elif defined(SINCOS)

PURE COMPUTED __lw_sine(COMPUTED x) LIBRARY(sin);
PURE COMPUTED __lw_cosine(COMPUTED x) LIBRARY(cos);

OVERLOAD ELEMENT sincos(ELEMENT x, ELEMENT *cosine) {
  *cosine = (ELEMENT)__lw_cosine(x);
  return (ELEMENT)__lw_sine(x);
}
ALL_WIDTHS(1, sincos, ELEMENT, ELEMENT)

#elif defined(FREXP)

COMPUTED __lw_of_library(COMPUTED x, int *exponent) LIBRARY(frexp);

OVERLOAD ELEMENT frexp(ELEMENT x, int *exponent) { return (ELEMENT)__lw_of_library(x, exponent); }
ALL_WIDTHS(1, frexp, ELEMENT, int)

#elif defined(LGAMMA_R)

PURE COMPUTED __lw_of_library(COMPUTED x) LIBRARY(lgamma);

// Gamma is negative from the pole at -1 to that at 0, from -3 to -2, and so on; at a zero it has the zero's sign.
OVERLOAD ELEMENT lgamma_r(ELEMENT x, int *sign) {
  ELEMENT down = __builtin_elementwise_floor(x), half_down = down * (ELEMENT)0.5;
  bool is_odd = half_down != __builtin_elementwise_floor(half_down);
  bool is_negative = x == 0 ? __builtin_astype(x, SIGNED) < 0 : x < 0 && is_odd;
  *sign = is_negative ? -1 : 1;
  return (ELEMENT)__lw_of_library(x);
}
ALL_WIDTHS(1, lgamma_r, ELEMENT, int)

#elif defined(REMQUO)

COMPUTED __lw_of_library(COMPUTED x, COMPUTED y, int *quotient) LIBRARY(remquo);

OVERLOAD ELEMENT remquo(ELEMENT x, ELEMENT y, int *quotient) { return (ELEMENT)__lw_of_library(x, y, quotient); }
ALL_WIDTHS(2, remquo, ELEMENT, int)

#endif
