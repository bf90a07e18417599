// SPDX-License-Identifier: Apache-2.0
// Conversions from `from` to half in each rounding mode. That to nearest is an instruction; the others take its result
// back by one place if it lies on the wrong side. Infinity next to the largest number is a place like any other.
#ifndef LANEWISE_OPENCL_TO_HALF_H
#define LANEWISE_OPENCL_TO_HALF_H

#include "types.h"

#define ROUND_TO_HALF(from)                                                                                     \
  PRIVATE half half_moved(half x, bool away) {                                                                  \
    return as_half((ushort)(as_ushort(x) + (away ? 1 : -1)));                                                   \
  }                                                                                                             \
  PRIVATE half to_half(from x) { return (half)x; }                                                              \
  PRIVATE half to_half_rte(from x) { return (half)x; }                                                          \
  PRIVATE half to_half_rtz(from x) {                                                                            \
    half near = (half)x;                                                                                        \
    return __builtin_elementwise_abs((from)near) > __builtin_elementwise_abs(x) ? half_moved(near, false) : near; \
  }                                                                                                             \
  PRIVATE half to_half_rtp(from x) {                                                                            \
    half near = (half)x;                                                                                        \
    return (from)near < x ? half_moved(near, as_short(near) >= 0) : near;                                       \
  }                                                                                                             \
  PRIVATE half to_half_rtn(from x) {                                                                            \
    half near = (half)x;                                                                                        \
    return (from)near > x ? half_moved(near, as_short(near) < 0) : near;                                        \
  }

#endif
