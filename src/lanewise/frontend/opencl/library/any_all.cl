// SPDX-License-Identifier: Apache-2.0
// any and all (6.12.6) of ELEMENT, a signed integer type: they look at the most significant bit.
#include "types.h"

#define ANY_ALL(t)                                                \
  OVERLOAD int any(t x) { return any(x.lo | x.hi); }              \
  OVERLOAD int all(t x) { return all(x.lo & x.hi); }

OVERLOAD int any(ELEMENT x) { return x < 0; }
OVERLOAD int all(ELEMENT x) { return x < 0; }
OVERLOAD int any(V3(ELEMENT) x) { return (x.x | x.y | x.z) < 0; }
OVERLOAD int all(V3(ELEMENT) x) { return (x.x & x.y & x.z) < 0; }
ANY_ALL(V2(ELEMENT))
ANY_ALL(V4(ELEMENT))
ANY_ALL(V8(ELEMENT))
ANY_ALL(V16(ELEMENT))
