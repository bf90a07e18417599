// SPDX-License-Identifier: Apache-2.0
// Reading and writing surfaces (CUDA C++ Programming Guide, "Surface Functions"). x counts bytes and must be a multiple
// of the element's size. Outside, the boundary mode of the call decides: reads give zeros and writes are dropped, the
// nearest element is taken, or the launch ends.
#include "core.h"
#include "texture.h"

#include <stdio.h>
#include <string.h>

enum boundary { BOUNDARY_ZERO, BOUNDARY_CLAMP, BOUNDARY_TRAP };

static _Noreturn void surface_fail(const lw_launch *launch, const char *what, uint32_t bytes, int32_t x, int32_t y,
                                   int32_t z) {
  char text[LW_TEXT_BYTES];
  snprintf(text, sizeof text, "a surface access of %u bytes at (%d, %d, %d) %s", bytes, x, y, z, what);
  texture_fail(launch, text);
}

static int32_t nearest(int32_t index, int32_t extent) { return index < 0 ? 0 : index < extent ? index : extent - 1; }

// Where the element is; null where it is outside and the mode is zero.
static char *surface_place(const lw_launch *launch, uint64_t handle, uint32_t access, uint32_t bytes, int32_t x,
                           int32_t y, int32_t z) {
  const lw_texture *surface = (const lw_texture *)(uintptr_t)handle;
  if (handle == 0 || handle % _Alignof(lw_texture) != 0 || surface->magic != LW_SURFACE_MAGIC ||
      ((surface->element ^ access) >> LW_GEOMETRY_SHIFT & 7) != 0)
    refuse(launch, handle, access, LW_SURFACE_MAGIC);
  int64_t width = (int64_t)surface->extent[0] * surface->bytes;
  if (x % (int32_t)bytes != 0)
    surface_fail(launch, "whose x is not a multiple of its size", bytes, x, y, z);
  if (x < 0 || (int64_t)x + bytes > width || y < 0 || y >= surface->extent[1] || z < 0 || z >= surface->extent[2]) {
    switch (access >> LW_BOUNDARY_SHIFT & 3) {
    case BOUNDARY_ZERO:
      return NULL;
    case BOUNDARY_CLAMP:
      if (bytes > width)
        return NULL;
      x = x < 0 ? 0 : (int64_t)x + bytes > width ? (int32_t)(width / bytes * bytes - bytes) : x;
      y = nearest(y, surface->extent[1]);
      z = nearest(z, surface->extent[2]);
      break;
    default:
      surface_fail(launch, "which is outside", bytes, x, y, z);
    }
  }
  return surface->texels + x + y * surface->stride[1] + z * surface->stride[2];
}

// A word as a number of the surface's format (PTX ISA, sust.p). One that the format doesn't reach becomes its greatest
// or least, as the manual leaves it open.
static uint32_t formatted(uint32_t kind, uint32_t size, int32_t word) {
  if (size == 4)
    return (uint32_t)word;
  if (kind == 2)
    return half_bits(word);
  uint32_t bits = 8 * size;
  if (kind == 1) {
    uint32_t most = (1u << bits) - 1;
    return (uint32_t)word > most ? most : (uint32_t)word;
  }
  int32_t most = (1 << (bits - 1)) - 1;
  return (uint32_t)(word > most ? most : word < -most - 1 ? -most - 1 : word);
}

static void surface_write_formatted(const lw_launch *launch, uint64_t handle, uint32_t access, int32_t x, int32_t y,
                                    int32_t z, lw_words value) {
  const lw_texture *surface = (const lw_texture *)(uintptr_t)handle;
  if (handle == 0 || handle % _Alignof(lw_texture) != 0 || surface->magic != LW_SURFACE_MAGIC)
    refuse(launch, handle, access, LW_SURFACE_MAGIC);
  uint32_t given = access >> LW_CHANNELS_SHIFT & 7, size = surface->bytes / surface->channels;
  int64_t first = (int64_t)x * surface->bytes;
  int32_t bytes = first < INT32_MIN ? INT32_MIN : first > INT32_MAX ? INT32_MAX : (int32_t)first;
  bytes -= bytes % (int32_t)surface->bytes; // an index far outside stays so
  char *at = surface_place(launch, handle, access, surface->bytes, bytes, y, z);
  for (uint32_t i = 0; at != NULL && i < given && i < surface->channels; ++i) {
    uint32_t number = formatted(surface->element >> LW_KIND_SHIFT & 3, size, value[i]);
    memcpy(at + i * size, &number, size);
  }
}

