// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "arrays.h"
#include "copies.h"
#include "memory.h"
#include "ranges.h"
#include "reset.h"

namespace lw_cudart {

static Handles<Array, (size_t)1 << 18> arrays;

Array *array_of(cudaArray_const_t array) { return arrays.find(array); }

LW_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t bytes_of_format(const cudaChannelFormatDesc &f, size_t *bytes) {
  int channels = (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0);
  bool same = (f.y == f.x || !f.y) && (f.z == f.x || !f.z) && (f.w == f.x || !f.w);
  bool dense = (f.y || !f.z) && (f.z || !f.w);
  REQUIRE((f.x == 8 || f.x == 16 || f.x == 32) && same && dense && channels != 3 &&
              (unsigned int)f.f <= cudaChannelFormatKindFloat && !(f.f == cudaChannelFormatKindFloat && f.x == 8),
          cudaErrorInvalidChannelDescriptor, "(%d, %d, %d, %d) bits of kind %d are no format of an element", f.x, f.y,
          f.z, f.w, f.f);
  *bytes = static_cast<size_t>(f.x) / 8 * static_cast<size_t>(channels);
  return cudaSuccess;
}

static size_t at_least_1(size_t extent) { return extent ? extent : 1; }

static cudaError_t create_array(cudaArray_t *made, const cudaChannelFormatDesc *format, const cudaExtent &extent,
                                unsigned int flags) {
  REQUIRE_SUCCESS(refuse_on_gpu("arrays"));
  REQUIRE(made, cudaErrorInvalidValue, "array is null");
  REQUIRE_POINTER(format);
  REQUIRE(extent.width, cudaErrorInvalidValue, "the array has no width");
  if (flags & cudaArrayCubemap) {
    bool layered = flags & cudaArrayLayered;
    REQUIRE(extent.width == extent.height && (layered ? extent.depth && extent.depth % 6 == 0 : extent.depth == 6),
            cudaErrorInvalidValue, "a cubemap of %zu * %zu * %zu elements: it has %s square faces", extent.width,
            extent.height, extent.depth, layered ? "a multiple of six" : "six");
  }
  size_t element;
  REQUIRE_SUCCESS(bytes_of_format(*format, &element));
  size_t row = product(extent.width, element), height = at_least_1(extent.height), depth = at_least_1(extent.depth);
  void *memory;
  REQUIRE_SUCCESS(allocate(&memory, product(row, product(height, depth)), LW_DEVICE_MEMORY, 0));
  Array *array = arrays.create();
  if (!array) {
    release(memory, LW_DEVICE_MEMORY);
    return fail(cudaErrorMemoryAllocation, "there are too many arrays");
  }
  array->memory = static_cast<char *>(memory);
  array->format = *format;
  array->extent = extent;
  array->flags = flags;
  array->element = element;
  array->pitch = {row, row * height};
  *made = reinterpret_cast<cudaArray_t>(array);
  return cudaSuccess;
}

LW_API cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height,
                                   unsigned int flags) {
  return CALL({ return create_array(array, format, {width, height, 0}, flags); });
}

LW_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                                     unsigned int flags) {
  return CALL({ return create_array(array, format, extent, flags); });
}

static void destroy_array(Array *array) {
  release(array->memory, LW_DEVICE_MEMORY);
  arrays.destroy(array);
}

void destroy_arrays() { arrays.each(destroy_array); }

LW_API cudaError_t cudaFreeArray(cudaArray_t handle) {
  return CALL({
    if (!handle)
      return cudaSuccess;
    REQUIRE_ARRAY(array, handle);
    REQUIRE_SUCCESS(synchronize_device());
    void *memory = array->memory;
    arrays.destroy(array);
    return release(memory, LW_DEVICE_MEMORY);
  });
}

LW_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t handle) {
  return CALL({
    REQUIRE_POINTER(format);
    REQUIRE_ARRAY(array, handle);
    *format = array->format;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                                    cudaArray_t handle) {
  return CALL({
    REQUIRE_ARRAY(array, handle);
    if (format)
      *format = array->format;
    if (extent)
      *extent = array->extent;
    if (flags)
      *flags = array->flags;
    return cudaSuccess;
  });
}

static cudaError_t no_levels() { return fail(cudaErrorNotSupported, "arrays of several levels are not supported"); }

LW_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent,
                                            unsigned int, unsigned int) {
  return CALL({ return no_levels(); });
}
LW_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) {
  return CALL({ return no_levels(); });
}
LW_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_t, unsigned int) {
  return CALL({ return no_levels(); });
}

cudaError_t element_bytes(cudaArray_const_t handle, size_t *bytes) {
  REQUIRE_ARRAY(array, handle);
  *bytes = array->element;
  return cudaSuccess;
}

static bool is_within(size_t position, size_t extent, size_t whole) {
  return position <= whole && extent <= whole - position;
}

cudaError_t end_in_array(cudaArray_const_t handle, const cudaPos &position, const cudaExtent &extent, const char *what,
                         void **start, lw_pitch *pitch) {
  REQUIRE_ARRAY(array, handle);
  const cudaExtent &whole = array->extent;
  REQUIRE(is_within(position.x, extent.width, whole.width) &&
              is_within(position.y, extent.height, at_least_1(whole.height)) &&
              is_within(position.z, extent.depth, at_least_1(whole.depth)),
          cudaErrorInvalidValue, "the box leaves the %s, an array of %zu * %zu * %zu elements", what, whole.width,
          at_least_1(whole.height), at_least_1(whole.depth));
  *pitch = array->pitch;
  *start = array->memory + position.z * pitch->plane + position.y * pitch->row + position.x * array->element;
  return cudaSuccess;
}

