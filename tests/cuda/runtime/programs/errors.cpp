// SPDX-License-Identifier: Apache-2.0
// The error model: the last error of each thread, and texts.
#include "kernels.h"

#include <pthread.h>

TEST(the_last_error_is_given_once) {
  OK(cudaGetLastError());
  GIVES(cudaErrorInvalidValue, cudaMemset((void *)64, 0, 4));
  GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
  GIVES(cudaErrorInvalidValue, cudaPeekAtLastError());
  int count;
  OK(cudaGetDeviceCount(&count));
  GIVES(cudaErrorInvalidValue, cudaGetLastError());
  OK(cudaGetLastError());
}

static void *has_no_error(void *) {
  OK(cudaGetLastError());
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(7));
  return nullptr;
}

TEST(each_thread_has_its_own_last_error) {
  GIVES(cudaErrorInvalidValue, cudaMemset((void *)64, 0, 4));
  pthread_t thread;
  CHECK(pthread_create(&thread, nullptr, has_no_error, nullptr) == 0);
  pthread_join(thread, nullptr);
  GIVES(cudaErrorInvalidValue, cudaGetLastError());
}

TEST(errors_have_nvidias_names_and_texts) {
  CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
  CHECK(strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code") == 0);
}

// stderr: lanewise: cudaMemset: the memory, 0x40, is in no memory of the device (cudaErrorInvalidValue)
TEST(a_failure_says_more_on_standard_error) { GIVES(cudaErrorInvalidValue, cudaMemset((void *)64, 0, 4)); }

// stderr: lanewise: cudaIpcGetMemHandle: memory and events can't be shared with other processes (cudaErrorNotSupported)
TEST(other_processes_are_refused_by_name) {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  void *opened;
  cudaEvent_t opened_event;
  GIVES(cudaErrorNotSupported, cudaIpcGetMemHandle(&memory, (void *)64));
  GIVES(cudaErrorNotSupported, cudaIpcOpenMemHandle(&opened, memory, 0));
  GIVES(cudaErrorNotSupported, cudaIpcCloseMemHandle((void *)64));
  GIVES(cudaErrorNotSupported, cudaIpcGetEventHandle(&event, nullptr));
  GIVES(cudaErrorNotSupported, cudaIpcOpenEventHandle(&opened_event, event));
}
