// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "gpu.h"

#include <strings.h>
#include <unistd.h>

namespace lw_cudart {

static const Gpu gpus[] = {
    // key, capability, multiprocessors, clocks, bus, L2, memory, shared memory, threads and blocks, double
    {"A100", 8, 0, 108, 1410000, 1215000, 5120, 40960, 40536, 164, 163, 2048, 32, 2},
    {"P100", 6, 0, 56, 1328500, 715000, 4096, 4096, 16280, 64, 48, 2048, 32, 2},
    {"V100", 7, 0, 80, 1530000, 877000, 4096, 6144, 16160, 96, 96, 2048, 32, 2},
    {"T4", 7, 5, 40, 1590000, 5001000, 256, 4096, 15109, 64, 64, 1024, 16, 32},
    {"A10", 8, 6, 72, 1695000, 6251000, 384, 6144, 22731, 100, 99, 1536, 16, 32},
    {"RTX3090", 8, 6, 82, 1695000, 9751000, 384, 6144, 24259, 100, 99, 1536, 16, 32},
    {"L4", 8, 9, 58, 2040000, 6251000, 192, 49152, 22488, 100, 99, 1536, 24, 64},
    {"L40S", 8, 9, 142, 2520000, 9001000, 384, 98304, 45589, 100, 99, 1536, 24, 64},
    {"RTX4090", 8, 9, 128, 2520000, 10501000, 384, 73728, 24210, 100, 99, 1536, 24, 64},
    {"H100", 9, 0, 132, 1980000, 2619000, 5120, 51200, 81079, 228, 227, 2048, 32, 2},
    {"H200", 9, 0, 132, 1980000, 3201000, 6144, 61440, 143156, 228, 227, 2048, 32, 2},
    {"B200", 10, 0, 148, 1965000, 3996000, 8192, 129536, 182642, 228, 227, 2048, 32, 2},
};

static int of_gpu(cudaDeviceAttr attribute) {
  int value = 0;
  lw_gpu_attribute(attribute, &value);
  return value;
}

static const Gpu *real_gpu() {
  static Gpu real;
  static Lock lock;
  Held held(lock);
  real = {"cuda",
          of_gpu(cudaDevAttrComputeCapabilityMajor),
          of_gpu(cudaDevAttrComputeCapabilityMinor),
          of_gpu(cudaDevAttrMultiProcessorCount),
          of_gpu(cudaDevAttrClockRate),
          of_gpu(cudaDevAttrMemoryClockRate),
          of_gpu(cudaDevAttrGlobalMemoryBusWidth),
          of_gpu(cudaDevAttrL2CacheSize) >> 10,
          0,
          of_gpu(cudaDevAttrMaxSharedMemoryPerMultiprocessor) >> 10,
          of_gpu(cudaDevAttrMaxSharedMemoryPerBlockOptin) >> 10,
          of_gpu(cudaDevAttrMaxThreadsPerMultiProcessor),
          of_gpu(cudaDevAttrMaxBlocksPerMultiprocessor),
          of_gpu(cudaDevAttrSingleToDoublePrecisionPerfRatio)};
  return &real;
}

// Replaces what is said of the CPU.
static void describe_real(cudaDeviceProp &p) {
  lw_gpu described;
  lw_gpu_describe(&described);
  memcpy(p.name, described.name, sizeof p.name);
  memcpy(p.uuid.bytes, described.uuid, sizeof p.uuid.bytes);
  p.totalGlobalMem = described.memory_bytes;
  describe_by_attributes(p);
}

const Gpu &gpu() {
  static const Gpu *chosen;
  const Gpu *known = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
  if (known)
    return *known;
  if (lw_is_gpu()) {
    known = real_gpu();
    __atomic_store_n(&chosen, known, __ATOMIC_RELEASE);
    return *known;
  }
  known = &gpus[0];
  const char *wanted = getenv("LANEWISE_GPU");
  if (wanted && wanted[0]) {
    const Gpu *found = nullptr;
    for (const Gpu &row : gpus)
      if (strcasecmp(row.key, wanted) == 0)
        found = &row;
    if (found) {
      known = found;
    } else {
      char names[256] = "";
      for (const Gpu &row : gpus)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "", row.key);
      say("LANEWISE_GPU=%s names no GPU that is known here; it is taken for %s. Known: %s", wanted, known->key, names);
    }
  }
  __atomic_store_n(&chosen, known, __ATOMIC_RELEASE);
  return *known;
}

