// SPDX-License-Identifier: Apache-2.0
// Vector data load and store (6.12.7) of ELEMENT: vectors stand packed in memory, aligned as their components are.
#include "types.h"

#define LOAD(width, t, space)                                                                  \
  OVERLOAD t vload##width(size_t offset, const space ELEMENT *place) {                         \
    typedef t packed __attribute__((aligned(sizeof(ELEMENT))));                                \
    return *(const space packed *)(place + offset * width);                                    \
  }
#define LOAD_3(space)                                                                          \
  OVERLOAD V3(ELEMENT) vload3(size_t offset, const space ELEMENT *place) {                     \
    place += offset * 3;                                                                       \
    return (V3(ELEMENT))(place[0], place[1], place[2]);                                        \
  }
#define STORE(width, t, space)                                                                 \
  OVERLOAD void vstore##width(t data, size_t offset, space ELEMENT *place) {                   \
    typedef t packed __attribute__((aligned(sizeof(ELEMENT))));                                \
    *(space packed *)(place + offset * width) = data;                                          \
  }
#define STORE_3(space)                                                                         \
  OVERLOAD void vstore3(V3(ELEMENT) data, size_t offset, space ELEMENT *place) {               \
    place += offset * 3;                                                                       \
    place[0] = data.x;                                                                         \
    place[1] = data.y;                                                                         \
    place[2] = data.z;                                                                         \
  }
#define LOADS(space)                  \
  LOAD(2, V2(ELEMENT), space)         \
  LOAD_3(space)                       \
  LOAD(4, V4(ELEMENT), space)         \
  LOAD(8, V8(ELEMENT), space)         \
  LOAD(16, V16(ELEMENT), space)
#define STORES(space)                 \
  STORE(2, V2(ELEMENT), space)        \
  STORE_3(space)                      \
  STORE(4, V4(ELEMENT), space)        \
  STORE(8, V8(ELEMENT), space)        \
  STORE(16, V16(ELEMENT), space)

LOADS(private)
LOADS(local)
LOADS(global)
LOADS(constant)
STORES(private)
STORES(local)
STORES(global)
