// SPDX-License-Identifier: Apache-2.0
// What the functions of images share (6.12.14): an image's description, and texels of any format. A unit is compiled with
// -DIMAGE=image2d_t or the like, and -DACCESS=read_only.
//
// A kernel's image is a pointer to an Image. Its texels take less than 2^31 bytes.
#ifndef LANEWISE_OPENCL_IMAGES_H
#define LANEWISE_OPENCL_IMAGES_H

#include "types.h"

// struct lw_texture of runtime/core/texture.h. Layers, where there are any, are along z.
typedef struct {
  uint element, magic;
  __global char *texels;
  long stride[3];
  int extent[3];
  uint bytes;
  uchar address[4];
  uchar format, channels, linear, normalized;
  int border[4];
  ushort order, type;
  uchar swizzle, padding[3];
  uchar sources[4], targets[4];
  float scale[4];
} Image;

// enum lw_format.
enum { WORD, S8, U8, S16, U16, HALF, S8_NORM, U8_NORM, S16_NORM, U16_NORM, RGB_565, RGB_555, RGB_101010, SRGB_8 };
// enum lw_swizzle: how the channels of a texel in memory become a colour.
enum { SAME, WITHOUT_ALPHA, BLUE_FIRST, BY_TABLE };
// Entries of `sources`: the number of a channel in memory, or these.
enum { ZERO = 4, ONE = 5 };

typedef __global const Image *Description;
typedef __global char *Place;

// An image as the pointer that it is.
Description __lw_description(ACCESS IMAGE image) __asm("__lw_description");
__attribute__((always_inline)) Description __lw_described(Description image) __asm("__lw_description");
__attribute__((always_inline)) Description __lw_described(Description image) { return image; }

#define AXES JOIN(AXES_, IMAGE)
#define LAYERED JOIN(LAYERED_, IMAGE)
#define IS_DEPTH JOIN(IS_DEPTH_, IMAGE)
#define COORDINATES(t) JOIN(COORDINATES_, JOIN(AXES, LAYERED))(t)
#define COORDINATES_10(t) t
#define COORDINATES_11(t) V2(t)
#define COORDINATES_20(t) V2(t)
#define COORDINATES_21(t) V4(t)
#define COORDINATES_30(t) V4(t)

#define AXES_image1d_t 1
#define AXES_image1d_buffer_t 1
#define AXES_image1d_array_t 1
#define AXES_image2d_t 2
#define AXES_image2d_array_t 2
#define AXES_image2d_depth_t 2
#define AXES_image2d_array_depth_t 2
#define AXES_image3d_t 3
#define LAYERED_image1d_t 0
#define LAYERED_image1d_buffer_t 0
#define LAYERED_image1d_array_t 1
#define LAYERED_image2d_t 0
#define LAYERED_image2d_array_t 1
#define LAYERED_image2d_depth_t 0
#define LAYERED_image2d_array_depth_t 1
#define LAYERED_image3d_t 0
#define IS_DEPTH_image1d_t 0
#define IS_DEPTH_image1d_buffer_t 0
#define IS_DEPTH_image1d_array_t 0
#define IS_DEPTH_image2d_t 0
#define IS_DEPTH_image2d_array_t 0
#define IS_DEPTH_image2d_depth_t 1
#define IS_DEPTH_image2d_array_depth_t 1
#define IS_DEPTH_image3d_t 0

// The x, y and z of coordinates; 0 where there is none. The layer comes after the axes.
#if AXES == 1 && !LAYERED
#define X(coordinates) (coordinates)
#define Y(coordinates) 0
#define Z(coordinates) 0
#elif AXES == 1
#define X(coordinates) (coordinates).x
#define Y(coordinates) 0
#define Z(coordinates) (coordinates).y
#elif AXES == 2 && !LAYERED
#define X(coordinates) (coordinates).x
#define Y(coordinates) (coordinates).y
#define Z(coordinates) 0
#else
#define X(coordinates) (coordinates).x
#define Y(coordinates) (coordinates).y
#define Z(coordinates) (coordinates).z
#endif

PRIVATE bool is_inside(int index, int extent) { return (uint)index < (uint)extent; }

// The nearest texel along an axis.
PRIVATE int clamped(int index, int extent) {
  return __builtin_elementwise_max(__builtin_elementwise_min(index, extent - 1), 0);
}

#endif
