// SPDX-License-Identifier: Apache-2.0
// Other devices and other processes: there is one device, and its memory is the process's own.
#include "api.h"
#include "gpu.h"

namespace lw_cudart {

LW_API cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer) {
  return CALL({
    REQUIRE_POINTER(can_access);
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE_SUCCESS(require_device(peer));
    *can_access = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return CALL({
    REQUIRE(!flags, cudaErrorInvalidValue, "flags must be 0");
    return fail(cudaErrorInvalidDevice, "device %d is no other device than the current one", peer);
  });
}

LW_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return CALL({
    REQUIRE_SUCCESS(require_device(peer));
    return fail(cudaErrorPeerAccessNotEnabled, "access to device %d was not enabled", peer);
  });
}

LW_API cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int source, int target) {
  return CALL({
    REQUIRE_POINTER(value);
    REQUIRE_SUCCESS(require_device(source));
    REQUIRE_SUCCESS(require_device(target));
    return fail(cudaErrorInvalidDevice, "a device is no peer of its own");
  });
}

static cudaError_t no_other_process() {
  return fail(cudaErrorNotSupported, "memory and events can't be shared with other processes");
}

LW_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) {
  return CALL({ return no_other_process(); });
}
LW_API cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int) {
  return CALL({ return no_other_process(); });
}
LW_API cudaError_t cudaIpcCloseMemHandle(void *) {
  return CALL({ return no_other_process(); });
}
LW_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) {
  return CALL({ return no_other_process(); });
}
LW_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) {
  return CALL({ return no_other_process(); });
}

} // namespace lw_cudart
