// SPDX-License-Identifier: Apache-2.0
// Streams: queues of the host runtime under NVIDIA's handles, and the work that calls hand to them.
#ifndef LANEWISE_CUDART_STREAMS_H
#define LANEWISE_CUDART_STREAMS_H

#include "handles.h"

namespace lw_cudart {

struct Graph;
struct Node;
struct Function;

// What cudaStreamBeginCapture starts: the graph that takes the work of one or several streams.
struct Capture {
  Graph *graph;
  struct Stream *origin;
  cudaStreamCaptureMode mode;
  unsigned long long id;
  uint64_t thread;
  bool invalid;
  bool into_given; // the graph was there before, and is the program's
  List<struct Stream *> streams;
  List<Node *> left; // what was the last work of streams that have been destroyed
};

struct Stream {
  uint32_t state; // of the handle
  lw_queue *queue;
  unsigned int flags;
  int priority;
  unsigned long long id;
  Capture *capture;
  List<Node *> last; // nodes of the capture that the next one comes after
  cudaAccessPolicyWindow window;
  cudaSynchronizationPolicy policy;
};

// The stream of a handle; null if it is none. The legacy and the thread's default stream are never null.
Stream *stream_of(cudaStream_t stream);
#define REQUIRE_STREAM(name, handle)                                                                                   \
  Stream *name = stream_of(handle);                                                                                    \
  REQUIRE(name, cudaErrorInvalidResourceHandle, "stream %p does not exist (any more)", (void *)handle)

Stream *legacy_stream();
// What stream 0 is: the legacy one, or the thread's own (per_thread.h).
Stream *default_stream();
bool is_blocking(const Stream *stream);

// A kernel's launch with its packed arguments.
struct Launch {
  Function *function;
  lw_kernel_launch request;
};
struct Copy {
  void *target;
  lw_pitch target_pitch;
  const void *source;
  lw_pitch source_pitch;
  lw_box box;
};
struct Fill {
  void *target;
  lw_pitch pitch;
  uint32_t value, value_bytes;
  lw_box box;
};

// Hand work to a stream, or to the graph that is being captured from it.
cudaError_t submit(Stream *stream, const Launch &launch);
cudaError_t submit(Stream *stream, const Copy &copy);
cudaError_t submit(Stream *stream, const Fill &fill);
// `captured` is what a graph keeps of a host function; null if the call can't be captured.
cudaError_t submit_call(Stream *stream, lw_host_function function, void (*dropped)(void *), void *data,
                        const cudaHostNodeParams *captured);
cudaError_t submit_host_function(Stream *stream, const cudaHostNodeParams &call);

// Fails if the stream is captured, and ends the capture, as NVIDIA's runtime does for calls that can't be captured.
cudaError_t require_uncaptured(Stream *stream);
// For a stream that is to be destroyed: it leaves its capture. Fails if that began in it.
cudaError_t leave_capture(Stream *stream);
// The same for calls that wait for the whole device, or use the legacy stream, which waits for blocking ones.
cudaError_t require_no_capture();
cudaError_t require_no_implicit_capture();

// Waits, prints what kernels have printed, and returns the device's state.
cudaError_t synchronize(Stream *stream);
cudaError_t synchronize_device();
void flush_output();

} // namespace lw_cudart

#endif
