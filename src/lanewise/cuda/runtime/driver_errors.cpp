// SPDX-License-Identifier: Apache-2.0
// Results of the driver API: their names, and those of the runtime's errors.
#include "api.h"
#include "driver.h"

namespace lw_cudart {

struct ResultName {
  CUresult result;
  const char *name;
};

#define NAME(result) {result, #result}
static const ResultName result_names[] = {
    NAME(CUDA_SUCCESS),
    NAME(CUDA_ERROR_INVALID_VALUE),
    NAME(CUDA_ERROR_OUT_OF_MEMORY),
    NAME(CUDA_ERROR_NOT_INITIALIZED),
    NAME(CUDA_ERROR_DEINITIALIZED),
    NAME(CUDA_ERROR_NO_DEVICE),
    NAME(CUDA_ERROR_INVALID_DEVICE),
    NAME(CUDA_ERROR_INVALID_IMAGE),
    NAME(CUDA_ERROR_INVALID_CONTEXT),
    NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
    NAME(CUDA_ERROR_UNSUPPORTED_LIMIT),
    NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
    NAME(CUDA_ERROR_INVALID_PTX),
    NAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
    NAME(CUDA_ERROR_INVALID_SOURCE),
    NAME(CUDA_ERROR_FILE_NOT_FOUND),
    NAME(CUDA_ERROR_OPERATING_SYSTEM),
    NAME(CUDA_ERROR_INVALID_HANDLE),
    NAME(CUDA_ERROR_ILLEGAL_STATE),
    NAME(CUDA_ERROR_NOT_FOUND),
    NAME(CUDA_ERROR_NOT_READY),
    NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    NAME(CUDA_ERROR_LAUNCH_TIMEOUT),
    NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
    NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED),
    NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED),
    NAME(CUDA_ERROR_ASSERT),
    NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
    NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED),
    NAME(CUDA_ERROR_HARDWARE_STACK_ERROR),
    NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    NAME(CUDA_ERROR_MISALIGNED_ADDRESS),
    NAME(CUDA_ERROR_INVALID_ADDRESS_SPACE),
    NAME(CUDA_ERROR_INVALID_PC),
    NAME(CUDA_ERROR_LAUNCH_FAILED),
    NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    NAME(CUDA_ERROR_NOT_PERMITTED),
    NAME(CUDA_ERROR_NOT_SUPPORTED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_MERGE),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
    NAME(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
    NAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
    NAME(CUDA_ERROR_CAPTURED_EVENT),
    NAME(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD),
    NAME(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    NAME(CUDA_ERROR_UNKNOWN),
};
#undef NAME

static const char *known_name(CUresult result) {
  for (const ResultName &each : result_names)
    if (each.result == result)
      return each.name;
  return nullptr;
}

const char *name_of_result(CUresult result) {
  const char *name = known_name(result);
  return name ? name : cudaGetErrorName(static_cast<cudaError_t>(result));
}

// Below 100, most of the runtime's errors are about its own arguments.
CUresult result_of(cudaError_t error) {
  if (error == cudaErrorInvalidDeviceFunction)
    return CUDA_ERROR_INVALID_HANDLE;
  bool is_own = error > cudaErrorCudartUnloading && error < cudaErrorNoDevice;
  return is_own ? CUDA_ERROR_INVALID_VALUE : static_cast<CUresult>(error);
}

LW_API CUresult cuGetErrorName(CUresult result, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = known_name(result);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

LW_API CUresult cuGetErrorString(CUresult result, const char **text) {
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = known_name(result) ? cudaGetErrorString(static_cast<cudaError_t>(result)) : nullptr;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

} // namespace lw_cudart
