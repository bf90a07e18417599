// SPDX-License-Identifier: Apache-2.0
// Names and texts of the error codes, as NVIDIA's documentation and runtime have them.
#include "api.h"

namespace lw_cudart {

struct ErrorText {
  cudaError_t error;
  const char *name;
  const char *text;
};

#define TEXT(error, text) {error, #error, text}
static const ErrorText error_texts[] = {
    TEXT(cudaSuccess, "no error"),
    TEXT(cudaErrorInvalidValue, "invalid argument"),
    TEXT(cudaErrorMemoryAllocation, "out of memory"),
    TEXT(cudaErrorInitializationError, "initialization error"),
    TEXT(cudaErrorCudartUnloading, "driver shutting down"),
    TEXT(cudaErrorProfilerDisabled, "profiler disabled while using external profiling tool"),
    TEXT(cudaErrorProfilerNotInitialized, "profiler not initialized: call cudaProfilerInitialize()"),
    TEXT(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    TEXT(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    TEXT(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TEXT(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TEXT(cudaErrorInvalidSymbol, "invalid device symbol"),
    TEXT(cudaErrorInvalidHostPointer, "invalid host pointer"),
    TEXT(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    TEXT(cudaErrorInvalidTexture, "invalid texture reference"),
    TEXT(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    TEXT(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    TEXT(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TEXT(cudaErrorAddressOfConstant, "invalid address of constant"),
    TEXT(cudaErrorTextureFetchFailed, "fetch from texture failed"),
    TEXT(cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound"),
    TEXT(cudaErrorSynchronizationError, "incorrect use of __syncthreads()"),
    TEXT(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
    TEXT(cudaErrorInvalidNormSetting, "read as normalized float not supported for 32-bit non float type"),
    TEXT(cudaErrorMixedDeviceExecution, "device emulation mode and device execution mode cannot be mixed"),
    TEXT(cudaErrorNotYetImplemented, "feature not yet implemented"),
    TEXT(cudaErrorMemoryValueTooLarge, "memory size or pointer value too large to fit in 32 bit"),
    TEXT(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    TEXT(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    TEXT(cudaErrorCallRequiresNewerDriver, "API call is not supported in the installed CUDA driver"),
    TEXT(cudaErrorInvalidSurface, "invalid surface reference"),
    TEXT(cudaErrorDuplicateVariableName, "duplicate global variable looked up by string name"),
    TEXT(cudaErrorDuplicateTextureName, "duplicate texture looked up by string name"),
    TEXT(cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name"),
    TEXT(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    TEXT(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    TEXT(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    TEXT(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    TEXT(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches"),
    TEXT(cudaErrorLaunchFileScopedTex,
         "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)"),
    TEXT(cudaErrorLaunchFileScopedSurf,
         "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)"),
    TEXT(cudaErrorSyncDepthExceeded,
         "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"),
    TEXT(cudaErrorLaunchPendingCountExceeded,
         "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"),
    TEXT(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TEXT(cudaErrorInvalidDevice, "invalid device ordinal"),
    TEXT(cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license"),
    TEXT(cudaErrorSoftwareValidityNotEstablished, "integrity checks failed"),
    TEXT(cudaErrorStartupFailure, "startup failure in cuda runtime"),
    TEXT(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    TEXT(cudaErrorDeviceUninitialized, "invalid device context"),
    TEXT(cudaErrorMapBufferObjectFailed, "mapping of buffer object failed"),
    TEXT(cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed"),
    TEXT(cudaErrorArrayIsMapped, "array is mapped"),
    TEXT(cudaErrorAlreadyMapped, "resource already mapped"),
    TEXT(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    TEXT(cudaErrorAlreadyAcquired, "resource already acquired"),
    TEXT(cudaErrorNotMapped, "resource not mapped"),
    TEXT(cudaErrorNotMappedAsArray, "resource not mapped as array"),
    TEXT(cudaErrorNotMappedAsPointer, "resource not mapped as pointer"),
    TEXT(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    TEXT(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    TEXT(cudaErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread"),
    TEXT(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    TEXT(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    TEXT(cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context"),
    TEXT(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution"),
    TEXT(cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found"),
    TEXT(cudaErrorUnsupportedPtxVersion, "the provided PTX was compiled with an unsupported toolchain."),
    TEXT(cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled"),
    TEXT(cudaErrorUnsupportedExecAffinity, "the provided execution affinity is not supported"),
    TEXT(cudaErrorUnsupportedDevSideSync, "the provided PTX contains unsupported call to cudaDeviceSynchronize"),
    TEXT(cudaErrorInvalidSource, "device kernel image is invalid"),
    TEXT(cudaErrorFileNotFound, "file not found"),
    TEXT(cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found"),
    TEXT(cudaErrorSharedObjectInitFailed, "shared object initialization failed"),
    TEXT(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    TEXT(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TEXT(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TEXT(cudaErrorLossyQuery, "attempted introspection would be semantically lossy"),
    TEXT(cudaErrorSymbolNotFound, "named symbol not found"),
    TEXT(cudaErrorNotReady, "device not ready"),
    TEXT(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TEXT(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TEXT(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TEXT(cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode"),
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
    TEXT(cudaErrorSystemNotReady, "system not yet initialized"),
    TEXT(cudaErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
    TEXT(cudaErrorCompatNotSupportedOnDevice, "forward compatibility was attempted on non supported HW"),
    TEXT(cudaErrorMpsConnectionFailed, "MPS client failed to connect to the MPS control daemon or the MPS server"),
    TEXT(cudaErrorMpsRpcFailure, "the remote procedural call between the MPS server and the MPS client failed"),
    TEXT(cudaErrorMpsServerNotReady, "MPS server is not ready to accept new MPS client requests"),
    TEXT(cudaErrorMpsMaxClientsReached, "the hardware resources required to create MPS client have been exhausted"),
    TEXT(cudaErrorMpsMaxConnectionsReached,
         "the hardware resources required to support device connections have been exhausted"),
    TEXT(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
    TEXT(cudaErrorCdpNotSupported, "the program is using CUDA Dynamic Parallelism, which is not supported"),
    TEXT(cudaErrorCdpVersionMismatch,
         "the program contains an unsupported interaction between different versions of CUDA Dynamic Parallelism"),
    TEXT(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    TEXT(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    TEXT(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    TEXT(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    TEXT(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    TEXT(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    TEXT(cudaErrorStreamCaptureImplicit,
         "operation would make the legacy stream depend on a capturing blocking stream"),
    TEXT(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    TEXT(cudaErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread"),
    TEXT(cudaErrorTimeout, "wait operation timed out"),
    TEXT(cudaErrorGraphExecUpdateFailure,
         "the graph update was not performed because it included changes which violated constraints specific to "
         "instantiated graph update"),
    TEXT(cudaErrorExternalDevice, "an async error has occured in external entity outside of CUDA"),
    TEXT(cudaErrorInvalidClusterSize, "a kernel launch error has occurred due to cluster misconfiguration"),
    TEXT(cudaErrorFunctionNotLoaded, "the function handle is not loaded when calling an API that requires it"),
    TEXT(cudaErrorInvalidResourceType, "one or more resources passed in are not valid resource types"),
    TEXT(cudaErrorInvalidResourceConfiguration, "one or more resources are insufficient or non-applicable"),
    TEXT(cudaErrorUnknown, "unknown error"),
    TEXT(cudaErrorApiFailureBase, "api failure base"),
};
#undef TEXT

static const ErrorText *text_of(cudaError_t error) {
  for (const ErrorText &entry : error_texts)
    if (entry.error == error)
      return &entry;
  return nullptr;
}

LW_API const char *cudaGetErrorString(cudaError_t error) {
  const ErrorText *found = text_of(error);
  return found ? found->text : "unrecognized error code";
}

LW_API const char *cudaGetErrorName(cudaError_t error) {
  const ErrorText *found = text_of(error);
  return found ? found->name : "unrecognized error code";
}

} // namespace lw_cudart
