// SPDX-License-Identifier: Apache-2.0
// Texture fetches (CUDA C++ Programming Guide, "Texture Fetching"), in binary32 without fused operations:
//
// 1. A coordinate that is not a number counts as 0, one beyond 2^30 as 2^30, here and after each step.
// 2. A normalised coordinate is replaced by its fraction (wrap; mirror turns that round in odd periods) and multiplied
//    by the extent.
// 3. Point filtering takes the texel at its floor. Linear filtering subtracts 0.5, takes the texels at the floor and
//    behind it, and the fraction in 256ths, rounded half up, as weight. The products of weights are exact; texels are
//    multiplied by them and added, x fastest.
// 4. An index outside gives the texel at the other end (wrap), the nearest (clamp, mirror) or the border's.
#include "core.h"
#include "half.h"
#include "texture.h"

#include <stdio.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef float floats __attribute__((vector_size(16)));

static const float LARGEST_COORDINATE = 1 << 30;

// ---- Faults ---------------------------------------------------------------------------------------------------------

static _Noreturn void texture_fail(const lw_launch *launch, const char *text) {
  struct runner *runner = launch->internal;
  runner_hold(runner);
  if (slot_fail(runner->slot, LW_TEXTURE)) {
    set_position(&runner->slot->status, runner);
    copy_text(runner->slot->status.message, text);
  }
  runner_quit(runner, STOPPED);
}

static const char *const GEOMETRIES[8] = {"1-D", "2-D", "3-D", "layered 1-D", "layered 2-D", "cubemap", "layered cubemap", "?"};

// Writes the C name of what `element` stands for, such as uchar4, into `name`.
static const char *element_name(uint32_t element, char name[16]) {
  static const char *const types[3] = {"char", "short", "int"};
  uint32_t kind = element >> LW_KIND_SHIFT & 3, bytes = element & LW_CHANNEL_BYTES;
  uint32_t channels = element >> LW_CHANNELS_SHIFT & 0xff;
  const char *type = kind == 2 ? "float" : types[bytes == 1 ? 0 : bytes == 2 ? 1 : 2];
  int length = snprintf(name, 16, "%s%s", kind == 1 ? "u" : "", type);
  if (channels > 1)
    snprintf(name + length, 16 - (size_t)length, "%u", channels);
  return name;
}

// Why handle and element don't go together.
static _Noreturn void refuse(const lw_launch *launch, uint64_t handle, uint32_t element, uint32_t magic) {
  const lw_texture *texture = (const lw_texture *)(uintptr_t)handle;
  const char *what = magic == LW_TEXTURE_MAGIC ? "texture" : "surface";
  char text[LW_TEXT_BYTES], own[16], wanted[16];
  if (handle == 0)
    snprintf(text, sizeof text, "a %s handle is 0: nothing is bound to it", what);
  else if (handle % _Alignof(lw_texture) != 0 || texture->magic != magic)
    snprintf(text, sizeof text, "%#llx is not the handle of a living %s", (unsigned long long)handle, what);
  else if (magic == LW_SURFACE_MAGIC)
    snprintf(text, sizeof text, "a %s access of a %s surface", GEOMETRIES[element >> LW_GEOMETRY_SHIFT & 7],
             GEOMETRIES[texture->element >> LW_GEOMETRY_SHIFT & 7]);
  else
    snprintf(text, sizeof text, "a %s fetch of %s from a %s texture that gives %s",
             GEOMETRIES[element >> LW_GEOMETRY_SHIFT & 7], element_name(element, wanted),
             GEOMETRIES[texture->element >> LW_GEOMETRY_SHIFT & 7], element_name(texture->element, own));
  texture_fail(launch, text);
}

// The texture with this handle, if it is one that gives `element`.
static const lw_texture *texture_of(const lw_launch *launch, uint64_t handle, uint32_t element) {
  const lw_texture *texture = (const lw_texture *)(uintptr_t)handle;
  const uint32_t channels = 0xffu << LW_CHANNELS_SHIFT | LW_CHANNEL_BYTES;
  if ((element & channels) == 0 && handle != 0 && handle % _Alignof(lw_texture) == 0 &&
      texture->magic == LW_TEXTURE_MAGIC)
    element |= texture->element & channels; // any channels
  if (handle == 0 || handle % _Alignof(lw_texture) != 0 || texture->magic != LW_TEXTURE_MAGIC ||
      ((texture->element ^ element) & ~(uint32_t)LW_SIGN) != 0)
    refuse(launch, handle, element, LW_TEXTURE_MAGIC);
  return texture;
}

