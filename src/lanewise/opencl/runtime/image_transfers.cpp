// SPDX-License-Identifier: Apache-2.0
// Commands that move texels: reads, writes, copies, fills and maps of images.
#include "copies.h"
#include "copies_on_gpu.h"
#include "devices.h"
#include "images.h"
#include "memory.h"
#include "residence.h"
#include "transfers.h"

namespace lw_opencl {

// The extents of an image along the axes of an origin: layers count as rows of a 1-D array, as slices of a 2-D one.
static void extents_of(const Picture &picture, size_t (&extents)[3]) {
  extents[0] = picture.width;
  extents[1] = picture.is_array_of_rows() ? picture.layers : picture.height ? picture.height : 1;
  extents[2] = picture.is_array_of_rows() ? 1 : picture.depth ? picture.depth : picture.layers ? picture.layers : 1;
}

static cl_int require_region(const Picture &picture, const size_t *origin, const size_t *region) {
  REQUIRE(origin && region, CL_INVALID_VALUE, "no origin or no region");
  size_t extents[3];
  extents_of(picture, extents);
  for (int axis = 0; axis < 3; ++axis)
    REQUIRE(region[axis] && origin[axis] <= extents[axis] && region[axis] <= extents[axis] - origin[axis], CL_INVALID_VALUE,
            "%zu texels from texel %zu along axis %d of an image of %zu", region[axis], origin[axis], axis, extents[axis]);
  return CL_SUCCESS;
}

static cl_int require_image_of(const Memory *image, const Queue *queue) {
  REQUIRE_SUCCESS(require_image(image));
  REQUIRE(queue->device->kind->has_images, CL_INVALID_OPERATION, "the queue's device has no images");
  REQUIRE(image->context == queue->context, CL_INVALID_CONTEXT, "the image is of another context");
  return CL_SUCCESS;
}

static Side side_of(const Memory *image, const size_t *origin) {
  const Picture &picture = *image->picture;
  size_t row = picture.is_array_of_rows() ? picture.slice : picture.row;
  return {image->data + origin[2] * picture.slice + origin[1] * row + origin[0] * picture.description.bytes, row,
          picture.slice};
}

static Box box_of(const Picture &picture, const size_t *region) {
  return {region[0] * picture.description.bytes, region[1], region[2]};
}

// A region in the host's memory, with the pitches that a call gives; 0 for as small as can be.
static cl_int read_host_side(const Picture &picture, char *start, const size_t *region, size_t row, size_t slice,
                             Side *side) {
  size_t least = region[0] * picture.description.bytes;
  bool has_slices = picture.depth || picture.layers;
  REQUIRE(start, CL_INVALID_VALUE, "no memory of the host");
  REQUIRE(!row || row >= least, CL_INVALID_VALUE, "a row pitch of %zu for rows of %zu bytes", row, least);
  row = row ? row : least;
  REQUIRE(!slice || has_slices, CL_INVALID_VALUE, "a slice pitch for an image without slices");
  size_t whole = picture.is_array_of_rows() ? row : row * region[1];
  REQUIRE(!slice || slice >= whole, CL_INVALID_VALUE, "a slice pitch of %zu for slices of %zu bytes", slice, whole);
  slice = slice ? slice : whole;
  *side = {start, picture.is_array_of_rows() ? slice : row, slice};
  return CL_SUCCESS;
}

struct HostRegion {
  const size_t *origin, *region;
  size_t row, slice;
  void *memory;
};

static cl_int enqueue_read_or_write(const Request &request, Memory *image, const HostRegion &host, bool is_read) {
  REQUIRE_SUCCESS(require_queue(request.queue));
  REQUIRE_SUCCESS(require_image_of(image, request.queue));
  const Picture &picture = *image->picture;
  REQUIRE_SUCCESS(require_region(picture, host.origin, host.region));
  Side there;
  REQUIRE_SUCCESS(
      read_host_side(picture, static_cast<char *>(host.memory), host.region, host.row, host.slice, &there));
  REQUIRE_SUCCESS(is_read ? require_read(image) : require_write(image));
  Side here = side_of(image, host.origin);
  Box box = box_of(picture, host.region);
  return is_read ? enqueue_copy(request, here, image, there, nullptr, box)
                 : enqueue_copy(request, there, nullptr, here, image, box);
}

static bool is_same(const cl_image_format &a, const cl_image_format &b) {
  return a.image_channel_order == b.image_channel_order && a.image_channel_data_type == b.image_channel_data_type;
}

cl_int copy_images(const Request &request, Memory *source, Memory *target, const size_t *from, const size_t *to,
                   const size_t *region) {
  REQUIRE_SUCCESS(require_image_of(source, request.queue));
  REQUIRE_SUCCESS(require_image_of(target, request.queue));
  REQUIRE(is_same(source->picture->format, target->picture->format), CL_IMAGE_FORMAT_MISMATCH,
          "the images have different formats");
  REQUIRE_SUCCESS(require_region(*source->picture, from, region));
  REQUIRE_SUCCESS(require_region(*target->picture, to, region));
  Side read = side_of(source, from), written = side_of(target, to);
  Box box = box_of(*source->picture, region);
  REQUIRE(!overlap(read, written, box), CL_MEM_COPY_OVERLAP, "source and target overlap");
  return enqueue_copy(request, read, source, written, target, box);
}

cl_int copy_image_with_buffer(const Request &request, Memory *image, Memory *buffer, const size_t *origin,
                              const size_t *region, size_t offset, bool to_buffer) {
  REQUIRE_SUCCESS(require_image_of(image, request.queue));
  REQUIRE_SUCCESS(require_region(*image->picture, origin, region));
  Box box = box_of(*image->picture, region);
  REQUIRE_SUCCESS(require_range(buffer, request.queue->context, offset, box.bytes * box.rows * box.planes));
  Side here = side_of(image, origin), there = {buffer->data + offset, box.bytes, box.bytes * box.rows};
  REQUIRE(!overlap(here, there, box), CL_MEM_COPY_OVERLAP, "the image is in this part of the buffer");
  return to_buffer ? enqueue_copy(request, here, image, there, buffer, box)
                   : enqueue_copy(request, there, buffer, here, image, box);
}

// ---- Fills -----------------------------------------------------------------------------------------------------------

struct ImageFill : Work {
  Memory *image;
  Side side;
  Box box;
  char texel[16];
};

static cl_int run_image_fill(Work *work, Event *) {
  const ImageFill &fill = *static_cast<ImageFill *>(work);
  const UsedMemory used = {fill.image, 0};
  HeldBuffers held(&used, 1);
  bring_to_host(fill.image);
  for (size_t z = 0; z < fill.box.planes; ++z)
    for (size_t y = 0; y < fill.box.rows; ++y)
      fill_bytes(fill.side.start + z * fill.side.plane + y * fill.side.row, fill.box.bytes, fill.texel,
                 fill.image->picture->description.bytes);
  note_written_on_host(fill.image);
  return CL_COMPLETE;
}

static void release_image_fill(Work *work) {
  drop(static_cast<ImageFill *>(work)->image);
  free(work);
}

cl_int fill_image(const Request &request, Memory *image, const void *colour, const size_t *origin,
                  const size_t *region) {
  REQUIRE_SUCCESS(require_image_of(image, request.queue));
  REQUIRE(colour, CL_INVALID_VALUE, "no colour");
  REQUIRE_SUCCESS(require_region(*image->picture, origin, region));
  ImageFill *fill = new_work<ImageFill>(run_image_fill, release_image_fill);
  REQUIRE(fill, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
  fill->image = use(image);
  fill->side = side_of(image, origin);
  fill->box = box_of(*image->picture, region);
  encode(*image->picture, colour, fill->texel);
  return submit(request, fill);
}

// ---- Maps ------------------------------------------------------------------------------------------------------------

static cl_int map_image(const Request &request, Memory *image, cl_bitfield flags, const size_t *origin,
                        const size_t *region, size_t *row, size_t *slice, char *&address) {
  REQUIRE_SUCCESS(require_queue(request.queue));
  REQUIRE_SUCCESS(require_image_of(image, request.queue));
  const Picture &picture = *image->picture;
  REQUIRE_SUCCESS(require_region(picture, origin, region));
  REQUIRE_SUCCESS(require_map_flags(flags));
  REQUIRE(row, CL_INVALID_VALUE, "no place for the row pitch");
  REQUIRE(slice || !(picture.depth || picture.layers), CL_INVALID_VALUE, "no place for the slice pitch");
  if (flags & CL_MAP_READ)
    REQUIRE_SUCCESS(require_read(image));
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    REQUIRE_SUCCESS(require_write(image));
  REQUIRE_SUCCESS(require_wait_list(request.queue, request.waits));
  address = side_of(image, origin).start;
  Mapping mapping = {address, 0, flags};
  {
    Held held(image->lock);
    REQUIRE(image->mappings.add(mapping), CL_OUT_OF_HOST_MEMORY, "no memory for a mapping");
  }
  cl_int result = enqueue_holding(request, image, mapping);
  if (result != CL_SUCCESS) {
    forget_mapping(image, address, mapping);
    return result;
  }
  *row = picture.row;
  if (slice)
    *slice = picture.slice;
  return CL_SUCCESS;
}

} // namespace lw_opencl

using namespace lw_opencl;

LW_CL cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                const size_t *region, size_t row, size_t slice, void *target, cl_uint count,
                                const cl_event *events, cl_event *event) {
  return enqueue_read_or_write({queue, CL_COMMAND_READ_IMAGE, {count, events}, event, blocking != 0}, image,
                               {origin, region, row, slice, target}, true);
}

