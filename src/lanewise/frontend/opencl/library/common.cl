// SPDX-License-Identifier: Apache-2.0
// Common functions (6.12.4) of ELEMENT, a floating-point type.
#include "types.h"

#pragma OPENCL FP_CONTRACT ON

#define COMMON(t)                                                                                        \
  OVERLOAD t max(t x, t y) { return x < y ? y : x; }                                                     \
  OVERLOAD t min(t x, t y) { return y < x ? y : x; }                                                     \
  OVERLOAD t clamp(t x, t low, t high) { return min(max(x, low), high); }                                \
  OVERLOAD t degrees(t x) { return x * (t)(ELEMENT)57.295779513082320876798154814105; }                  \
  OVERLOAD t radians(t x) { return x * (t)(ELEMENT)0.017453292519943295769236907684886; }                \
  OVERLOAD t mix(t x, t y, t a) { return x + (y - x) * a; }                                              \
  OVERLOAD t step(t edge, t x) { return x < edge ? (t)0 : (t)1; }                                        \
  OVERLOAD t smoothstep(t low, t high, t x) {                                                            \
    t part = clamp((x - low) / (high - low), (t)0, (t)1);                                                \
    return part * part * ((t)3 - (t)2 * part);                                                           \
  }                                                                                                      \
  OVERLOAD t sign(t x) { return x > (t)0 ? (t)1 : x < (t)0 ? (t)-1 : x == x ? x : (t)0; }
WIDTHS(COMMON, ELEMENT)

#define WITH_SCALARS(t)                                                                                  \
  OVERLOAD t max(t x, ELEMENT y) { return max(x, (t)y); }                                                \
  OVERLOAD t min(t x, ELEMENT y) { return min(x, (t)y); }                                                \
  OVERLOAD t clamp(t x, ELEMENT low, ELEMENT high) { return clamp(x, (t)low, (t)high); }                 \
  OVERLOAD t mix(t x, t y, ELEMENT a) { return mix(x, y, (t)a); }                                        \
  OVERLOAD t step(ELEMENT edge, t x) { return step((t)edge, x); }                                        \
  OVERLOAD t smoothstep(ELEMENT low, ELEMENT high, t x) { return smoothstep((t)low, (t)high, x); }
VECTORS(WITH_SCALARS, ELEMENT)
