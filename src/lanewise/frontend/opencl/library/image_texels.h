// SPDX-License-Identifier: Apache-2.0
// Texels as they are in memory, channel by channel, before they become colours (The OpenCL C Specification 3.0, 8.3).
#ifndef LANEWISE_OPENCL_IMAGE_TEXELS_H
#define LANEWISE_OPENCL_IMAGE_TEXELS_H

#include "../../../runtime/core/srgb_table.h"
#include "images.h"

typedef uint loose_uint __attribute__((aligned(1)));
typedef float4 loose_float4 __attribute__((aligned(4)));
typedef float2 loose_float2 __attribute__((aligned(4)));
typedef int4 loose_int4 __attribute__((aligned(4)));
typedef int2 loose_int2 __attribute__((aligned(4)));

#define AT(type, row, x) (((const __global type *)(row)) + (x))

PRIVATE float whole(uint word, uint shift, uint mask) { return (float)(int)(word >> shift & mask); }
PRIVATE float4 bytes_of(uint word) {
  return (float4)(whole(word, 0, 255), whole(word, 8, 255), whole(word, 16, 255), whole(word, 24, 255));
}

// Channels of a type, each converted.
#define CHANNELS(result, vector, type, convert)                                                       \
  {                                                                                                   \
    const __global type *at = (const __global type *)row + x * channels;                              \
    result.x = convert(at[0]);                                                                        \
    if (channels > 1) {                                                                               \
      result.y = convert(at[1]);                                                                      \
      if (channels > 2) {                                                                             \
        result.z = convert(at[2]);                                                                    \
        result.w = convert(at[3]);                                                                    \
      }                                                                                               \
    }                                                                                                 \
  }

// A normalised number; the least one counts as -1, as does the one after it.
#define AS_FLOAT(value) ((float)(value))
#define AS_SIGNED_8(value) ((float)__builtin_elementwise_max((int)(value), -127))
#define AS_SIGNED_16(value) ((float)__builtin_elementwise_max((int)(value), -32767))
#define AS_IT_IS(value) (value)

// Texel x of a row: its channels in memory, 0 for those that it hasn't, to be multiplied by the image's scale.
PRIVATE float4 unscaled(Description image, Place row, long x) {
  float4 found = (float4)(0);
  uint channels = image->channels;
  switch (image->format) {
  case WORD:
    if (channels == 4)
      found = *AT(loose_float4, row, x);
    else if (channels == 1)
      found.x = *AT(float, row, x);
    else
      found.xy = *AT(loose_float2, row, x);
    break;
  case U8_NORM:
    if (channels == 4)
      found = bytes_of(*AT(loose_uint, row, x));
    else
      CHANNELS(found, float4, uchar, AS_FLOAT)
    break;
  case S8_NORM:
    CHANNELS(found, float4, char, AS_SIGNED_8)
    break;
  case U16_NORM:
    CHANNELS(found, float4, ushort, AS_FLOAT)
    break;
  case S16_NORM:
    CHANNELS(found, float4, short, AS_SIGNED_16)
    break;
  case HALF:
    CHANNELS(found, float4, half, AS_FLOAT)
    break;
  case RGB_565: {
    uint word = *AT(ushort, row, x);
    found = (float4)(whole(word, 11, 31), whole(word, 5, 63), whole(word, 0, 31), 0);
    break;
  }
  case RGB_555: {
    uint word = *AT(ushort, row, x);
    found = (float4)(whole(word, 10, 31), whole(word, 5, 31), whole(word, 0, 31), 0);
    break;
  }
  case RGB_101010: {
    uint word = *AT(uint, row, x);
    found = (float4)(whole(word, 20, 1023), whole(word, 10, 1023), whole(word, 0, 1023), 0);
    break;
  }
  case SRGB_8: {
    uint word = *AT(loose_uint, row, x);
    found = bytes_of(word);
    found.xyz = (float3)(srgb_table[word & 255], srgb_table[word >> 8 & 255], srgb_table[word >> 16 & 255]);
    break;
  }
  }
  return found;
}

PRIVATE float4 scaled(Description image, float4 texel) {
  return texel * (float4)(image->scale[0], image->scale[1], image->scale[2], image->scale[3]);
}

// Texel x of a row as integers.
PRIVATE int4 integers(Description image, Place row, long x) {
  int4 found = (int4)(0);
  uint channels = image->channels;
  switch (image->format) {
  case WORD:
    if (channels == 4)
      found = *AT(loose_int4, row, x);
    else if (channels == 1)
      found.x = *AT(int, row, x);
    else
      found.xy = *AT(loose_int2, row, x);
    break;
  case S8:
    CHANNELS(found, int4, char, AS_IT_IS)
    break;
  case U8:
    CHANNELS(found, int4, uchar, AS_IT_IS)
    break;
  case S16:
    CHANNELS(found, int4, short, AS_IT_IS)
    break;
  case U16:
    CHANNELS(found, int4, ushort, AS_IT_IS)
    break;
  }
  return found;
}

// The colour that a texel stands for, which has another one where the texel has no alpha.
#define PICK(texel, source, type)                                                                                   \
  ((source) == 0 ? (texel).x                                                                                        \
   : (source) == 1 ? (texel).y                                                                                      \
   : (source) == 2 ? (texel).z                                                                                      \
   : (source) == 3 ? (texel).w                                                                                      \
                   : (type)((source) == ONE))
#define COLOUR(type)                                                                                                \
  PRIVATE V4(type) colour(Description image, V4(type) texel) {                                                      \
    switch (image->swizzle) {                                                                                       \
    case SAME:                                                                                                      \
      return texel;                                                                                                 \
    case WITHOUT_ALPHA:                                                                                             \
      return (V4(type))(texel.xyz, 1);                                                                              \
    case BLUE_FIRST:                                                                                                \
      return texel.zyxw;                                                                                            \
    }                                                                                                               \
    return (V4(type))(PICK(texel, image->sources[0], type), PICK(texel, image->sources[1], type),                   \
                      PICK(texel, image->sources[2], type), PICK(texel, image->sources[3], type));                  \
  }
COLOUR(float)
COLOUR(int)

#endif