#define REDUCE(type, at, by, reduction)                                                                                \
  do {                                                                                                                 \
    type *place = (type *)(void *)(at), old = __atomic_load_n(place, __ATOMIC_RELAXED), next, given = (type)(by);      \
    do                                                                                                                 \
      next = (reduction) == LW_ADD   ? (type)(old + given)                                                             \
             : (reduction) == LW_AND ? (type)(old & given)                                                             \
             : (reduction) == LW_OR  ? (type)(old | given)                                                             \
             : (reduction) == LW_MIN ? (given < old ? given : old)                                                     \
                                     : (given > old ? given : old);                                                    \
    while (!__atomic_compare_exchange_n(place, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                 \
  } while (0)

static void surface_reduce(const lw_launch *launch, uint64_t handle, uint32_t access, int32_t x, int32_t y, int32_t z,
                           lw_words value) {
  uint32_t size = access & LW_CHANNEL_BYTES, reduction = access >> LW_REDUCTION_SHIFT & 7;
  uint64_t both = (uint64_t)(uint32_t)value[1] << 32 | (uint32_t)value[0];
  if ((access & LW_FORMATTED) != 0)
    x = (int32_t)((uint32_t)x * size);
  char *at = surface_place(launch, handle, access, size, x, y, z);
  if (at == NULL)
    return;
  uint32_t kind = access >> LW_KIND_SHIFT & 3;
  if (kind == LW_KIND_OF_SURFACE)
    kind = ((const lw_texture *)(uintptr_t)handle)->element >> LW_KIND_SHIFT & 3;
  bool is_signed = kind == 0 && reduction != LW_ADD; // sums are the same, and never overflow
  if (size == 8 && is_signed)
    REDUCE(int64_t, at, both, reduction);
  else if (size == 8)
    REDUCE(uint64_t, at, both, reduction);
  else if (is_signed)
    REDUCE(int32_t, at, both, reduction);
  else
    REDUCE(uint32_t, at, both, reduction);
}

static lw_words surface_read(const lw_launch *launch, uint64_t handle, uint32_t access, int32_t x, int32_t y,
                             int32_t z) {
  uint32_t size = access & LW_CHANNEL_BYTES, channels = access >> LW_CHANNELS_SHIFT & 7;
  const char *at = surface_place(launch, handle, access, size * channels, x, y, z);
  lw_words words = {0, 0, 0, 0};
  for (uint32_t i = 0; at != NULL && i < channels; ++i) {
    uint32_t word = 0;
    memcpy(&word, at + i * size, size);
    words[i] = (int32_t)word;
  }
  return words;
}

static void surface_write(const lw_launch *launch, uint64_t handle, uint32_t access, int32_t x, int32_t y, int32_t z,
                          lw_words value) {
  if ((access & LW_FORMATTED) != 0) {
    surface_write_formatted(launch, handle, access, x, y, z, value);
    return;
  }
  uint32_t size = access & LW_CHANNEL_BYTES, channels = access >> LW_CHANNELS_SHIFT & 7;
  char *at = surface_place(launch, handle, access, size * channels, x, y, z);
  for (uint32_t i = 0; at != NULL && i < channels; ++i) {
    int32_t word = value[i];
    memcpy(at + i * size, &word, size);
  }
}

static const lw_texture_services texture_services = {
    .fetch = texture_fetch,
    .gather = texture_gather,
    .sample_1d = texture_sample_1d,
    .sample_2d = texture_sample_2d,
    .sample_3d = texture_sample_3d,
    .read = surface_read,
    .write = surface_write,
    .sample_cube = texture_sample_cube,
    .reduce = surface_reduce,
    .query = texture_query,
};
