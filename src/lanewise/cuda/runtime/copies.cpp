// SPDX-License-Identifier: Apache-2.0
// Copies and fills of memory, checked against what is allocated.
#include "runtime.h"

namespace {

// Bytes from the first of a box to the last.
size_t span_of(lw_box box, lw_pitch pitch) {
  if (box.bytes == 0 || box.rows == 0 || box.planes == 0)
    return 0;
  return (box.planes - 1) * pitch.plane + (box.rows - 1) * pitch.row + box.bytes;
}

// Whether the bytes at `memory` are in an allocation that kernels access.
bool is_in_memory(const void *memory, size_t bytes) {
  lw_allocation found;
  if (!lw_memory_find(memory, &found))
    return false;
  enum : uint64_t { SLACK = 256 }; // as cudaMalloc rounds up
  uint64_t end = reinterpret_cast<uint64_t>(found.address) + (found.bytes + SLACK - 1) / SLACK * SLACK;
  return reinterpret_cast<uint64_t>(memory) + bytes <= end;
}

bool is_pageable(const void *memory) {
  lw_allocation found;
  return !lw_memory_find(memory, &found);
}

cudaError_t check_copy(const void *target, const void *source, size_t target_bytes, size_t source_bytes,
                       cudaMemcpyKind kind, const char *function) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (target_bytes == 0)
    return cudaSuccess;
  if (target == nullptr || source == nullptr)
    return objected(cudaErrorInvalidValue, function, "a null pointer");
  bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  lw_allocation found;
  if (kind == cudaMemcpyDefault) {
    to_device = lw_memory_find(target, &found);
    from_device = lw_memory_find(source, &found);
  }
  if (to_device && !is_in_memory(target, target_bytes))
    return objected(cudaErrorInvalidValue, function, "the target is not, or not all, in memory of the device");
  if (from_device && !is_in_memory(source, source_bytes))
    return objected(cudaErrorInvalidValue, function, "the source is not, or not all, in memory of the device");
  return cudaSuccess;
}

// Copies, and waits unless `async`; pageable memory of the host is read or written before the return, too.
cudaError_t copy(void *target, lw_pitch target_pitch, const void *source, lw_pitch source_pitch, lw_box box,
                 cudaMemcpyKind kind, cudaStream_t stream, bool async, const char *function) {
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return cudaErrorInvalidResourceHandle;
  cudaError_t error =
      check_copy(target, source, span_of(box, target_pitch), span_of(box, source_pitch), kind, function);
  if (error != cudaSuccess)
    return error;
  error = from_host(lw_queue_copy(queue, target, target_pitch, source, source_pitch, box), function);
  if (error != cudaSuccess || lw_is_captured(queue))
    return error;
  if (async && !is_pageable(target) && !is_pageable(source))
    return cudaSuccess;
  return wait_for(queue, function);
}

lw_box line(size_t bytes) { return {bytes, 1, 1}; }

cudaError_t fill(void *target, lw_pitch pitch, int value, lw_box box, cudaStream_t stream, bool async,
                 const char *function) {
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return cudaErrorInvalidResourceHandle;
  size_t bytes = span_of(box, pitch);
  if (bytes > 0 && !is_in_memory(target, bytes))
    return objected(cudaErrorInvalidValue, function, "the target is not, or not all, in memory of the device");
  cudaError_t error = from_host(lw_queue_fill(queue, target, pitch, value & 0xff, 1, box), function);
  return error == cudaSuccess && !async && !lw_is_captured(queue) ? wait_for(queue, function) : error;
}

} // namespace

CUDART cudaError_t cudaMemcpy(void *target, const void *source, size_t bytes, cudaMemcpyKind kind) {
  RETURN_IF_STICKY();
  return done(copy(target, {}, source, {}, line(bytes), kind, nullptr, false, "cudaMemcpy"));
}

CUDART cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(copy(target, {}, source, {}, line(bytes), kind, stream, true, "cudaMemcpyAsync"));
}

CUDART cudaError_t cudaMemcpyPeer(void *target, int, const void *source, int, size_t bytes) {
  RETURN_IF_STICKY();
  return done(copy(target, {}, source, {}, line(bytes), cudaMemcpyDeviceToDevice, nullptr, false, "cudaMemcpyPeer"));
}

CUDART cudaError_t cudaMemcpyPeerAsync(void *target, int, const void *source, int, size_t bytes, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(
      copy(target, {}, source, {}, line(bytes), cudaMemcpyDeviceToDevice, stream, true, "cudaMemcpyPeerAsync"));
}

namespace {
cudaError_t copy_rows(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, cudaStream_t stream, bool async, const char *function) {
  if (width > target_pitch || width > source_pitch)
    return cudaErrorInvalidPitchValue;
  return copy(target, {target_pitch, 0}, source, {source_pitch, 0}, {width, height, 1}, kind, stream, async, function);
}
} // namespace

CUDART cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  RETURN_IF_STICKY();
  return done(copy_rows(target, target_pitch, source, source_pitch, width, height, kind, nullptr, false, "cudaMemcpy2D"));
}

