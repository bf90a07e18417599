// SPDX-License-Identifier: Apache-2.0
// Images: memory objects that kernels read texels of.
#include "devices.h"
#include "images.h"
#include "memory.h"

namespace lw_opencl {

static const cl_bitfield IMAGE_FLAGS = KERNEL_ACCESS | HOST_POINTER | HOST_ACCESS | CL_MEM_KERNEL_READ_AND_WRITE;

cl_int require_image(const Memory *memory) {
  REQUIRE_SUCCESS(require_memory(memory));
  REQUIRE(memory->picture, CL_INVALID_MEM_OBJECT, "a buffer is no image");
  return CL_SUCCESS;
}

static bool is_type_of_image(cl_enum type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

// ---- What an image is created with ------------------------------------------------------------------------------------

static cl_int require_extent(const char *what, size_t given, size_t most) {
  REQUIRE(given, CL_INVALID_IMAGE_DESCRIPTOR, "an image with a %s of 0", what);
  REQUIRE(given <= most, CL_INVALID_IMAGE_SIZE, "an image with a %s of %zu; it is at most %zu", what, given, most);
  return CL_SUCCESS;
}

// Extents as the type has them.
static cl_int read_extents(const cl_image_desc &given, Picture &picture) {
  cl_enum type = given.image_type;
  bool is_3d = type == CL_MEM_OBJECT_IMAGE3D;
  bool is_2d = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  size_t most = is_3d ? MOST_EXTENT_3D : type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? MOST_BUFFER_TEXELS : MOST_IMAGE_EXTENT;
  REQUIRE_SUCCESS(require_extent("width", given.image_width, most));
  picture.width = given.image_width;
  if (is_2d || is_3d) {
    REQUIRE_SUCCESS(require_extent("height", given.image_height, most));
    picture.height = given.image_height;
  }
  if (is_3d) {
    REQUIRE_SUCCESS(require_extent("depth", given.image_depth, most));
    picture.depth = given.image_depth;
  }
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY) {
    REQUIRE_SUCCESS(require_extent("number of layers", given.image_array_size, MOST_LAYERS));
    picture.layers = given.image_array_size;
  }
  return CL_SUCCESS;
}

// Pitches of rows and slices. `row` and `slice` are what the host gives, 0 for as small as can be.
static cl_int read_pitches(size_t row, size_t slice, size_t bytes, Picture &picture) {
  size_t least = picture.width * bytes;
  REQUIRE(!row || (row >= least && row % bytes == 0), CL_INVALID_IMAGE_DESCRIPTOR,
          "a row pitch of %zu for rows of %zu bytes in texels of %zu", row, least, bytes);
  REQUIRE(row <= MOST_IMAGE_BYTES && slice <= MOST_IMAGE_BYTES, CL_INVALID_IMAGE_DESCRIPTOR,
          "pitches of %zu and %zu bytes; an image has at most %zu", row, slice, static_cast<size_t>(MOST_IMAGE_BYTES));
  picture.row = row ? row : least;
  if (!picture.depth && !picture.layers)
    return CL_SUCCESS;
  size_t whole = picture.row * (picture.height ? picture.height : 1);
  REQUIRE(!slice || (slice >= whole && slice % picture.row == 0), CL_INVALID_IMAGE_DESCRIPTOR,
          "a slice pitch of %zu for slices of %zu bytes in rows of %zu", slice, whole, picture.row);
  picture.slice = slice ? slice : whole;
  return CL_SUCCESS;
}

static size_t bytes_of(const Picture &picture) {
  size_t slices = picture.depth ? picture.depth : picture.layers;
  return slices ? picture.slice * slices : picture.row * (picture.height ? picture.height : 1);
}

static cl_int require_image_bytes(size_t bytes, cl_int code) {
  REQUIRE(bytes <= MOST_IMAGE_BYTES, code, "an image of %zu bytes; it has at most %zu", bytes,
          static_cast<size_t>(MOST_IMAGE_BYTES));
  return CL_SUCCESS;
}

static void describe(Picture &picture, char *texels) {
  static const struct {
    cl_enum type;
    uint32_t geometry;
  } geometries[] = {{CL_MEM_OBJECT_IMAGE1D, LW_1D},
                    {CL_MEM_OBJECT_IMAGE1D_BUFFER, LW_1D},
                    {CL_MEM_OBJECT_IMAGE1D_ARRAY, LW_1D_LAYERED},
                    {CL_MEM_OBJECT_IMAGE2D, LW_2D},
                    {CL_MEM_OBJECT_IMAGE2D_ARRAY, LW_2D_LAYERED},
                    {CL_MEM_OBJECT_IMAGE3D, LW_3D}};
  lw_texture &description = picture.description;
  for (const auto &each : geometries)
    if (each.type == picture.type)
      description.element = each.geometry << LW_GEOMETRY_SHIFT;
  describe_format(picture.format, description);
  size_t slices = picture.depth ? picture.depth : picture.layers ? picture.layers : 1;
  description.texels = texels;
  description.stride[0] = description.bytes;
  description.stride[1] = static_cast<int64_t>(picture.row);
  description.stride[2] = static_cast<int64_t>(picture.slice);
  description.extent[0] = static_cast<int32_t>(picture.width);
  description.extent[1] = static_cast<int32_t>(picture.height ? picture.height : 1);
  description.extent[2] = static_cast<int32_t>(slices);
}

// ---- Images with memory of their own, or of the host ------------------------------------------------------------------

static void copy_rows(const Picture &picture, char *to, const char *from, size_t row, size_t slice) {
  size_t slices = picture.depth ? picture.depth : picture.layers ? picture.layers : 1;
  size_t rows = picture.height ? picture.height : 1, bytes = picture.width * picture.description.bytes;
  for (size_t z = 0; z < slices; ++z)
    for (size_t y = 0; y < rows; ++y)
      memcpy(to + z * picture.slice + y * picture.row, from + z * slice + y * row, bytes);
}

static cl_int take_own(Memory *image, const cl_image_desc &given, void *host) {
  Picture &picture = *image->picture;
  size_t bytes = texel_bytes(picture.format);
  REQUIRE(!host == !(image->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)), CL_INVALID_HOST_PTR,
          "memory of the host and flags don't go together");
  REQUIRE(host || (!given.image_row_pitch && !given.image_slice_pitch), CL_INVALID_IMAGE_DESCRIPTOR,
          "pitches without memory of the host");
  REQUIRE_SUCCESS(read_pitches(given.image_row_pitch, given.image_slice_pitch, bytes, picture));
  size_t row = picture.row, slice = picture.slice;
  bool is_copied = image->flags & CL_MEM_COPY_HOST_PTR;
  if (is_copied)
    REQUIRE_SUCCESS(read_pitches(0, 0, bytes, picture));
  image->bytes = bytes_of(picture);
  REQUIRE_SUCCESS(require_image_bytes(image->bytes, CL_MEM_OBJECT_ALLOCATION_FAILURE));
  image->flags &= ~static_cast<cl_bitfield>(is_copied ? CL_MEM_COPY_HOST_PTR : 0);
  cl_int result = take_memory(image, host);
  image->flags |= is_copied ? CL_MEM_COPY_HOST_PTR : 0;
  REQUIRE_SUCCESS(result);
  describe(picture, image->data);
  if (is_copied)
    copy_rows(picture, image->data, static_cast<const char *>(host), row, slice);
  return CL_SUCCESS;
}

