// SPDX-License-Identifier: Apache-2.0
// What a kernel takes for a texel: its type, as a number that the device compares with the texture's, and the way
// between that type and the four 32-bit words in which texels travel. Templates, since only those that a file uses cost
// it time.
#ifndef LANEWISE_TEXELS_H
#define LANEWISE_TEXELS_H

#include "lanewise/texture_types.h"

typedef int __lw_words __attribute__((ext_vector_type(4)));

template <class Type, bool scalar = __is_arithmetic(Type)> struct __lw_channel {
  typedef Type type;
};
template <class Type> struct __lw_channel<Type, false> {
  typedef decltype(Type::x) type;
};

template <class Type> struct __lw_texel {
  typedef typename __lw_channel<Type>::type channel;
  static constexpr int size = sizeof(channel), channels = sizeof(Type) / sizeof(channel);
  static_assert(size <= 4 && !__is_same(channel, bool) && (channels == 1 || channels == 2 || channels == 4),
                "a texel is a char, short, int, unsigned or float, or a vector of 1, 2 or 4 of them");

  // Bits 0-7 bytes of a channel, 8-15 channels, 16-17 kind of its numbers: of enum cudaChannelFormatKind.
  static constexpr unsigned int element =
      size | channels << 8 | (__is_floating_point(channel) ? 2 : !__is_signed(channel)) << 16;

  __LW_DEVICE__ channel value(int word) {
    if constexpr (__is_floating_point(channel))
      return __builtin_bit_cast(channel, word);
    else
      return (channel)word;
  }
  __LW_DEVICE__ int word(channel value) {
    if constexpr (__is_floating_point(channel))
      return __builtin_bit_cast(int, value);
    else
      return (int)value;
  }
  __LW_DEVICE__ Type in(__lw_words w) {
    if constexpr (__is_arithmetic(Type))
      return value(w.x);
    else if constexpr (channels == 1)
      return Type{value(w.x)};
    else if constexpr (channels == 2)
      return Type{value(w.x), value(w.y)};
    else
      return Type{value(w.x), value(w.y), value(w.z), value(w.w)};
  }
  __LW_DEVICE__ __lw_words out(Type v) {
    if constexpr (__is_arithmetic(Type))
      return __lw_words{word(v), 0, 0, 0};
    else if constexpr (channels == 1)
      return __lw_words{word(v.x), 0, 0, 0};
    else if constexpr (channels == 2)
      return __lw_words{word(v.x), word(v.y), 0, 0};
    else
      return __lw_words{word(v.x), word(v.y), word(v.z), word(v.w)};
  }
};

#endif
