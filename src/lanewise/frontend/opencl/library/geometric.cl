// SPDX-License-Identifier: Apache-2.0
// Geometric functions (6.12.5) of ELEMENT. Lengths neither overflow nor lose precision on the way (7.5.1): vectors of
// huge or tiny components are scaled by a power of two.
#include "types.h"

#pragma OPENCL FP_CONTRACT ON

#define T1 ELEMENT
#define T2 V2(ELEMENT)
#define T3 V3(ELEMENT)
#define T4 V4(ELEMENT)

OVERLOAD T1 dot(T1 x, T1 y) { return x * y; }
OVERLOAD T1 dot(T2 x, T2 y) { return x.x * y.x + x.y * y.y; }
OVERLOAD T1 dot(T3 x, T3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
OVERLOAD T1 dot(T4 x, T4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }

OVERLOAD T3 cross(T3 x, T3 y) { return x.yzx * y.zxy - x.zxy * y.yzx; }
OVERLOAD T4 cross(T4 x, T4 y) { return (T4)(x.yzx * y.zxy - x.zxy * y.yzx, 0); }

// Lengths are computed in C1, which for half is float, where no square of a half overflows or gets denormal.
#define C1 COMPUTED
#define C2 V2(COMPUTED)
#define C3 V3(COMPUTED)
#define C4 V4(COMPUTED)

PRIVATE C1 squares(C2 x) { return x.x * x.x + x.y * x.y; }
PRIVATE C1 squares(C3 x) { return x.x * x.x + x.y * x.y + x.z * x.z; }
PRIVATE C1 squares(C4 x) { return x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w; }

PRIVATE C1 largest(C1 x) { return __builtin_elementwise_abs(x); }
PRIVATE C1 largest(C2 x) { return __builtin_elementwise_max(largest(x.x), largest(x.y)); }
PRIVATE C1 largest(C3 x) { return __builtin_elementwise_max(largest(x.xy), largest(x.z)); }
PRIVATE C1 largest(C4 x) { return __builtin_elementwise_max(largest(x.xy), largest(x.zw)); }

// What to multiply a vector with whose largest component is beyond LARGE or below SMALL. In between, no square that
// counts overflows or gets denormal.
#define SCALE(x) (x > JOIN(LARGE_, ELEMENT) ? JOIN(DOWN_, ELEMENT) : x < JOIN(SMALL_, ELEMENT) ? JOIN(UP_, ELEMENT) : 1)
#define LARGE_half INFINITY
#define DOWN_half 1
#define SMALL_half 0
#define UP_half 1
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
OVERLOAD T1 normalize(T1 x) { return x > 0 ? (T1)1 : x < 0 ? (T1)-1 : x; }

// An infinite component leaves of all finite ones only their signs. Large vectors are scaled down last, since their small
// components would lose places on the way.
#define GREATER_OF_1(x) ((x) > 1 ? (x) : 1)
#define LESSER_OF_1(x) ((x) < 1 ? (x) : 1)
#define LENGTHS(t, c)                                                                                              \
  PRIVATE T1 length_of(c x) {                                                                                      \
    C1 scale = SCALE(largest(x));                                                                                  \
    return (T1)(__builtin_elementwise_sqrt(squares(x * scale)) / scale);                                           \
  }                                                                                                                \
  OVERLOAD T1 length(t x) { return length_of(__builtin_convertvector(x, c)); }                                     \
  OVERLOAD T1 distance(t x, t y) {                                                                                 \
    return length_of(__builtin_convertvector(x, c) - __builtin_convertvector(y, c));                               \
  }                                                                                                                \
  OVERLOAD t normalize(t from) {                                                                                   \
    c x = __builtin_convertvector(from, c);                                                                        \
    c sides = __builtin_elementwise_abs(x) == (c)(C1)INFINITY ? __builtin_elementwise_copysign((c)1, x) : x * (c)0; \
    C1 most = largest(x), scale = most == (C1)INFINITY ? 1 : SCALE(most);                                          \
    c finite = most == (C1)INFINITY ? sides : x;                                                                   \
    C1 square = squares(finite * scale);                                                                           \
    c scaled = finite * GREATER_OF_1(scale) / __builtin_elementwise_sqrt(square) * LESSER_OF_1(scale);             \
    return square == 0 ? from : __builtin_convertvector(scaled, t);                                                \
  }
LENGTHS(T2, C2)
LENGTHS(T3, C3)
LENGTHS(T4, C4)

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