// ---- Images in buffers, and other views of images ---------------------------------------------------------------------

// Whether an image may be seen in another order: as bytes of sRGB or as linear ones, as red or as depth.
static bool is_view(const cl_image_format &own, const cl_image_format &other) {
  static const cl_enum pairs[][2] = {{CL_sRGBA, CL_RGBA}, {CL_sBGRA, CL_BGRA}, {CL_DEPTH, CL_R}};
  if (own.image_channel_data_type != other.image_channel_data_type)
    return false;
  cl_enum a = own.image_channel_order, b = other.image_channel_order;
  for (const auto &pair : pairs)
    if ((a == pair[0] && b == pair[1]) || (a == pair[1] && b == pair[0]))
      return true;
  return a == b;
}

static cl_int require_source(const Memory *source, const cl_image_desc &given, Picture &picture) {
  REQUIRE(lives(source), CL_INVALID_IMAGE_DESCRIPTOR, "%p is no memory object", static_cast<const void *>(source));
  bool is_2d = picture.type == CL_MEM_OBJECT_IMAGE2D;
  if (const Picture *other = source->picture) {
    REQUIRE(is_2d && other->type == CL_MEM_OBJECT_IMAGE2D, CL_INVALID_IMAGE_DESCRIPTOR, "only 2-D images have views");
    REQUIRE(is_view(picture.format, other->format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
            "the image can't be seen in this format");
    REQUIRE(picture.width == other->width && picture.height == other->height, CL_INVALID_IMAGE_DESCRIPTOR,
            "a view is as large as its image");
    REQUIRE(!given.image_row_pitch || given.image_row_pitch == other->row, CL_INVALID_IMAGE_DESCRIPTOR,
            "a view has the pitch of its image");
    picture.row = other->row;
    return CL_SUCCESS;
  }
  REQUIRE(is_2d || picture.type == CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR,
          "only 1-D and 2-D images are in buffers");
  REQUIRE_SUCCESS(read_pitches(given.image_row_pitch, 0, texel_bytes(picture.format), picture));
  REQUIRE(bytes_of(picture) <= source->bytes, CL_INVALID_IMAGE_SIZE, "an image of %zu bytes in a buffer of %zu",
          bytes_of(picture), source->bytes);
  return require_image_bytes(bytes_of(picture), CL_INVALID_IMAGE_SIZE);
}

static cl_int take_source(Memory *image, const cl_image_desc &given, void *host, cl_bitfield flags) {
  Memory *source = given.mem_object;
  REQUIRE_SUCCESS(require_source(source, given, *image->picture));
  REQUIRE(source->context == image->context, CL_INVALID_CONTEXT, "the memory object is of another context");
  REQUIRE(!host, CL_INVALID_HOST_PTR, "an image in a buffer has its memory");
  REQUIRE(!(flags & HOST_POINTER), CL_INVALID_VALUE, "an image in a buffer has its memory");
  REQUIRE_SUCCESS(require_flags_of_part(source, flags));
  image->flags = flags_of_part(source, flags);
  image->parent = use(source);
  image->bytes = bytes_of(*image->picture);
  image->data = source->data;
  image->host = source->host;
  describe(*image->picture, image->data);
  return CL_SUCCESS;
}

static cl_int create_image(Context *context, cl_bitfield flags, const cl_image_format *format, const cl_image_desc *given,
                           void *host, Memory *&made) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE(some_has_images(context->devices), CL_INVALID_OPERATION, "no device of the context has images");
  REQUIRE_SUCCESS(require_flags(flags, IMAGE_FLAGS));
  REQUIRE_SUCCESS(require_format(format));
  REQUIRE(given && is_type_of_image(given->image_type), CL_INVALID_IMAGE_DESCRIPTOR, "no type of images");
  REQUIRE(!given->num_mip_levels && !given->num_samples, CL_INVALID_IMAGE_DESCRIPTOR,
          "images have one level and one sample");
  REQUIRE(is_writable(*format) || flags & CL_MEM_READ_ONLY, CL_IMAGE_FORMAT_NOT_SUPPORTED,
          "images of sRGB are only read");
  Picture picture = {};
  picture.type = given->image_type;
  picture.format = *format;
  REQUIRE_SUCCESS(read_extents(*given, picture));
  bool is_2d = picture.type == CL_MEM_OBJECT_IMAGE2D || picture.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  REQUIRE(is_2d || format->image_channel_order != CL_DEPTH, CL_IMAGE_FORMAT_NOT_SUPPORTED, "only 2-D images have depths");
  REQUIRE(picture.type != CL_MEM_OBJECT_IMAGE1D_BUFFER || given->mem_object, CL_INVALID_IMAGE_DESCRIPTOR,
          "no buffer for the image");
  made = created<Memory>();
  REQUIRE(made, CL_OUT_OF_HOST_MEMORY, "too many memory objects");
  made->context = use(context);
  made->flags = with_access(flags);
  pthread_mutex_init(&made->lock, nullptr);
  pthread_mutex_init(&made->moving, nullptr);
  made->picture = static_cast<Picture *>(aligned_alloc(alignof(Picture), sizeof(Picture)));
  cl_int result = made->picture ? CL_SUCCESS : fail(CL_OUT_OF_HOST_MEMORY, "no memory for an image");
  if (result == CL_SUCCESS) {
    *made->picture = picture;
    result = given->mem_object ? take_source(made, *given, host, flags) : take_own(made, *given, host);
  }
  if (result != CL_SUCCESS)
    release(made, CL_INVALID_MEM_OBJECT);
  return result;
}

