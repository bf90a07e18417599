// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "copies.h"
#include "arrays.h"
#include "gpu.h"
#include "ranges.h"

namespace lw_cudart {

static bool is_empty(const lw_box &box) { return !box.bytes || !box.rows || !box.planes; }

static const char *name_of(cudaMemcpyKind kind) {
  static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                      "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
  return names[kind];
}

static cudaError_t check_end(const Range &range, bool device, cudaMemcpyKind kind, const char *what) {
  Place place;
  REQUIRE(range.address, cudaErrorInvalidValue, "the %s is null", what);
  REQUIRE_SUCCESS(place_of(range, what, &place));
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;
  REQUIRE(!device || place.kind, cudaErrorInvalidValue, "%s: the %s, %p, is in no memory of the device", name_of(kind),
          what, range.address);
  REQUIRE(device || !place.only_on_device(), cudaErrorInvalidValue, "%s: the %s, %p, is memory of the device",
          name_of(kind), what, range.address);
  return cudaSuccess;
}

cudaError_t check_copy(const Copy &copy, cudaMemcpyKind kind) {
  REQUIRE(static_cast<unsigned int>(kind) <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection,
          "%d is no kind of copy", kind);
  if (is_empty(copy.box))
    return cudaSuccess;
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  Range target = {copy.target, span(copy.box, copy.target_pitch)};
  Range source = {copy.source, span(copy.box, copy.source_pitch)};
  REQUIRE_SUCCESS(check_end(target, to_device, kind, "target"));
  return check_end(source, from_device, kind, "source");
}

static bool is_pageable(const void *address) {
  lw_allocation found;
  return !lw_memory_find(address, &found);
}

// Memory that the host can't read: it need not wait for the copy.
static bool is_between_device_memory(const Copy &copy) {
  Place target, source;
  place_of({copy.target, 0}, "target", &target);
  place_of({copy.source, 0}, "source", &source);
  return target.only_on_device() && source.only_on_device();
}

cudaError_t copy_now(const Copy &copy, cudaMemcpyKind kind) {
  REQUIRE_SUCCESS(check_copy(copy, kind));
  Stream *stream = default_stream();
  REQUIRE_SUCCESS(stream == legacy_stream() ? require_no_implicit_capture() : require_uncaptured(stream));
  if (is_empty(copy.box))
    return cudaSuccess;
  REQUIRE_SUCCESS(submit(stream, copy));
  return is_between_device_memory(copy) ? cudaSuccess : synchronize(stream);
}

// Memory that a queue reads in place of the host's, and how much of it there is.
struct Staging {
  uint64_t bytes;
  alignas(16) char data[];
};
enum { MOST_STAGED = 64 << 20 }; // further copies are done before the call returns, as NVIDIA's may be
static uint64_t staged_bytes;

static Staging *make_staging(uint64_t bytes) {
  if (__atomic_add_fetch(&staged_bytes, bytes, __ATOMIC_RELAXED) <= MOST_STAGED)
    if (Staging *made = static_cast<Staging *>(malloc(sizeof(Staging) + bytes))) {
      made->bytes = bytes;
      return made;
    }
  __atomic_sub_fetch(&staged_bytes, bytes, __ATOMIC_RELAXED);
  return nullptr;
}

static void drop_staging(void *staging) {
  __atomic_sub_fetch(&staged_bytes, static_cast<Staging *>(staging)->bytes, __ATOMIC_RELAXED);
  free(staging);
}

static int32_t free_staging(void *staging) {
  drop_staging(staging);
  return 0;
}

// The source may change as soon as the call returns: the queue reads a copy of it.
static cudaError_t copy_staged(const Copy &copy, Stream *stream) {
  uint64_t rows = copy.box.rows, planes = copy.box.planes, bytes = copy.box.bytes;
  Staging *staging = make_staging(bytes * rows * planes);
  if (!staging) {
    REQUIRE_SUCCESS(submit(stream, copy));
    return synchronize(stream);
  }
  char *row = staging->data;
  for (uint64_t z = 0; z < planes; ++z)
    for (uint64_t y = 0; y < rows; ++y, row += bytes)
      memcpy(row, static_cast<const char *>(copy.source) + z * copy.source_pitch.plane + y * copy.source_pitch.row,
             bytes);
  Copy staged = copy;
  staged.source = staging->data;
  staged.source_pitch = {bytes, bytes * rows};
  cudaError_t error = submit(stream, staged);
  if (error != cudaSuccess) {
    drop_staging(staging);
    return error;
  }
  return submit_call(stream, free_staging, drop_staging, staging, nullptr);
}

cudaError_t copy_later(const Copy &copy, cudaMemcpyKind kind, cudaStream_t handle) {
  REQUIRE_STREAM(stream, handle);
  REQUIRE_SUCCESS(check_copy(copy, kind));
  if (is_empty(copy.box))
    return cudaSuccess;
  if (stream->capture || !is_pageable(copy.target)) {
    bool may_change = !stream->capture && is_pageable(copy.source);
    return may_change ? copy_staged(copy, stream) : submit(stream, copy);
  }
  REQUIRE_SUCCESS(submit(stream, copy));
  return synchronize(stream);
}

LW_API cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, cudaMemcpyKind kind) {
  return CALL({ return copy_now(one_row(target, source, bytes), kind); });
}

