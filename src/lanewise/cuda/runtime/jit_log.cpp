// SPDX-License-Identifier: Apache-2.0
#include "api.h"
#include "driver.h"
#include "jit_log.h"

#include <time.h>

namespace lw_cudart {

cudaError_t open_log(JitLog *log, unsigned int count, const CUjit_option *options, void **values) {
  *log = {};
  clock_gettime(CLOCK_MONOTONIC, &log->start);
  REQUIRE(!count || (options && values), cudaErrorInvalidValue, "options or their values are null");
  for (unsigned int i = 0; i < count; ++i)
    switch (static_cast<int>(options[i])) {
    case CU_JIT_INFO_LOG_BUFFER:
      log->info.text = static_cast<char *>(values[i]);
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
      log->info.size = &values[i];
      break;
    case CU_JIT_ERROR_LOG_BUFFER:
      log->errors.text = static_cast<char *>(values[i]);
      break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
      log->errors.size = &values[i];
      break;
    case CU_JIT_WALL_TIME:
      log->milliseconds = &values[i];
      break;
    default:; // no matter for the CPU
    }
  return cudaSuccess;
}

// The size is 32 bits of the pointer that is the option's value.
static void write(const LogBuffer &buffer, const char *text) {
  uint32_t room = buffer.size ? static_cast<uint32_t>(reinterpret_cast<uintptr_t>(*buffer.size)) : 0, filled = 0;
  if (buffer.text && room) {
    snprintf(buffer.text, room, "%s", text);
    filled = static_cast<uint32_t>(strlen(buffer.text));
  }
  if (buffer.size)
    *buffer.size = reinterpret_cast<void *>(static_cast<uintptr_t>(filled));
}

void write_log(const JitLog &log, cudaError_t error) {
  write(log.info, "");
  write(log.errors, error == cudaSuccess ? "" : reason());
  if (!log.milliseconds)
    return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  float passed = static_cast<float>(static_cast<double>(now.tv_sec - log.start.tv_sec) * 1e3 +
                                    static_cast<double>(now.tv_nsec - log.start.tv_nsec) * 1e-6);
  memcpy(log.milliseconds, &passed, sizeof passed);
}

} // namespace lw_cudart
