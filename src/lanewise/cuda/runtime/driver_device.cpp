// SPDX-License-Identifier: Apache-2.0
// Devices in the driver API. Attributes have the runtime's numbers.
#include "api.h"
#include "driver.h"
#include "gpu.h"

namespace lw_cudart {

LW_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(device);
    REQUIRE_SUCCESS(require_device(ordinal));
    *device = ordinal;
    return cudaSuccess;
  });
}

LW_API CUresult cuDeviceGetCount(int *count) {
  return DRIVER_CALL(INITIALISED, { return cudaGetDeviceCount(count); });
}

LW_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(name);
    REQUIRE(length > 0, cudaErrorInvalidValue, "%d bytes are too few", length);
    REQUIRE_SUCCESS(require_device(device));
    snprintf(name, static_cast<size_t>(length), "%s", properties().name);
    return cudaSuccess;
  });
}

LW_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(uuid);
    REQUIRE_SUCCESS(require_device(device));
    memcpy(uuid, &properties().uuid, sizeof *uuid);
    return cudaSuccess;
  });
}

// Attributes that the runtime API has no name for. Memory may be asked to be compressed: nobody sees that it isn't.
struct OwnAttribute {
  CUdevice_attribute attribute;
  int value;
};
static const OwnAttribute own_attributes[] = {
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 1},
};

LW_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    for (const OwnAttribute &own : own_attributes)
      if (own.attribute == attribute && !lw_is_gpu()) {
        REQUIRE_POINTER(value);
        REQUIRE_SUCCESS(require_device(device));
        *value = own.value;
        return cudaSuccess;
      }
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

LW_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(bytes);
    REQUIRE_SUCCESS(require_device(device));
    *bytes = properties().totalGlobalMem;
    return cudaSuccess;
  });
}

LW_API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  return DRIVER_CALL(INITIALISED, {
    REQUIRE_POINTER(major);
    REQUIRE_POINTER(minor);
    REQUIRE_SUCCESS(require_device(device));
    *major = properties().major;
    *minor = properties().minor;
    return cudaSuccess;
  });
}

LW_API CUresult cuDeviceCanAccessPeer(int *can_access, CUdevice device, CUdevice peer) {
  return DRIVER_CALL(INITIALISED, { return cudaDeviceCanAccessPeer(can_access, device, peer); });
}

LW_API CUresult cuDeviceGetPCIBusId(char *bus, int length, CUdevice device) {
  return DRIVER_CALL(INITIALISED, { return cudaDeviceGetPCIBusId(bus, length, device); });
}

LW_API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *bus) {
  return DRIVER_CALL(INITIALISED, { return cudaDeviceGetByPCIBusId(device, bus); });
}

} // namespace lw_cudart
