// SPDX-License-Identifier: Apache-2.0
// Reads of an image (6.12.14.2 and .3), by the arithmetic of the specification (8.2), in binary32. RESULT is float, half,
// int or uint.
//
// Where the specification leaves it open: coordinates that are not a number count as 0; without a sampler, or with
// CLK_ADDRESS_NONE, a texel outside is all zeros; repeated coordinates that aren't normalised are clamped to the edge.
#include "image_texels.h"

enum { NORMALIZED = CLK_NORMALIZED_COORDS_TRUE, MODE = 0xE, LINEAR = CLK_FILTER_LINEAR };
#define FLOOR __builtin_elementwise_floor

#if ACCESS_IS_READ_ONLY
// A sampler as the bits that it is.
uint __lw_sampler(sampler_t sampler) __asm("__lw_sampler");
__attribute__((always_inline)) uint __lw_sampler_bits(__constant void *sampler) __asm("__lw_sampler");
__attribute__((always_inline)) uint __lw_sampler_bits(__constant void *sampler) { return (uint)(ulong)sampler; }
#endif

// A coordinate in texels.
PRIVATE float in_texels(float x, int extent, uint sampler) {
  if (!(sampler & NORMALIZED))
    return x;
  if ((sampler & MODE) == CLK_ADDRESS_REPEAT)
    x -= FLOOR(x);
  else if ((sampler & MODE) == CLK_ADDRESS_MIRRORED_REPEAT)
    x = __builtin_elementwise_abs(x - 2 * __builtin_elementwise_rint(0.5f * x));
  return x * (float)extent;
}

// A texel along an axis: its index, or that of one near it, and whether it is there.
typedef struct {
  int index;
  bool there;
} Texel;

PRIVATE Texel texel_of(int index, int extent, uint sampler) {
  Texel found;
  if ((sampler & (MODE | NORMALIZED)) == (CLK_ADDRESS_REPEAT | NORMALIZED))
    index += index < 0 ? extent : index >= extent ? -extent : 0;
  uint mode = sampler & MODE;
  found.there = (mode != CLK_ADDRESS_CLAMP && mode != CLK_ADDRESS_NONE) || is_inside(index, extent);
  found.index = clamped(index, extent);
  return found;
}

PRIVATE Texel nearest(float x, int extent, uint sampler) {
  return texel_of((int)FLOOR(in_texels(x, extent, sampler)), extent, sampler);
}

// The two texels along an axis that linear filtering mixes, and their weights.
typedef struct {
  Texel first, second;
  float weight_of_first, weight_of_second;
} Pair;

PRIVATE Pair pair_of(float x, int extent, uint sampler) {
  Pair pair;
  x = in_texels(x, extent, sampler) - 0.5f;
  float first = FLOOR(x), fraction = x - first;
  int index = (int)first;
  pair.first = texel_of(index, extent, sampler);
  pair.second = texel_of(index + 1, extent, sampler);
  pair.weight_of_first = pair.first.there ? 1 - fraction : 0;
  pair.weight_of_second = pair.second.there ? fraction : 0;
  return pair;
}
PRIVATE float weight_in(const Pair *pair, int second) { return second ? pair->weight_of_second : pair->weight_of_first; }
PRIVATE int index_in(const Pair *pair, int second) { return second ? pair->second.index : pair->first.index; }
PRIVATE bool is_there_in(const Pair *pair, int second) { return second ? pair->second.there : pair->first.there; }

// The slice of a layer.
PRIVATE int layer_of(float layer, Description image) {
  return clamped((int)__builtin_elementwise_rint(layer), image->extent[2]);
}

PRIVATE Place slice_of(Description image, int z) { return image->texels + z * image->stride[2]; }

// A row from texel (x, y) on. Offsets within an image fit 32 bits.
PRIVATE Place place_of(Description image, Place slice, int x, int y) {
  return slice + (int)((uint)y * (uint)image->stride[1] + (uint)x * image->bytes);
}

// ---- Colours ----------------------------------------------------------------------------------------------------------

