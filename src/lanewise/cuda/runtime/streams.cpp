// SPDX-License-Identifier: Apache-2.0
// Streams, and functions that they call.
#include "runtime.h"

// CUDA's own types are incomplete: these complete them.
struct CUstream_st {
  lw_queue *queue;
  unsigned long long id;
  CUstream_st *following; // in the list of all
};

namespace {

pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;
CUstream_st *all_streams;
unsigned long long streams_made = 2; // the first two ids are the default stream's

thread_local CUstream_st *own_stream __attribute__((tls_model("initial-exec")));

bool is_known(cudaStream_t stream) {
  Lock lock(streams_lock);
  for (CUstream_st *each = all_streams; each != nullptr; each = each->following)
    if (each == stream)
      return true;
  return false;
}

cudaError_t make_stream(cudaStream_t *stream, unsigned int flags, int priority, const char *function) {
  if (stream == nullptr || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  CUstream_st *made = static_cast<CUstream_st *>(calloc(1, sizeof *made));
  if (made == nullptr)
    return cudaErrorMemoryAllocation;
  int32_t result = lw_queue_create(flags & cudaStreamNonBlocking ? LW_NON_BLOCKING : 0, priority, &made->queue);
  if (result != LW_SUCCESS) {
    free(made);
    return from_host(result, function);
  }
  Lock lock(streams_lock);
  made->id = ++streams_made;
  made->following = all_streams;
  all_streams = made;
  *stream = made;
  return cudaSuccess;
}

// The queue of a stream: the default queue of 0 and cudaStreamLegacy, a queue of the thread for cudaStreamPerThread;
// null for what is no stream.
lw_queue *queue_of(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy)
    return lw_default_queue();
  if (stream == cudaStreamPerThread) {
    if (own_stream == nullptr)
      make_stream(&own_stream, 0, 0, "cudaStreamPerThread");
    return own_stream != nullptr ? own_stream->queue : nullptr;
  }
  return is_known(stream) ? stream->queue : nullptr;
}

// Shows what kernels have printed, behind what the program has.
void flush_printed() {
  if (lw_printed_bytes() == 0)
    return;
  fflush(stdout);
  lw_flush_output(1);
}

cudaError_t wait_for(lw_queue *queue, const char *function) {
  int32_t result = lw_queue_synchronize(queue);
  flush_printed();
  if (sticky() != cudaSuccess)
    return sticky();
  return from_host(result, function);
}

} // namespace

CUDART cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RETURN_IF_STICKY();
  return done(make_stream(stream, cudaStreamDefault, 0, "cudaStreamCreate"));
}

CUDART cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  RETURN_IF_STICKY();
  return done(make_stream(stream, flags, 0, "cudaStreamCreateWithFlags"));
}

CUDART cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  RETURN_IF_STICKY();
  enum { GREATEST = -5 };
  int clamped = priority > 0 ? 0 : priority < GREATEST ? GREATEST : priority;
  return done(make_stream(stream, flags, clamped, "cudaStreamCreateWithPriority"));
}

CUDART cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  lw_queue *queue = nullptr;
  {
    Lock lock(streams_lock);
    for (CUstream_st **place = &all_streams; *place != nullptr && queue == nullptr; place = &(*place)->following)
      if (*place == stream) {
        queue = stream->queue;
        *place = stream->following;
        break;
      }
  }
  if (queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  lw_queue_destroy(queue);
  free(stream);
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  return done(queue == nullptr ? cudaErrorInvalidResourceHandle
              : lw_is_captured(queue) ? cudaErrorStreamCaptureUnsupported
                                      : wait_for(queue, "cudaStreamSynchronize"));
}

CUDART cudaError_t cudaStreamQuery(cudaStream_t stream) {
  RETURN_IF_STICKY();
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return done(cudaErrorInvalidResourceHandle);
  return done(from_host(lw_queue_query(queue), "cudaStreamQuery"));
}

CUDART cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr || flags == nullptr)
    return done(queue == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
  *flags = lw_queue_flags_of(queue) & LW_NON_BLOCKING ? cudaStreamNonBlocking : cudaStreamDefault;
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr || priority == nullptr)
    return done(queue == nullptr ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
  *priority = lw_queue_priority(queue);
  return cudaSuccess;
}

CUDART cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  if (id == nullptr || queue_of(stream) == nullptr)
    return done(id == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
  *id = stream == nullptr || stream == cudaStreamLegacy ? 1 : stream == cudaStreamPerThread ? own_stream->id : stream->id;
  return cudaSuccess;
}

namespace {

struct Callback {
  cudaStream_t stream;
  cudaStreamCallback_t function; // or
  cudaHostFn_t plain;
  void *data;
};

int32_t call_back(void *data) {
  Callback *callback = static_cast<Callback *>(data);
  if (callback->function != nullptr)
    callback->function(callback->stream, sticky(), callback->data);
  else
    callback->plain(callback->data);
  free(callback);
  return 0;
}

// A node of a graph is called many times.
int32_t call_back_again(void *data) {
  Callback *callback = static_cast<Callback *>(data);
  callback->plain(callback->data);
  return 0;
}

cudaError_t add_callback(cudaStream_t stream, cudaStreamCallback_t function, cudaHostFn_t plain, void *data,
                         const char *name) {
  lw_queue *queue = queue_of(stream);
  if (queue == nullptr)
    return cudaErrorInvalidResourceHandle;
  if (function == nullptr && plain == nullptr)
    return cudaErrorInvalidValue;
  Callback *callback = static_cast<Callback *>(malloc(sizeof *callback));
  if (callback == nullptr)
    return cudaErrorMemoryAllocation;
  *callback = {stream, function, plain, data};
  bool captured = lw_is_captured(queue) != 0; // then it lives as long as the process
  int32_t result = lw_queue_call(queue, captured ? call_back_again : call_back, captured ? nullptr : free, callback);
  if (result != LW_SUCCESS)
    free(callback);
  return from_host(result, name);
}

} // namespace

CUDART cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                         unsigned int flags) {
  RETURN_IF_STICKY();
  if (flags != 0)
    return done(cudaErrorInvalidValue);
  lw_queue *queue = queue_of(stream);
  if (queue != nullptr && lw_is_captured(queue))
    return done(cudaErrorStreamCaptureUnsupported);
  return done(add_callback(stream, callback, nullptr, data, "cudaStreamAddCallback"));
}

CUDART cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  RETURN_IF_STICKY();
  return done(add_callback(stream, nullptr, function, data, "cudaLaunchHostFunc"));
}

CUDART cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, size_t, unsigned int) {
  RETURN_IF_STICKY();
  return done(queue_of(stream) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
