// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "driver.h"

#include <unistd.h>

namespace lw_cudart {

static thread_local cudaError_t last;
struct Reason {
  char text[512];
};
static ThreadMemory<Reason> reasons;
static int sticky;

cudaError_t sticky_error() { return static_cast<cudaError_t>(__atomic_load_n(&sticky, __ATOMIC_ACQUIRE)); }

void set_sticky_error(cudaError_t error) {
  int none = cudaSuccess;
  __atomic_compare_exchange_n(&sticky, &none, error, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void clear_sticky_error() {
  __atomic_store_n(&sticky, cudaSuccess, __ATOMIC_RELEASE);
  last = cudaSuccess;
}

cudaError_t record(cudaError_t error) {
  last = error;
  return error;
}

char *reason() { return reasons.get()->text; }

cudaError_t fail(cudaError_t error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason(), sizeof(Reason), format, arguments);
  va_end(arguments);
  return error;
}

// Functions are called by the names that programs use: without the version of their interface.
static int length_without_version(const char *name) {
  size_t length = strlen(name);
  bool has_version = length > 3 && strncmp(name + length - 3, "_v", 2) == 0;
  return static_cast<int>(has_version ? length - 3 : length);
}

void explain(const char *name, cudaError_t error) {
  const char *driver = driver_function(), *function = driver ? driver : name;
  if (reason()[0])
    say("%.*s: %s (%s)", length_without_version(function), function, reason(),
        driver ? name_of_result(result_of(error)) : cudaGetErrorName(error));
}

// True the first time that `line` comes.
static bool is_new(const char *line) {
  enum { KNOWN = 1024 };
  static Lock lock;
  static uint64_t known[KNOWN];
  uint64_t hash = 14695981039346656037u; // FNV-1a
  for (const char *c = line; *c; ++c)
    hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211u;
  if (!hash)
    hash = 1;
  Held held(lock);
  for (size_t i = hash % KNOWN, tries = 0; tries < 8; ++tries, i = (i + 1) % KNOWN) {
    if (known[i] == hash)
      return false;
    if (!known[i]) {
      known[i] = hash;
      return true;
    }
  }
  return true;
}

void say(const char *format, ...) {
  char line[1400] = "lanewise: ";
  size_t start = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  va_end(arguments);
  if (!is_new(line))
    return;
  size_t length = strlen(line);
  line[length++] = '\n';
  for (size_t done = 0; done < length;) {
    ssize_t written = write(STDERR_FILENO, line + done, length - done);
    if (written <= 0)
      return;
    done += static_cast<size_t>(written);
  }
}

// The driver's errors have the numbers of the runtime's. After some of them a GPU does nothing any more.
static cudaError_t error_of_driver(int32_t number) {
  cudaError_t error = static_cast<cudaError_t>(number);
  bool stays = error == cudaErrorIllegalAddress || error == cudaErrorLaunchTimeout || error == cudaErrorAssert ||
               (error >= cudaErrorHardwareStackError && error <= cudaErrorLaunchFailure);
  if (stays)
    set_sticky_error(error);
  return error;
}

bool device_is_open;

cudaError_t open_device() {
  int32_t result = lw_device_open();
  if (result == LW_SUCCESS) {
    __atomic_store_n(&device_is_open, true, __ATOMIC_RELEASE);
    return cudaSuccess;
  }
  return error_of(result);
}

cudaError_t refuse_on_gpu(const char *what) {
  return lw_is_gpu() ? fail(cudaErrorNotSupported, "%s are not supported with LANEWISE_DEVICE=cuda", what)
                     : cudaSuccess;
}

cudaError_t error_of(int32_t result) {
  static const cudaError_t errors[] = {
      cudaSuccess,
      cudaErrorInvalidValue,
      cudaErrorMemoryAllocation,
      cudaErrorNotReady,
      cudaErrorNoKernelImageForDevice,
      cudaErrorInvalidConfiguration,
      cudaErrorIllegalAddress,
      cudaErrorLaunchFailure,
      cudaErrorLaunchFailure,
      cudaErrorNotPermitted,
      cudaErrorOperatingSystem,
      cudaErrorNotSupported,
  };
  if (result == LW_SUCCESS || result == LW_NOT_READY)
    return errors[result];
  if (result == LW_LAUNCH_FAILED || result == LW_WORK_FAILED) {
    cudaError_t known = sticky_error();
    return known != cudaSuccess ? known : cudaErrorLaunchFailure;
  }
  const char *words = lw_explanation();
  if (result >= LW_DRIVER_ERROR)
    return fail(error_of_driver(result - LW_DRIVER_ERROR), "%s", words);
  cudaError_t error = result > 0 && result <= LW_NOT_SUPPORTED ? errors[result] : cudaErrorUnknown;
  return words[0] ? fail(error, "%s", words) : error;
}

bool wants(const char *variable) {
  const char *value = getenv(variable);
  return value && value[0] && strcmp(value, "0") != 0;
}

LW_API cudaError_t cudaGetLastError() {
  cudaError_t error = last;
  // A broken context stays broken.
  if (error != cudaSuccess && error != sticky_error())
    last = cudaSuccess;
  return error;
}

LW_API cudaError_t cudaPeekAtLastError() { return last; }

} // namespace lw_cudart
