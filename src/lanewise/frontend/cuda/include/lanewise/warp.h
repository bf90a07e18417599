// SPDX-License-Identifier: Apache-2.0
// Warp intrinsics: shuffles, votes, matches and reductions over the lanes that a mask names.
#ifndef LANEWISE_WARP_H
#define LANEWISE_WARP_H

#include "lanewise/conversions.h"
#include "lanewise/qualifiers.h"

__LW_WARP__ unsigned int __activemask() { return __nvvm_activemask(); }
__LW_WARP__ unsigned int __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }

__LW_WARP__ int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
__LW_WARP__ int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
__LW_WARP__ int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
__LW_WARP__ unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}

// `lanes` is PTX's clamp operand: the segment's mask in bits 8 to 12, its last lane (or 0 for `up`) in bits 0 to 4.
#define __LW_SHUFFLE(name, instruction, operand, last)                                                           \
  __LW_WARP__ int name(unsigned int mask, int value, operand, int width = 32) {                                  \
    return __nvvm_shfl_sync_##instruction##_i32(mask, value, lane, (32 - width) << 8 | last);                    \
  }                                                                                                              \
  __LW_WARP__ unsigned int name(unsigned int mask, unsigned int value, operand, int width = 32) {                \
    return name(mask, static_cast<int>(value), lane, width);                                                     \
  }                                                                                                              \
  __LW_WARP__ float name(unsigned int mask, float value, operand, int width = 32) {                              \
    return __int_as_float(name(mask, __float_as_int(value), lane, width));                                       \
  }                                                                                                              \
  __LW_WARP__ unsigned long long name(unsigned int mask, unsigned long long value, operand, int width = 32) {    \
    unsigned int low = name(mask, static_cast<unsigned int>(value), lane, width);                                \
    unsigned int high = name(mask, static_cast<unsigned int>(value >> 32), lane, width);                         \
    return static_cast<unsigned long long>(high) << 32 | low;                                                    \
  }                                                                                                              \
  __LW_WARP__ long long name(unsigned int mask, long long value, operand, int width = 32) {                      \
    return name(mask, static_cast<unsigned long long>(value), lane, width);                                      \
  }                                                                                                              \
  __LW_WARP__ unsigned long name(unsigned int mask, unsigned long value, operand, int width = 32) {              \
    return name(mask, static_cast<unsigned long long>(value), lane, width);                                      \
  }                                                                                                              \
  __LW_WARP__ long name(unsigned int mask, long value, operand, int width = 32) {                                \
    return name(mask, static_cast<unsigned long long>(value), lane, width);                                      \
  }                                                                                                              \
  __LW_WARP__ double name(unsigned int mask, double value, operand, int width = 32) {                            \
    return __longlong_as_double(name(mask, __double_as_longlong(value), lane, width));                           \
  }

__LW_SHUFFLE(__shfl_sync, idx, int lane, 31)
__LW_SHUFFLE(__shfl_up_sync, up, unsigned int lane, 0)
__LW_SHUFFLE(__shfl_down_sync, down, unsigned int lane, 31)
__LW_SHUFFLE(__shfl_xor_sync, bfly, int lane, 31)
#undef __LW_SHUFFLE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __LW_MATCH(bits, type, word)                                                                             \
  __LW_WARP__ unsigned int __match_any_sync(unsigned int mask, type value) {                                     \
    return __nvvm_match_any_sync_i##bits(mask, __builtin_bit_cast(word, value));                                 \
  }                                                                                                              \
  __LW_WARP__ unsigned int __match_all_sync(unsigned int mask, type value, int *predicate) {                     \
    return __nvvm_match_all_sync_i##bits##p(mask, __builtin_bit_cast(word, value), predicate);                   \
  }
__LW_MATCH(32, int, int)
__LW_MATCH(32, unsigned int, int)
__LW_MATCH(32, float, int)
__LW_MATCH(64, long, long long)
__LW_MATCH(64, unsigned long, long long)
__LW_MATCH(64, long long, long long)
__LW_MATCH(64, unsigned long long, long long)
__LW_MATCH(64, double, long long)
#undef __LW_MATCH

__LW_WARP__ void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__LW_WARP__ unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_add(value, mask);
}
__LW_WARP__ int __reduce_add_sync(unsigned int mask, int value) { return __nvvm_redux_sync_add(value, mask); }
__LW_WARP__ unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_umin(value, mask);
}
__LW_WARP__ int __reduce_min_sync(unsigned int mask, int value) { return __nvvm_redux_sync_min(value, mask); }
__LW_WARP__ unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_umax(value, mask);
}
__LW_WARP__ int __reduce_max_sync(unsigned int mask, int value) { return __nvvm_redux_sync_max(value, mask); }
__LW_WARP__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_and(value, mask);
}
__LW_WARP__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_or(value, mask);
}
__LW_WARP__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_xor(value, mask);
}
#endif

// The forms without a mask, which CUDA 9 withdrew: over the lanes that are here.
__LW_WARP__ int __all(int predicate) { return __all_sync(__activemask(), predicate); }
__LW_WARP__ int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__LW_WARP__ unsigned int __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
template <class Type> __LW_WARP__ Type __shfl(Type value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class Type> __LW_WARP__ Type __shfl_up(Type value, unsigned int delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class Type> __LW_WARP__ Type __shfl_down(Type value, unsigned int delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class Type> __LW_WARP__ Type __shfl_xor(Type value, int mask, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, mask, width);
}

#endif
