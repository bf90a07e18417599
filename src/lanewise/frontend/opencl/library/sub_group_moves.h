// SPDX-License-Identifier: Apache-2.0
// Values of ELEMENT from lane to lane, of the lanes that are `here`: a word at a time.
#ifndef LANEWISE_OPENCL_SUB_GROUP_MOVES_H
#define LANEWISE_OPENCL_SUB_GROUP_MOVES_H

#include "sub_groups.h"

#define AS_BITS JOIN(as_, UNSIGNED)
#define AS_ELEMENT JOIN(as_, ELEMENT)

#ifdef SUB_GROUPS_OF_64
#define INSTRUCTION(mode, here, x, by, last) __lw_wide_##mode(here, x, by)
#else
// `last`: the last lane of the sub-group, which is a segment of the warp, that may be read. Beyond it, a lane keeps its
// own value.
PRIVATE uint segment(uint last) { return (WARP - __lw_sub_group_size()) << 8 | last; }
#define INSTRUCTION(mode, here, x, by, last) SHUFFLE_##mode(mask_of(here), x, by, segment(last))
#define SHUFFLE_up __nvvm_shfl_sync_up_i32
#define SHUFFLE_down __nvvm_shfl_sync_down_i32
#define SHUFFLE_across __nvvm_shfl_sync_bfly_i32
#define SHUFFLE_lane __nvvm_shfl_sync_idx_i32
#endif

#define MOVES(name, mode, last)                                                                   \
  PART uint name(lane_set here, uint x, uint by) { return INSTRUCTION(mode, here, x, by, last); } \
  PART ulong name(lane_set here, ulong x, uint by) {                                              \
    uint low = name(here, (uint)x, by), high = name(here, (uint)(x >> 32), by);                   \
    return (ulong)high << 32 | low;                                                               \
  }                                                                                               \
  PART ushort name(lane_set here, ushort x, uint by) { return name(here, (uint)x, by); }          \
  PART uchar name(lane_set here, uchar x, uint by) { return name(here, (uint)x, by); }

MOVES(bits_of_lane, lane, 31)
MOVES(bits_from_below, up, 0)
MOVES(bits_from_above, down, 31)
MOVES(bits_across, across, 31)

PART ELEMENT of_lane(lane_set here, ELEMENT x, uint lane) { return AS_ELEMENT(bits_of_lane(here, AS_BITS(x), lane)); }
PART ELEMENT from_below(lane_set here, ELEMENT x, uint by) { return AS_ELEMENT(bits_from_below(here, AS_BITS(x), by)); }
PART ELEMENT from_above(lane_set here, ELEMENT x, uint by) { return AS_ELEMENT(bits_from_above(here, AS_BITS(x), by)); }
PART ELEMENT across(lane_set here, ELEMENT x, uint by) { return AS_ELEMENT(bits_across(here, AS_BITS(x), by)); }

#define MOVES_OF_VECTORS(name)                                                           \
  PART V2(ELEMENT) name(lane_set here, V2(ELEMENT) x, uint by) {                         \
    return (V2(ELEMENT))(name(here, x.x, by), name(here, x.y, by));                      \
  }                                                                                      \
  PART V3(ELEMENT) name(lane_set here, V3(ELEMENT) x, uint by) {                         \
    return (V3(ELEMENT))(name(here, x.x, by), name(here, x.y, by), name(here, x.z, by)); \
  }                                                                                      \
  PART V4(ELEMENT) name(lane_set here, V4(ELEMENT) x, uint by) {                         \
    return (V4(ELEMENT))(name(here, x.lo, by), name(here, x.hi, by));                    \
  }                                                                                      \
  PART V8(ELEMENT) name(lane_set here, V8(ELEMENT) x, uint by) {                         \
    return (V8(ELEMENT))(name(here, x.lo, by), name(here, x.hi, by));                    \
  }                                                                                      \
  PART V16(ELEMENT) name(lane_set here, V16(ELEMENT) x, uint by) {                       \
    return (V16(ELEMENT))(name(here, x.lo, by), name(here, x.hi, by));                   \
  }

MOVES_OF_VECTORS(of_lane)
MOVES_OF_VECTORS(across)

#endif
