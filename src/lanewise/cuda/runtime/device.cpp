// SPDX-License-Identifier: Apache-2.0
// Devices: there is one, the CPU, described as a GPU.
#include "api.h"
#include "gpu.h"
#include "graph_memory.h"
#include "memory.h"
#include "reset.h"
#include "streams.h"

namespace lw_cudart {

static unsigned int device_flags; // of all threads

LW_API cudaError_t cudaGetDeviceCount(int *count) {
  return PLAIN_CALL({
    REQUIRE_POINTER(count);
    *count = 1;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetDevice(int *device) {
  return PLAIN_CALL({
    REQUIRE_POINTER(device);
    *device = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaSetDevice(int device) {
  return CALL({ return require_device(device); });
}

LW_API cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return CALL({ return require_device(device); });
}

LW_API cudaError_t cudaSetValidDevices(int *devices, int count) {
  return CALL({
    REQUIRE(devices || !count, cudaErrorInvalidValue, "devices is null");
    for (int i = 0; i < count; ++i)
      REQUIRE_SUCCESS(require_device(devices[i]));
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return CALL({
    REQUIRE(!(flags & ~(unsigned int)cudaDeviceMask), cudaErrorInvalidValue, "flags of 0x%x are unknown", flags);
    __atomic_store_n(&device_flags, flags, __ATOMIC_RELAXED);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  return CALL({
    REQUIRE_POINTER(flags);
    *flags = __atomic_load_n(&device_flags, __ATOMIC_RELAXED) | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *described, int device) {
  return PLAIN_CALL({
    REQUIRE_POINTER(described);
    REQUIRE_SUCCESS(require_device(device));
    *described = properties();
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *described, int device) {
  return cudaGetDeviceProperties_v2(described, device);
}

LW_API cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *wanted) {
  return PLAIN_CALL({
    REQUIRE_POINTER(device);
    REQUIRE_POINTER(wanted);
    *device = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceSynchronize() {
  return CALL({
    REQUIRE_SUCCESS(require_no_capture());
    return synchronize_device();
  });
}

static void release_all_memory() {
  destroy_arrays();
  destroy_pools();
  lw_allocation found;
  for (const void *at = nullptr; lw_memory_after(at, &found); at = found.address)
    if (found.kind != LW_REGISTERED_MEMORY && found.kind != LW_VARIABLE_MEMORY)
      release(found.address, found.kind);
  reason()[0] = 0;
}

// All that there is in the device's contexts goes; the memory of the host that was registered stays so.
LW_API cudaError_t cudaDeviceReset() {
  return PLAIN_CALL({
    lw_synchronize();
    flush_output();
    abandon_captures();
    destroy_executables();
    destroy_graphs();
    destroy_graph_memory();
    destroy_streams();
    destroy_events();
    destroy_texture_objects();
    unload_modules();
    drop_mappings();
    release_all_memory();
    reset_modules();
    reset_limits();
    __atomic_store_n(&device_flags, 0, __ATOMIC_RELAXED);
    clear_sticky_error();
    forget_use_of_runtime();
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
LW_API cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

LW_API cudaError_t cudaDriverGetVersion(int *version) {
  return PLAIN_CALL({
    REQUIRE_POINTER(version);
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaRuntimeGetVersion(int *version) {
  return PLAIN_CALL({
    REQUIRE_POINTER(version);
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

static const char bus_id[] = "0000:01:00.0";

LW_API cudaError_t cudaDeviceGetPCIBusId(char *bus, int length, int device) {
  return CALL({
    REQUIRE_POINTER(bus);
    REQUIRE_SUCCESS(require_device(device));
    REQUIRE(length >= (int)sizeof bus_id, cudaErrorInvalidValue, "%d bytes are too few", length);
    memcpy(bus, bus_id, sizeof bus_id);
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus) {
  return CALL({
    REQUIRE_POINTER(device);
    REQUIRE_POINTER(bus);
    const char *tail = strlen(bus) >= strlen(bus_id) - 5 ? bus + strlen(bus) - (strlen(bus_id) - 5) : bus;
    REQUIRE(strcmp(tail, bus_id + 5) == 0, cudaErrorInvalidDevice, "there is no device at %s", bus);
    *device = 0;
    return cudaSuccess;
  });
}

LW_API cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                                      cudaFlushGPUDirectRDMAWritesScope) {
  return CALL({ return fail(cudaErrorNotSupported, "no other device writes to memory"); });
}

LW_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return CALL({ return cudaSuccess; });
}

LW_API cudaError_t cudaProfilerStart() {
  return CALL({ return cudaSuccess; });
}
LW_API cudaError_t cudaProfilerStop() {
  return CALL({ return cudaSuccess; });
}

} // namespace lw_cudart
