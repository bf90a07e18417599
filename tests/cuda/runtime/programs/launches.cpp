// SPDX-License-Identifier: Apache-2.0
// Launches, and what is wrong with some.
#include "kernels.h"

// What clang makes of scale<<<grid, block, shared, stream>>>(...).
static void stub_of_scale(float *data, float by, int count) {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  OK(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
  void *arguments[] = {&data, &by, &count};
  OK(cudaLaunchKernel(KERNEL(scale), grid, block, arguments, shared_bytes, stream));
}

TEST(a_launch_as_clang_writes_it) {
  float *data;
  OK(cudaMallocManaged(&data, 64 * sizeof(float)));
  for (int i = 0; i < 64; ++i)
    data[i] = (float)i;
  CHECK(__cudaPushCallConfiguration(dim3(2), dim3(32), 0, nullptr) == 0);
  stub_of_scale(data, 3, 60);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  CHECK(data[59] == 177 && data[60] == 60);
  dim3 grid, block;
  size_t bytes;
  cudaStream_t stream;
  GIVES(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &bytes, &stream));
  OK(cudaConfigureCall(dim3(1), dim3(2), 3));
  OK(__cudaPopCallConfiguration(&grid, &block, &bytes, &stream));
  EQUAL(bytes, 3);
}

// stderr: kernel bounded: a grid of (0, 1, 1) blocks: x must be 1 to 2147483647 (cudaErrorInvalidConfiguration)
// stderr: a block of 32 * 32 * 2 = 2048 threads: at most 1024
TEST(wrong_configurations) {
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(bounded), 0, 1));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(bounded), 1, 0));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(shared), 1, 1025));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(shared), dim3(1, 65536), 1));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(shared), dim3(1, 1, 65536), 1));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(shared), 1, dim3(1, 1, 65)));
  GIVES(cudaErrorInvalidConfiguration, launch_bare(KERNEL(shared), 1, dim3(32, 32, 2)));
  GIVES(cudaErrorInvalidConfiguration, cudaGetLastError());
  GIVES(cudaErrorLaunchOutOfResources, launch_bare(KERNEL(bounded), 1, 65));
  OK(launch_bare(KERNEL(bounded), 1, 64));
  OK(launch_bare(KERNEL(shared), dim3(1, 65535), 1));
}

TEST(dynamic_shared_memory_has_a_limit_that_can_be_raised) {
  OK(launch_bare(KERNEL(shared), 1, 1, 32768));
  GIVES(cudaErrorInvalidValue, launch_bare(KERNEL(shared), 1, 1, 32769));
  OK(cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  OK(launch_bare(KERNEL(shared), 1, 1, 65536));
  GIVES(cudaErrorInvalidValue, launch_bare(KERNEL(shared), 1, 1, 65537));
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
}

// stderr: kernel _Z7foreignv has no machine code for the CPU
// stderr: kernel refused can't run on the CPU: it launches kernels (cudaErrorNoKernelImageForDevice)
TEST(kernels_that_are_not_there) {
  static int local;
  GIVES(cudaErrorInvalidDeviceFunction, launch_bare(&local, 1, 1));
  GIVES(cudaErrorInvalidDeviceFunction, launch_bare(nullptr, 1, 1));
  GIVES(cudaErrorInvalidDeviceFunction, launch_bare(KERNEL(forgotten), 1, 1));
  GIVES(cudaErrorNoKernelImageForDevice, launch_bare(KERNEL(foreign), 1, 1));
  GIVES(cudaErrorNoKernelImageForDevice, launch_bare(KERNEL(refused), 1, 1));
  GIVES(cudaErrorInvalidValue, launch_bare(KERNEL(scale), 1, 1));
}

TEST(cooperative_launches_must_fit) {
  OK(cudaLaunchCooperativeKernel(bounded, dim3(108), dim3(64), nullptr));
  GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel(bounded, dim3(108 * 33), dim3(64), nullptr));
}

static void typed(float *, float, int) {}

TEST(launches_with_a_configuration) {
  float *data;
  OK(cudaMallocManaged(&data, 16));
  data[0] = 2;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  register_kernel(module, (const void *)typed, "_Z5scalePffi");
  OK(cudaLaunchKernelEx(&config, typed, data, 4, 1));
  OK(cudaDeviceSynchronize());
  CHECK(data[0] == 8);
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  GIVES(cudaErrorNotSupported, cudaLaunchKernelEx(&config, typed, data, 4, 1));
  GIVES(cudaErrorInvalidValue, cudaLaunchKernelExC(nullptr, (const void *)typed, nullptr));
}

// stdout: before
// stdout: hello 1
// stdout: hello 2
// stdout: after
TEST(what_kernels_print_comes_in_order) {
  printf("before\n");
  OK(launch(KERNEL(hello), 1, 1, nullptr, 1));
  OK(launch(KERNEL(hello), 1, 1, nullptr, 2));
  OK(cudaDeviceSynchronize());
  printf("after\n");
  fflush(stdout);
}

// stdout: hello 3
TEST(a_reset_prints_what_is_left) {
  OK(launch(KERNEL(hello), 1, 1, nullptr, 3));
  OK(cudaDeviceReset());
}

TEST(attributes_of_kernels) {
  cudaFuncAttributes a;
  const char *name;
  cudaFunction_t function;
  OK(cudaFuncGetAttributes(&a, shared));
  EQUAL(a.sharedSizeBytes, 16384);
  EQUAL(a.maxThreadsPerBlock, 1024);
  EQUAL(a.binaryVersion, 80);
  EQUAL(a.maxDynamicSharedSizeBytes, 32768);
  OK(cudaFuncGetAttributes(&a, bounded));
  EQUAL(a.maxThreadsPerBlock, 64);
  OK(cudaFuncGetName(&name, scale));
  EQUAL(strcmp(name, "_Z5scalePffi"), 0);
  OK(cudaGetFuncBySymbol(&function, scale));
  OK(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferL1));
  OK(cudaFuncSetSharedMemConfig(scale, cudaSharedMemBankSizeFourByte));
  OK(cudaFuncSetAttribute(scale, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(scale, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(scale, (cudaFuncAttribute)77, 1));
  GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, (const void *)&a));
  GIVES(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(typed, cudaFuncCachePreferL1));
}

TEST(occupancy) {
  int blocks, grid, block;
  size_t bytes;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  EQUAL(blocks, 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 1024, 0));
  EQUAL(blocks, 2);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 48 << 10));
  EQUAL(blocks, 3);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, scale, 32, 0, cudaOccupancyDefault));
  EQUAL(blocks, 32);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
  EQUAL(block, 1024);
  EQUAL(grid, 216);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  EQUAL(block, 64);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scale, [](int size) { return size * 4; }, 512));
  EQUAL(block, 512);
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, scale, 2, 512));
  CHECK(bytes > (48 << 10));
  GIVES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 0, 0));
  GIVES(cudaErrorNotSupported, cudaOccupancyMaxPotentialClusterSize(&blocks, scale, nullptr));
  GIVES(cudaErrorNotSupported, cudaOccupancyMaxActiveClusters(&blocks, scale, nullptr));
}