#if IS_WHOLE
typedef int4 Stored;
PRIVATE Stored stored(Description image, Place row, long x) { return integers(image, row, x); }
PRIVATE Stored finished(Description image, Stored texel) { return colour(image, texel); }
#else
typedef float4 Stored;
PRIVATE Stored stored(Description image, Place row, long x) { return unscaled(image, row, x); }
PRIVATE Stored finished(Description image, Stored texel) { return colour(image, scaled(image, texel)); }
#endif

#if RESULT_IS_int
#define RESULT_OF(colour) (colour)
#define VECTOR int4
#elif RESULT_IS_uint
#define RESULT_OF(colour) __builtin_astype(colour, uint4)
#define VECTOR uint4
#elif RESULT_IS_half
#define RESULT_OF(colour) __builtin_convertvector(colour, half4)
#define VECTOR half4
#elif IS_DEPTH
#define RESULT_OF(colour) (colour).x
#define VECTOR float
#else
#define RESULT_OF(colour) (colour)
#define VECTOR float4
#endif

// ---- Filtering --------------------------------------------------------------------------------------------------------

#if !IS_WHOLE
typedef struct {
  Pair x, y, z;
} Corners;

// Weights of the texels that lie around a point: bit 0 of `corner` is the one along x.
PRIVATE float weight_of(const Corners *corners, int corner) {
  float weight = weight_in(&corners->x, corner & 1);
  if (AXES > 1)
    weight *= weight_in(&corners->y, corner & 2);
  if (AXES > 2)
    weight *= weight_in(&corners->z, corner & 4);
  return weight;
}

PRIVATE bool is_there(const Corners *corners, int corner) {
  return is_there_in(&corners->x, corner & 1) && (AXES < 2 || is_there_in(&corners->y, corner & 2)) &&
         (AXES < 3 || is_there_in(&corners->z, corner & 4));
}

PRIVATE Place corner_of(Description image, Place slice, const Corners *corners, int corner) {
  if (AXES > 2)
    slice = slice_of(image, index_in(&corners->z, corner & 4));
  return place_of(image, slice, index_in(&corners->x, corner & 1), AXES > 1 ? index_in(&corners->y, corner & 2) : 0);
}

// The sum of texels times weights, x fastest. A texel that isn't there may be any number.
#define BLEND(type, sum, texel)                                                                                       \
  type sum = 0;                                                                                                       \
  _Pragma("unroll") for (int corner = 0; corner < 1 << AXES; ++corner) {                                              \
    Place at = corner_of(image, slice, &corners, corner);                                                             \
    type value = is_there(&corners, corner) ? (texel) : (type)0;                                                      \
    sum = __builtin_elementwise_fma(value, (type)weight_of(&corners, corner), sum);                                   \
  }

// The same, of texels that are numbers in any case: a weight of 0 drops one that isn't there.
#define BLEND_NUMBERS(type, sum, texel)                                                                               \
  type sum = 0;                                                                                                       \
  _Pragma("unroll") for (int corner = 0; corner < 1 << AXES; ++corner) {                                              \
    Place at = corner_of(image, slice, &corners, corner);                                                             \
    sum = __builtin_elementwise_fma((texel), (type)weight_of(&corners, corner), sum);                                 \
  }

PRIVATE float4 blended(Description image, Place slice, Corners corners) {
  uint format = image->format, channels = image->channels;
  if (format == U8_NORM && channels == 4) {
    BLEND_NUMBERS(float4, sum, bytes_of(*AT(loose_uint, at, 0)))
    return colour(image, sum * (float4)image->scale[0]);
  }
  if (format == WORD && channels == 4) {
    BLEND(float4, sum, *AT(loose_float4, at, 0))
    return colour(image, sum);
  }
  if (format == WORD && channels == 1) {
    BLEND(float, sum, *AT(float, at, 0))
    return colour(image, (float4)(sum, 0, 0, 0));
  }
  if (format == U8_NORM && channels == 1) {
    BLEND_NUMBERS(float, sum, (float)*AT(uchar, at, 0))
    return colour(image, (float4)(sum * image->scale[0], 0, 0, 0));
  }
  float4 sum = (float4)0;
  _Pragma("clang loop unroll(disable)") for (int corner = 0; corner < 1 << AXES; ++corner) {
    float4 value = unscaled(image, corner_of(image, slice, &corners, corner), 0);
    sum = __builtin_elementwise_fma(is_there(&corners, corner) ? value : (float4)0,
                                    (float4)weight_of(&corners, corner), sum);
  }
  return colour(image, scaled(image, sum));
}
#endif

