// SPDX-License-Identifier: Apache-2.0
// Writes to an image (6.12.14.4), converted to its format (8.3). Those outside are dropped. VALUE is float, half, int or
// uint.
#include "images.h"

#define LEAST __builtin_elementwise_min
#define MOST __builtin_elementwise_max

// The channels of a colour in the order of memory.
#define IN_ORDER(type)                                                                                              \
  PRIVATE type component(V4(type) colour, uint number) {                                                             \
    return number == 0 ? colour.x : number == 1 ? colour.y : number == 2 ? colour.z : colour.w;                     \
  }                                                                                                                 \
  PRIVATE V4(type) in_order(Description image, V4(type) colour) {                                                     \
    if (image->swizzle <= WITHOUT_ALPHA)                                                                            \
      return colour;                                                                                                \
    if (image->swizzle == BLUE_FIRST)                                                                               \
      return colour.zyxw;                                                                                           \
    return (V4(type))(component(colour, image->targets[0]), component(colour, image->targets[1]),                    \
                     component(colour, image->targets[2]), component(colour, image->targets[3]));                   \
  }

#define STORE(type, value, convert)                                                                                 \
  {                                                                                                                 \
    __global type *at = (__global type *)row + x * channels;                                                        \
    at[0] = (type)(convert(value.x));                                                                               \
    if (channels > 1) {                                                                                             \
      at[1] = (type)(convert(value.y));                                                                             \
      if (channels > 2) {                                                                                           \
        at[2] = (type)(convert(value.z));                                                                           \
        at[3] = (type)(convert(value.w));                                                                           \
      }                                                                                                             \
    }                                                                                                               \
  }
#define AS_IT_IS(value) (value)

typedef uint loose_uint __attribute__((aligned(1)));

#if IS_WHOLE
IN_ORDER(VALUE)
typedef V4(VALUE) loose_4 __attribute__((aligned(4)));
#define SATURATED_8(value) LEAST(MOST(value, LOWEST_8), HIGHEST_8)
#define SATURATED_16(value) LEAST(MOST(value, LOWEST_16), HIGHEST_16)
#if VALUE_IS_int
enum { LOWEST_8 = -128, HIGHEST_8 = 127, LOWEST_16 = -32768, HIGHEST_16 = 32767 };
#else
#define LOWEST_8 0u
#define HIGHEST_8 255u
#define LOWEST_16 0u
#define HIGHEST_16 65535u
#endif

PRIVATE void store(Description image, Place row, long x, V4(VALUE) colour) {
  uint channels = image->channels;
  V4(VALUE) value = in_order(image, colour);
  switch (image->format) {
  case WORD:
    if (channels == 4)
      ((__global loose_4 *)row)[x] = value;
    else
      STORE(VALUE, value, AS_IT_IS)
    break;
  case S8:
  case U8:
    STORE(uchar, value, SATURATED_8)
    break;
  case S16:
  case U16:
    STORE(ushort, value, SATURATED_16)
    break;
  }
}
#else
IN_ORDER(float)
typedef float4 loose_4 __attribute__((aligned(4)));

// The nearest integer from `least` to `most`, to even in the middle; 0 for what is no number. Beside 1.5 * 2^23, numbers
// in binary32 are 1 apart, so that the sum is rounded, and its last bits are the integer.
PRIVATE int rounded(float value, float least, float most) {
  const float large = 0x1.8p23f;
  return as_int(LEAST(MOST(value == value ? value : 0, least), most) + large) - as_int(large);
}
#define UNORM_8(value) rounded(value * 255, 0, 255)
#define SNORM_8(value) rounded(value * 127, -128, 127)
#define UNORM_16(value) rounded(value * 65535, 0, 65535)
#define SNORM_16(value) rounded(value * 32767, -32768, 32767)
#define TO_HALF(value) (half)(value)

PRIVATE uint packed(float value, int most, uint shift) { return (uint)rounded(value * most, 0, most) << shift; }

PRIVATE void store(Description image, Place row, long x, float4 colour) {
  uint channels = image->channels;
  float4 value = in_order(image, colour);
  switch (image->format) {
  case WORD:
    if (channels == 4)
      ((__global loose_4 *)row)[x] = value;
    else
      STORE(float, value, AS_IT_IS)
    break;
  case U8_NORM:
    if (channels == 4)
      ((__global loose_uint *)row)[x] =
          packed(value.x, 255, 0) | packed(value.y, 255, 8) | packed(value.z, 255, 16) | packed(value.w, 255, 24);
    else
      STORE(uchar, value, UNORM_8)
    break;
  case S8_NORM:
    STORE(char, value, SNORM_8)
    break;
  case U16_NORM:
    STORE(ushort, value, UNORM_16)
    break;
  case S16_NORM:
    STORE(short, value, SNORM_16)
    break;
  case HALF:
    STORE(half, value, TO_HALF)
    break;
  case RGB_565:
    ((__global ushort *)row)[x] = packed(value.x, 31, 11) | packed(value.y, 63, 5) | packed(value.z, 31, 0);
    break;
  case RGB_555:
    ((__global ushort *)row)[x] = packed(value.x, 31, 10) | packed(value.y, 31, 5) | packed(value.z, 31, 0);
    break;
  case RGB_101010:
    ((__global uint *)row)[x] = packed(value.x, 1023, 20) | packed(value.y, 1023, 10) | packed(value.z, 1023, 0);
    break;
  }
}
#endif

#if VALUE_IS_half
#define TO_STORE(colour) __builtin_convertvector(colour, float4)
typedef half4 Colour;
#elif IS_DEPTH
#define TO_STORE(colour) ((float4)(colour, 0, 0, 1))
typedef float Colour;
#else
#define TO_STORE(colour) (colour)
typedef V4(VALUE) Colour;
#endif

#define WRITE JOIN(write_image, LETTER)

OVERLOAD void WRITE(ACCESS IMAGE image, COORDINATES(int) coordinates, Colour colour) {
  Description it = __lw_description(image);
  int x = X(coordinates), y = Y(coordinates), z = Z(coordinates);
  if (is_inside(x, it->extent[0]) && (AXES < 2 || is_inside(y, it->extent[1])) &&
      (AXES + LAYERED < 2 || (AXES == 2 && !LAYERED) || is_inside(z, it->extent[2])))
    store(it, it->texels + z * it->stride[2] + y * it->stride[1], x, TO_STORE(colour));
}
