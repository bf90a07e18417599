// SPDX-License-Identifier: Apache-2.0
// Errors: the last one of each thread, the one that a failed kernel leaves for good, and what is said besides.
#include "runtime.h"

namespace {

thread_local cudaError_t last_error __attribute__((tls_model("initial-exec"))) = cudaSuccess;
// Of a kernel that failed. Nothing but cudaDeviceReset works afterwards.
int sticky_error = cudaSuccess; // atomic

cudaError_t sticky() { return static_cast<cudaError_t>(__atomic_load_n(&sticky_error, __ATOMIC_ACQUIRE)); }

void set_sticky(cudaError_t error) {
  int none = cudaSuccess;
  __atomic_compare_exchange_n(&sticky_error, &none, error, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// One line on standard error.
__attribute__((format(printf, 1, 2))) void tell(const char *format, ...) {
  char line[1024];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  size_t end = length < 0 ? 0 : static_cast<size_t>(length) < sizeof line - 1 ? static_cast<size_t>(length)
                                                                               : sizeof line - 2;
  line[end] = '\0';
  fprintf(stderr, "lanewise: %s\n", line);
}

// Says it the first time only: a program that ignores an error would bury its own output.
void tell_once(const char *function, const char *text) {
  enum { MOST = 64 };
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static char *told[MOST];
  static int count;
  if (*text == '\0')
    return;
  Lock lock(mutex);
  for (int i = 0; i < count; ++i)
    if (strcmp(told[i], text) == 0)
      return;
  if (count == MOST)
    return;
  told[count] = strdup(text);
  if (told[count] != nullptr)
    ++count;
  tell("%s: %s", function, text);
}

// The result of a call: kept as the thread's last error, unless it is none.
cudaError_t done(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    last_error = error;
  return error;
}

// CUDA's error for a result of the host runtime; says what the call named `function` objected to.
cudaError_t from_host(int32_t result, const char *function) {
  if (result == LW_SUCCESS)
    return cudaSuccess;
  if (result == LW_NOT_READY)
    return cudaErrorNotReady;
  if (result == LW_LAUNCH_FAILED || result == LW_WORK_FAILED)
    return sticky() != cudaSuccess ? sticky() : cudaErrorLaunchFailure;
  tell_once(function, lw_explanation());
  switch (result) {
  case LW_NO_MEMORY:
    return cudaErrorMemoryAllocation;
  case LW_NO_KERNEL:
    return cudaErrorNoKernelImageForDevice;
  case LW_BAD_GEOMETRY:
    return cudaErrorInvalidConfiguration;
  case LW_BAD_POINTER:
    set_sticky(cudaErrorIllegalAddress);
    return cudaErrorIllegalAddress;
  case LW_NOT_PERMITTED:
    return cudaErrorNotPermitted;
  case LW_NO_THREAD:
    return cudaErrorOperatingSystem;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t objected(cudaError_t error, const char *function, const char *text) {
  tell_once(function, text);
  return error;
}

} // namespace

// A function of the interface: nothing works after a kernel has failed.
#define RETURN_IF_STICKY()                                                                                       \
  do {                                                                                                           \
    if (sticky() != cudaSuccess)                                                                                 \
      return done(sticky());                                                                                     \
  } while (0)

CUDART cudaError_t cudaGetLastError() {
  cudaError_t error = sticky() != cudaSuccess ? sticky() : last_error;
  last_error = cudaSuccess;
  return error;
}

CUDART cudaError_t cudaPeekAtLastError() { return sticky() != cudaSuccess ? sticky() : last_error; }
