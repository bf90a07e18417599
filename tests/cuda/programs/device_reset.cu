// SPDX-License-Identifier: Apache-2.0
// lanewise nvcc device_reset.cu -o device_reset && ./device_reset
// cudaDeviceReset gives all memory back; hints about managed memory are told to who asks, and go with it.
#include "check.h"

static int asked(const char *memory, size_t bytes, cudaMemRangeAttribute attribute) {
  int value = 77;
  OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes));
  return value;
}

static void hints() {
  char *memory;
  size_t half = 1 << 16;
  int places[3];
  OK(cudaMallocManaged(&memory, 2 * half));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 0);
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetReadMostly, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 1);
  CHECK(asked(memory, 2 * half, cudaMemRangeAttributeReadMostly) == 0);
  OK(cudaMemAdvise(memory + half, half, cudaMemAdviseSetReadMostly, 0));
  CHECK(asked(memory, 2 * half, cudaMemRangeAttributeReadMostly) == 1);
  OK(cudaMemAdvise(memory, 2 * half, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseUnsetPreferredLocation, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  CHECK(asked(memory + half, half, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  OK(cudaMemAdvise(memory, half, cudaMemAdviseSetAccessedBy, 0));
  OK(cudaMemRangeGetAttribute(places, sizeof places, cudaMemRangeAttributeAccessedBy, memory, half));
  CHECK(places[0] == 0 && places[1] == cudaCpuDeviceId && places[2] == cudaInvalidDeviceId);
  OK(cudaMemPrefetchAsync(memory, half, 0));
  CHECK(asked(memory, half, cudaMemRangeAttributeLastPrefetchLocation) == 0);
  OK(cudaFree(memory));
  OK(cudaMallocManaged(&memory, 2 * half));
  CHECK(asked(memory, half, cudaMemRangeAttributeReadMostly) == 0);
}

int main() {
  size_t free_bytes, total, before;
  char *device, *managed, *pooled, *again;
  void *host;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  hints();
  OK(cudaDeviceReset());
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMalloc(&device, 1 << 20));
  OK(cudaMallocManaged(&managed, 1 << 20));
  OK(cudaMallocHost(&host, 1 << 20));
  OK(cudaMallocAsync(&pooled, 1 << 20, 0));
  OK(cudaMallocArray(&array, &format, 64, 64));
  OK(cudaDeviceReset());
  OK(cudaMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes == before);
  EXPECT(cudaErrorInvalidValue, cudaFree(device));
  EXPECT(cudaErrorInvalidValue, cudaFreeHost(host));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  OK(cudaMalloc(&again, 1 << 20));
  OK(cudaMemset(again, 1, 1 << 20));
  OK(cudaFree(again));
  puts("ok");
}
