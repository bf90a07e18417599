// SPDX-License-Identifier: Apache-2.0
// The device: the processor's threads, described as a GPU that programs know (LANEWISE_GPU names another).
//
// Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; NVIDIA's data sheets.
#include "runtime.h"

#include <unistd.h>

namespace {

struct Gpu {
  const char *key;
  const char *name;
  int major, minor;
  int multiprocessors;
  size_t gibibytes;
  int clock_khz, memory_clock_khz, bus_bits, l2_bytes;
  size_t shared_of_block; // at most, by cudaFuncSetAttribute
  int threads_of_multiprocessor, blocks_of_multiprocessor;
};

const Gpu gpus[] = {
    {"P100", "Tesla P100-PCIE-16GB", 6, 0, 56, 16, 1328500, 715000, 4096, 4 << 20, 48 << 10, 2048, 32},
    {"V100", "Tesla V100-PCIE-32GB", 7, 0, 80, 32, 1380000, 877000, 4096, 6 << 20, 96 << 10, 2048, 32},
    {"T4", "Tesla T4", 7, 5, 40, 16, 1590000, 5001000, 256, 4 << 20, 64 << 10, 1024, 16},
    {"A100", "NVIDIA A100-PCIE-40GB", 8, 0, 108, 40, 1410000, 1215000, 5120, 40 << 20, 163 << 10, 2048, 32},
    {"RTX3090", "NVIDIA GeForce RTX 3090", 8, 6, 82, 24, 1695000, 9751000, 384, 6 << 20, 99 << 10, 1536, 16},
    {"RTX4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 24, 2520000, 10501000, 384, 72 << 20, 99 << 10, 1536, 24},
    {"L4", "NVIDIA L4", 8, 9, 58, 24, 2040000, 6251000, 192, 48 << 20, 99 << 10, 1536, 24},
    {"H100", "NVIDIA H100 PCIe", 9, 0, 114, 80, 1755000, 1593000, 5120, 50 << 20, 227 << 10, 2048, 32},
};
const Gpu &default_gpu = gpus[3];

const Gpu *chosen_gpu;

void choose_gpu() {
  chosen_gpu = &default_gpu;
  const char *wanted = getenv("LANEWISE_GPU");
  if (wanted == nullptr || *wanted == '\0')
    return;
  for (const Gpu &each : gpus)
    if (strcasecmp(each.key, wanted) == 0) {
      chosen_gpu = &each;
      return;
    }
  char known[256] = "";
  for (const Gpu &each : gpus) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", each.key);
  }
  tell("LANEWISE_GPU=%s is not known, %s takes its place; known are %s", wanted, default_gpu.key, known);
}

const Gpu &gpu() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_gpu);
  return *chosen_gpu;
}

// No more than three quarters of what the machine has: a program may take all of its GPU.
size_t total_memory() {
  size_t described = gpu().gibibytes << 30;
  size_t have = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
  return have < described ? have : described;
}

enum {
  WARP = 32,
  THREADS_OF_BLOCK = 1024,
  REGISTERS = 65536,
  SHARED_OF_BLOCK = 48 << 10,
  SHARED_RESERVED = 1 << 10,
  CONSTANT_BYTES = 64 << 10,
  PRIORITIES = -5, // the greatest; 0 is the least
};

size_t shared_of_multiprocessor() { return gpu().shared_of_block + SHARED_RESERVED; }

// The attributes that cudaDeviceProp and cudaDeviceGetAttribute both tell.
struct Attribute {
  cudaDeviceAttr attribute;
  int value;
};

