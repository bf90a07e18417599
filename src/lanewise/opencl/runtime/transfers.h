// SPDX-License-Identifier: Apache-2.0
// What commands that move memory have in common.
#ifndef LANEWISE_OPENCL_TRANSFERS_H
#define LANEWISE_OPENCL_TRANSFERS_H

#include "scheduler.h"

namespace lw_opencl {

enum : size_t { MOST_PATTERN_BYTES = 128 };

// Work of a type, zeroed; null where memory is short.
template <class T> static T *new_work(cl_int (*run)(Work *, Event *), void (*release)(Work *)) {
  T *work = static_cast<T *>(calloc(1, sizeof(T)));
  if (work) {
    work->run = run;
    work->release = release;
  }
  return work;
}

struct Request {
  cl_command_queue queue;
  cl_enum type;
  WaitList waits;
  cl_event *event;
  bool blocking;
};

// A pattern of 1, 2, 4 bytes and so on.
cl_int require_pattern(const void *pattern, size_t bytes);

cl_int require_map_flags(cl_bitfield flags);

// Repeats a pattern; the last one may be cut off.
void fill_bytes(char *start, size_t bytes, const char *pattern, size_t pattern_bytes);

} // namespace lw_opencl

#endif
