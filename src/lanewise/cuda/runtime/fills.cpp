// SPDX-License-Identifier: Apache-2.0
// cudaMemset and its kind.
#include "api.h"
#include "copies.h"
#include "ranges.h"

namespace lw_cudart {

Fill byte_fill(void *memory, int value, const lw_pitch &pitch, const lw_box &box) {
  return {memory, pitch, static_cast<uint32_t>(value) & 0xff, 1, box};
}

cudaError_t check_fill(const Fill &fill) {
  uint64_t bytes = span(fill.box, fill.pitch);
  REQUIRE(fill.box.rows * fill.box.planes <= 1 || fill.box.bytes <= fill.pitch.row, cudaErrorInvalidPitchValue,
          "rows of %llu bytes are wider than the pitch, %llu", static_cast<unsigned long long>(fill.box.bytes),
          static_cast<unsigned long long>(fill.pitch.row));
  if (!bytes)
    return cudaSuccess;
  return require_device_memory({fill.target, bytes}, "memory");
}

static cudaError_t fill_later(const Fill &fill, cudaStream_t handle) {
  REQUIRE_STREAM(stream, handle);
  REQUIRE_SUCCESS(check_fill(fill));
  return span(fill.box, fill.pitch) ? submit(stream, fill) : cudaSuccess;
}

// Pinned memory is filled before the call returns; else the host goes on.
static cudaError_t fill_now(const Fill &fill) {
  Stream *stream = default_stream();
  REQUIRE_SUCCESS(stream == legacy_stream() ? require_no_implicit_capture() : require_uncaptured(stream));
  REQUIRE_SUCCESS(fill_later(fill, nullptr));
  Place place;
  REQUIRE_SUCCESS(place_of({fill.target, 0}, "memory", &place));
  return place.only_on_device() ? cudaSuccess : synchronize(stream);
}

static Fill of_bytes(void *memory, int value, size_t bytes) {
  return byte_fill(memory, value, {bytes, bytes}, {bytes, bytes ? 1u : 0u, 1});
}

static Fill of_rows(void *memory, size_t pitch, int value, size_t width, size_t height) {
  return byte_fill(memory, value, {pitch, product(pitch, height)}, {width, height, 1});
}

static Fill of_box(const cudaPitchedPtr &memory, int value, const cudaExtent &extent) {
  return byte_fill(memory.ptr, value, {memory.pitch, product(memory.pitch, memory.ysize)},
                   {extent.width, extent.height, extent.depth});
}

LW_API cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  return CALL({ return fill_now(of_bytes(memory, value, bytes)); });
}

LW_API cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
  return CALL({ return fill_later(of_bytes(memory, value, bytes), stream); });
}

LW_API cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height) {
  return CALL({ return fill_now(of_rows(memory, pitch, value, width, height)); });
}

LW_API cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream) {
  return CALL({ return fill_later(of_rows(memory, pitch, value, width, height), stream); });
}

LW_API cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return CALL({ return fill_now(of_box(memory, value, extent)); });
}

LW_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return CALL({ return fill_later(of_box(memory, value, extent), stream); });
}

} // namespace lw_cudart
