// SPDX-License-Identifier: Apache-2.0
// vload_half and vloada_half; with FROM, the stores vstore_half and vstorea_half of that type in memory as half, in
// rounding mode MODE, which may be empty (6.12.7). In the vloada and vstorea forms, vectors of three stand four
// components apart.
#include "to_half.h"

#ifndef FROM

#define LOAD_HALF(name, distance, space)                                                  \
  OVERLOAD float name(size_t offset, const space half *place) { return place[offset * distance]; }
#define LOAD_2(name, distance, space)                                                     \
  OVERLOAD float2 name(size_t offset, const space half *place) {                          \
    place += offset * distance;                                                           \
    return (float2)(place[0], place[1]);                                                  \
  }
#define LOAD_3(name, distance, space)                                                     \
  OVERLOAD float3 name(size_t offset, const space half *place) {                          \
    place += offset * distance;                                                           \
    return (float3)(place[0], place[1], place[2]);                                        \
  }
#define LOAD_MORE(name, t, half_name, distance, space)                                    \
  OVERLOAD t name(size_t offset, const space half *place) {                               \
    place += offset * distance;                                                           \
    return (t)(half_name(0, place), half_name(0, place + distance / 2));                  \
  }
#define LOADS(load, space)                                                                \
  LOAD_HALF(load, 1, space)                                                               \
  LOAD_2(load##2, 2, space)                                                               \
  LOAD_MORE(load##4, float4, load##2, 4, space)                                           \
  LOAD_MORE(load##8, float8, load##4, 8, space)                                           \
  LOAD_MORE(load##16, float16, load##8, 16, space)
#define ALL_LOADS(space)                                                                  \
  LOADS(vload_half, space)                                                                \
  LOAD_3(vload_half3, 3, space)                                                           \
  LOADS(vloada_half, space)                                                               \
  LOAD_3(vloada_half3, 4, space)

ALL_LOADS(private)
ALL_LOADS(local)
ALL_LOADS(global)
ALL_LOADS(constant)

#else

ROUND_TO_HALF(FROM)

#define STORE_1(name, round, space)                                                       \
  OVERLOAD void name(FROM data, size_t offset, space half *place) { place[offset] = round(data); }
#define STORE_2(name, round, space)                                                       \
  OVERLOAD void name(V2(FROM) data, size_t offset, space half *place) {                   \
    place[offset * 2] = round(data.x);                                                    \
    place[offset * 2 + 1] = round(data.y);                                                \
  }
#define STORE_3(name, distance, round, space)                                             \
  OVERLOAD void name(V3(FROM) data, size_t offset, space half *place) {                   \
    place += offset * distance;                                                           \
    place[0] = round(data.x);                                                             \
    place[1] = round(data.y);                                                             \
    place[2] = round(data.z);                                                             \
  }
#define STORE_MORE(name, t, half_name, space)                                             \
  OVERLOAD void name(t data, size_t offset, space half *place) {                          \
    half_name(data.lo, offset * 2, place);                                                \
    half_name(data.hi, offset * 2 + 1, place);                                            \
  }
#define STORES(store, mode, space)                                                        \
  STORE_1(store##mode, to_half##mode, space)                                              \
  STORE_2(store##2##mode, to_half##mode, space)                                           \
  STORE_MORE(store##4##mode, V4(FROM), store##2##mode, space)                             \
  STORE_MORE(store##8##mode, V8(FROM), store##4##mode, space)                             \
  STORE_MORE(store##16##mode, V16(FROM), store##8##mode, space)
#define ALL_STORES_(mode, space)                                                          \
  STORES(vstore_half, mode, space)                                                        \
  STORE_3(vstore_half3##mode, 3, to_half##mode, space)                                    \
  STORES(vstorea_half, mode, space)                                                       \
  STORE_3(vstorea_half3##mode, 4, to_half##mode, space)
#define ALL_STORES(mode, space) ALL_STORES_(mode, space)

ALL_STORES(MODE, private)
ALL_STORES(MODE, local)
ALL_STORES(MODE, global)

#endif
