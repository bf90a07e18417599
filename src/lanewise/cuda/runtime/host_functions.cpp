// SPDX-License-Identifier: Apache-2.0
// Functions of the host in streams.
#include "api.h"
#include "streams.h"

namespace lw_cudart {

struct HostCall {
  cudaHostNodeParams call;
};

static int32_t run_host_call(void *data) {
  HostCall *call = static_cast<HostCall *>(data);
  call->call.fn(call->call.userData);
  free(data);
  return 0;
}

cudaError_t submit_host_function(Stream *stream, const cudaHostNodeParams &call) {
  if (stream->capture)
    return submit_call(stream, nullptr, nullptr, nullptr, &call);
  HostCall *kept = static_cast<HostCall *>(malloc(sizeof(HostCall)));
  REQUIRE(kept, cudaErrorMemoryAllocation, "no memory for the call");
  kept->call = call;
  cudaError_t error = submit_call(stream, run_host_call, free, kept, nullptr);
  if (error != cudaSuccess)
    free(kept);
  return error;
}

LW_API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data) {
  return CALL({
    REQUIRE_POINTER(function);
    REQUIRE_STREAM(stream, handle);
    return submit_host_function(stream, {function, data});
  });
}

struct Callback {
  cudaStream_t stream;
  cudaStreamCallback_t function;
  void *data;
};

static int32_t run_callback(void *data) {
  Callback *callback = static_cast<Callback *>(data);
  callback->function(callback->stream, cudaSuccess, callback->data);
  free(data);
  return 0;
}

// After a failure callbacks run all the same, and are told of it.
static void run_callback_of_failure(void *data) {
  Callback *callback = static_cast<Callback *>(data);
  cudaError_t broken = sticky_error();
  callback->function(callback->stream, broken != cudaSuccess ? broken : cudaErrorLaunchFailure, callback->data);
  free(data);
}

LW_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void *data,
                                         unsigned int flags) {
  return CALL({
    REQUIRE_POINTER(function);
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    REQUIRE_STREAM(stream, handle);
    Callback *callback = static_cast<Callback *>(malloc(sizeof(Callback)));
    REQUIRE(callback, cudaErrorMemoryAllocation, "no memory for the callback");
    *callback = {handle, function, data};
    cudaError_t error = submit_call(stream, run_callback, run_callback_of_failure, callback, nullptr);
    if (error != cudaSuccess)
      free(callback);
    return error;
  });
}

} // namespace lw_cudart