// ---- The functions ------------------------------------------------------------------------------------------------------

PRIVATE Stored read_nearest(Description image, uint sampler, COORDINATES(float) coordinates) {
  Texel x = nearest(X(coordinates), image->extent[0], sampler), y = {0, true}, z = {0, true};
  if (AXES > 1)
    y = nearest(Y(coordinates), image->extent[1], sampler);
  if (AXES > 2)
    z = nearest(Z(coordinates), image->extent[2], sampler);
  if (LAYERED)
    z.index = layer_of(Z(coordinates), image);
  Stored texel = stored(image, place_of(image, slice_of(image, z.index), x.index, y.index), 0);
  return finished(image, x.there && y.there && z.there ? texel : (Stored)0);
}

PRIVATE Stored read_by_floats(Description image, uint sampler, COORDINATES(float) coordinates) {
#if !IS_WHOLE
  if (sampler & LINEAR) {
    Corners corners;
    corners.x = pair_of(X(coordinates), image->extent[0], sampler);
    if (AXES > 1)
      corners.y = pair_of(Y(coordinates), image->extent[1], sampler);
    if (AXES > 2)
      corners.z = pair_of(Z(coordinates), image->extent[2], sampler);
    return blended(image, slice_of(image, LAYERED ? layer_of(Z(coordinates), image) : 0), corners);
  }
#endif
  return read_nearest(image, sampler, coordinates);
}

// Coordinates inside go without arithmetic, so that neighbours are seen to be neighbours.
PRIVATE Stored read_by_integers(Description image, uint sampler, COORDINATES(int) coordinates) {
  int x = X(coordinates), y = Y(coordinates), z = Z(coordinates);
  if (LAYERED)
    z = clamped(z, image->extent[2]);
  bool inside = is_inside(x, image->extent[0]) && (AXES < 2 || is_inside(y, image->extent[1])) &&
                (AXES < 3 || is_inside(z, image->extent[2]));
  if ((sampler & MODE) != CLK_ADDRESS_CLAMP && (sampler & MODE) != CLK_ADDRESS_NONE) {
    x = clamped(x, image->extent[0]);
    y = AXES > 1 ? clamped(y, image->extent[1]) : 0;
    z = AXES > 2 ? clamped(z, image->extent[2]) : z;
  } else if (!inside) {
    return finished(image, (Stored)0);
  }
  return finished(image, stored(image, slice_of(image, z) + y * image->stride[1], x));
}

#define READ JOIN(read_image, LETTER)

#if IS_BUFFER
OVERLOAD VECTOR READ(ACCESS IMAGE image, int coordinates) {
  return RESULT_OF(read_by_integers(__lw_description(image), CLK_ADDRESS_NONE, coordinates));
}
#else
OVERLOAD VECTOR READ(ACCESS IMAGE image, COORDINATES(int) coordinates) {
  return RESULT_OF(read_by_integers(__lw_description(image), CLK_ADDRESS_NONE, coordinates));
}
#if ACCESS_IS_READ_ONLY
OVERLOAD VECTOR READ(ACCESS IMAGE image, sampler_t sampler, COORDINATES(int) coordinates) {
  return RESULT_OF(read_by_integers(__lw_description(image), __lw_sampler(sampler), coordinates));
}
OVERLOAD VECTOR READ(ACCESS IMAGE image, sampler_t sampler, COORDINATES(float) coordinates) {
  return RESULT_OF(read_by_floats(__lw_description(image), __lw_sampler(sampler), coordinates));
}
#endif
#endif
