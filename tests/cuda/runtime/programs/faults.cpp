// SPDX-License-Identifier: Apache-2.0
// Kernels that fail: the error comes with the next call that waits, and with all that follow.
#include "kernels.h"

static void broken_by(cudaError_t error) {
  OK(cudaGetLastError());
  GIVES(error, cudaDeviceSynchronize());
  void *memory;
  GIVES(error, cudaMalloc(&memory, 16));
  GIVES(error, cudaStreamSynchronize(nullptr));
  GIVES(error, cudaGetLastError());
  GIVES(error, cudaGetLastError());
  int count;
  OK(cudaGetDeviceCount(&count));
}

// stderr: lanewise: kernel trapping, block (0, 0, 0), thread (3, 0, 0): __trap() (cudaErrorLaunchFailure)
TEST(a_trap_is_a_launch_failure) {
  OK(launch_bare(KERNEL(trapping), 1, 32));
  broken_by(cudaErrorLaunchFailure);
}

// stderr: k.cu:12: void f(int): block: [0,0,0], thread: [1,0,0] Assertion `n > 0` failed.
TEST(a_failed_assertion_is_printed_as_nvidia_does) {
  OK(launch_bare(KERNEL(asserting), 1, 32));
  broken_by(cudaErrorAssert);
}

// stderr: a write of memory that is not there at address
// stderr: 4096 bytes after the end of an array of 4096 bytes of device memory
TEST(an_access_after_the_end_names_the_allocation) {
  char *memory;
  OK(cudaMalloc(&memory, 4096));
  OK(launch(KERNEL(writing), 1, 1, nullptr, memory, 8192L - 4096L + 4096L));
  broken_by(cudaErrorIllegalAddress);
}

// stderr: at address 0x18, which a null pointer leads to (cudaErrorIllegalAddress)
TEST(a_null_pointer_is_named) {
  OK(launch(KERNEL(writing), 1, 1, nullptr, (char *)nullptr, 24L));
  broken_by(cudaErrorIllegalAddress);
}

// stderr: a division by zero
TEST(a_division_by_zero_is_a_launch_failure) {
  int *values;
  OK(cudaMalloc(&values, 12));
  OK(cudaMemset(values, 0, 12));
  OK(launch(KERNEL(dividing), 1, 1, nullptr, values));
  broken_by(cudaErrorLaunchFailure);
}

// stderr: lanewise: kernel scale: argument 1, data
// stderr: copy the data to memory from cudaMalloc by cudaMemcpy
TEST(a_host_pointer_is_an_illegal_address) {
  static float data[4];
  OK(launch(KERNEL(scale), 1, 4, nullptr, (float *)data, 2.0f, 4));
  broken_by(cudaErrorIllegalAddress);
}

// environment: LANEWISE_HOST_POINTERS=1
TEST(a_host_pointer_may_be_allowed) {
  static float data[4] = {1, 2, 3, 4};
  OK(launch(KERNEL(scale), 1, 4, nullptr, (float *)data, 2.0f, 4));
  OK(cudaDeviceSynchronize());
  CHECK(data[3] == 8);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  EQUAL(properties.pageableMemoryAccess, 1);
}

TEST(a_reset_makes_the_device_usable_again) {
  OK(launch_bare(KERNEL(trapping), 1, 1));
  GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  OK(cudaDeviceReset());
  OK(cudaGetLastError());
  float *data, host[4] = {1, 2, 3, 4};
  OK(cudaMalloc(&data, sizeof host));
  OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  OK(launch(KERNEL(scale), 1, 4, nullptr, data, 2.0f, 4));
  OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(host[3] == 8);
}

TEST(the_next_copy_reports_the_failure_too) {
  float *data, host[4];
  OK(cudaMalloc(&data, sizeof host));
  OK(launch_bare(KERNEL(trapping), 1, 1));
  GIVES(cudaErrorLaunchFailure, cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
}

static int called;
static void on_end(cudaStream_t, cudaError_t status, void *data) {
  EQUAL(status, cudaErrorLaunchFailure);
  CHECK(data == &called);
  ++called;
}
static void never(void *) { exit(3); }

TEST(callbacks_are_told_of_a_failure_and_host_functions_are_dropped) {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(launch(KERNEL(trapping), 1, 1, stream));
  OK(cudaStreamAddCallback(stream, on_end, &called, 0));
  OK(cudaLaunchHostFunc(stream, never, nullptr));
  GIVES(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  EQUAL(called, 1);
}
