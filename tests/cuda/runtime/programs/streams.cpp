// SPDX-License-Identifier: Apache-2.0
// Streams, events, functions of the host.
#include "kernels.h"

static void *by_thread(void *data) {
  OK(launch(KERNEL(add), 1, 1, cudaStreamPerThread, (int *)data, 2));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  return nullptr;
}

#include <pthread.h>

TEST(default_streams) {
  int *data;
  OK(cudaMallocManaged(&data, 16));
  data[0] = 0;
  OK(launch(KERNEL(add), 1, 1, nullptr, data, 1));
  OK(launch(KERNEL(add), 1, 1, cudaStreamLegacy, data, 10));
  OK(launch(KERNEL(add), 1, 1, cudaStreamPerThread, data, 100));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  OK(cudaStreamSynchronize(nullptr));
  EQUAL(data[0], 111);
  pthread_t thread;
  CHECK(pthread_create(&thread, nullptr, by_thread, data) == 0);
  pthread_join(thread, nullptr);
  EQUAL(data[0], 113);
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
}

TEST(streams_that_are_not_there) {
  cudaStream_t stream;
  int local;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamDestroy(stream));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(stream));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamSynchronize((cudaStream_t)&local));
  GIVES(cudaErrorInvalidResourceHandle, launch(KERNEL(bounded), 1, 1, stream));
  GIVES(cudaErrorInvalidResourceHandle, cudaMemsetAsync(&local, 0, 4, (cudaStream_t)0x1234));
  GIVES(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  GIVES(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 99));
}

TEST(streams_have_flags_priorities_and_ids) {
  cudaStream_t stream, other;
  unsigned int flags;
  int priority, device = -1;
  unsigned long long id, other_id;
  OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -3));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamDefault));
  OK(cudaStreamGetFlags(stream, &flags));
  EQUAL(flags, cudaStreamNonBlocking);
  OK(cudaStreamGetPriority(stream, &priority));
  EQUAL(priority, -3);
  OK(cudaStreamGetId(stream, &id));
  OK(cudaStreamGetId(other, &other_id));
  CHECK(id != other_id);
  OK(cudaStreamGetDevice(stream, &device));
  EQUAL(device, 0);
  cudaStreamAttrValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;
  OK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  OK(cudaStreamCopyAttributes(other, stream));
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &value));
  EQUAL(value.syncPolicy, cudaSyncPolicyYield);
  GIVES(cudaErrorInvalidValue, cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value));
}

TEST(a_query_tells_whether_work_is_left) {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamQuery(stream));
  OK(launch(KERNEL(bounded), 1, 1, stream));
  GIVES(cudaErrorNotReady, cudaStreamQuery(stream));
  OK(cudaStreamQuery(stream));
  GIVES(cudaErrorNotReady, cudaGetLastError());
}

TEST(events) {
  cudaEvent_t start, end, bare;
  cudaStream_t stream;
  float milliseconds = -1;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end, cudaEventBlockingSync));
  OK(cudaEventCreateWithFlags(&bare, cudaEventDisableTiming));
  OK(cudaEventQuery(start));
  OK(cudaEventSynchronize(start));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, end));
  OK(cudaEventRecord(start, stream));
  OK(launch(KERNEL(bounded), 1, 1, stream));
  OK(cudaEventRecordWithFlags(end, stream));
  GIVES(cudaErrorNotReady, cudaEventElapsedTime(&milliseconds, start, end));
  GIVES(cudaErrorNotReady, cudaEventQuery(end));
  OK(cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  OK(cudaEventRecord(bare));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, bare));
  OK(cudaStreamWaitEvent(stream, bare));
  OK(cudaStreamWaitEvent(stream, bare, 0));
  OK(cudaEventDestroy(start));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventDestroy(start));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(start));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, (cudaEvent_t)&milliseconds));
  GIVES(cudaErrorNotSupported, cudaEventCreate(&start, cudaEventInterprocess | cudaEventDisableTiming));
  GIVES(cudaErrorInvalidValue, cudaEventCreate(&start, 64));
}

static int steps[3], num_steps;
static void step(void *data) { steps[num_steps++] = *(int *)data; }
static void last_step(cudaStream_t, cudaError_t status, void *data) {
  EQUAL(status, cudaSuccess);
  step(data);
}
static void waits(void *) { GIVES(cudaErrorNotPermitted, cudaDeviceSynchronize()); }

TEST(functions_of_the_host_run_in_order) {
  int one = 1, two = 2;
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaLaunchHostFunc(stream, step, &one));
  OK(cudaStreamAddCallback(stream, last_step, &two, 0));
  EQUAL(num_steps, 0);
  OK(cudaStreamSynchronize(stream));
  EQUAL(num_steps, 2);
  EQUAL(steps[0] * 10 + steps[1], 12);
  OK(cudaLaunchHostFunc(nullptr, waits, nullptr));
  OK(cudaDeviceSynchronize());
  GIVES(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
  GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  GIVES(cudaErrorInvalidValue, cudaStreamAddCallback(stream, last_step, nullptr, 1));
}

TEST(many_streams_and_events_come_and_go) {
  for (int i = 0; i < 20000; ++i) {
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    OK(cudaEventDestroy(event));
  }
  for (int i = 0; i < 2000; ++i) {
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamDestroy(stream));
  }
}