// One end of a copy in two dimensions: `width` and `x` are bytes.
static cudaError_t rows_in_array(cudaArray_const_t handle, size_t x, size_t y, size_t width, size_t height,
                                 const char *what, void **start, lw_pitch *pitch) {
  REQUIRE_ARRAY(array, handle);
  REQUIRE(x % array->element == 0 && width % array->element == 0, cudaErrorInvalidValue,
          "%zu bytes from byte %zu of a row are no whole elements of %zu bytes", width, x, array->element);
  return end_in_array(handle, {x / array->element, y, 0}, {width / array->element, height, 1}, what, start, pitch);
}

static cudaError_t to_array(cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch, size_t width,
                            size_t height, Copy *copy) {
  REQUIRE(height <= 1 || width <= pitch, cudaErrorInvalidPitchValue, "rows of %zu bytes: the pitch is %zu", width,
          pitch);
  *copy = {nullptr, {}, source, {pitch, product(pitch, height)}, {width, height, 1}};
  return rows_in_array(array, x, y, width, height, "target", &copy->target, &copy->target_pitch);
}

static cudaError_t from_array(void *target, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t width,
                              size_t height, Copy *copy) {
  REQUIRE(height <= 1 || width <= pitch, cudaErrorInvalidPitchValue, "rows of %zu bytes: the pitch is %zu", width,
          pitch);
  void *source;
  *copy = {target, {pitch, product(pitch, height)}, nullptr, {}, {width, height, 1}};
  REQUIRE_SUCCESS(rows_in_array(array, x, y, width, height, "source", &source, &copy->source_pitch));
  copy->source = source;
  return cudaSuccess;
}

LW_API cudaError_t cudaMemcpy2DToArray(cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch,
                                       size_t width, size_t height, cudaMemcpyKind kind) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(to_array(target, x, y, source, pitch, width, height, &copy));
    return copy_now(copy, kind);
  });
}

LW_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch,
                                            size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(to_array(target, x, y, source, pitch, width, height, &copy));
    return copy_later(copy, kind, stream);
  });
}

LW_API cudaError_t cudaMemcpy2DFromArray(void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
                                         size_t width, size_t height, cudaMemcpyKind kind) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(from_array(target, pitch, source, x, y, width, height, &copy));
    return copy_now(copy, kind);
  });
}

LW_API cudaError_t cudaMemcpy2DFromArrayAsync(void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
                                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(from_array(target, pitch, source, x, y, width, height, &copy));
    return copy_later(copy, kind, stream);
  });
}

LW_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                            cudaArray_const_t source, size_t source_x, size_t source_y, size_t width,
                                            size_t height, cudaMemcpyKind) {
  return CALL({
    Copy copy;
    void *start;
    REQUIRE_SUCCESS(to_array(target, target_x, target_y, nullptr, width, width, height, &copy));
    REQUIRE_SUCCESS(rows_in_array(source, source_x, source_y, width, height, "source", &start, &copy.source_pitch));
    copy.source = start;
    return copy_now(copy, cudaMemcpyDeviceToDevice);
  });
}

// Old calls that take bytes go on in the next row. Rows lie one after the other, so the bytes do, too.
static cudaError_t run_of_array(cudaArray_const_t handle, size_t x, size_t y, size_t bytes, void **start) {
  REQUIRE_ARRAY(array, handle);
  size_t whole = array->pitch.plane * at_least_1(array->extent.depth), offset = y * array->pitch.row + x;
  REQUIRE(offset <= whole && bytes <= whole - offset, cudaErrorInvalidValue,
          "%zu bytes from byte %zu of an array that has %zu", bytes, offset, whole);
  *start = array->memory + offset;
  return cudaSuccess;
}

LW_API cudaError_t cudaMemcpyToArray(cudaArray_t target, size_t x, size_t y, const void *source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return CALL({
    void *start;
    REQUIRE_SUCCESS(run_of_array(target, x, y, bytes, &start));
    return copy_now(one_row(start, source, bytes), kind);
  });
}

LW_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, size_t x, size_t y, const void *source, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    void *start;
    REQUIRE_SUCCESS(run_of_array(target, x, y, bytes, &start));
    return copy_later(one_row(start, source, bytes), kind, stream);
  });
}

LW_API cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
                                       cudaMemcpyKind kind) {
  return CALL({
    void *start;
    REQUIRE_SUCCESS(run_of_array(source, x, y, bytes, &start));
    return copy_now(one_row(target, start, bytes), kind);
  });
}

LW_API cudaError_t cudaMemcpyFromArrayAsync(void *target, cudaArray_const_t source, size_t x, size_t y, size_t bytes,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    void *start;
    REQUIRE_SUCCESS(run_of_array(source, x, y, bytes, &start));
    return copy_later(one_row(target, start, bytes), kind, stream);
  });
}

LW_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t target, size_t target_x, size_t target_y,
                                          cudaArray_const_t source, size_t source_x, size_t source_y, size_t bytes,
                                          cudaMemcpyKind) {
  return CALL({
    void *to;
    void *from;
    REQUIRE_SUCCESS(run_of_array(target, target_x, target_y, bytes, &to));
    REQUIRE_SUCCESS(run_of_array(source, source_x, source_y, bytes, &from));
    return copy_now(one_row(to, from, bytes), cudaMemcpyDeviceToDevice);
  });
}

} // namespace lw_cudart
