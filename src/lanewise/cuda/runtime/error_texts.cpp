// SPDX-License-Identifier: Apache-2.0
// The names of errors, and the sentences that cudaGetErrorString returns.
#include "runtime.h"

namespace {

struct ErrorText {
  cudaError_t error;
  const char *name;
  const char *text;
};

#define TEXT(name, text) {name, #name, text}
const ErrorText error_texts[] = {
    TEXT(cudaSuccess, "no error"),
    TEXT(cudaErrorInvalidValue, "invalid argument"),
    TEXT(cudaErrorMemoryAllocation, "out of memory"),
    TEXT(cudaErrorInitializationError, "initialization error"),
    TEXT(cudaErrorCudartUnloading, "driver shutting down"),
    TEXT(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TEXT(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TEXT(cudaErrorInvalidSymbol, "invalid device symbol"),
    TEXT(cudaErrorInvalidHostPointer, "invalid host pointer"),
    TEXT(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    TEXT(cudaErrorInvalidTexture, "invalid texture reference"),
    TEXT(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    TEXT(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    TEXT(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TEXT(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    TEXT(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    TEXT(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TEXT(cudaErrorInvalidDevice, "invalid device ordinal"),
    TEXT(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    TEXT(cudaErrorDeviceUninitialized, "invalid device context"),
    TEXT(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    TEXT(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    TEXT(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    TEXT(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    TEXT(cudaErrorInvalidSource, "device kernel image is invalid"),
    TEXT(cudaErrorFileNotFound, "file not found"),
    TEXT(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    TEXT(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TEXT(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TEXT(cudaErrorSymbolNotFound, "named symbol not found"),
    TEXT(cudaErrorNotReady, "device not ready"),
    TEXT(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TEXT(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TEXT(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TEXT(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    TEXT(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    TEXT(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    TEXT(cudaErrorContextIsDestroyed, "context is destroyed"),
    TEXT(cudaErrorAssert, "device-side assert triggered"),
    TEXT(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    TEXT(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    TEXT(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    TEXT(cudaErrorHardwareStackError, "hardware stack error"),
    TEXT(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    TEXT(cudaErrorMisalignedAddress, "misaligned address"),
    TEXT(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    TEXT(cudaErrorInvalidPc, "invalid program counter"),
    TEXT(cudaErrorLaunchFailure, "unspecified launch failure"),
    TEXT(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    TEXT(cudaErrorNotPermitted, "operation not permitted"),
    TEXT(cudaErrorNotSupported, "operation not supported"),
    TEXT(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    TEXT(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    TEXT(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    TEXT(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    TEXT(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    TEXT(cudaErrorUnknown, "unknown error"),
};
#undef TEXT

const ErrorText *text_of(cudaError_t error) {
  for (const ErrorText &each : error_texts)
    if (each.error == error)
      return &each;
  return nullptr;
}

} // namespace

CUDART const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *found = text_of(error);
  return found != nullptr ? found->text : "unrecognized error code";
}

CUDART const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *found = text_of(error);
  return found != nullptr ? found->name : "unrecognized error code";
}
