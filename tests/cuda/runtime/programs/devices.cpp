// SPDX-License-Identifier: Apache-2.0
// Devices, properties, attributes, limits, peers.
#include "kernels.h"

TEST(there_is_one_device) {
  int count = 0, device = -1, can = -1, version = 0;
  OK(cudaGetDeviceCount(&count));
  EQUAL(count, 1);
  OK(cudaGetDevice(&device));
  EQUAL(device, 0);
  OK(cudaSetDevice(0));
  OK(cudaInitDevice(0, 0, 0));
  OK(cudaSetValidDevices(&device, 1));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(1));
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(-1));
  GIVES(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EQUAL(can, 0);
  GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1));
  GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0));
  OK(cudaDriverGetVersion(&version));
  EQUAL(version, CUDART_VERSION);
  OK(cudaRuntimeGetVersion(&version));
  EQUAL(version, CUDART_VERSION);
}

TEST(the_default_is_an_a100) {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  CHECK(strstr(p.name, "A100"));
  EQUAL(p.major, 8);
  EQUAL(p.minor, 0);
  EQUAL(p.multiProcessorCount, 108);
  EQUAL(p.warpSize, 32);
  EQUAL(p.deviceOverlap, 1);
  EQUAL(p.clockRate, 1410000);
  EQUAL(p.maxGridSize[1], 65535);
  CHECK(p.totalGlobalMem >= (size_t)1 << 28);
  GIVES(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
  GIVES(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
  int chosen = -1;
  OK(cudaChooseDevice(&chosen, &p));
  EQUAL(chosen, 0);
}

// environment: LANEWISE_GPU=t4
TEST(the_environment_chooses_the_gpu) {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  EQUAL(p.major * 10 + p.minor, 75);
  EQUAL(p.maxThreadsPerMultiProcessor, 1024);
}

// environment: LANEWISE_GPU=Z80
// stderr: lanewise: LANEWISE_GPU=Z80 names no GPU that is known here; it is taken for A100. Known: A100, P100, V100
TEST(an_unknown_gpu_is_named) {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  EQUAL(p.major, 8);
}

TEST(attributes_agree_with_properties) {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  int value;
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  EQUAL(value, p.maxThreadsPerBlock);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EQUAL(value, p.sharedMemPerBlockOptin);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0));
  EQUAL(value, 64);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMemSyncDomainCount, 0));
  EQUAL(value, 1);
  GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3));
}

TEST(limits_and_preferences_are_kept) {
  size_t value;
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123456));
  OK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  EQUAL(value, 123456);
  OK(cudaThreadSetLimit(cudaLimitStackSize, 2048));
  OK(cudaThreadGetLimit(&value, cudaLimitStackSize));
  EQUAL(value, 2048);
  GIVES(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, (cudaLimit)99));
  cudaFuncCache cache;
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OK(cudaDeviceGetCacheConfig(&cache));
  EQUAL(cache, cudaFuncCachePreferL1);
  OK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
  OK(cudaThreadGetCacheConfig(&cache));
  EQUAL(cache, cudaFuncCachePreferShared);
  cudaSharedMemConfig banks;
  OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  OK(cudaDeviceGetSharedMemConfig(&banks));
  EQUAL(banks, cudaSharedMemBankSizeEightByte);
  unsigned int flags;
  OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  OK(cudaGetDeviceFlags(&flags));
  CHECK(flags & cudaDeviceScheduleBlockingSync);
  GIVES(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
}

TEST(the_rest_of_the_device) {
  char bus[16];
  int device = -1, least, greatest;
  OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  OK(cudaDeviceGetByPCIBusId(&device, bus));
  EQUAL(device, 0);
  GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&device, "0000:77:00.0"));
  GIVES(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(bus, 3, 0));
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest < least);
  OK(cudaCtxResetPersistingL2Cache());
  OK(cudaProfilerStart());
  OK(cudaProfilerStop());
  OK(cudaThreadSynchronize());
  OK(cudaThreadExit());
  double number = 1;
  OK(cudaSetDoubleForDevice(&number));
  OK(cudaSetDoubleForHost(&number));
  GIVES(cudaErrorNotSupported, cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                                                  cudaFlushGPUDirectRDMAWritesToOwner));
}
