// SPDX-License-Identifier: Apache-2.0
// Geometric functions (6.12.5) of ELEMENT. Lengths neither overflow nor lose precision on the way (7.5.1): vectors of
// huge or tiny components are scaled by a power of two.
#include "types.h"

#pragma OPENCL FP_CONTRACT ON

#define T1 ELEMENT
#define T2 V2(ELEMENT)
#define T3 V3(ELEMENT)
#define T4 V4(ELEMENT)

PRIVATE T1 largest(T1 x) { return __builtin_elementwise_abs(x); }
PRIVATE T1 largest(T2 x) { return __builtin_elementwise_max(largest(x.x), largest(x.y)); }
PRIVATE T1 largest(T3 x) { return __builtin_elementwise_max(largest(x.xy), largest(x.z)); }
PRIVATE T1 largest(T4 x) { return __builtin_elementwise_max(largest(x.xy), largest(x.zw)); }

OVERLOAD T1 dot(T1 x, T1 y) { return x * y; }
OVERLOAD T1 dot(T2 x, T2 y) { return x.x * y.x + x.y * y.y; }
OVERLOAD T1 dot(T3 x, T3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
OVERLOAD T1 dot(T4 x, T4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }

OVERLOAD T3 cross(T3 x, T3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }
OVERLOAD T4 cross(T4 x, T4 y) { return (T4)(x.yzx * y.zxy - x.zxy * y.yzx, 0); }

// Beyond LARGE, squares are divided by 2^(2 * DOWN); below SMALL, multiplied by 2^(2 * UP). In between, none of those
// that count overflows or gets denormal.
#define SCALE(x) (x > JOIN(LARGE_, ELEMENT) ? JOIN(DOWN_, ELEMENT) : x < JOIN(SMALL_, ELEMENT) ? JOIN(UP_, ELEMENT) : 1)
#define LARGE_half 0x1p6h
#define DOWN_half 0x1p-10h
#define SMALL_half 0x1p-1h
#define UP_half 0x1p7h
#define LARGE_float 0x1p60f
#define DOWN_float 0x1p-70f
#define SMALL_float 0x1p-40f
#define UP_float 0x1p90f
#define LARGE_double 0x1p500
#define DOWN_double 0x1p-530
#define SMALL_double 0x1p-400
#define UP_double 0x1p650

OVERLOAD T1 length(T1 x) { return __builtin_elementwise_abs(x); }
OVERLOAD T1 distance(T1 x, T1 y) { return length(x - y); }
OVERLOAD T1 normalize(T1 x) {
  return x > 0 ? (T1)1 : x < 0 ? (T1)-1 : x;
}

// An infinite component leaves of all others only their signs.
#define LENGTHS(t)                                                                               \
  OVERLOAD T1 length(t x) {                                                                      \
    T1 scale = SCALE(largest(x));                                                                \
    t scaled = x * scale;                                                                        \
    return __builtin_elementwise_sqrt(dot(scaled, scaled)) / scale;                              \
  }                                                                                              \
  OVERLOAD T1 distance(t x, t y) { return length(x - y); }                                       \
  OVERLOAD t normalize(t x) {                                                                    \
    T1 most = largest(x);                                                                        \
    t is_infinite = __builtin_elementwise_copysign(                                              \
        __builtin_elementwise_abs(x) == (t)(T1)INFINITY ? (t)1 : (t)0, x);                       \
    t finite = most == (T1)INFINITY ? is_infinite : x * (T1)SCALE(most);                         \
    t unit = finite / __builtin_elementwise_sqrt(dot(finite, finite));                           \
    return most == 0 ? x : dot(x, (t)0) != dot(x, (t)0) && most != (T1)INFINITY ? (t)(T1)NAN : unit; \
  }
LENGTHS(T2)
LENGTHS(T3)
LENGTHS(T4)

// These are of floats only.
#define IS_FLOAT_float 1
#if JOIN(IS_FLOAT_, ELEMENT)
#define FAST(t)                                                                                  \
  OVERLOAD float fast_length(t x) { return __builtin_elementwise_sqrt(dot(x, x)); }              \
  OVERLOAD float fast_distance(t x, t y) { return fast_length(x - y); }                          \
  OVERLOAD t fast_normalize(t x) {                                                               \
    float square = dot(x, x);                                                                    \
    return square < FLT_MIN ? x : x * __nvvm_rsqrt_approx_f(square);                             \
  }
FAST(T1)
FAST(T2)
FAST(T3)
FAST(T4)
#endif
