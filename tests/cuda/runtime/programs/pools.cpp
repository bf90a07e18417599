// SPDX-License-Identifier: Apache-2.0
// Memory in stream order.
#include "kernels.h"

TEST(memory_is_freed_in_stream_order) {
  int *memory, *result;
  cudaStream_t stream;
  cudaMemPool_t pool;
  uint64_t used;
  OK(cudaStreamCreate(&stream));
  OK(cudaMallocManaged(&result, 4));
  OK(cudaMallocAsync(&memory, 4096, stream));
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EQUAL(used, 4096);
  OK(cudaMemsetAsync(memory, 0, 4096, stream));
  OK(launch(KERNEL(add), 1, 1, stream, memory, 6));
  OK(cudaMemcpyAsync(result, memory, 4, cudaMemcpyDefault, stream));
  OK(cudaFreeAsync(memory, stream));
  OK(cudaStreamSynchronize(stream));
  EQUAL(*result, 6);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EQUAL(used, 0);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
  EQUAL(used, 4096);
  GIVES(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));
  GIVES(cudaErrorInvalidValue, cudaMallocAsync(&memory, 0, stream));
  OK(cudaFreeAsync(nullptr, stream));
  OK(cudaMallocAsync(&memory, 64, stream));
  OK(cudaFree(memory));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EQUAL(used, 0);
}

TEST(pools) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool, current;
  OK(cudaMemPoolCreate(&pool, &properties));
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == pool);
  uint64_t value = 1 << 20, zero = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  value = 0;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  EQUAL(value, 1 << 20);
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  int reuse = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  reuse = 5;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  EQUAL(reuse, 0);
  float *memory, *second;
  OK(cudaMallocFromPoolAsync(&memory, 64, pool, (cudaStream_t) nullptr));
  OK(cudaMallocAsync(&second, 64, pool, (cudaStream_t) nullptr));
  OK(cudaMemPoolTrimTo(pool, 0));
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  cudaMemAccessFlags flags;
  OK(cudaMemPoolSetAccess(pool, &access, 1));
  OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
  EQUAL(flags, cudaMemAccessFlagsProtReadWrite);
  OK(cudaMemPoolDestroy(pool));
  GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));
  OK(cudaFree(memory));
  OK(cudaDeviceGetDefaultMemPool(&current, 0));
  GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(current));
  OK(cudaMemPoolGetAttribute(current, cudaMemPoolAttrUsedMemCurrent, &value));
  EQUAL(value, 64);
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  GIVES(cudaErrorNotSupported, cudaMemPoolCreate(&pool, &properties));
  cudaMemPoolPtrExportData data;
  GIVES(cudaErrorNotSupported, cudaMemPoolExportPointer(&data, memory));
  GIVES(cudaErrorNotSupported, cudaMemPoolImportPointer((void **)&memory, current, &data));
  GIVES(cudaErrorNotSupported, cudaMemPoolExportToShareableHandle(&data, current, cudaMemHandleTypeFabric, 0));
  GIVES(cudaErrorNotSupported, cudaMemPoolImportFromShareableHandle(&current, &data, cudaMemHandleTypeFabric, 0));
}