// The GPU's memory, or the machine's where that is less.
static size_t memory_bytes() {
  size_t described = static_cast<size_t>(gpu().memory_mib) << 20;
  size_t machine = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return described < machine ? described : machine;
}

static void set(int *target, int a, int b) { target[0] = a, target[1] = b; }
static void set(int *target, int a, int b, int c) { target[0] = a, target[1] = b, target[2] = c; }

static void describe_textures(cudaDeviceProp &p) {
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  p.maxTexture1DLinear = 268435456;
  set(p.maxTexture2D, 131072, 65536);
  set(p.maxTexture2DMipmap, 32768, 32768);
  set(p.maxTexture2DLinear, 131072, 65000, 2097120);
  set(p.maxTexture2DGather, 32768, 32768);
  set(p.maxTexture3D, 16384, 16384, 16384);
  set(p.maxTexture3DAlt, 8192, 8192, 32768);
  p.maxTextureCubemap = 32768;
  set(p.maxTexture1DLayered, 32768, 2048);
  set(p.maxTexture2DLayered, 32768, 32768, 2048);
  set(p.maxTextureCubemapLayered, 32768, 2046);
  p.maxSurface1D = 32768;
  set(p.maxSurface2D, 131072, 65536);
  set(p.maxSurface3D, 16384, 16384, 16384);
  set(p.maxSurface1DLayered, 32768, 2048);
  set(p.maxSurface2DLayered, 32768, 32768, 2048);
  p.maxSurfaceCubemap = 32768;
  set(p.maxSurfaceCubemapLayered, 32768, 2046);
}

static void describe_limits(cudaDeviceProp &p, const Gpu &g) {
  p.totalGlobalMem = memory_bytes();
  p.sharedMemPerBlock = SHARED_BYTES;
  p.sharedMemPerBlockOptin = static_cast<size_t>(g.shared_optin_kib) << 10;
  p.sharedMemPerMultiprocessor = static_cast<size_t>(g.shared_kib) << 10;
  p.reservedSharedMemPerBlock = g.major >= 8 ? 1024 : 0;
  p.regsPerBlock = p.regsPerMultiprocessor = REGISTERS;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = 1024;
  set(p.maxThreadsDim, 1024, 1024, 64);
  set(p.maxGridSize, 2147483647, 65535, 65535);
  p.totalConstMem = CONSTANT_BYTES;
  p.maxThreadsPerMultiProcessor = g.threads;
  p.maxBlocksPerMultiProcessor = g.blocks;
  p.multiProcessorCount = g.multiprocessors;
  p.clockRate = g.clock_khz;
  p.memoryClockRate = g.memory_clock_khz;
  p.memoryBusWidth = g.bus_bits;
  p.l2CacheSize = g.l2_kib << 10;
  p.persistingL2CacheMaxSize = g.major >= 8 ? p.l2CacheSize / 4 * 3 : 0;
  p.accessPolicyMaxWindowSize = g.major >= 8 ? 128 << 20 : 0;
  p.singleToDoublePrecisionPerfRatio = g.double_ratio;
}

static void describe_abilities(cudaDeviceProp &p, const Gpu &g) {
  p.deviceOverlap = p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
  p.asyncEngineCount = 3;
  p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.concurrentManagedAccess = p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
  p.cooperativeLaunch = 1;
  p.memoryPoolsSupported = 1;
  p.hostNativeAtomicSupported = 0;
  bool host_pointers = wants("LANEWISE_HOST_POINTERS");
  p.pageableMemoryAccess = p.pageableMemoryAccessUsesHostPageTables = host_pointers;
  p.clusterLaunch = 0;
  p.unifiedFunctionPointers = 1;
  p.pciBusID = 1;
}

const cudaDeviceProp &properties() {
  static cudaDeviceProp described;
  static int ready;
  static Lock lock;
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
    return described;
  const Gpu &g = gpu();
  Held held(lock);
  if (!ready) {
    cudaDeviceProp &p = described;
    snprintf(p.name, sizeof p.name, "Lanewise CPU (as %s)", g.key);
    memcpy(p.uuid.bytes, "lanewise-cpu-000", sizeof p.uuid.bytes);
    p.major = g.major;
    p.minor = g.minor;
    describe_limits(p, g);
    describe_textures(p);
    describe_abilities(p, g);
    if (lw_is_gpu())
      describe_real(p);
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  }
  return described;
}

cudaError_t require_device(int device) {
  REQUIRE(device == 0, cudaErrorInvalidDevice, "there is no device %d: the only one is 0", device);
  return cudaSuccess;
}

} // namespace lw_cudart