// ---- Texels ---------------------------------------------------------------------------------------------------------

static float half_value(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16, magnitude = bits & 0x7fff, word;
  float value;
  if (magnitude < 0x0400) { // zero or subnormal, in units of 2^-24
    value = (float)magnitude * 0x1p-24f;
    memcpy(&word, &value, sizeof word);
    word |= sign;
  } else {
    word = sign | ((magnitude << 13) + (magnitude < 0x7c00 ? 112u << 23 : 224u << 23));
    if (magnitude > 0x7c00)
      word |= 1u << 22; // a NaN, which becomes quiet
  }
  memcpy(&value, &word, sizeof value);
  return value;
}

static int32_t word_of(float value) {
  int32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

static float signed_fraction(int32_t value, float greatest) {
  return (float)value < -greatest ? -1.0f : (float)value / greatest;
}

static inline int32_t channel(uint8_t format, const char *at) {
  uint16_t two;
  switch (format) {
  case LW_S8:
    return (int8_t)*at;
  case LW_U8:
    return (uint8_t)*at;
  case LW_S8_NORM:
    return word_of(signed_fraction((int8_t)*at, 127));
  case LW_U8_NORM:
    return word_of((float)(uint8_t)*at / 255);
  }
  memcpy(&two, at, sizeof two);
  switch (format) {
  case LW_S16:
    return (int16_t)two;
  case LW_U16:
    return two;
  case LW_HALF:
    return word_of(half_value(two));
  case LW_S16_NORM:
    return word_of(signed_fraction((int16_t)two, 32767));
  default:
    return word_of((float)two / 65535);
  }
}

static inline lw_words texel(const lw_texture *texture, const char *at) {
  lw_words words = {0, 0, 0, 0};
  if (texture->format == LW_32_BITS) {
    if (texture->channels == 1)
      memcpy(&words, at, 4);
    else if (texture->channels == 2)
      memcpy(&words, at, 8);
    else
      memcpy(&words, at, 16);
    return words;
  }
  words[0] = channel(texture->format, at);
  uint32_t bytes = texture->bytes >> (texture->channels >> 1); // there are 1, 2 or 4
  for (uint32_t i = 1; i < texture->channels; ++i)
    words[i] = channel(texture->format, at + i * bytes);
  return words;
}

// ---- Coordinates ----------------------------------------------------------------------------------------------------

static inline float bounded(float x) {
  if (x >= -LARGEST_COORDINATE && x <= LARGEST_COORDINATE)
    return x;
  return x > 0 ? LARGEST_COORDINATE : x < 0 ? -LARGEST_COORDINATE : 0;
}

static inline int32_t floor_of(float bounded_x) {
  int32_t whole = (int32_t)bounded_x;
  return whole - ((float)whole > bounded_x);
}

// A coordinate in texels.
static inline float in_texels(const lw_texture *texture, int axis, float x) {
  x = bounded(x);
  if (!texture->normalized)
    return x;
  uint8_t address = texture->address[axis];
  if (address == LW_WRAP || address == LW_MIRROR) {
    int32_t period = floor_of(x);
    x -= (float)period;
    if (address == LW_MIRROR && (period & 1) != 0)
      x = 1 - x;
  }
  return bounded(x * (float)texture->extent[axis]);
}

// Bytes from the first texel to the one with this index along an axis; -1 for the border's. Wrapped indices are at most
// one off.
static inline int64_t along(const lw_texture *texture, int axis, int32_t index, bool *outside) {
  int32_t extent = texture->extent[axis];
  if ((uint32_t)index >= (uint32_t)extent) {
    switch (texture->address[axis]) {
    case LW_WRAP:
      index += index < 0 ? extent : -extent;
      break;
    case LW_BORDER:
      *outside = true;
      return 0;
    default:
      index = index < 0 ? 0 : extent - 1;
    }
  }
  return index * texture->stride[axis];
}

// The two texels that linear filtering mixes along an axis.
struct pair {
  int64_t offset[2];
  bool outside[2];
  float weight[2]; // 256ths
};

static inline struct pair pair_of(const lw_texture *texture, int axis, float x) {
  x = bounded(in_texels(texture, axis, x) - 0.5f);
  int32_t first = floor_of(x);
  int32_t second = (int32_t)((x - (float)first) * 256 + 0.5f);
  struct pair pair = {.outside = {false, false}, .weight = {(float)(256 - second), (float)second}};
  for (int i = 0; i < 2; ++i)
    pair.offset[i] = along(texture, axis, first + i, &pair.outside[i]);
  return pair;
}

static inline lw_words texel_or_border(const lw_texture *texture, const char *base, int64_t offset, bool outside) {
  return outside ? texture->border : texel(texture, base + offset);
}

static const char *layer_of(const lw_texture *texture, int32_t layer) {
  int32_t last = texture->extent[2] - 1;
  return texture->texels + (layer < 0 ? 0 : layer > last ? last : layer) * texture->stride[2];
}

// ---- What kernels call ----------------------------------------------------------------------------------------------

static lw_words texture_fetch(const lw_launch *launch, uint64_t handle, uint32_t element, int32_t x) {
  const lw_texture *texture = texture_of(launch, handle, element);
  if ((uint32_t)x >= (uint32_t)texture->extent[0])
    return (lw_words){0, 0, 0, 0};
  return texel(texture, texture->texels + x * texture->stride[0]);
}

static lw_words texture_sample_1d(const lw_launch *launch, uint64_t handle, uint32_t element, int32_t layer, float x) {
  const lw_texture *texture = texture_of(launch, handle, element);
  const char *base = layer_of(texture, layer);
  if (!texture->linear) {
    bool outside = false;
    int64_t offset = along(texture, 0, floor_of(in_texels(texture, 0, x)), &outside);
    return texel_or_border(texture, base, offset, outside);
  }
  struct pair a = pair_of(texture, 0, x);
  floats sum = {0, 0, 0, 0};
  for (int i = 0; i < 2; ++i) {
    floats part = (floats)texel_or_border(texture, base, a.offset[i], a.outside[i]) * (a.weight[i] * 0x1p-8f);
    sum = i == 0 ? part : sum + part;
  }
  return (lw_words)sum;
}

static lw_words texture_sample_2d(const lw_launch *launch, uint64_t handle, uint32_t element, int32_t layer, float x,
                                  float y) {
  const lw_texture *texture = texture_of(launch, handle, element);
  const char *base = layer_of(texture, layer);
  if (!texture->linear) {
    bool outside = false;
    int64_t offset = along(texture, 0, floor_of(in_texels(texture, 0, x)), &outside) +
                     along(texture, 1, floor_of(in_texels(texture, 1, y)), &outside);
    return texel_or_border(texture, base, offset, outside);
  }
  struct pair a = pair_of(texture, 0, x), b = pair_of(texture, 1, y);
  floats sum = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    int p = i & 1, q = i >> 1;
    floats part = (floats)texel_or_border(texture, base, a.offset[p] + b.offset[q], a.outside[p] | b.outside[q]) *
                  (a.weight[p] * b.weight[q] * 0x1p-16f);
    sum = i == 0 ? part : sum + part;
  }
  return (lw_words)sum;
}

