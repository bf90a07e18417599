// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces as generated code and the host see them. A handle (cudaTextureObject_t) is the address of an
// lw_texture, which the host fills in; lanewise/device/texture_layout.py has the same layout.
#ifndef LANEWISE_TEXTURE_H
#define LANEWISE_TEXTURE_H

#include "lanewise_rt.h"

typedef int32_t lw_words __attribute__((vector_size(16))); // the channels of a texel, each as 32 bits

// What a fetch is and what it takes a texel for. A texture has one such number too, and both must be the same, but for
// the difference between signed and unsigned.
enum {
  LW_CHANNEL_BYTES = 0xff,      // what the kernel gets: 4 for each floating-point number
  LW_CHANNELS_SHIFT = 8,        // 1, 2 or 4, in 8 bits
  LW_KIND_SHIFT = 16,           // 0 signed, 1 unsigned, 2 floating point, in 2 bits
  LW_GEOMETRY_SHIFT = 18,       // of enum lw_geometry, in 3 bits
  LW_BOUNDARY_SHIFT = 24,       // of surfaces: 0 zero, 1 clamp, 2 trap, in 2 bits
  LW_REDUCTION_SHIFT = 26,      // of surfaces: of enum lw_reduction, in 3 bits
  LW_FORMATTED = 1 << 30,       // of surfaces: x counts elements, and words become numbers of the surface's format
  LW_KIND_OF_SURFACE = 3,       // of reductions: the surface's kind
  LW_SIGN = 1 << LW_KIND_SHIFT, // what tells signed from unsigned
};

// Cubemaps have their faces in z: six, or six for each layer.
enum lw_geometry { LW_1D, LW_2D, LW_3D, LW_1D_LAYERED, LW_2D_LAYERED, LW_CUBE, LW_CUBE_LAYERED };
enum lw_reduction { LW_ADD, LW_MIN, LW_MAX, LW_AND, LW_OR };
enum lw_query {
  LW_WIDTH, LW_HEIGHT, LW_DEPTH, LW_ARRAY_SIZE, LW_CHANNEL_DATA_TYPE, LW_CHANNEL_ORDER, LW_NORMALIZED_COORDS,
  LW_NUM_MIPMAP_LEVELS, LW_NUM_SAMPLES, LW_FILTER_MODE
};
static const uint32_t LW_OF_SURFACE = 1u << 31; // a query of a surface
enum lw_address { LW_WRAP, LW_CLAMP, LW_MIRROR, LW_BORDER };

// How a channel lies in memory and what becomes of it. A normalised one is divided by the greatest number of its type.
// Those from LW_565 on, only images of OpenCL have: three channels in one number, the first of them the highest bits, and
// bytes of sRGB with a linear alpha.
enum lw_format {
  LW_32_BITS, LW_S8, LW_U8, LW_S16, LW_U16, LW_HALF, LW_S8_NORM, LW_U8_NORM, LW_S16_NORM, LW_U16_NORM,
  LW_565, LW_555, LW_101010, LW_SRGB
};
// How the channels of a texel in memory become a colour, and back: as they are; so, with an alpha of 1; blue, green, red,
// alpha; as the tables say.
enum lw_swizzle { LW_SAME, LW_WITHOUT_ALPHA, LW_BLUE_FIRST, LW_BY_TABLE };
enum { LW_ZERO = 4, LW_ONE = 5 };

enum { LW_TEXTURE_MAGIC = 0x7e87041e, LW_SURFACE_MAGIC = 0x5f4face5, LW_IMAGE_MAGIC = 0x04c11a6e };

typedef struct lw_texture {
  uint32_t element;  // as above; of a surface only the geometry counts
  uint32_t magic;    // of a texture or a surface
  char *texels;      // the first texel
  int64_t stride[3]; // bytes from a texel to the next in x, y and z; layers, where there are any, stand in z
  int32_t extent[3]; // texels in x, y and z, 1 to 2^30
  uint32_t bytes;    // of a texel in memory
  uint8_t address[4]; // in x, y and z
  uint8_t format;
  uint8_t channels;
  uint8_t linear;     // filtering
  uint8_t normalized; // coordinates
  lw_words border;    // the texel outside, for LW_BORDER
  // Of images of OpenCL, for which frontend/opencl/library has the same struct. There, a sampler has the modes.
  uint16_t order, type; // as get_image_channel_order and get_image_channel_data_type give them
  uint8_t swizzle, padding[3];
  uint8_t sources[4]; // of the components of a colour: the number of a channel in memory, LW_ZERO or LW_ONE
  uint8_t targets[4]; // of the channels in memory: the number of a component
  float scale[4];     // what channels in memory are multiplied by
} lw_texture;

// Functions for generated code. `element` has the geometry of the call in it. A fault ends the launch.
typedef struct lw_texture_services {
  lw_words (*fetch)(const lw_launch *launch, uint64_t texture, uint32_t element, int32_t x);
  lw_words (*gather)(const lw_launch *launch, uint64_t texture, uint32_t element, int32_t channel, float x, float y);
  lw_words (*sample_1d)(const lw_launch *launch, uint64_t texture, uint32_t element, int32_t layer, float x);
  lw_words (*sample_2d)(const lw_launch *launch, uint64_t texture, uint32_t element, int32_t layer, float x, float y);
  lw_words (*sample_3d)(const lw_launch *launch, uint64_t texture, uint32_t element, float x, float y, float z);
  // x counts bytes; z is the layer where there are any.
  lw_words (*read)(const lw_launch *launch, uint64_t surface, uint32_t access, int32_t x, int32_t y, int32_t z);
  void (*write)(const lw_launch *launch, uint64_t surface, uint32_t access, int32_t x, int32_t y, int32_t z,
                lw_words value);
  lw_words (*sample_cube)(const lw_launch *launch, uint64_t texture, uint32_t element, int32_t layer, float x, float y,
                          float z);
  // An atomic operation on a number of 32 or 64 bits, the first of them the low ones.
  void (*reduce)(const lw_launch *launch, uint64_t surface, uint32_t access, int32_t x, int32_t y, int32_t z,
                 lw_words value);
  lw_words (*query)(const lw_launch *launch, uint64_t texture, uint32_t what);
} lw_texture_services;

#endif
