// SPDX-License-Identifier: Apache-2.0
// Work on its way to a queue, or into a graph.
#include "api.h"
#include "streams.h"
#include "functions.h"
#include "graphs.h"

namespace lw_cudart {

static const char *kind_of(const Copy &copy) {
  lw_allocation found;
  bool to_device = lw_memory_find(copy.target, &found) && found.kind != LW_HOST_MEMORY;
  bool from_device = lw_memory_find(copy.source, &found) && found.kind != LW_HOST_MEMORY;
  return to_device     ? from_device ? "[CUDA memcpy DtoD]" : "[CUDA memcpy HtoD]"
         : from_device ? "[CUDA memcpy DtoH]"
                       : "[CUDA memcpy HtoH]";
}

static uint64_t bytes_of(const lw_box &box) { return box.bytes * box.rows * box.planes; }

// The legacy stream would wait for blocking streams, which do nothing while they are captured.
static cudaError_t check_legacy(const Stream *stream) {
  return __builtin_expect(is_capturing(), 0) && stream == legacy_stream() ? require_no_implicit_capture() : cudaSuccess;
}

cudaError_t submit(Stream *stream, const Launch &launch) {
  REQUIRE_SUCCESS(check_legacy(stream));
  if (__builtin_expect(stream->capture != nullptr, 0))
    return capture_launch(stream, launch);
  if (__builtin_expect(!profiling(), 1))
    return error_of(lw_queue_launch(stream->queue, &launch.request));
  TimedWork timed(stream->queue, PROFILE_KERNEL, launch.request.kernel->name, 0);
  return error_of(lw_queue_launch(stream->queue, &launch.request));
}

static cudaError_t enqueue(lw_queue *queue, const Copy &copy) {
  return error_of(lw_queue_copy(queue, copy.target, copy.target_pitch, copy.source, copy.source_pitch, copy.box));
}

static cudaError_t enqueue(lw_queue *queue, const Fill &fill) {
  return error_of(lw_queue_fill(queue, fill.target, fill.pitch, fill.value, fill.value_bytes, fill.box));
}

cudaError_t submit(Stream *stream, const Copy &copy) {
  REQUIRE_SUCCESS(check_legacy(stream));
  if (stream->capture)
    return capture_copy(stream, copy);
  if (!profiling())
    return enqueue(stream->queue, copy);
  TimedWork timed(stream->queue, PROFILE_COPY, kind_of(copy), bytes_of(copy.box));
  return enqueue(stream->queue, copy);
}

cudaError_t submit(Stream *stream, const Fill &fill) {
  REQUIRE_SUCCESS(check_legacy(stream));
  if (stream->capture)
    return capture_fill(stream, fill);
  if (!profiling())
    return enqueue(stream->queue, fill);
  TimedWork timed(stream->queue, PROFILE_COPY, "[CUDA memset]", bytes_of(fill.box));
  return enqueue(stream->queue, fill);
}

cudaError_t submit_call(Stream *stream, lw_host_function function, void (*dropped)(void *), void *data,
                        const cudaHostNodeParams *captured) {
  if (stream->capture) {
    if (captured)
      return capture_call(stream, *captured);
    return require_uncaptured(stream);
  }
  return error_of(lw_queue_call(stream->queue, function, dropped, data));
}

// Text that the host has printed so far comes first, as it was printed first.
void flush_output() {
  fflush(stdout);
  lw_flush_output(1);
}

static cudaError_t after_waiting(int32_t result) {
  flush_output();
  if (profiling())
    profile_collect();
  cudaError_t broken = sticky_error();
  return broken != cudaSuccess ? broken : error_of(result);
}

cudaError_t synchronize(Stream *stream) { return after_waiting(lw_queue_synchronize(stream->queue)); }

cudaError_t synchronize_device() { return after_waiting(lw_synchronize()); }

} // namespace lw_cudart