int attribute_value(cudaDeviceAttr attribute, bool *known) {
  const Gpu &g = gpu();
  *known = true;
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return THREADS_OF_BLOCK;
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return 1024;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrMaxGridDimX:
    return 2147483647;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 65535;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return SHARED_OF_BLOCK;
  case cudaDevAttrTotalConstantMemory:
    return CONSTANT_BYTES;
  case cudaDevAttrWarpSize:
    return WARP;
  case cudaDevAttrMaxPitch:
    return 2147483647;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return REGISTERS;
  case cudaDevAttrClockRate:
    return g.clock_khz;
  case cudaDevAttrTextureAlignment:
    return 512;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrHostNativeAtomicSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrMemoryPoolsSupported:
    return 1;
  case cudaDevAttrMultiProcessorCount:
    return g.multiprocessors;
  case cudaDevAttrMemoryClockRate:
    return g.memory_clock_khz;
  case cudaDevAttrGlobalMemoryBusWidth:
    return g.bus_bits;
  case cudaDevAttrL2CacheSize:
    return g.l2_bytes;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return g.threads_of_multiprocessor;
  case cudaDevAttrAsyncEngineCount:
    return 2;
  case cudaDevAttrPciBusId:
    return 1;
  case cudaDevAttrComputeCapabilityMajor:
    return g.major;
  case cudaDevAttrComputeCapabilityMinor:
    return g.minor;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return static_cast<int>(shared_of_multiprocessor());
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return static_cast<int>(g.shared_of_block);
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return g.blocks_of_multiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return SHARED_RESERVED;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return g.minor == 0 ? 2 : 32;
  default:
    *known = attribute > 0 && attribute <= cudaDevAttrMemSyncDomainCount;
    return 0;
  }
}

int value_of(cudaDeviceAttr attribute) {
  bool known;
  return attribute_value(attribute, &known);
}

bool is_device_number(int device) { return device == 0; }

size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

} // namespace

