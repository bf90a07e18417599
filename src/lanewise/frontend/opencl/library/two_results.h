// SPDX-License-Identifier: Apache-2.0
// From a function with a second result in private memory, of a single number, those of vectors and with the result
// in local and global memory.
#ifndef LANEWISE_OPENCL_TWO_RESULTS_H
#define LANEWISE_OPENCL_TWO_RESULTS_H

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

#endif