static lw_words texture_sample_3d(const lw_launch *launch, uint64_t handle, uint32_t element, float x, float y,
                                  float z) {
  const lw_texture *texture = texture_of(launch, handle, element);
  const char *base = texture->texels;
  if (!texture->linear) {
    bool outside = false;
    int64_t offset = along(texture, 0, floor_of(in_texels(texture, 0, x)), &outside) +
                     along(texture, 1, floor_of(in_texels(texture, 1, y)), &outside) +
                     along(texture, 2, floor_of(in_texels(texture, 2, z)), &outside);
    return texel_or_border(texture, base, offset, outside);
  }
  struct pair a = pair_of(texture, 0, x), b = pair_of(texture, 1, y), c = pair_of(texture, 2, z);
  floats sum = {0, 0, 0, 0};
  for (int i = 0; i < 8; ++i) {
    int p = i & 1, q = i >> 1 & 1, r = i >> 2;
    bool outside = a.outside[p] | b.outside[q] | c.outside[r];
    floats part = (floats)texel_or_border(texture, base, a.offset[p] + b.offset[q] + c.offset[r], outside) *
                  (a.weight[p] * b.weight[q] * c.weight[r] * 0x1p-24f);
    sum = i == 0 ? part : sum + part;
  }
  return (lw_words)sum;
}

// The face that a direction meets, and where, along its rows and columns, from 0 to 1 (CUDA C++ Programming Guide,
// "Cubemap Textures"). Of equal components x goes first, then y.
static int32_t face_of(float x, float y, float z, float *u, float *v) {
  float across = __builtin_fabsf(x), up = __builtin_fabsf(y), along_z = __builtin_fabsf(z), s, t, most;
  int32_t face;
  if (across >= up && across >= along_z) {
    face = x < 0;
    most = across;
    s = x < 0 ? z : -z;
    t = -y;
  } else if (up >= along_z) {
    face = 2 + (y < 0);
    most = up;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0);
    most = along_z;
    s = z < 0 ? -x : x;
    t = -y;
  }
  *u = (s / most + 1) / 2;
  *v = (t / most + 1) / 2;
  return face;
}