static cl_int image_info(const Memory *image, cl_enum what, const Answer &answer) {
  const Picture &picture = *image->picture;
  switch (what) {
  case CL_IMAGE_FORMAT:
    return answer.value(picture.format);
  case CL_IMAGE_ELEMENT_SIZE:
    return answer.value<size_t>(picture.description.bytes);
  case CL_IMAGE_ROW_PITCH:
    return answer.value(picture.row);
  case CL_IMAGE_SLICE_PITCH:
    return answer.value(picture.slice);
  case CL_IMAGE_WIDTH:
    return answer.value(picture.width);
  case CL_IMAGE_HEIGHT:
    return answer.value(picture.height);
  case CL_IMAGE_DEPTH:
    return answer.value(picture.depth);
  case CL_IMAGE_ARRAY_SIZE:
    return answer.value(picture.layers);
  case CL_IMAGE_BUFFER:
    return answer.value(image->parent);
  case CL_IMAGE_NUM_MIP_LEVELS:
  case CL_IMAGE_NUM_SAMPLES:
    return answer.value<cl_uint>(0);
  default:
    return fail(CL_INVALID_VALUE, "images have no property 0x%x", what);
  }
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_mem clCreateImage(cl_context context, cl_bitfield flags, const cl_image_format *format,
                           const cl_image_desc *given, void *host, cl_int *code) {
  return made<Memory>(
      code, [&](Memory *&image) -> cl_int { return create_image(context, flags, format, given, host, image); });
}

LW_CL cl_mem clCreateImageWithProperties(cl_context context, const cl_properties *properties, cl_bitfield flags,
                                         const cl_image_format *format, const cl_image_desc *given, void *host,
                                         cl_int *code) {
  return made<Memory>(code, [&](Memory *&image) -> cl_int {
    REQUIRE(!properties || !*properties, CL_INVALID_PROPERTY, "unknown property 0x%llx",
            static_cast<unsigned long long>(*properties));
    REQUIRE_SUCCESS(create_image(context, flags, format, given, host, image));
    if (properties)
      image->properties.add(0);
    return CL_SUCCESS;
  });
}

LW_CL cl_mem clCreateImage2D(cl_context context, cl_bitfield flags, const cl_image_format *format, size_t width,
                             size_t height, size_t row, void *host, cl_int *code) {
  cl_image_desc given = {CL_MEM_OBJECT_IMAGE2D, width, height, 0, 0, row, 0, 0, 0, nullptr};
  cl_mem image = clCreateImage(context, flags, format, &given, host, code);
  if (code && *code == CL_INVALID_IMAGE_DESCRIPTOR)
    *code = CL_INVALID_IMAGE_SIZE;
  return image;
}

LW_CL cl_mem clCreateImage3D(cl_context context, cl_bitfield flags, const cl_image_format *format, size_t width,
                             size_t height, size_t depth, size_t row, size_t slice, void *host, cl_int *code) {
  cl_image_desc given = {CL_MEM_OBJECT_IMAGE3D, width, height, depth, 0, row, slice, 0, 0, nullptr};
  cl_mem image = clCreateImage(context, flags, format, &given, host, code);
  if (code && *code == CL_INVALID_IMAGE_DESCRIPTOR)
    *code = CL_INVALID_IMAGE_SIZE;
  return image;
}

LW_CL cl_int clGetSupportedImageFormats(cl_context context, cl_bitfield flags, cl_enum type, cl_uint room,
                                        cl_image_format *formats, cl_uint *count) {
  REQUIRE(lives(context), CL_INVALID_CONTEXT, "%p is no context", static_cast<const void *>(context));
  REQUIRE_SUCCESS(require_flags(flags, IMAGE_FLAGS));
  REQUIRE(is_type_of_image(type), CL_INVALID_VALUE, "0x%x is no type of images", type);
  REQUIRE(!formats || room, CL_INVALID_VALUE, "no room for formats");
  cl_uint found = some_has_images(context->devices) ? formats_of(with_access(flags), type, room, formats) : 0;
  if (count)
    *count = found;
  return CL_SUCCESS;
}

LW_CL cl_int clGetImageInfo(cl_mem image, cl_enum what, size_t room, void *place, size_t *size) {
  REQUIRE_SUCCESS(require_image(image));
  return image_info(image, what, {room, place, size});
}
