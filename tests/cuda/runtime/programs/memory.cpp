// SPDX-License-Identifier: Apache-2.0
// Memory of all kinds.
#include "kernels.h"

TEST(memory_is_counted) {
  size_t before, after, total;
  OK(cudaMemGetInfo(&before, &total));
  float *memory;
  OK(cudaMalloc(&memory, 1 << 20));
  CHECK((size_t)memory % 256 == 0);
  OK(cudaMemGetInfo(&after, &total));
  EQUAL(before - after, 1 << 20);
  OK(cudaFree(memory));
  OK(cudaMemGetInfo(&after, &total));
  EQUAL(before, after);
}

TEST(odd_requests) {
  void *memory = (void *)1;
  OK(cudaMalloc(&memory, 0));
  CHECK(!memory);
  OK(cudaFree(nullptr));
  OK(cudaFreeHost(nullptr));
  GIVES(cudaErrorInvalidValue, cudaMalloc((void **)nullptr, 4));
  GIVES(cudaErrorMemoryAllocation, cudaMalloc(&memory, (size_t)1 << 50));
  GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
  GIVES(cudaErrorInvalidValue, cudaMallocManaged(&memory, 0));
  GIVES(cudaErrorInvalidValue, cudaMallocManaged(&memory, 4, 77));
  GIVES(cudaErrorInvalidValue, cudaHostAlloc(&memory, 4, 0x100));
}

TEST(memory_is_freed_once_and_at_its_start) {
  char *memory, *pinned;
  int local;
  OK(cudaMalloc(&memory, 1024));
  OK(cudaMallocHost(&pinned, 1024));
  GIVES(cudaErrorInvalidValue, cudaFree(memory + 256));
  GIVES(cudaErrorInvalidValue, cudaFree(&local));
  GIVES(cudaErrorInvalidValue, cudaFree(pinned));
  GIVES(cudaErrorInvalidValue, cudaFreeHost(memory));
  OK(cudaFree(memory));
  GIVES(cudaErrorInvalidValue, cudaFree(memory));
  OK(cudaFreeHost(pinned));
  GIVES(cudaErrorInvalidValue, cudaFreeHost(pinned));
}

TEST(freeing_waits_for_kernels) {
  float *data, *result;
  OK(cudaMallocManaged(&result, 16));
  OK(cudaMalloc(&data, 16));
  result[0] = 3;
  OK(launch(KERNEL(scale), 1, 1, nullptr, result, 2.0f, 1));
  OK(cudaFree(data));
  CHECK(result[0] == 6);
  OK(cudaFree(result));
}

TEST(pitched_memory_has_whole_rows) {
  char *memory;
  size_t pitch;
  OK(cudaMallocPitch(&memory, &pitch, 100, 7));
  EQUAL(pitch % 512, 0);
  CHECK(pitch >= 100);
  OK(cudaMemset2D(memory, pitch, 1, 100, 7));
  OK(cudaFree(memory));
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, make_cudaExtent(100, 5, 3)));
  EQUAL(box.xsize, 100);
  EQUAL(box.ysize, 5);
  OK(cudaMemset3D(box, 1, make_cudaExtent(100, 5, 3)));
  OK(cudaFree(box.ptr));
}

TEST(host_memory_is_known_to_the_device) {
  int *pinned, *device = nullptr;
  unsigned int flags;
  OK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocPortable));
  OK(cudaHostGetDevicePointer(&device, pinned, 0));
  CHECK(device == pinned);
  OK(cudaHostGetFlags(&flags, pinned));
  EQUAL(flags, cudaHostAllocMapped | cudaHostAllocPortable);
  pinned[0] = 4;
  OK(launch(KERNEL(add), 1, 1, nullptr, device, 3));
  OK(cudaDeviceSynchronize());
  EQUAL(pinned[0], 7);
  OK(cudaFreeHost(pinned));
  GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, &flags, 0));
  GIVES(cudaErrorInvalidValue, cudaHostGetFlags(&flags, &flags));
}

TEST(host_memory_can_be_registered) {
  static int data[16];
  OK(cudaHostRegister(data, sizeof data, cudaHostRegisterDefault));
  GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(data + 4, 4, 0));
  OK(launch(KERNEL(add), 1, 16, nullptr, (int *)data, 3));
  OK(cudaDeviceSynchronize());
  EQUAL(data[15], 3);
  OK(cudaHostUnregister(data));
  GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(data));
  GIVES(cudaErrorInvalidValue, cudaHostRegister(nullptr, 4, 0));
  GIVES(cudaErrorInvalidValue, cudaHostRegister(data, 0, 0));
  GIVES(cudaErrorNotSupported, cudaHostRegister(data, 4, cudaHostRegisterIoMemory));
}

TEST(pointers_say_what_they_are) {
  cudaPointerAttributes a;
  void *device, *pinned, *managed;
  OK(cudaMalloc(&device, 64));
  OK(cudaMallocHost(&pinned, 64));
  OK(cudaMallocManaged(&managed, 64));
  OK(cudaPointerGetAttributes(&a, (char *)device + 8));
  EQUAL(a.type, cudaMemoryTypeDevice);
  EQUAL(a.device, 0);
  CHECK(a.devicePointer == (char *)device + 8 && !a.hostPointer);
  OK(cudaPointerGetAttributes(&a, pinned));
  EQUAL(a.type, cudaMemoryTypeHost);
  OK(cudaPointerGetAttributes(&a, managed));
  EQUAL(a.type, cudaMemoryTypeManaged);
  CHECK(a.devicePointer == managed && a.hostPointer == managed);
  OK(cudaPointerGetAttributes(&a, &device));
  EQUAL(a.type, cudaMemoryTypeUnregistered);
  GIVES(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, device));
}

TEST(hints_about_managed_memory) {
  char *managed, *device;
  int value = 5;
  void *data[] = {&value};
  size_t sizes[] = {sizeof value};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributePreferredLocation};
  OK(cudaMallocManaged(&managed, 4096));
  OK(cudaMalloc(&device, 4096));
  OK(cudaMemPrefetchAsync(managed, 4096, 0));
  OK(cudaMemPrefetchAsync(managed, 4096, cudaCpuDeviceId, (cudaStream_t) nullptr));
  OK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0));
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPrefetchAsync(managed, 4096, location, 0u));
  OK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetAccessedBy, location));
  OK(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, managed, 4096));
  EQUAL(value, 1);
  OK(cudaMemRangeGetAttributes(data, sizes, attributes, 1, managed, 4096));
  EQUAL(value, cudaInvalidDeviceId);
  OK(cudaStreamAttachMemAsync(nullptr, managed));
  GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(nullptr, device));
  GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, 16, 0));
  GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 5000, 0));
  GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 16, 3));
  GIVES(cudaErrorInvalidValue, cudaMemAdvise(managed, 16, (cudaMemoryAdvise)42, 0));
}
