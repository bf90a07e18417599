// SPDX-License-Identifier: Apache-2.0
// What the options of a compilation ask to be told of it (CUDA Driver API, CUjit_option): its time, and texts in buffers
// of the program's.
#ifndef LANEWISE_CUDART_JIT_LOG_H
#define LANEWISE_CUDART_JIT_LOG_H

namespace lw_cudart {

// A buffer of the program's. The option's value is its size first, then how much of it is filled.
struct LogBuffer {
  char *text;
  void **size;
};

struct JitLog {
  LogBuffer info, errors;
  void **milliseconds; // a float, in the place of the option's value
  struct timespec start;
};

// Reads the options. What the program reads must be there until the log is written.
cudaError_t open_log(JitLog *log, unsigned int count, const CUjit_option *options, void **values);
// Writes the time, and to the errors' buffer why the call fails, if it does.
void write_log(const JitLog &log, cudaError_t error);

} // namespace lw_cudart

#endif
