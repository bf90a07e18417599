// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver API: their handles are the runtime's.
#include "api.h"
#include "driver.h"

namespace lw_cudart {

LW_API CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamCreateWithFlags(stream, flags); });
}
LW_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
LW_API CUresult cuStreamDestroy(CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamDestroy(stream); });
}
LW_API CUresult cuStreamSynchronize(CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamSynchronize(stream); });
}
LW_API CUresult cuStreamQuery(CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamQuery(stream); });
}
LW_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamWaitEvent(stream, event, flags); });
}
LW_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamGetPriority(stream, priority); });
}
LW_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  return DRIVER_CALL(CONTEXT, { return cudaLaunchHostFunc(stream, function, data); });
}
LW_API CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, { return cudaEventCreateWithFlags(event, flags); });
}
LW_API CUresult cuEventDestroy(CUevent event) {
  return DRIVER_CALL(CONTEXT, { return cudaEventDestroy(event); });
}
LW_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return DRIVER_CALL(CONTEXT, { return cudaEventRecord(event, stream); });
}
LW_API CUresult cuEventQuery(CUevent event) {
  return DRIVER_CALL(CONTEXT, { return cudaEventQuery(event); });
}
LW_API CUresult cuEventSynchronize(CUevent event) {
  return DRIVER_CALL(CONTEXT, { return cudaEventSynchronize(event); });
}
LW_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return DRIVER_CALL(CONTEXT, { return cudaEventElapsedTime(milliseconds, start, end); });
}

LW_API CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamGetFlags(stream, flags); });
}
LW_API CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamGetId(stream, id); });
}
LW_API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device) {
  return DRIVER_CALL(CONTEXT, { return cudaStreamGetDevice(stream, device); });
}
// Statuses of streams have the same numbers in both interfaces.
LW_API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned int flags) {
  return DRIVER_CALL(CONTEXT, {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), data, flags);
  });
}

} // namespace lw_cudart
