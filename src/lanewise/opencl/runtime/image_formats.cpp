// SPDX-License-Identifier: Apache-2.0
// Formats of images (The OpenCL Specification 3.0, "Image Format Descriptor"; The OpenCL C Specification 3.0, 8.3).
#include "../../runtime/core/half.h"
#include "../../runtime/core/srgb_table.h"
#include "images.h"

namespace lw_opencl {

struct ChannelOrder {
  cl_enum number;
  uint8_t channels, swizzle;
  uint8_t sources[4], targets[4];
};

static const ChannelOrder ORDERS[] = {
    {CL_R, 1, LW_WITHOUT_ALPHA, {0, LW_ZERO, LW_ZERO, LW_ONE}, {0}},
    {CL_A, 1, LW_BY_TABLE, {LW_ZERO, LW_ZERO, LW_ZERO, 0}, {3}},
    {CL_RG, 2, LW_WITHOUT_ALPHA, {0, 1, LW_ZERO, LW_ONE}, {0, 1}},
    {CL_RA, 2, LW_BY_TABLE, {0, LW_ZERO, LW_ZERO, 1}, {0, 3}},
    {CL_RGB, 3, LW_WITHOUT_ALPHA, {0, 1, 2, LW_ONE}, {0, 1, 2}},
    {CL_RGBA, 4, LW_SAME, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {CL_BGRA, 4, LW_BLUE_FIRST, {2, 1, 0, 3}, {2, 1, 0, 3}},
    {CL_ARGB, 4, LW_BY_TABLE, {1, 2, 3, 0}, {3, 0, 1, 2}},
    {CL_ABGR, 4, LW_BY_TABLE, {3, 2, 1, 0}, {3, 2, 1, 0}},
    {CL_INTENSITY, 1, LW_BY_TABLE, {0, 0, 0, 0}, {0}},
    {CL_LUMINANCE, 1, LW_BY_TABLE, {0, 0, 0, LW_ONE}, {0}},
    {CL_DEPTH, 1, LW_WITHOUT_ALPHA, {0, LW_ZERO, LW_ZERO, LW_ONE}, {0}},
    {CL_sRGBA, 4, LW_SAME, {0, 1, 2, 3}, {0, 1, 2, 3}},
    {CL_sBGRA, 4, LW_BLUE_FIRST, {2, 1, 0, 3}, {2, 1, 0, 3}},
};

struct ChannelType {
  cl_enum number;
  uint8_t format, bytes, kind; // bytes: of a channel, or of all where they are packed; kind: signed, unsigned, floating
  float most[3];               // 0: not normalised
};

static const ChannelType TYPES[] = {
    {CL_SNORM_INT8, LW_S8_NORM, 1, 0, {127, 127, 127}},
    {CL_SNORM_INT16, LW_S16_NORM, 2, 0, {32767, 32767, 32767}},
    {CL_UNORM_INT8, LW_U8_NORM, 1, 1, {255, 255, 255}},
    {CL_UNORM_INT16, LW_U16_NORM, 2, 1, {65535, 65535, 65535}},
    {CL_UNORM_SHORT_565, LW_565, 2, 1, {31, 63, 31}},
    {CL_UNORM_SHORT_555, LW_555, 2, 1, {31, 31, 31}},
    {CL_UNORM_INT_101010, LW_101010, 4, 1, {1023, 1023, 1023}},
    {CL_SIGNED_INT8, LW_S8, 1, 0, {}},
    {CL_SIGNED_INT16, LW_S16, 2, 0, {}},
    {CL_SIGNED_INT32, LW_32_BITS, 4, 0, {}},
    {CL_UNSIGNED_INT8, LW_U8, 1, 1, {}},
    {CL_UNSIGNED_INT16, LW_U16, 2, 1, {}},
    {CL_UNSIGNED_INT32, LW_32_BITS, 4, 1, {}},
    {CL_HALF_FLOAT, LW_HALF, 2, 2, {}},
    {CL_FLOAT, LW_32_BITS, 4, 2, {}},
};

static const ChannelOrder *order_of(cl_enum number) {
  for (const ChannelOrder &each : ORDERS)
    if (each.number == number)
      return &each;
  return nullptr;
}

static const ChannelType *type_of(cl_enum number) {
  for (const ChannelType &each : TYPES)
    if (each.number == number)
      return &each;
  return nullptr;
}

static bool is_srgb(cl_enum order) { return order >= CL_sRGB && order <= CL_sBGRA; }
static bool is_packed(cl_enum type) { return type >= CL_UNORM_SHORT_565 && type <= CL_UNORM_INT_101010; }

// Whether OpenCL has images of this order and type.
static bool go_together(cl_enum order, cl_enum type) {
  bool is_byte = type == CL_SNORM_INT8 || type == CL_UNORM_INT8 || type == CL_SIGNED_INT8 || type == CL_UNSIGNED_INT8;
  bool is_shade = (type >= CL_SNORM_INT8 && type <= CL_UNORM_INT16) || type == CL_HALF_FLOAT || type == CL_FLOAT;
  switch (order) {
  case CL_RGB:
  case CL_RGBx:
    return is_packed(type);
  case CL_BGRA:
  case CL_ARGB:
  case CL_ABGR:
    return is_byte;
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return is_shade;
  case CL_DEPTH:
    return type == CL_UNORM_INT16 || type == CL_FLOAT;
  default:
    return is_srgb(order) ? type == CL_UNORM_INT8 : !is_packed(type);
  }
}

cl_int require_format(const cl_image_format *format) {
  REQUIRE(format, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no format");
  cl_enum order = format->image_channel_order, type = format->image_channel_data_type;
  bool is_order = (order >= CL_R && order <= CL_ABGR && order != CL_DEPTH + 1);
  REQUIRE(is_order && type_of(type) && go_together(order, type), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "no images have channels 0x%x of type 0x%x", order, type);
  REQUIRE(order_of(order), CL_IMAGE_FORMAT_NOT_SUPPORTED, "there are no images with channels 0x%x", order);
  return CL_SUCCESS;
}

static size_t channels_in_memory(const cl_image_format &format) {
  return is_packed(format.image_channel_data_type) ? 1 : order_of(format.image_channel_order)->channels;
}

size_t texel_bytes(const cl_image_format &format) {
  return channels_in_memory(format) * type_of(format.image_channel_data_type)->bytes;
}

bool is_writable(const cl_image_format &format) { return !is_srgb(format.image_channel_order); }

cl_uint formats_of(cl_bitfield flags, cl_enum image_type, cl_uint room, cl_image_format *formats) {
  bool only_read = flags & CL_MEM_READ_ONLY;
  bool is_2d = image_type == CL_MEM_OBJECT_IMAGE2D || image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  cl_uint count = 0;
  for (const ChannelOrder &order : ORDERS)
    for (const ChannelType &type : TYPES) {
      bool fits = (only_read || !is_srgb(order.number)) && (is_2d || order.number != CL_DEPTH);
      if (!fits || !go_together(order.number, type.number))
        continue;
      if (formats && count < room)
        formats[count] = {order.number, type.number};
      ++count;
    }
  return count;
}

void describe_format(const cl_image_format &format, lw_texture &description) {
  const ChannelOrder &order = *order_of(format.image_channel_order);
  const ChannelType &type = *type_of(format.image_channel_data_type);
  bool srgb = is_srgb(order.number);
  uint32_t channels = static_cast<uint32_t>(channels_in_memory(format));
  description.element |= type.bytes | channels << LW_CHANNELS_SHIFT | static_cast<uint32_t>(type.kind) << LW_KIND_SHIFT;
  description.magic = LW_IMAGE_MAGIC;
  description.bytes = channels * type.bytes;
  description.format = srgb ? static_cast<uint8_t>(LW_SRGB) : type.format;
  description.channels = static_cast<uint8_t>(channels);
  description.order = static_cast<uint16_t>(order.number);
  description.type = static_cast<uint16_t>(type.number);
  description.swizzle = order.swizzle;
  memcpy(description.sources, order.sources, sizeof order.sources);
  memcpy(description.targets, order.targets, sizeof order.targets);
  for (int i = 0; i < 4; ++i) {
    float most = type.most[i < 3 ? i : 0];
    bool plain = !type.most[0] || (i == 3 && is_packed(type.number)) || (i < 3 && srgb);
    description.scale[i] = plain ? 1 : 1 / most;
  }
}

// ---- Colours as texels -------------------------------------------------------------------------------------------------

// The nearest integer from `least` to `most`, to even in the middle; 0 for what is no number.
static int32_t rounded(float value, float least, float most) {
  if (!(value >= least))
    return value < least ? static_cast<int32_t>(least) : 0;
  return static_cast<int32_t>(value > most ? most : __builtin_rintf(value));
}

static int32_t saturated(int32_t value, uint32_t bytes) {
  if (bytes == 4)
    return value;
  int32_t most = (1 << (8 * bytes - 1)) - 1;
  return value > most ? most : value < -most - 1 ? -most - 1 : value;
}

static uint32_t saturated(uint32_t value, uint32_t bytes) {
  uint32_t most = bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
  return value < most ? value : most;
}

// The byte of sRGB whose linear value is the nearest.
static uint32_t srgb_byte(float value) {
  uint32_t byte = 0;
  while (byte < 255 && value > (srgb_table[byte] + srgb_table[byte + 1]) / 2)
    ++byte;
  return byte;
}

static uint32_t encoded(const lw_texture &description, const ChannelType &type, const void *colour, uint32_t channel) {
  union {
    float number;
    int32_t whole;
    uint32_t word;
  } value;
  uint32_t component = description.targets[channel];
  memcpy(&value, static_cast<const char *>(colour) + 4 * component, 4);
  if (description.format == LW_SRGB && channel < 3)
    return srgb_byte(value.number);
  if (type.most[0]) {
    float most = type.most[channel < 3 ? channel : 0];
    return static_cast<uint32_t>(rounded(value.number * most, type.kind == 0 ? -most - 1 : 0, most));
  }
  if (type.kind == 2)
    return description.format == LW_HALF ? half_bits(value.whole) : value.word;
  return type.kind == 0 ? static_cast<uint32_t>(saturated(value.whole, type.bytes)) : saturated(value.word, type.bytes);
}

void encode(const Picture &picture, const void *colour, char *texel) {
  const lw_texture &description = picture.description;
  const ChannelType &type = *type_of(picture.format.image_channel_data_type);
  if (is_packed(type.number)) {
    static const uint8_t shifts[3][3] = {{11, 5, 0}, {10, 5, 0}, {20, 10, 0}};
    uint32_t word = 0;
    for (uint32_t i = 0; i < 3; ++i)
      word |= encoded(description, type, colour, i) << shifts[description.format - LW_565][i];
    memcpy(texel, &word, type.bytes);
    return;
  }
  for (uint32_t i = 0; i < description.channels; ++i) {
    uint32_t word = encoded(description, type, colour, i);
    memcpy(texel + i * type.bytes, &word, type.bytes);
  }
}

} // namespace lw_opencl