CUDART cudaError_t cudaGetDeviceCount(int *count) {
  if (count == nullptr)
    return done(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

CUDART cudaError_t cudaGetDevice(int *device) {
  if (device == nullptr)
    return done(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

CUDART cudaError_t cudaSetDevice(int device) {
  RETURN_IF_STICKY();
  return done(is_device_number(device) ? cudaSuccess : cudaErrorInvalidDevice);
}

CUDART cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return cudaSetDevice(device); }

CUDART cudaError_t cudaSetValidDevices(int *devices, int count) {
  for (int i = 0; i < count; ++i)
    if (devices == nullptr || !is_device_number(devices[i]))
      return done(devices == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
  return cudaSuccess;
}

namespace {
unsigned int device_flags = cudaDeviceScheduleAuto;
}

CUDART cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (flags & ~0x1fu)
    return done(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}

CUDART cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  if (flags == nullptr)
    return done(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  if (value == nullptr)
    return done(cudaErrorInvalidValue);
  if (!is_device_number(device))
    return done(cudaErrorInvalidDevice);
  bool known;
  *value = attribute_value(attribute, &known);
  return done(known ? cudaSuccess : cudaErrorInvalidValue);
}

CUDART cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (properties == nullptr)
    return done(cudaErrorInvalidValue);
  if (!is_device_number(device))
    return done(cudaErrorInvalidDevice);
  const Gpu &g = gpu();
  cudaDeviceProp &p = *properties;
  memset(&p, 0, sizeof p);
  snprintf(p.name, sizeof p.name, "%s", g.name);
  memcpy(p.uuid.bytes, "Lanewise virtual", sizeof p.uuid.bytes);
  p.totalGlobalMem = total_memory();
  p.sharedMemPerBlock = SHARED_OF_BLOCK;
  p.regsPerBlock = p.regsPerMultiprocessor = REGISTERS;
  p.warpSize = WARP;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = THREADS_OF_BLOCK;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024, p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647, p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.clockRate = g.clock_khz;
  p.totalConstMem = CONSTANT_BYTES;
  p.major = g.major, p.minor = g.minor;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = 1;
  p.multiProcessorCount = g.multiprocessors;
  p.maxTexture1D = 131072;
  p.maxTexture2D[0] = 131072, p.maxTexture2D[1] = 65536;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
  p.maxTexture1DLinear = 1 << 28;
  p.maxTexture2DLinear[0] = 131072, p.maxTexture2DLinear[1] = 65000, p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture1DLayered[0] = 32768, p.maxTexture1DLayered[1] = 2048;
  p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 32768, p.maxTexture2DLayered[2] = 2048;
  p.maxSurface1D = 32768;
  p.maxSurface2D[0] = 131072, p.maxSurface2D[1] = 65536;
  p.pciBusID = 1;
  p.asyncEngineCount = 2;
  p.memoryClockRate = g.memory_clock_khz;
  p.memoryBusWidth = g.bus_bits;
  p.l2CacheSize = g.l2_bytes;
  p.maxThreadsPerMultiProcessor = g.threads_of_multiprocessor;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = shared_of_multiprocessor();
  p.managedMemory = p.hostNativeAtomicSupported = p.concurrentManagedAccess = 1;
  p.singleToDoublePrecisionPerfRatio = value_of(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem = p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = g.shared_of_block;
  p.maxBlocksPerMultiProcessor = g.blocks_of_multiprocessor;
  p.reservedSharedMemPerBlock = SHARED_RESERVED;
  p.hostRegisterSupported = p.memoryPoolsSupported = 1;
  return cudaSuccess;
}

CUDART cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  if (device == nullptr || properties == nullptr)
    return done(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceSynchronize() {
  RETURN_IF_STICKY();
  int32_t result = lw_synchronize();
  flush_printed();
  if (sticky() != cudaSuccess)
    return done(sticky());
  return done(from_host(result, "cudaDeviceSynchronize"));
}

// What a kernel has broken is whole again; memory stays where it is, so that pointers that are left do no harm.
CUDART cudaError_t cudaDeviceReset() {
  lw_synchronize();
  flush_printed();
  lw_queue_clear_failure(lw_default_queue());
  __atomic_store_n(&sticky_error, cudaSuccess, __ATOMIC_RELEASE);
  last_error = cudaSuccess;
  return cudaSuccess;
}

CUDART cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
CUDART cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

CUDART cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  RETURN_IF_STICKY();
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return done(cudaErrorUnsupportedLimit);
  limits[limit] = value;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  if (value == nullptr)
    return done(cudaErrorInvalidValue);
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
    return done(cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
CUDART cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  if (config == nullptr)
    return done(cudaErrorInvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
CUDART cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  if (config == nullptr)
    return done(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
CUDART cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

CUDART cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer) {
  if (can_access == nullptr)
    return done(cudaErrorInvalidValue);
  if (!is_device_number(device) || !is_device_number(peer))
    return done(cudaErrorInvalidDevice);
  *can_access = 0;
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return done(cudaErrorInvalidDevice); }
CUDART cudaError_t cudaDeviceDisablePeerAccess(int) { return done(cudaErrorPeerAccessNotEnabled); }
CUDART cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
  if (value == nullptr)
    return done(cudaErrorInvalidValue);
  return done(cudaErrorInvalidDevice); // two different devices are needed
}

CUDART cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least != nullptr)
    *least = 0;
  if (greatest != nullptr)
    *greatest = PRIORITIES;
  return cudaSuccess;
}

CUDART cudaError_t cudaDeviceGetPCIBusId(char *bus, int length, int device) {
  if (bus == nullptr || length < 13)
    return done(cudaErrorInvalidValue);
  if (!is_device_number(device))
    return done(cudaErrorInvalidDevice);
  snprintf(bus, static_cast<size_t>(length), "0000:01:00.0");
  return cudaSuccess;
}
CUDART cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus) {
  if (device == nullptr || bus == nullptr)
    return done(cudaErrorInvalidValue);
  *device = 0;
  return done(strstr(bus, "01:00") != nullptr ? cudaSuccess : cudaErrorInvalidDevice);
}

CUDART cudaError_t cudaDriverGetVersion(int *version) {
  if (version == nullptr)
    return done(cudaErrorInvalidValue);
  *version = 12080;
  return cudaSuccess;
}
CUDART cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
CUDART cudaError_t cudaProfilerStart() { return cudaSuccess; }
CUDART cudaError_t cudaProfilerStop() { return cudaSuccess; }