static lw_words texture_sample_cube(const lw_launch *launch, uint64_t handle, uint32_t element, int32_t layer, float x,
                                    float y, float z) {
  const lw_texture *texture = texture_of(launch, handle, element);
  int32_t last = texture->extent[2] / 6 - 1;
  float u, v;
  int32_t face = face_of(x, y, z, &u, &v);
  return texture_sample_2d(launch, handle, element, 6 * (layer < 0 ? 0 : layer > last ? last : layer) + face, u, v);
}

// One channel of the four texels that linear filtering would mix: those of the next row, left and right, then those of
// the first row, right and left (PTX ISA, tld4). `element` has four channels, whatever the texture has.
static lw_words texture_gather(const lw_launch *launch, uint64_t handle, uint32_t element, int32_t channel, float x,
                               float y) {
  static const uint8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const lw_texture *texture = (const lw_texture *)(uintptr_t)handle;
  if ((element & LW_CHANNEL_BYTES) != 0 && handle != 0 && handle % _Alignof(lw_texture) == 0 &&
      texture->magic == LW_TEXTURE_MAGIC)
    element = (element & ~(0xffu << LW_CHANNELS_SHIFT)) | (uint32_t)texture->channels << LW_CHANNELS_SHIFT;
  texture = texture_of(launch, handle, element);
  struct pair a = pair_of(texture, 0, x), b = pair_of(texture, 1, y);
  lw_words result;
  for (int i = 0; i < 4; ++i) {
    int p = corners[i][0], q = corners[i][1];
    lw_words words = texel_or_border(texture, texture->texels, a.offset[p] + b.offset[q], a.outside[p] | b.outside[q]);
    result[i] = words[channel & 3];
  }
  return result;
}

// The answer of PTX to a question about a texture or surface (PTX ISA, txq and suq; 5.3.3, the numbers of types and
// orders). An axis that it lacks counts as 1.
static lw_words texture_query(const lw_launch *launch, uint64_t handle, uint32_t what) {
  static const uint16_t types[] = {0, 0x10d7, 0x10da, 0x10d8, 0x10db, 0x10dd, 0x10d0, 0x10d2, 0x10d1, 0x10d3};
  static const uint16_t whole[3][5] = {{0, 0x10d7, 0x10d8, 0, 0x10d9}, {0, 0x10da, 0x10db, 0, 0x10dc}, {0, 0, 0x10dd, 0, 0x10de}};
  const lw_texture *texture = (const lw_texture *)(uintptr_t)handle;
  uint32_t magic = (what & LW_OF_SURFACE) != 0 ? LW_SURFACE_MAGIC : LW_TEXTURE_MAGIC;
  if (handle == 0 || handle % _Alignof(lw_texture) != 0 || texture->magic != magic)
    refuse(launch, handle, 0, magic);
  uint32_t geometry = texture->element >> LW_GEOMETRY_SHIFT & 7, kind = texture->element >> LW_KIND_SHIFT & 3;
  bool layered = geometry == LW_1D_LAYERED || geometry == LW_2D_LAYERED || geometry == LW_CUBE_LAYERED;
  int32_t answer = 1;
  switch (what & ~LW_OF_SURFACE) {
  case LW_WIDTH:
    answer = texture->extent[0];
    break;
  case LW_HEIGHT:
    answer = texture->extent[1];
    break;
  case LW_DEPTH:
    answer = geometry == LW_3D ? texture->extent[2] : 1;
    break;
  case LW_ARRAY_SIZE:
    answer = layered ? texture->extent[2] / (geometry == LW_CUBE_LAYERED ? 6 : 1) : 1;
    break;
  case LW_CHANNEL_DATA_TYPE:
    answer = texture->format != LW_32_BITS ? types[texture->format] : whole[kind][texture->bytes / texture->channels];
    break;
  case LW_CHANNEL_ORDER:
    answer = texture->channels == 1 ? 0x10b0 : texture->channels == 2 ? 0x10b2 : 0x10b5;
    break;
  case LW_NORMALIZED_COORDS:
    answer = texture->normalized;
    break;
  case LW_FILTER_MODE:
    answer = texture->linear;
    break;
  }
  return (lw_words){answer, 0, 0, 0};
}