CUDART cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(
      copy_rows(target, target_pitch, source, source_pitch, width, height, kind, stream, true, "cudaMemcpy2DAsync"));
}

namespace {
cudaError_t copy_boxes(const cudaMemcpy3DParms *given, cudaStream_t stream, bool async, const char *function) {
  if (given == nullptr)
    return cudaErrorInvalidValue;
  if (given->srcArray != nullptr || given->dstArray != nullptr)
    return objected(cudaErrorNotSupported, function, "copies of CUDA arrays are not supported yet");
  const cudaPitchedPtr &to = given->dstPtr, &from = given->srcPtr;
  lw_pitch to_pitch = {to.pitch, to.pitch * to.ysize}, from_pitch = {from.pitch, from.pitch * from.ysize};
  char *target = static_cast<char *>(to.ptr) + given->dstPos.x + given->dstPos.y * to_pitch.row +
                 given->dstPos.z * to_pitch.plane;
  const char *source = static_cast<const char *>(from.ptr) + given->srcPos.x + given->srcPos.y * from_pitch.row +
                       given->srcPos.z * from_pitch.plane;
  return copy(target, to_pitch, source, from_pitch, {given->extent.width, given->extent.height, given->extent.depth},
              given->kind, stream, async, function);
}
} // namespace

CUDART cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  RETURN_IF_STICKY();
  return done(copy_boxes(parameters, nullptr, false, "cudaMemcpy3D"));
}

CUDART cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(copy_boxes(parameters, stream, true, "cudaMemcpy3DAsync"));
}

CUDART cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
  RETURN_IF_STICKY();
  return done(fill(memory, {}, value, line(bytes), nullptr, true, "cudaMemset"));
}

CUDART cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(fill(memory, {}, value, line(bytes), stream, true, "cudaMemsetAsync"));
}

CUDART cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height) {
  RETURN_IF_STICKY();
  return done(fill(memory, {pitch, 0}, value, {width, height, 1}, nullptr, true, "cudaMemset2D"));
}

CUDART cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(fill(memory, {pitch, 0}, value, {width, height, 1}, stream, true, "cudaMemset2DAsync"));
}

CUDART cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return cudaMemset3DAsync(memory, value, extent, nullptr);
}

CUDART cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_pitch pitch = {memory.pitch, memory.pitch * memory.ysize};
  return done(fill(memory.ptr, pitch, value, {extent.width, extent.height, extent.depth}, stream, true, "cudaMemset3D"));
}

namespace {

// The bytes offset.. of a variable; null with the error for a wrong one.
char *place_in(const void *symbol, size_t bytes, size_t offset, cudaError_t *error) {
  const lw_variable_image *variable = variable_of(symbol);
  *error = variable == nullptr                                                ? cudaErrorInvalidSymbol
           : offset > variable->bytes || bytes > variable->bytes - offset ? cudaErrorInvalidValue
                                                                              : cudaSuccess;
  return *error == cudaSuccess ? static_cast<char *>(variable->address) + offset : nullptr;
}

cudaError_t copy_symbol(const void *symbol, void *other, size_t bytes, size_t offset, cudaMemcpyKind kind, bool to,
                        cudaStream_t stream, bool async, const char *function) {
  cudaError_t error;
  char *place = place_in(symbol, bytes, offset, &error);
  if (place == nullptr)
    return error;
  if (kind == (to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) || kind == cudaMemcpyHostToHost)
    return cudaErrorInvalidMemcpyDirection;
  void *target = to ? place : other;
  const void *source = to ? other : place;
  return copy(target, {}, source, {}, line(bytes), kind, stream, async, function);
}

} // namespace

CUDART cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
  RETURN_IF_STICKY();
  return done(copy_symbol(symbol, const_cast<void *>(source), bytes, offset, kind, true, nullptr, false,
                          "cudaMemcpyToSymbol"));
}

CUDART cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(copy_symbol(symbol, const_cast<void *>(source), bytes, offset, kind, true, stream, true,
                          "cudaMemcpyToSymbolAsync"));
}

CUDART cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset,
                                        cudaMemcpyKind kind) {
  RETURN_IF_STICKY();
  return done(copy_symbol(symbol, target, bytes, offset, kind, false, nullptr, false, "cudaMemcpyFromSymbol"));
}

CUDART cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind, cudaStream_t stream) {
  RETURN_IF_STICKY();
  return done(copy_symbol(symbol, target, bytes, offset, kind, false, stream, true, "cudaMemcpyFromSymbolAsync"));
}

CUDART cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  RETURN_IF_STICKY();
  const lw_variable_image *variable = variable_of(symbol);
  if (address == nullptr || variable == nullptr)
    return done(address == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
  *address = variable->address;
  return cudaSuccess;
}

CUDART cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  RETURN_IF_STICKY();
  const lw_variable_image *variable = variable_of(symbol);
  if (bytes == nullptr || variable == nullptr)
    return done(bytes == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return cudaSuccess;
}