LW_CL cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,
                                 const size_t *region, size_t row, size_t slice, const void *source, cl_uint count,
                                 const cl_event *events, cl_event *event) {
  return enqueue_read_or_write({queue, CL_COMMAND_WRITE_IMAGE, {count, events}, event, blocking != 0}, image,
                               {origin, region, row, slice, const_cast<void *>(source)}, false);
}

LW_CL cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                const size_t *to, const size_t *region, cl_uint count, const cl_event *events,
                                cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return copy_images({queue, CL_COMMAND_COPY_IMAGE, {count, events}, event, false}, source, target, from, to,
                                region);
}

LW_CL cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *origin,
                                        const size_t *region, size_t offset, cl_uint count, const cl_event *events,
                                        cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return copy_image_with_buffer({queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, {count, events}, event, false}, source,
                                  target, origin, region, offset, true);
}

LW_CL cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem source, cl_mem target, size_t offset,
                                        const size_t *origin, const size_t *region, cl_uint count,
                                        const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return copy_image_with_buffer({queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, {count, events}, event, false}, target,
                                  source, origin, region, offset, false);
}

LW_CL cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour, const size_t *origin,
                                const size_t *region, cl_uint count, const cl_event *events, cl_event *event) {
  REQUIRE_SUCCESS(require_queue(queue));
  return fill_image({queue, CL_COMMAND_FILL_IMAGE, {count, events}, event, false}, image, colour, origin, region);
}

LW_CL void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_bitfield flags,
                              const size_t *origin, const size_t *region, size_t *row, size_t *slice, cl_uint count,
                              const cl_event *events, cl_event *event, cl_int *code) {
  char *address = nullptr;
  cl_int result = map_image({queue, CL_COMMAND_MAP_IMAGE, {count, events}, event, blocking != 0}, image, flags, origin,
                            region, row, slice, address);
  if (code)
    *code = result;
  return result == CL_SUCCESS ? address : nullptr;
}
