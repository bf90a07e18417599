// SPDX-License-Identifier: Apache-2.0
// shuffle and shuffle2 (6.12.12) of ELEMENT. Of the mask, only the bits that count components matter.
#include "types.h"

// The component of `x`, one of `n`, that the mask's component asks for.
#define OF_ONE(x, n, asked) x[asked & (n - 1)]
#define OF_TWO(x, y, n, asked) ((asked & n) ? y[asked & (n - 1)] : x[asked & (n - 1)])

#define PICK_2(pick, ...) pick(__VA_ARGS__, mask.s0), pick(__VA_ARGS__, mask.s1)
#define PICK_4(pick, ...) PICK_2(pick, __VA_ARGS__), pick(__VA_ARGS__, mask.s2), pick(__VA_ARGS__, mask.s3)
#define PICK_8(pick, ...)                                                                                      \
  PICK_4(pick, __VA_ARGS__), pick(__VA_ARGS__, mask.s4), pick(__VA_ARGS__, mask.s5), pick(__VA_ARGS__, mask.s6), \
      pick(__VA_ARGS__, mask.s7)
#define PICK_16(pick, ...)                                                                                     \
  PICK_8(pick, __VA_ARGS__), pick(__VA_ARGS__, mask.s8), pick(__VA_ARGS__, mask.s9), pick(__VA_ARGS__, mask.sa), \
      pick(__VA_ARGS__, mask.sb), pick(__VA_ARGS__, mask.sc), pick(__VA_ARGS__, mask.sd),                      \
      pick(__VA_ARGS__, mask.se), pick(__VA_ARGS__, mask.sf)

#define SHUFFLE(m, n)                                                                                          \
  OVERLOAD JOIN(ELEMENT, m) shuffle(JOIN(ELEMENT, n) x, JOIN(UNSIGNED, m) mask) {                              \
    return (JOIN(ELEMENT, m))(PICK_##m(OF_ONE, x, n));                                                         \
  }                                                                                                            \
  OVERLOAD JOIN(ELEMENT, m) shuffle2(JOIN(ELEMENT, n) x, JOIN(ELEMENT, n) y, JOIN(UNSIGNED, m) mask) {         \
    return (JOIN(ELEMENT, m))(PICK_##m(OF_TWO, x, y, n));                                                      \
  }
#define SHUFFLES_OF(n) SHUFFLE(2, n) SHUFFLE(4, n) SHUFFLE(8, n) SHUFFLE(16, n)
SHUFFLES_OF(2)
SHUFFLES_OF(4)
SHUFFLES_OF(8)
SHUFFLES_OF(16)
