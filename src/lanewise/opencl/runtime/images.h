// SPDX-License-Identifier: Apache-2.0
// Images: formats, and descriptions that kernels read (runtime/core/texture.h).
#ifndef LANEWISE_OPENCL_IMAGES_H
#define LANEWISE_OPENCL_IMAGES_H

#include "types.h"

namespace lw_opencl {

enum : size_t {
  MOST_IMAGE_EXTENT = 16384,  // of 1-D and 2-D images
  MOST_EXTENT_3D = 2048,
  MOST_LAYERS = 2048,
  MOST_BUFFER_TEXELS = 1 << 26,
  MOST_IMAGE_BYTES = INT32_MAX, // kernels compute offsets in 32 bits
  MOST_IMAGE_ARGUMENTS = 128,
  MOST_SAMPLERS = 16,
};

// A format that OpenCL has, and that images here can have.
cl_int require_format(const cl_image_format *format);

// Bytes of a texel.
size_t texel_bytes(const cl_image_format &format);

// Whether kernels may write to it.
bool is_writable(const cl_image_format &format);

// The formats that images of a type can have, with flags: written to `formats`, which may be null; their number.
cl_uint formats_of(cl_bitfield flags, cl_enum type, cl_uint room, cl_image_format *formats);

// Fills in what depends on the format.
void describe_format(const cl_image_format &format, lw_texture &description);

// Writes a colour, four floats or integers, as a texel of at most 16 bytes.
void encode(const Picture &picture, const void *colour, char *texel);

cl_int require_image(const Memory *memory);

} // namespace lw_opencl

#endif