LW_API cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return CALL({ return copy_later(one_row(target, source, bytes), kind, stream); });
}

static cudaError_t rows(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,
                        size_t height, Copy *copy) {
  REQUIRE(height <= 1 || (width <= target_pitch && width <= source_pitch), cudaErrorInvalidPitchValue,
          "rows of %zu bytes are wider than a pitch, %zu in the target and %zu in the source", width, target_pitch,
          source_pitch);
  *copy = {
      target, {target_pitch, product(target_pitch, height)}, source, {source_pitch, product(source_pitch, height)}, {width, height, 1}};
  return cudaSuccess;
}

LW_API cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(rows(target, target_pitch, source, source_pitch, width, height, &copy));
    return copy_now(copy, kind);
  });
}

LW_API cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(rows(target, target_pitch, source, source_pitch, width, height, &copy));
    return copy_later(copy, kind, stream);
  });
}

static cudaError_t end_of_box(const cudaPitchedPtr &memory, cudaArray_t array, const cudaPos &position,
                              const cudaExtent &extent, size_t element, const char *what, void **start,
                              lw_pitch *pitch) {
  REQUIRE(!memory.ptr != !array, cudaErrorInvalidValue, "the %s must be either memory or an array", what);
  if (array)
    return end_in_array(array, position, extent, what, start, pitch);
  size_t width = product(extent.width, element), height = memory.ysize ? memory.ysize : extent.height;
  REQUIRE(product(extent.height, extent.depth) <= 1 || width <= memory.pitch, cudaErrorInvalidPitchValue,
          "the %s's pitch, %zu, is less than a row of %zu bytes", what, memory.pitch, width);
  *pitch = {memory.pitch, product(memory.pitch, height)};
  *start = static_cast<char *>(memory.ptr) + position.z * pitch->plane + position.y * pitch->row + position.x;
  return cudaSuccess;
}

cudaError_t box_copy(const cudaMemcpy3DParms *parameters, Copy *copy, cudaMemcpyKind *kind) {
  REQUIRE_POINTER(parameters);
  const cudaMemcpy3DParms &p = *parameters;
  // With an array at either end, widths are elements of it, else bytes.
  cudaArray_t array = p.srcArray ? p.srcArray : p.dstArray;
  size_t element = 1;
  if (array)
    REQUIRE_SUCCESS(element_bytes(array, &element));
  void *source;
  copy->box = {product(p.extent.width, element), p.extent.height, p.extent.depth};
  REQUIRE_SUCCESS(
      end_of_box(p.srcPtr, p.srcArray, p.srcPos, p.extent, element, "source", &source, &copy->source_pitch));
  REQUIRE_SUCCESS(
      end_of_box(p.dstPtr, p.dstArray, p.dstPos, p.extent, element, "target", &copy->target, &copy->target_pitch));
  copy->source = source;
  *kind = p.kind;
  return cudaSuccess;
}

LW_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  return CALL({
    Copy copy;
    cudaMemcpyKind kind;
    REQUIRE_SUCCESS(box_copy(parameters, &copy, &kind));
    return copy_now(copy, kind);
  });
}

LW_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return CALL({
    Copy copy;
    cudaMemcpyKind kind;
    REQUIRE_SUCCESS(box_copy(parameters, &copy, &kind));
    return copy_later(copy, kind, stream);
  });
}

LW_API cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device,
                                  size_t bytes) {
  return CALL({
    REQUIRE_SUCCESS(require_device(target_device));
    REQUIRE_SUCCESS(require_device(source_device));
    return copy_now(one_row(target, source, bytes), cudaMemcpyDeviceToDevice);
  });
}

LW_API cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device,
                                       size_t bytes, cudaStream_t stream) {
  return CALL({
    REQUIRE_SUCCESS(require_device(target_device));
    REQUIRE_SUCCESS(require_device(source_device));
    return copy_later(one_row(target, source, bytes), cudaMemcpyDeviceToDevice, stream);
  });
}

static cudaError_t peer_copy(const cudaMemcpy3DPeerParms *parameters, Copy *copy) {
  REQUIRE_POINTER(parameters);
  const cudaMemcpy3DPeerParms &p = *parameters;
  REQUIRE_SUCCESS(require_device(p.srcDevice));
  REQUIRE_SUCCESS(require_device(p.dstDevice));
  cudaMemcpy3DParms plain = {p.srcArray, p.srcPos, p.srcPtr, p.dstArray,
                             p.dstPos,   p.dstPtr, p.extent, cudaMemcpyDeviceToDevice};
  cudaMemcpyKind kind;
  return box_copy(&plain, copy, &kind);
}

LW_API cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *parameters) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(peer_copy(parameters, &copy));
    return copy_now(copy, cudaMemcpyDeviceToDevice);
  });
}

LW_API cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream) {
  return CALL({
    Copy copy;
    REQUIRE_SUCCESS(peer_copy(parameters, &copy));
    return copy_later(copy, cudaMemcpyDeviceToDevice, stream);
  });
}

} // namespace lw_cudart
